"""A Gaussian mixture (paper, section 6.1): two unknown centres, a label for every point.

The labels jump; the centres do not.
"""

import lfppl
from lfppl import observe, sample
from lfppl.distributions import categorical, normal


@lfppl.model
def model(y):
    mu = sample(normal(0, 2), shape=2)
    z = sample(categorical([0.5, 0.5]), shape=len(y))
    observe(normal(mu[z], 1), y)
    return mu
