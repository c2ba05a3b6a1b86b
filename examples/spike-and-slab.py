"""Spike and slab: each coefficient of a regression may be switched off.

The switches are discrete; slopes and noise are smooth.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import bernoulli, half_normal, normal


@lfppl.model
def model(X, y):  # noqa: N803
    on = sample(bernoulli(0.5), shape=X.shape[1])
    slope = sample(normal(0, 2), shape=X.shape[1])
    noise = sample(half_normal(1))
    beta = on * slope
    for row, seen in zip(X, y, strict=True):
        observe(normal(row @ beta, noise), seen)
    return beta


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
