"""A change point: yearly counts whose rate changes once, at an unknown time tau.

Every `if` that reads tau makes the density jump there.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import gamma, poisson, uniform


@lfppl.model
def model(counts):
    tau = sample(uniform(0, len(counts)))
    early, late = sample(gamma(2, 1)), sample(gamma(2, 1))
    for t in range(len(counts)):
        rate = early if t < tau else late
        observe(poisson(rate), counts[t])
    return tau, late / early


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
