import lfppl
from lfppl import sample
from lfppl.distributions import normal

def count(n):
    x = sample(normal(0, 1))
    return x + count(n - 1)


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    return count(3)
