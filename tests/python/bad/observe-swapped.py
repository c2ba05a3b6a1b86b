import lfppl
from lfppl import observe, sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    mu = sample(normal(0, 1))
    observe(y, normal(mu, 1))
