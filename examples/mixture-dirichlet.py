"""A mixture of three clusters with unknown weights, centres and precisions.

Only the labels are discontinuous: random weights stay smooth.
"""

from pathlib import Path

import numpy as np

import lfppl
from lfppl import observe, sample
from lfppl.distributions import categorical, dirichlet, gamma, normal


@lfppl.model
def model(y):
    weights = sample(dirichlet([1, 1, 1]))
    mu = sample(normal(0, 3), shape=3)
    tau = sample(gamma(2, 1), shape=3)
    z = sample(categorical(weights), shape=len(y))
    for n in range(len(y)):
        k = z[n]
        observe(normal(mu[k], 1 / np.sqrt(tau[k])), y[n])
    return min(mu), max(mu)


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
