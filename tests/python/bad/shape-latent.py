import lfppl
from lfppl import sample
from lfppl.distributions import normal, poisson


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    n = sample(poisson(3))
    return sample(normal(0, 1), shape=n)
