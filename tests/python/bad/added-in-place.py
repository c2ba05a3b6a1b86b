import numpy as np

import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    x = sample(normal(0, 1), shape=3)
    mean = x
    mean += 1
    return x
