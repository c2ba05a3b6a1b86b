"""Distributions on the whole line: normal, student-t, cauchy, laplace, logistic."""

from __future__ import annotations

from typing import Any

from lfppl.core.distributions.contract import (
    Condition,
    Constraint,
    DistributionFamily,
    Parameter,
    Piece,
)
from lfppl.core.distributions.formulas import (
    LOG_PI,
    LOG_ROOT_TAU,
    LOG_TWO,
    REAL_LINE,
    common_shape,
    log_gamma_half_step,
    minus_magnitude,
)

_SCALE = Parameter("scale", Constraint.POSITIVE)


def _normal(m: Any, x: Any, mean: Any, sd: Any) -> Any:
    z = (x - mean) * (1.0 / sd)
    return -0.5 * z * z - (m.log(sd) + LOG_ROOT_TAU)


def _student_t(m: Any, x: Any, df: Any, location: Any, scale: Any) -> Any:
    z = (x - location) * (1.0 / scale)
    half = 0.5 * df
    norm = log_gamma_half_step(m, half) - 0.5 * m.log(df) - (m.log(scale) + 0.5 * LOG_PI)
    return norm - (half + 0.5) * m.log1p(z * z * (1.0 / df))


def _cauchy(m: Any, x: Any, location: Any, scale: Any) -> Any:
    z = (x - location) * (1.0 / scale)
    return -m.log1p(z * z) - (m.log(scale) + LOG_PI)


def _laplace_below(m: Any, x: Any, location: Any, scale: Any) -> Any:
    return (x - location) * (1.0 / scale) - (m.log(scale) + LOG_TWO)


def _laplace_above(m: Any, x: Any, location: Any, scale: Any) -> Any:
    return (location - x) * (1.0 / scale) - (m.log(scale) + LOG_TWO)


def _logistic(m: Any, x: Any, location: Any, scale: Any) -> Any:
    z = minus_magnitude(m, (x - location) * (1.0 / scale))
    return z - 2.0 * m.softplus(z) - m.log(scale)


_LAPLACE_PIECES = (
    Piece(
        _laplace_below,
        (Condition(lambda m, x, location, scale: location - x, strict=True, jump=False),),
    ),
    Piece(_laplace_above, (Condition(lambda m, x, location, scale: x - location, jump=False),)),
)

FAMILIES = (
    DistributionFamily(
        "normal",
        (Parameter("mean"), Parameter("sd", Constraint.POSITIVE)),
        REAL_LINE,
        (Piece(_normal),),
        lambda generator, mean, sd: generator.normal(mean, sd),
        "normal, by its standard deviation",
    ),
    DistributionFamily(
        "student-t",
        (Parameter("df", Constraint.POSITIVE), Parameter("location"), _SCALE),
        REAL_LINE,
        (Piece(_student_t),),
        lambda generator, df, location, scale: (
            location + scale * generator.standard_t(df, common_shape(df, location, scale))
        ),
        "Student's t with df degrees of freedom, moved and stretched",
    ),
    DistributionFamily(
        "cauchy",
        (Parameter("location"), _SCALE),
        REAL_LINE,
        (Piece(_cauchy),),
        lambda generator, location, scale: (
            location + scale * generator.standard_cauchy(common_shape(location, scale))
        ),
        "Cauchy: very heavy tails",
    ),
    DistributionFamily(
        "laplace",
        (Parameter("location"), _SCALE),
        REAL_LINE,
        _LAPLACE_PIECES,
        lambda generator, location, scale: generator.laplace(location, scale),
        "Laplace: an exponential to both sides, with a kink at its location",
    ),
    DistributionFamily(
        "logistic",
        (Parameter("location"), _SCALE),
        REAL_LINE,
        (Piece(_logistic),),
        lambda generator, location, scale: generator.logistic(location, scale),
        "logistic: its cumulative distribution is the sigmoid",
    ),
)
