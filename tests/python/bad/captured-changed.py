import lfppl
from lfppl import sample
from lfppl.distributions import normal

prior = [0.0]


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    prior.append(1.0)
    return sample(normal(prior[0], 1))
