"""Points and parameters at which every distribution is compared with scipy, extremes among them."""

import math
from typing import Any

from scipy import special, stats

LINE = (-1e6, -30.0, -3.0, -0.7, 0.0, 1e-9, 0.4, 1.0, 2.0, 35.0, 1e6)
HALF = (-3.0, -1e-300, 0.0, 1e-300, 1e-9, 0.3, 1.0, 2.5, 30.0, 1e4)
UNIT = (-0.1, 0.0, 1e-300, 1e-9, 0.3, 0.5, 0.9, 1.0 - 1e-12, 1.0, 1.1)
COUNTS = (-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 7.0, 10.0, 11.0, 60.0)

SCIPY: dict[str, tuple[Any, list[tuple[float, ...]], tuple[float, ...]]] = {
    "normal": (stats.norm, [(0, 1), (1, 2), (-3, 1e-3), (1e6, 1e5)], LINE),
    "student-t": (stats.t, [(3, 1, 2), (0.5, 0, 1), (400, 0, 1), (5e3, 0.5, 3)], LINE),
    "cauchy": (stats.cauchy, [(0, 1), (1, 2), (-3, 1e-3)], LINE),
    "laplace": (stats.laplace, [(0, 1e4), (1, 1e4), (-3, 2e5)], LINE),
    "logistic": (stats.logistic, [(0, 1), (1, 2), (-3, 1e-3)], LINE),
    "lognormal": (
        lambda mean, sd: stats.lognorm(sd, scale=math.exp(mean)),
        [(0, 1), (1, 2), (-3, 0.1)],
        HALF,
    ),
    "half-normal": (lambda scale: stats.halfnorm(scale=scale), [(1,), (0.01,), (50,)], HALF),
    "half-cauchy": (lambda scale: stats.halfcauchy(scale=scale), [(1,), (0.01,), (50,)], HALF),
    "exponential": (lambda rate: stats.expon(scale=1 / rate), [(1,), (0.01,), (50,)], HALF),
    "gamma": (
        lambda shape, rate: stats.gamma(shape, scale=1 / rate),
        [(1, 1), (2, 3), (0.3, 0.1), (80, 4)],
        HALF,
    ),
    "inverse-gamma": (
        lambda shape, scale: stats.invgamma(shape, scale=scale),
        [(1, 1), (2, 3), (0.3, 0.1), (80, 4)],
        HALF,
    ),
    "chi-squared": (stats.chi2, [(1,), (2,), (3,), (90,)], HALF),
    "weibull": (
        lambda shape, scale: stats.weibull_min(shape, scale=scale),
        [(1, 1), (1.5, 2), (0.5, 3)],
        HALF,
    ),
    "pareto": (
        lambda scale, shape: stats.pareto(shape, scale=scale),
        [(1, 1), (0.3, 2), (2.5, 0.1)],
        HALF,
    ),
    "uniform": (
        lambda low, high: stats.uniform(low, high - low),
        [(0, 1), (-0.7, 0.4), (-1e6, 1e6)],
        LINE,
    ),
    "beta": (stats.beta, [(1, 1), (2, 3), (0.5, 0.5), (1, 5), (70, 20)], UNIT),
    "triangular": (
        lambda low, mode, high: stats.triang((mode - low) / (high - low), low, high - low),
        [(0, 0.5, 1), (0, 0, 2), (-0.7, 2, 2), (-1, 0.4, 35)],
        LINE,
    ),
    "truncated-normal": (
        lambda mean, sd, low, high: stats.truncnorm(
            (low - mean) / sd, (high - mean) / sd, mean, sd
        ),
        [(0, 1, -1, 1), (1, 2, 0, 40), (0, 1, 0.2, 3), (5, 1, -3, 0.4), (0, 1, -math.inf, 1)],
        LINE,
    ),
    "von-mises": (
        lambda mean, concentration: stats.vonmises(concentration, loc=mean),
        [(0, 1), (1, 0.1), (-3, 20), (0.5, 500)],
        (-3.0, -0.7, 0.0, 1e-9, 1.0, 3.1),
    ),
    "bernoulli": (stats.bernoulli, [(0,), (1e-9,), (0.3,), (1,)], COUNTS),
    "bernoulli-logit": (
        lambda logit: stats.bernoulli(special.expit(logit)),
        [(0,), (-20,), (3,)],
        COUNTS,
    ),
    "binomial": (stats.binom, [(10, 0.3), (10, 0), (10, 1), (0, 0.5), (100, 1e-3)], COUNTS),
    "binomial-logit": (
        lambda n, logit: stats.binom(n, special.expit(logit)),
        [(10, -1), (10, 5), (0, 1), (100, -8)],
        COUNTS,
    ),
    "negative-binomial": (stats.nbinom, [(2, 0.3), (0.1, 0.9), (50, 0.5), (3, 1)], COUNTS),
    "poisson": (stats.poisson, [(0,), (1e-9,), (3,), (200,)], COUNTS),
    "poisson-log": (lambda log_rate: stats.poisson(math.exp(log_rate)), [(-9,), (1,)], COUNTS),
    "geometric": (lambda p: stats.geom(p, loc=-1), [(1e-6,), (0.3,), (1,)], COUNTS),
    "discrete-uniform": (
        lambda low, high: stats.randint(low, high + 1),
        [(0, 1), (-1, 7), (3, 3)],
        COUNTS,
    ),
    "beta-binomial": (
        stats.betabinom,
        [(10, 2, 3), (10, 0.1, 0.2), (0, 1, 1), (60, 30, 2)],
        COUNTS,
    ),
    "hypergeometric": (
        stats.hypergeom,
        [(20, 7, 12), (10, 10, 3), (10, 0, 3), (5, 5, 5), (90, 60, 70)],
        COUNTS,
    ),
}
