import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    total = 0

    def add(x):
        nonlocal total
        total = total + x

    add(sample(normal(0, 1)))
    return total
