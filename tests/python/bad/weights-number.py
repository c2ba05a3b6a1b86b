import lfppl
from lfppl import sample
from lfppl.distributions import categorical


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    return sample(categorical(0.5))
