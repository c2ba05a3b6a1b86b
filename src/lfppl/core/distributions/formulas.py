"""Formulas that several distributions share: careful logarithms, edges of supports."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from lfppl.core.distributions.contract import Condition, Formula, Support

LOG_ROOT_TAU = 0.5 * math.log(2.0 * math.pi)
LOG_TAU = math.log(2.0 * math.pi)
LOG_PI = math.log(math.pi)
LOG_TWO = math.log(2.0)


# --- values --------------------------------------------------------------------------------------


def times_log(m: Any, factor: Any, x: Any) -> Any:
    """`factor * log(x)`, which is 0 where both are 0; its slopes are right everywhere else."""
    return m.select(x, factor * m.log(x), times_log_of_zero(m, factor))


def times_log_of_zero(m: Any, factor: Any) -> Any:
    """`factor * log(0)`, which is 0 where the factor is 0."""
    return m.select(factor, factor * -math.inf, 0.0)


def count_times_log(m: Any, count: Any, x: Any) -> Any:
    """`count * log(x)`, which is 0 where the count is 0: no slope in the count, but cheap."""
    return m.select(count, count * m.log(x), 0.0)


def count_times_log1p(m: Any, count: Any, x: Any) -> Any:
    """`count * log(1 + x)`, which is 0 where the count is 0: no slope in the count, but cheap."""
    return m.select(count, count * m.log1p(x), 0.0)


def minus_magnitude(m: Any, x: Any) -> Any:
    """-|x|."""
    return m.select(m.less(x, 0.0), x, -x)


def log_one_minus_exp(m: Any, x: Any) -> Any:
    """`log(1 - exp(x))` for x < 0, precise near 0 and far from it."""
    return m.select(m.less(-LOG_TWO, x), m.log(-m.expm1(x)), m.log1p(-m.exp(x)))


def log_beta(m: Any, a: Any, b: Any) -> Any:
    """Log of the beta function."""
    return m.log_gamma(a) + m.log_gamma(b) - m.log_gamma(a + b)


def log_choose(m: Any, n: Any, k: Any) -> Any:
    """Log of the binomial coefficient."""
    return m.log_gamma(n + 1.0) - (m.log_gamma(k + 1.0) + m.log_gamma(n - k + 1.0))


_LARGE = 1000.0  # beyond it the series below is exact to rounding


def log_gamma_half_step(m: Any, x: Any) -> Any:
    """`log-gamma(x + 1/2) - log-gamma(x)`, by its asymptotic series where the two would cancel."""
    inverse = 1.0 / x
    series = 0.5 * m.log(x) - inverse * (0.125 - inverse * inverse / 192.0)
    return m.select(m.less(x, _LARGE), m.log_gamma(x + 0.5) - m.log_gamma(x), series)


# --- truth values --------------------------------------------------------------------------------

LEAST_POSITIVE = sys.float_info.min
"""Smaller numbers count as 0: their reciprocals may be infinite, and some machines flush them."""


def is_positive(m: Any, x: Any) -> Any:
    """1 where x > 0, and where x is NaN, so that a NaN is seen in the end and not taken for 0."""
    return m.negation(m.less(x, LEAST_POSITIVE))


def is_nonnegative(m: Any, x: Any) -> Any:
    """1 where x >= 0, and where x is NaN."""
    return m.negation(m.less(x, 0.0))


# --- supports ------------------------------------------------------------------------------------


def constant(value: float) -> Formula:
    """A bound that depends on no parameter."""
    return lambda m, *parameters: value


def from_lower(lower: Formula, jump: bool = True, strict: bool = False) -> Condition:
    """The edge x >= lower."""
    return Condition(lambda m, x, *p: x - lower(m, *p), strict, jump, edge=True)


def up_to_upper(upper: Formula, jump: bool = True, strict: bool = False) -> Condition:
    """The edge x <= upper."""
    return Condition(lambda m, x, *p: upper(m, *p) - x, strict, jump, edge=True)


def from_zero(jump: bool = True, strict: bool = False) -> Condition:
    """The edge x >= 0."""
    return Condition(lambda m, x, *p: x, strict, jump, edge=True)


ZERO = constant(0.0)
HALF_LINE = Support(lower=ZERO, text="0 or greater")
COUNTS = Support("integers", lower=ZERO, text="integers from 0 on")
REAL_LINE = Support()


# --- draws ---------------------------------------------------------------------------------------


def common_shape(*parameters: Any) -> tuple[int, ...]:
    """The common shape of the parameters, and so of the draw."""
    return np.broadcast_shapes(*(np.shape(parameter) for parameter in parameters))
