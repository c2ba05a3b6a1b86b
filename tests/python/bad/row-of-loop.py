import numpy as np

import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    m = np.zeros((2, 2))
    for row in m:
        row[0] = 1.0
    return m + sample(normal(0, 1))
