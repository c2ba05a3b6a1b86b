import lfppl
from lfppl import sample
from lfppl.distributions import normal

import random


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    return sample(normal(random.random(), 1))
