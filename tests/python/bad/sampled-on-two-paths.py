import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    a = sample(normal(0, 1))
    if a < 0:
        if a < -1:
            return 0
    b = sample(normal(0, 1))
    return b
