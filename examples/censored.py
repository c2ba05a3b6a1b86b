"""Life times, some of them cut off at an unknown limit of the instrument.

A reading below the limit is a density, one at the limit a probability.
"""

from pathlib import Path

from scipy.special import log_ndtr

import lfppl
from lfppl import factor, observe, sample
from lfppl.distributions import half_normal, normal, uniform


@lfppl.model
def model(times):
    mu = sample(normal(0, 5))
    sd = sample(half_normal(2))
    limit = sample(uniform(2, 6))
    for t in times:
        if t < limit:
            observe(normal(mu, sd), t)
        else:
            factor(log_ndtr((mu - limit) / sd))
    return mu, limit


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
