"""Densities as people write them, with a point for an example; a test compares them with the code.

Each is an expression in x and the parameters, on the support. `formula.py` writes it as LaTeX and
computes its value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Written(NamedTuple):
    """A density, and a value of x with parameters for which it is positive."""

    density: str
    x: Any
    parameters: tuple[Any, ...]


WRITTEN: Mapping[str, Written] = {
    "normal": Written("exp(-(x - mean)**2 / (2 * sd**2)) / (sd * sqrt(2 * pi))", 0.5, (0, 2)),
    "student-t": Written(
        "gamma((df + 1) / 2) / (gamma(df / 2) * sqrt(df * pi) * scale)"
        " * (1 + ((x - location) / scale)**2 / df)**(-(df + 1) / 2)",
        0.5,
        (4, 0, 2),
    ),
    "cauchy": Written("1 / (pi * scale * (1 + ((x - location) / scale)**2))", 0.5, (0, 2)),
    "laplace": Written("exp(-abs(x - location) / scale) / (2 * scale)", 0.5, (0, 2)),
    "logistic": Written(
        "exp(-(x - location) / scale) / (scale * (1 + exp(-(x - location) / scale))**2)",
        0.5,
        (0, 2),
    ),
    "lognormal": Written(
        "exp(-(log(x) - mean)**2 / (2 * sd**2)) / (x * sd * sqrt(2 * pi))", 1.5, (0, 2)
    ),
    "half-normal": Written("sqrt(2 / pi) * exp(-x**2 / (2 * scale**2)) / scale", 0.5, (2,)),
    "half-cauchy": Written("2 / (pi * scale * (1 + (x / scale)**2))", 0.5, (2,)),
    "exponential": Written("rate * exp(-rate * x)", 0.5, (2,)),
    "gamma": Written("rate**shape * x**(shape - 1) * exp(-rate * x) / gamma(shape)", 0.5, (3, 2)),
    "inverse-gamma": Written(
        "scale**shape * x**(-shape - 1) * exp(-scale / x) / gamma(shape)", 0.5, (3, 2)
    ),
    "chi-squared": Written(
        "x**(df / 2 - 1) * exp(-x / 2) / (2**(df / 2) * gamma(df / 2))", 2.5, (3,)
    ),
    "weibull": Written(
        "shape / scale * (x / scale)**(shape - 1) * exp(-(x / scale)**shape)", 0.5, (3, 2)
    ),
    "pareto": Written("shape * scale**shape / x**(shape + 1)", 2.5, (2, 3)),
    "uniform": Written("1 / (high - low)", 0.5, (0, 2)),
    "beta": Written("x**(a - 1) * (1 - x)**(b - 1) / B(a, b)", 0.25, (2, 3)),
    "triangular": Written(
        "2 * (x - low) / ((high - low) * (mode - low)) if x < mode"
        " else 2 * (high - x) / ((high - low) * (high - mode))",
        0.5,
        (0, 1, 4),
    ),
    "truncated-normal": Written(
        "exp(-(x - mean)**2 / (2 * sd**2))"
        " / (sd * sqrt(2 * pi) * (Phi((high - mean) / sd) - Phi((low - mean) / sd)))",
        0.5,
        (0, 2, -1, 3),
    ),
    "von-mises": Written(
        "exp(concentration * cos(x - mean)) / (2 * pi * I0(concentration))", 0.5, (0, 2)
    ),
    "mvn": Written(
        "exp(-distance(x, mean, covariance) / 2) / sqrt(det(2 * pi * covariance))",
        [0.5, 1.0],
        ([0.0, 0.0], [[2.0, 0.5], [0.5, 1.0]]),
    ),
    "dirichlet": Written(
        "gamma(total(concentration)) * powers(x, concentration)", [0.2, 0.3, 0.5], ([1, 2, 3],)
    ),
    "bernoulli": Written("p**x * (1 - p)**(1 - x)", 1, (0.3,)),
    "bernoulli-logit": Written("exp(logit * x) / (1 + exp(logit))", 1, (0.5,)),
    "binomial": Written("choose(n, x) * p**x * (1 - p)**(n - x)", 2, (5, 0.3)),
    "binomial-logit": Written("choose(n, x) * exp(logit * x) / (1 + exp(logit))**n", 2, (5, 0.5)),
    "negative-binomial": Written(
        "gamma(x + r) / (gamma(r) * factorial(x)) * p**r * (1 - p)**x", 2, (1.5, 0.3)
    ),
    "poisson": Written("rate**x * exp(-rate) / factorial(x)", 2, (1.5,)),
    "poisson-log": Written("exp(log_rate * x - exp(log_rate)) / factorial(x)", 2, (0.5,)),
    "geometric": Written("p * (1 - p)**x", 2, (0.3,)),
    "discrete-uniform": Written("1 / (high - low + 1)", 2, (1, 6)),
    "beta-binomial": Written("choose(n, x) * B(x + a, n - x + b) / B(a, b)", 2, (5, 2, 3)),
    "hypergeometric": Written(
        "choose(successes, x) * choose(population - successes, draws - x)"
        " / choose(population, draws)",
        2,
        (9, 4, 5),
    ),
    "categorical": Written("element(weights, x) / total(weights)", 1, ([2, 5, 3],)),
    "categorical-logit": Written(
        "exp(element(logits, x)) / total_exp(logits)", 1, ([0.2, 0.5, 0.1],)
    ),
    "factor": Written("exp(log_weight)", 0, (-1.5,)),
}
"""The density of every distribution."""
