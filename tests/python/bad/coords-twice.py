import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    a = sample(normal(0, 1), dims="row", coords={"row": [1, 2, 3]})
    b = sample(normal(0, 1), dims="row", coords={"row": [0, 1, 2]})
    return a.sum() + b.sum()
