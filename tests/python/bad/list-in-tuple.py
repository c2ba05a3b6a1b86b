import numpy as np

import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    row = [0.0, 1.0]
    pair = (row, 2.0)
    row[0] = sample(normal(0, 1))
    return pair
