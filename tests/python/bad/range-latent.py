import lfppl
from lfppl import sample
from lfppl.distributions import poisson


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    n = sample(poisson(3))
    total = 0
    for i in range(n):
        total += i
    return total
