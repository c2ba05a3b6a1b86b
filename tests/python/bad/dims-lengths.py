import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    a = sample(normal(0, 1), shape=3, dims="row")
    b = sample(normal(0, 1), shape=2, dims="row")
    return a.sum() + b.sum()
