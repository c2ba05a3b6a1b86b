import lfppl
from lfppl import observe, sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    a = sample(normal(0, 1), shape=4)
    observe(normal(a, 1), y)
