import numpy as np

import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    m = np.zeros((2, 2))
    row = m[0]
    row[1] = sample(normal(0, 1))
    return m
