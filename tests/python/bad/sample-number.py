import lfppl
from lfppl import sample


DATA = dict(y=[1.0, 2.0, 3.0])


@lfppl.model
def model(y):
    return sample(3)
