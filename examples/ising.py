"""An undirected model: spins on a ring that like to agree with their neighbours.

They are coupled by factors, and each is pulled by a field of its own.
"""

from pathlib import Path

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


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
