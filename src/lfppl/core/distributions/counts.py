"""Distributions of counts: bernoulli, binomial, poisson and their relatives.

A formula receives the integer k; the embedding in unit cells is made by `density.log_density`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lfppl.core import special
from lfppl.core.distributions.contract import (
    Condition,
    Constraint,
    DistributionFamily,
    Parameter,
    Piece,
    Support,
)
from lfppl.core.distributions.formulas import (
    COUNTS,
    ZERO,
    common_shape,
    constant,
    count_times_log,
    count_times_log1p,
    from_lower,
    from_zero,
    log_beta,
    log_choose,
    minus_magnitude,
    up_to_upper,
)

# --- log probabilities ---------------------------------------------------------------------------


def _bernoulli(m: Any, k: Any, p: Any) -> Any:
    return m.select(k, m.log(p), m.log1p(-p))


def _bernoulli_logit(m: Any, k: Any, logit: Any) -> Any:
    return -m.softplus(m.select(k, -logit, logit))


def _binomial(m: Any, k: Any, n: Any, p: Any) -> Any:
    return count_times_log(m, k, p) + count_times_log1p(m, n - k, -p) + log_choose(m, n, k)


def _binomial_logit(m: Any, k: Any, n: Any, logit: Any) -> Any:
    tail = n * m.softplus(minus_magnitude(m, logit))
    linear = m.select(m.less(logit, 0.0), k, k - n) * logit
    return linear - tail + log_choose(m, n, k)


def _negative_binomial(m: Any, k: Any, r: Any, p: Any) -> Any:
    choose = m.log_gamma(k + r) - m.log_gamma(r) - m.log_gamma(k + 1.0)
    return choose + r * m.log(p) + count_times_log1p(m, k, -p)


def _poisson(m: Any, k: Any, rate: Any) -> Any:
    return count_times_log(m, k, rate) - rate - m.log_gamma(k + 1.0)


def _poisson_log(m: Any, k: Any, log_rate: Any) -> Any:
    return k * log_rate - m.exp(log_rate) - m.log_gamma(k + 1.0)


def _geometric(m: Any, k: Any, p: Any) -> Any:
    return m.log(p) + count_times_log1p(m, k, -p)


def _discrete_uniform(m: Any, k: Any, low: Any, high: Any) -> Any:
    return -m.log(high - low + 1.0)


def _beta_binomial(m: Any, k: Any, n: Any, a: Any, b: Any) -> Any:
    chosen = m.log_gamma(k + a) + m.log_gamma(n - k + b) - m.log_gamma(n + a + b)
    return log_choose(m, n, k) + chosen - log_beta(m, a, b)


def _hypergeometric(m: Any, k: Any, population: Any, successes: Any, draws: Any) -> Any:
    chosen = log_choose(m, successes, k) + log_choose(m, population - successes, draws - k)
    return chosen - log_choose(m, population, draws)


# --- supports ------------------------------------------------------------------------------------


def _trials(m: Any, n: Any, *parameters: Any) -> Any:
    return n


def _fewest(m: Any, population: Any, successes: Any, draws: Any) -> Any:
    return m.largest([0.0, draws + successes - population])


def _most(m: Any, population: Any, successes: Any, draws: Any) -> Any:
    return m.smallest([successes, draws])


_FROM_ZERO = (from_zero(),)
_UP_TO_TRIALS = (from_zero(), up_to_upper(_trials))
_TRIALS = Support("integers", lower=ZERO, upper=_trials, text="integers from 0 to n")
_BIT = Support("integers", lower=ZERO, upper=constant(1.0), text="0 and 1")
_BIT_EDGES = (from_zero(), up_to_upper(constant(1.0)))
_RANGE = Support(
    "integers",
    lower=lambda m, low, high: low,
    upper=lambda m, low, high: high,
    text="integers from low to high",
)
_RANGE_EDGES = (from_lower(lambda m, low, high: low), up_to_upper(lambda m, low, high: high))

_HYPERGEOMETRIC_RELATIONS = (
    Condition(lambda m, population, successes, draws: population - successes),
    Condition(lambda m, population, successes, draws: population - draws),
)

_P = Parameter("p", Constraint.UNIT, jump=True)
_N = Parameter("n", Constraint.COUNT, jump=True)


# --- draws ---------------------------------------------------------------------------------------

_LARGEST_RATE = 9e18  # NumPy's limit


def _draw_poisson(generator: Any, rate: Any) -> Any:
    return generator.poisson(np.minimum(rate, _LARGEST_RATE))


def _draw_negative_binomial(generator: Any, r: Any, p: Any) -> Any:
    rate = generator.standard_gamma(r, common_shape(r, p)) * (1.0 - np.asarray(p)) / p
    return _draw_poisson(generator, rate)


def _draw_integers(generator: Any, low: Any, high: Any) -> Any:
    return generator.integers(np.asarray(low, int), np.asarray(high, int), endpoint=True)


def _draw_hypergeometric(generator: Any, population: Any, successes: Any, draws: Any) -> Any:
    good = np.asarray(successes, int)
    return generator.hypergeometric(
        good, np.asarray(population, int) - good, np.asarray(draws, int)
    )


# --- the table -----------------------------------------------------------------------------------

FAMILIES = (
    DistributionFamily(
        "bernoulli",
        (_P,),
        _BIT,
        (Piece(_bernoulli, _BIT_EDGES),),
        lambda generator, p: generator.binomial(1, p),
        "1 with probability p, else 0",
    ),
    DistributionFamily(
        "bernoulli-logit",
        (Parameter("logit"),),
        _BIT,
        (Piece(_bernoulli_logit, _BIT_EDGES),),
        lambda generator, logit: generator.binomial(1, special.expit(logit)),
        "1 with probability 1 / (1 + exp(-logit)), else 0",
    ),
    DistributionFamily(
        "binomial",
        (_N, _P),
        _TRIALS,
        (Piece(_binomial, _UP_TO_TRIALS),),
        lambda generator, n, p: generator.binomial(np.asarray(n, int), p),
        "successes in n trials of probability p",
    ),
    DistributionFamily(
        "binomial-logit",
        (_N, Parameter("logit")),
        _TRIALS,
        (Piece(_binomial_logit, _UP_TO_TRIALS),),
        lambda generator, n, logit: generator.binomial(np.asarray(n, int), special.expit(logit)),
        "successes in n trials of probability 1 / (1 + exp(-logit))",
    ),
    DistributionFamily(
        "negative-binomial",
        (Parameter("r", Constraint.POSITIVE, jump=True), _P),
        COUNTS,
        (Piece(_negative_binomial, _FROM_ZERO),),
        _draw_negative_binomial,
        "failures before the r-th success of probability p",
    ),
    DistributionFamily(
        "poisson",
        (Parameter("rate", Constraint.NONNEGATIVE, jump=True),),
        COUNTS,
        (Piece(_poisson, _FROM_ZERO),),
        _draw_poisson,
        "events in a unit of time at this rate",
    ),
    DistributionFamily(
        "poisson-log",
        (Parameter("log-rate"),),
        COUNTS,
        (Piece(_poisson_log, _FROM_ZERO),),
        lambda generator, log_rate: _draw_poisson(generator, np.exp(log_rate)),
        "events in a unit of time at the rate exp(log-rate)",
    ),
    DistributionFamily(
        "geometric",
        (_P,),
        COUNTS,
        (Piece(_geometric, _FROM_ZERO),),
        lambda generator, p: generator.geometric(p) - 1,
        "failures before the first success of probability p",
    ),
    DistributionFamily(
        "discrete-uniform",
        (
            Parameter("low", Constraint.INTEGER, jump=True),
            Parameter("high", Constraint.INTEGER, jump=True),
        ),
        _RANGE,
        (Piece(_discrete_uniform, _RANGE_EDGES, flat=True),),
        _draw_integers,
        "one of the integers from low to high, both included",
        (Condition(lambda m, low, high: high - low),),
    ),
    DistributionFamily(
        "beta-binomial",
        (
            _N,
            Parameter("a", Constraint.POSITIVE, jump=True),
            Parameter("b", Constraint.POSITIVE, jump=True),
        ),
        _TRIALS,
        (Piece(_beta_binomial, _UP_TO_TRIALS),),
        lambda generator, n, a, b: generator.binomial(
            np.asarray(n, int), generator.beta(a, b, common_shape(n, a, b))
        ),
        "successes in n trials whose probability is beta(a, b)",
    ),
    DistributionFamily(
        "hypergeometric",
        (
            Parameter("population", Constraint.COUNT, jump=True),
            Parameter("successes", Constraint.COUNT, jump=True),
            Parameter("draws", Constraint.COUNT, jump=True),
        ),
        Support(
            "integers",
            lower=_fewest,
            upper=_most,
            text="integers from max(0, draws + successes - population) to min(successes, draws)",
        ),
        (Piece(_hypergeometric, (from_lower(_fewest), up_to_upper(_most))),),
        _draw_hypergeometric,
        "successes among draws without replacement",
        _HYPERGEOMETRIC_RELATIONS,
    ),
)
