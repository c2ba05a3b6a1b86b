import lfppl
from lfppl import sample
from lfppl.distributions import normal, poisson


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    k = sample(poisson(3))
    x = sample(normal(0, 1), name=f"x_{k}")
    return x
