import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    xs = [sample(normal(0, 1)), 2.0]
    xs.sort()
    return xs
