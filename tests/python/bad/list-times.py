import numpy as np

import lfppl
from lfppl import observe, sample
from lfppl.distributions import bernoulli, normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    x = sample(normal(0, 1))
    return [1.0, 2.0] * x
