import lfppl
from lfppl import observe, sample
from lfppl.distributions import normal


DATA = dict(y=["a", "b"])


@lfppl.model
def model(y):
    observe(normal(sample(normal(0, 1)), 1), y)
