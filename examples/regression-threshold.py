"""Regression with a threshold: one slope below, another above, an unknown place."""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import half_normal, normal, uniform


@lfppl.model
def model(x, y):
    threshold = sample(uniform(-2, 2))
    low = sample(normal(0, 2))
    high = sample(normal(0, 2))
    noise = sample(half_normal(1))
    for u, v in zip(x, y, strict=True):
        if u < threshold:
            slope = low
        else:
            slope = high
        observe(normal(slope * u, noise), v)
    return threshold, low, high


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
