import numpy as np

import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    def first_zero(v):
        v[0] = 0.0

    x = sample(normal(0, 1), shape=3)
    first_zero(x)
    return x
