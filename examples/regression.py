"""A smooth model: straight-line regression with heavy-tailed noise.

Nothing is discontinuous here, and the samplers treat it as ordinary NUTS does.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import half_cauchy, normal, student_t


@lfppl.model
def model(x, y):
    slope = sample(normal(0, 5))
    intercept = sample(normal(0, 5))
    scale = sample(half_cauchy(1))
    observe(student_t(4, intercept + slope * x, scale), y)
    return slope, intercept


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
