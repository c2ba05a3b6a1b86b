import numpy as np

import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    found = []

    def add(v):
        found.append(v)

    add(sample(normal(0, 1)))
    return found
