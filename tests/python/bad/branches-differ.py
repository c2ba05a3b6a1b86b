import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    x = sample(normal(0, 1))
    if x < 0:
        part = y
    else:
        part = 0
    return part
