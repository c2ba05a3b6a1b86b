import numpy as np

import lfppl
from lfppl import observe, sample
from lfppl.distributions import bernoulli, normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    xs = [1.0] if sample(bernoulli(0.5)) else [1.0, 2.0]
    return sum(xs)
