import numpy as np

import lfppl
from lfppl import sample
from lfppl.distributions import poisson


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    k = sample(poisson(1))
    z = np.zeros(3)
    z[k] = 1.0
    return z
