"""Capture and recapture: the number of animals, from two rounds that caught some of them.

Some of the second catch carried a mark already. The count is discrete.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import beta, binomial, hypergeometric, poisson


@lfppl.model
def model(caught, recaught):
    unseen = sample(poisson(40))
    n = sum(caught) - recaught + unseen
    p = sample(beta(1, 1))
    observe(binomial(n, p), caught[0])
    observe(binomial(n, p), caught[1])
    observe(hypergeometric(n, caught[0], caught[1]), recaught)
    return n


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
