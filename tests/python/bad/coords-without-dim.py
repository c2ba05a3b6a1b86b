import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    a = sample(normal(0, 1), shape=3, dims="row", coords={"rows": [1, 2, 3]})
    return a.sum()
