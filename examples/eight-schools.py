"""Eight schools (Rubin, 1981): how much coaching helps. A smooth model.

The effects are written as shifted and scaled standard normals (non-centred).
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import half_cauchy, normal


@lfppl.model
def model(y, s):
    mu = sample(normal(0, 5))
    tau = sample(half_cauchy(5))
    eta = sample(normal(0, 1), shape=len(y))
    theta = mu + tau * eta
    observe(normal(theta, s), y)
    return theta


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
