import lfppl
from lfppl import sample
from lfppl.distributions import normal


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    xs = [0.0, sample(normal(0, 1))]
    ys = xs
    ys.append(3.0)
    return sum(xs)
