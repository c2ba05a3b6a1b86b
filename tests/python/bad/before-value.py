import lfppl
from lfppl import observe, sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    observe(normal(x, 1), y)
    x = sample(normal(0, 1))
