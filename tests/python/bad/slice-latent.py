import lfppl
from lfppl import sample
from lfppl.distributions import poisson


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    k = sample(poisson(1))
    return y[:k].sum()
