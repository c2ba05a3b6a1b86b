import lfppl
from lfppl import sample
from lfppl.distributions import normal

from scipy import stats


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    mu = sample(normal(0, 1))
    return stats.norm(mu, 1).logpdf(y)
