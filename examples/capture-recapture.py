"""Capture and recapture: the number of animals, from two rounds that caught some of them.

Some of the second catch carried a mark already. The count is discrete.
"""

import lfppl
from lfppl import observe, sample
from lfppl.distributions import beta, binomial, hypergeometric, poisson


@lfppl.model
def model(first_catch, second_catch, recaught):
    unseen = sample(poisson(40))
    n = first_catch + second_catch - recaught + unseen
    p = sample(beta(1, 1))
    observe(binomial(n, p), first_catch)
    observe(binomial(n, p), second_catch)
    observe(hypergeometric(n, first_catch, second_catch), recaught)
    return n
