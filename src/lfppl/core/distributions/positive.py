"""Distributions on the positive half-line: gamma and its relatives, halves, weibull, pareto."""

from __future__ import annotations

from typing import Any

from lfppl.core.distributions.contract import (
    Constraint,
    DistributionFamily,
    Parameter,
    Piece,
    Support,
)
from lfppl.core.distributions.formulas import (
    HALF_LINE,
    LOG_PI,
    LOG_ROOT_TAU,
    LOG_TWO,
    common_shape,
    from_lower,
    from_zero,
    times_log,
    times_log_of_zero,
)

_SCALE = Parameter("scale", Constraint.POSITIVE)
_SHAPE = Parameter("shape", Constraint.POSITIVE)
_RATE = Parameter("rate", Constraint.POSITIVE)

_JUMP = (from_zero(),)
_NO_JUMP = (from_zero(jump=False, strict=True),)


def _lognormal(m: Any, x: Any, mean: Any, sd: Any) -> Any:
    log_x = m.log(x)
    z = (log_x - mean) * (1.0 / sd)
    return -0.5 * z * z - log_x - (m.log(sd) + LOG_ROOT_TAU)


def _half_normal(m: Any, x: Any, scale: Any) -> Any:
    z = x * (1.0 / scale)
    return -0.5 * z * z - (m.log(scale) + (LOG_ROOT_TAU - LOG_TWO))


def _half_cauchy(m: Any, x: Any, scale: Any) -> Any:
    z = x * (1.0 / scale)
    return -m.log1p(z * z) - (m.log(scale) + (LOG_PI - LOG_TWO))


def _exponential(m: Any, x: Any, rate: Any) -> Any:
    return m.log(rate) - rate * x


def _gamma(m: Any, x: Any, shape: Any, rate: Any) -> Any:
    norm = shape * m.log(rate) - m.log_gamma(shape)
    return times_log(m, shape - 1.0, x) - rate * x + norm


def _inverse_gamma(m: Any, x: Any, shape: Any, scale: Any) -> Any:
    norm = shape * m.log(scale) - m.log_gamma(shape)
    return norm - (shape + 1.0) * m.log(x) - scale / x


def _chi_squared(m: Any, x: Any, df: Any) -> Any:
    half = 0.5 * df
    return times_log(m, half - 1.0, x) - 0.5 * x - (LOG_TWO * half + m.log_gamma(half))


def _weibull(m: Any, x: Any, shape: Any, scale: Any) -> Any:
    log_scale = m.log(scale)
    log_z = m.log(x) - log_scale
    power = shape - 1.0
    slope = m.select(x, power * log_z, times_log_of_zero(m, power))
    return slope - m.exp(shape * log_z) + (m.log(shape) - log_scale)


def _pareto(m: Any, x: Any, scale: Any, shape: Any) -> Any:
    log_x = m.log(x)
    return m.log(shape) - log_x - shape * (log_x - m.log(scale))


FAMILIES = (
    DistributionFamily(
        "lognormal",
        (Parameter("mean"), Parameter("sd", Constraint.POSITIVE)),
        HALF_LINE,
        (Piece(_lognormal, _NO_JUMP),),
        lambda generator, mean, sd: generator.lognormal(mean, sd),
        "its logarithm is normal with this mean and standard deviation",
    ),
    DistributionFamily(
        "half-normal",
        (_SCALE,),
        HALF_LINE,
        (Piece(_half_normal, _JUMP),),
        lambda generator, scale: abs(generator.normal(0.0, scale)),
        "the size of a normal around 0",
    ),
    DistributionFamily(
        "half-cauchy",
        (_SCALE,),
        HALF_LINE,
        (Piece(_half_cauchy, _JUMP),),
        lambda generator, scale: abs(scale * generator.standard_cauchy(common_shape(scale))),
        "the size of a Cauchy around 0",
    ),
    DistributionFamily(
        "exponential",
        (_RATE,),
        HALF_LINE,
        (Piece(_exponential, _JUMP),),
        lambda generator, rate: generator.standard_exponential(common_shape(rate)) / rate,
        "waiting time at this rate",
    ),
    DistributionFamily(
        "gamma",
        (_SHAPE, _RATE),
        HALF_LINE,
        (Piece(_gamma, _JUMP),),
        lambda generator, shape, rate: (
            generator.standard_gamma(shape, common_shape(shape, rate)) / rate
        ),
        "gamma, by shape and rate: mean shape / rate",
    ),
    DistributionFamily(
        "inverse-gamma",
        (_SHAPE, _SCALE),
        HALF_LINE,
        (Piece(_inverse_gamma, _NO_JUMP),),
        lambda generator, shape, scale: (
            scale / generator.standard_gamma(shape, common_shape(shape, scale))
        ),
        "one over a gamma with this shape and rate = scale",
    ),
    DistributionFamily(
        "chi-squared",
        (Parameter("df", Constraint.POSITIVE),),
        HALF_LINE,
        (Piece(_chi_squared, _JUMP),),
        lambda generator, df: generator.chisquare(df),
        "chi-squared with df degrees of freedom",
    ),
    DistributionFamily(
        "weibull",
        (_SHAPE, _SCALE),
        HALF_LINE,
        (Piece(_weibull, _JUMP),),
        lambda generator, shape, scale: (
            scale * generator.weibull(shape, common_shape(shape, scale))
        ),
        "Weibull, by shape and scale",
    ),
    DistributionFamily(
        "pareto",
        (_SCALE, _SHAPE),
        Support(lower=lambda m, scale, shape: scale, text="from scale on"),
        (Piece(_pareto, (from_lower(lambda m, scale, shape: scale),)),),
        lambda generator, scale, shape: (
            scale * (1.0 + generator.pareto(shape, common_shape(scale, shape)))
        ),
        "power law from scale on",
    ),
)
