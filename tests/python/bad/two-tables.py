import numpy as np

import lfppl
from lfppl import observe, sample
from lfppl.distributions import bernoulli, normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    prior = {"sd": 1.0}
    other = prior
    other["sd"] = sample(normal(0, 1))
    return prior["sd"]
