import numpy as np

import lfppl
from lfppl import observe, sample
from lfppl.distributions import bernoulli, normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    x = sample(normal(0, 1))
    if x < 0:
        part = {"a": 1.0}
    else:
        part = {"b": 1.0}
    return part["a"]
