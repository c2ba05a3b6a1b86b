import numpy as np

import lfppl
from lfppl import observe, sample
from lfppl.distributions import bernoulli, normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    def scaled(x, by):
        return x * by

    return scaled(sample(normal(0, 1)), x=2)
