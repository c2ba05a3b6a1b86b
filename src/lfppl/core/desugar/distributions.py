"""Distributions, and the two forms that take one: `sample` and `observe`."""

from __future__ import annotations

from lfppl.core.ast import Constant, Distribution, Expression, Observe, Sample
from lfppl.core.desugar.context import Context
from lfppl.core.desugar.kinds import Kind
from lfppl.core.desugar.sugar import Build, Sugar, sugar
from lfppl.core.desugar.tails import replace_tail
from lfppl.core.distributions import FAMILIES
from lfppl.errors import language
from lfppl.syntax import surface

ALIASES = {"flip": "bernoulli", "uniform-continuous": "uniform", "discrete": "categorical"}


def _distribution(family: str) -> Build:
    def build(context: Context, call: surface.Call) -> Expression:
        parameters = tuple(context.operand(each) for each in call.arguments)
        return Distribution(family, parameters, call.span)

    return build


def _factor(context: Context, call: surface.Call) -> Expression:
    """`(factor e)` as a statement; `observe` takes the distribution out again."""
    (weight,) = (context.operand(each) for each in call.arguments)
    return Observe(
        Distribution("factor", (weight,), call.span), Constant(0.0, call.span), span=call.span
    )


def _unobserved(tail: Expression) -> Expression:
    """The distribution of a `factor` that stands where a distribution is expected."""
    if isinstance(tail, Observe) and isinstance(tail.distribution, Distribution):
        return tail.distribution if tail.distribution.name == "factor" else tail
    return tail


def sample(context: Context, form: surface.Sample) -> Expression:
    """`(sample distribution)`; `naming` gives it its name."""
    distribution = _argument(context, form.distribution, "sample")
    if isinstance(distribution, Distribution) and distribution.name == "factor":
        raise language.factor_outside_observe(form.distribution.span)
    return Sample(distribution, form.name or "", form.indices, span=form.span)


def observe(context: Context, form: surface.Observe) -> Expression:
    """`(observe distribution value)`; the value of a factor does not matter."""
    distribution = _argument(context, form.distribution, "observe")
    ignored = isinstance(form.value, surface.Name) and form.value.id == "_"
    if isinstance(distribution, Distribution) and distribution.name == "factor" and ignored:
        return Observe(distribution, Constant(0.0, form.value.span), span=form.span)
    return Observe(distribution, context.operand(form.value), span=form.span)


def _argument(context: Context, distribution: surface.Expression, form: str) -> Expression:
    given = context.expression(distribution)
    core = replace_tail(given, _unobserved) or given
    if context.kind(core) in (Kind.NUMBER, Kind.VECTOR, Kind.NIL):
        raise language.no_distribution(distribution.span, form)
    return core


def _row(name: str, family: str) -> Sugar:
    parameters = " ".join(parameter.name for parameter in FAMILIES[family].parameters)
    return sugar(f"({name} {parameters})", _distribution(family))


NAMES = {**{name: name for name in FAMILIES}, **ALIASES}
"""The family behind every name of a distribution."""

SUGARS = {
    **{name: _row(name, family) for name, family in NAMES.items()},
    "factor": sugar("(factor log-density)", _factor),
}
