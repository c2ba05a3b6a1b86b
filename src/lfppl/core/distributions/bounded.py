"""Distributions on an interval: uniform, beta, triangular, truncated normal, von Mises."""

from __future__ import annotations

import math
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
    LOG_ROOT_TAU,
    LOG_TAU,
    LOG_TWO,
    ZERO,
    common_shape,
    constant,
    from_lower,
    from_zero,
    log_beta,
    log_one_minus_exp,
    minus_magnitude,
    times_log,
    times_log_of_zero,
    up_to_upper,
)

# --- uniform, beta, von-mises --------------------------------------------------------------------


def _uniform(m: Any, x: Any, low: Any, high: Any) -> Any:
    return -m.log(high - low)


_UNIFORM_EDGES = (from_lower(lambda m, low, high: low), up_to_upper(lambda m, low, high: high))


def _times_log_rest(m: Any, factor: Any, x: Any) -> Any:
    """`factor * log(1 - x)`, which is 0 where both are 0."""
    return m.select(1.0 - x, factor * m.log1p(-x), times_log_of_zero(m, factor))


def _beta(m: Any, x: Any, a: Any, b: Any) -> Any:
    return times_log(m, a - 1.0, x) + _times_log_rest(m, b - 1.0, x) - log_beta(m, a, b)


def _von_mises(m: Any, x: Any, mean: Any, concentration: Any) -> Any:
    return concentration * m.cos(x - mean) - (m.log_i0(concentration) + LOG_TAU)


def _draw_von_mises(generator: Any, mean: Any, concentration: Any) -> Any:
    angle = generator.vonmises(mean, concentration)
    return np.mod(angle + math.pi, 2.0 * math.pi) - math.pi


# --- triangular ----------------------------------------------------------------------------------


def _triangular_rising(m: Any, x: Any, low: Any, mode: Any, high: Any) -> Any:
    return LOG_TWO - m.log(high - low) + m.log((x - low) / (mode - low))


def _triangular_falling(m: Any, x: Any, low: Any, mode: Any, high: Any) -> Any:
    height = m.select(m.less(mode, x), (high - x) / (high - mode), 1.0)
    return LOG_TWO - m.log(high - low) + m.log(height)


def _low(m: Any, low: Any, mode: Any, high: Any) -> Any:
    return low


def _high(m: Any, low: Any, mode: Any, high: Any) -> Any:
    return high


_TRIANGULAR_PIECES = (
    Piece(
        _triangular_rising,
        (
            from_lower(_low),
            Condition(lambda m, x, low, mode, high: mode - x, strict=True, jump=False),
        ),
    ),
    Piece(
        _triangular_falling,
        (Condition(lambda m, x, low, mode, high: x - mode, jump=False), up_to_upper(_high)),
    ),
)


# --- truncated-normal ----------------------------------------------------------------------------

_NARROW = 0.01  # below it the series' first dropped term is less than rounding


def _log_narrow_mass(m: Any, middle: Any, width: Any) -> Any:
    """Log of the normal mass of a narrow interval: the midpoint rule with two corrections."""
    c, w = middle * middle, width * width
    correction = w * ((c - 1.0) / 24.0 + w * (c * (c - 6.0) + 3.0) / 1920.0)
    return m.log(width) - 0.5 * c - LOG_ROOT_TAU + m.log1p(correction)


def _log_wide_mass(m: Any, a: Any, b: Any) -> Any:
    """Log of the normal mass of [a, b], taken in the left tail, where nothing cancels."""
    right = m.less(0.0, a + b)
    near = m.log_ndtr(m.select(right, -a, b))
    far = m.log_ndtr(m.select(right, -b, a))
    return near + log_one_minus_exp(m, far - near)


def log_normal_mass(m: Any, a: Any, b: Any) -> Any:
    """Log of Phi(b) - Phi(a) for a < b, precise in both tails and for narrow intervals.

    >>> from lfppl.core.primitives import NumpyMath
    >>> round(float(log_normal_mass(NumpyMath(), 40.0, 41.0)), 6)
    -804.608442
    """
    middle, width = 0.5 * (a + b), b - a
    extent = width * (1.0 - minus_magnitude(m, middle))
    narrow = _log_narrow_mass(m, middle, width)
    return m.select(m.less(extent, _NARROW), narrow, _log_wide_mass(m, a, b))


