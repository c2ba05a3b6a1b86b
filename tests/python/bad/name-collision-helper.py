import lfppl
from lfppl import sample
from lfppl.distributions import normal

def shifted(by):
    x = sample(normal(0, 1))
    return x + by


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    a = shifted(0)
    b = shifted(1)
    return a + b
