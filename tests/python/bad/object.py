import lfppl
from lfppl import sample
from lfppl.distributions import normal

settings = object()


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    return sample(normal(settings, 1))
