import numpy as np

import lfppl
from lfppl import observe, sample
from lfppl.distributions import bernoulli, normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    x = sample(normal(0, 1), shape=3)
    m = np.zeros((2, 2))
    m[0] = x
    return m
