"""Two change points: counts whose rate changes twice, at unknown times.

The second change comes after the first, so its prior begins there; the density jumps in both.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import gamma, poisson, uniform


@lfppl.model
def model(counts):
    n = len(counts)
    first_change = sample(uniform(0, n))
    second_change = sample(uniform(first_change, n))
    rate = sample(gamma(2, 0.5), shape=3)
    for t in range(n):
        if t < first_change:
            phase = 0
        elif t < second_change:
            phase = 1
        else:
            phase = 2
        observe(poisson(rate[phase]), counts[t])
    return first_change, second_change


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
