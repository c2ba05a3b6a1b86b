"""Readings of a scale that goes from an unknown limit to 20: what lay below was never recorded.

The density is zero if the limit exceeds a reading.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import half_normal, normal, truncated_normal


@lfppl.model
def model(y):
    mu = sample(normal(0, 5))
    sd = sample(half_normal(3))
    limit = sample(normal(0, 5))
    observe(truncated_normal(mu, sd, limit, 20), y)
    return mu, limit


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
