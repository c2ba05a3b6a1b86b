"""A linear classifier by its errors alone: every point on the wrong side of the plane costs one.

It costs one however far it is, so no gradient says where to turn the plane.
"""

from pathlib import Path

import lfppl
from lfppl import factor, sample
from lfppl.distributions import normal


@lfppl.model
def model(X, y):  # noqa: N803
    beta = sample(normal(0, 1), shape=X.shape[1])
    for row, label in zip(X, y, strict=True):
        if label * (row @ beta) < 0:
            factor(-1)
    return beta


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
