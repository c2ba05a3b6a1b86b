import numpy as np

import lfppl
from lfppl import observe, sample
from lfppl.distributions import bernoulli, normal


generator = np.random.default_rng(1)


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    x = generator.normal()
    return x
