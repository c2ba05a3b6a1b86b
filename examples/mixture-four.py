"""Four clusters of unequal, known sizes: their centres, and a label for every point.

As in `mixture` the labels jump and the centres do not, and clusters close to each other may swap
names.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import categorical, normal


@lfppl.model
def model(y):
    weights = [0.4, 0.3, 0.2, 0.1]
    mu = sample(normal(0, 3), shape=4)
    z = sample(categorical(weights), shape=len(y))
    observe(normal(mu[z], 1), y)
    return min(mu), max(mu)


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
