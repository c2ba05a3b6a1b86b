"""A Gaussian mixture (paper, section 6.1): two unknown centres, a label for every point.

The labels jump; the centres do not. The clusters may swap names, so the answer is what does not
depend on names.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import categorical, normal


@lfppl.model
def model(y):
    mu = sample(normal(0, 2), shape=2)
    z = sample(categorical([0.5, 0.5]), shape=len(y))
    observe(normal(mu[z], 1), y)
    return min(mu), max(mu)


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
