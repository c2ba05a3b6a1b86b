"""An undirected model: spins on a ring that like to agree with their neighbours.

They are coupled by factors, and each is pulled by a field of its own.
"""

import lfppl
from lfppl import factor, sample
from lfppl.distributions import bernoulli


@lfppl.model
def model(coupling, field):
    n = len(field)
    s = sample(bernoulli(0.5), shape=n)
    spin = 2 * s - 1
    for i in range(n):
        factor(coupling * (spin[i] * spin[(i + 1) % n]))
        factor(field[i] * spin[i])
    return spin.mean()
