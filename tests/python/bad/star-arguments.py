import lfppl
from lfppl import sample
from lfppl.distributions import normal

def total(*parts):
    return normal(parts[0], parts[1])


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    return sample(total(1, 2))
