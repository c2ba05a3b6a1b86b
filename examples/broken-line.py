"""A line with a knee: one slope before it, another after it.

The line does not jump at the knee, it bends; yet which points are beyond it is an `if` on it.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import half_normal, normal, uniform


@lfppl.model
def model(x, y):
    knee = sample(uniform(-2, 2))
    height = sample(normal(0, 2))
    before = sample(normal(0, 2))
    after = sample(normal(0, 2))
    noise = sample(half_normal(1))
    for u, v in zip(x, y, strict=True):
        beyond = u - knee
        slope = before if beyond < 0 else after
        observe(normal(height + slope * beyond, noise), v)
    return knee, before, after


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
