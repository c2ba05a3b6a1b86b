import numpy as np

import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    z = np.zeros(30_000)
    z[0] = sample(normal(0, 1))
    for t in range(1, 30_000):
        z[t] = sample(normal(z[t - 1], 1))
    return z[-1]
