"""Counts with too many zeros: on some days nobody fished, on others nothing was caught.

Which it was is a label for every empty day; the labels jump.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import bernoulli, beta, gamma, poisson


@lfppl.model
def model(empty, caught):
    share = sample(beta(1, 1))
    rate = sample(gamma(2, 0.5))
    idle = sample(bernoulli(share), shape=empty)
    for i in range(empty):
        if idle[i] == 0:
            observe(poisson(rate), 0)
    for i in range(len(caught)):
        observe(bernoulli(share), 0)
        observe(poisson(rate), caught[i])
    return share, rate, sum(idle)


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