def _truncated_normal(m: Any, x: Any, mean: Any, sd: Any, low: Any, high: Any) -> Any:
    inverse = 1.0 / sd
    z = (x - mean) * inverse
    mass = log_normal_mass(m, (low - mean) * inverse, (high - mean) * inverse)
    return -0.5 * z * z - (m.log(sd) + LOG_ROOT_TAU + mass)


def _draw_truncated_normal(generator: Any, mean: Any, sd: Any, low: Any, high: Any) -> Any:
    """Invert the cumulative distribution in the left tail (by symmetry), on the log scale."""
    a, b = np.subtract(low, mean) / sd, np.subtract(high, mean) / sd
    right = a + b > 0
    far, near = special.log_ndtr(np.where(right, -b, a)), special.log_ndtr(np.where(right, -a, b))
    u = generator.random(common_shape(mean, sd, low, high))
    with np.errstate(divide="ignore"):
        z = special.ndtri_exp(np.logaddexp(np.log(u) + near, np.log1p(-u) + far))
    return np.clip(mean + sd * np.where(right, -z, z), low, high)


# --- the table -----------------------------------------------------------------------------------

_POSITIVE_A = Parameter("a", Constraint.POSITIVE)
_POSITIVE_B = Parameter("b", Constraint.POSITIVE)
_UNIT = Support(lower=ZERO, upper=constant(1.0), text="from 0 to 1")
_CIRCLE = Support(lower=constant(-math.pi), upper=constant(math.pi), text="from -pi to pi")

FAMILIES = (
    DistributionFamily(
        "uniform",
        (Parameter("low"), Parameter("high")),
        Support(
            lower=lambda m, low, high: low, upper=lambda m, low, high: high, text="from low to high"
        ),
        (Piece(_uniform, _UNIFORM_EDGES, flat=True),),
        lambda generator, low, high: generator.uniform(low, high),
        "uniform between low and high",
        (Condition(lambda m, low, high: high - low, strict=True),),
    ),
    DistributionFamily(
        "beta",
        (_POSITIVE_A, _POSITIVE_B),
        _UNIT,
        (Piece(_beta, (from_zero(), up_to_upper(constant(1.0)))),),
        lambda generator, a, b: generator.beta(a, b),
        "beta on (0, 1): mean a / (a + b)",
    ),
    DistributionFamily(
        "triangular",
        (Parameter("low"), Parameter("mode"), Parameter("high")),
        Support(lower=_low, upper=_high, text="from low to high"),
        _TRIANGULAR_PIECES,
        lambda generator, low, mode, high: generator.triangular(low, mode, high),
        "triangle between low and high with its peak at mode",
        (
            Condition(lambda m, low, mode, high: mode - low),
            Condition(lambda m, low, mode, high: high - mode),
            Condition(lambda m, low, mode, high: high - low, strict=True),
        ),
    ),
    DistributionFamily(
        "truncated-normal",
        (
            Parameter("mean"),
            Parameter("sd", Constraint.POSITIVE),
            Parameter("low"),
            Parameter("high"),
        ),
        Support(
            lower=lambda m, mean, sd, low, high: low,
            upper=lambda m, mean, sd, low, high: high,
            text="from low to high",
        ),
        (
            Piece(
                _truncated_normal,
                (
                    from_lower(lambda m, mean, sd, low, high: low),
                    up_to_upper(lambda m, mean, sd, low, high: high),
                ),
            ),
        ),
        _draw_truncated_normal,
        "normal with this mean and sd, given that it falls between low and high",
        (Condition(lambda m, mean, sd, low, high: high - low, strict=True),),
    ),
    DistributionFamily(
        "von-mises",
        (Parameter("mean"), Parameter("concentration", Constraint.NONNEGATIVE, jump=True)),
        _CIRCLE,
        (Piece(_von_mises, (from_lower(constant(-math.pi)), up_to_upper(constant(math.pi)))),),
        _draw_von_mises,
        "von Mises: an angle between -pi and pi",
    ),
)
