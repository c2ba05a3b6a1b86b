import lfppl
from lfppl import observe, sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    mu = sample(normal(0, 1))
    for v, s in zip(y, [1.0, 2.0]):
        observe(normal(mu, s), v)
