"""Sums, means, extremes and products of arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import lfppl.errors.python as errors
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, matrices, static
from lfppl.syntax.python.calls import Rule, Site, length, scalar
from lfppl.syntax.python.context import Context
from lfppl.syntax.python.library import SCALARS, Special
from lfppl.syntax.python.values import Latent, Static, Value, is_known, shape_of


def axis_of(site: Site, position: int = 1) -> int | None:
    """The dimension that a call names, or None for all of them."""
    value = site.argument(position, "axis", Static(None))
    if not isinstance(value, Static) or not isinstance(value.value, int | None):
        raise errors.axis_unknown(site.span)
    return value.value


def _reduction(name: str) -> Rule:
    def rule(ctx: Context, site: Site) -> Value:
        site.check(1, 2, ("axis",))
        return matrices.reduction(ctx, name, site.arguments[0], axis_of(site), site.span)

    return rule


def _mean(ctx: Context, site: Site) -> Value:
    site.check(1, 2, ("axis",))
    axis, span = axis_of(site), site.span
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], span), span)
    shape = shape_of(value) or ()
    total = matrices.reduction(ctx, "sum", value, axis, span)
    if shape and shape[0] is None:
        return arrays.operation(ctx, "/", [total, length(ctx, value, span)], span)
    return arrays.operation(ctx, "/", [total, matrices.count(shape, axis, span)], span)


def _variance(ctx: Context, site: Site) -> Value:
    site.check(1, 1, ("ddof",))
    span = site.span
    lost = site.keywords.get("ddof", Static(0))
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], span), span)
    count = matrices.count(shape_of(value) or (), None, span)
    total = matrices.reduction(ctx, "sum", value, None, span)
    mean = arrays.atom(ctx, arrays.operation(ctx, "/", [total, count], span), span)
    distance = arrays.operation(ctx, "-", [value, mean], span)
    squares = arrays.operation(ctx, "square", [distance], span)
    if isinstance(lost, Static) and lost.value:
        count = Static(count.value - lost.value)
    return arrays.operation(
        ctx, "/", [matrices.reduction(ctx, "sum", squares, None, span), count], span
    )


def _deviation(ctx: Context, site: Site) -> Value:
    return arrays.operation(ctx, "sqrt", [_variance(ctx, site)], site.span)


def _product(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    span = site.span
    value = arrays.numeric(ctx, site.arguments[0], span)
    if len(shape_of(value) or ()) != 1:
        raise errors.too_many_dimensions(span, site.name, 1)
    times = surface.Name("*", span)
    written = surface.Call(
        surface.Name("reduce", span), (times, arrays.expression(ctx, value, span)), span
    )
    return Latent(written, (), is_known(value))


def _sum_of(ctx: Context, site: Site) -> Value:
    """Python's `sum`, with its start."""
    site.check(1, 2, ("start",))
    total = matrices.reduction(ctx, "sum", site.arguments[0], None, site.span)
    start = site.argument(1, "start", Static(0))
    if isinstance(start, Static) and start.value == 0:
        return total
    return arrays.operation(ctx, "+", [start, total], site.span)


def _extreme(name: str, reduction: str) -> Rule:
    """Python's `max` and `min`: of an array or list, or of several numbers."""

    def rule(ctx: Context, site: Site) -> Value:
        site.check(1, None)
        if len(site.arguments) == 1:
            return matrices.reduction(ctx, reduction, site.arguments[0], None, site.span)
        formula = SCALARS[f"ufunc.{name}imum"]
        result = site.arguments[0]
        for other in site.arguments[1:]:
            pair = Site(site.node, site.span, site.name, (result, other))
            result = arrays.atom(ctx, scalar(ctx, formula, pair), site.span)
        return result

    return rule


def _quantified(reduction: str) -> Rule:
    """`all` and `any` of truth values."""

    def rule(ctx: Context, site: Site) -> Value:
        site.check(1, 1)
        tests = arrays.truth(ctx, arrays.numeric(ctx, site.arguments[0], site.span), site.span)
        found = matrices.reduction(ctx, reduction, tests, None, site.span)
        assert isinstance(found, Latent)
        return Latent(found.expression, (), found.known, truth=True)

    return rule


def _range(ctx: Context, site: Site) -> Value:
    """The distance between the largest and the smallest element."""
    site.check(1, 1)
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], site.span), site.span)
    ends = [matrices.reduction(ctx, n, value, None, site.span) for n in ("largest", "smallest")]
    return arrays.operation(ctx, "-", ends, site.span)


def _average(ctx: Context, site: Site) -> Value:
    site.check(1, 1, ("weights",))
    weights, span = site.keywords.get("weights", Static(None)), site.span
    value = arrays.numeric(ctx, site.arguments[0], span)
    if isinstance(weights, Static) and weights.value is None:
        weights = static.evaluate(np.ones, [static.from_static(shape_of(value))], span)
    weights = arrays.atom(ctx, arrays.numeric(ctx, weights, span), span)
    total = matrices.reduction(ctx, "sum", weights, None, span)
    return arrays.operation(ctx, "/", [matrices.matmul(ctx, value, weights, span), total], span)


def _trace(ctx: Context, site: Site) -> Value:
    """The sum of the diagonal of a square matrix."""
    site.check(1, 1)
    span = site.span
    value = arrays.settled(ctx, arrays.numeric(ctx, site.arguments[0], span), span, "matrix")
    shape = shape_of(value) or ()
    if len(shape) != 2 or shape[0] is None or shape[0] != shape[1]:
        raise errors.too_many_dimensions(span, site.name, 2)
    places = [arrays.number(i, span) for i in range(shape[0])]
    items = [arrays.element(ctx, value, (place, place), span) for place in places]
    written = arrays.call("sum", surface.VectorLiteral(tuple(items), span), span=span)
    return Latent(written, (), is_known(value))


def _norm(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    span = site.span
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], span), span)
    return arrays.operation(ctx, "sqrt", [matrices.matmul(ctx, value, value, span)], span)


def _cumulative(operation: str, neutral: float) -> Rule:
    """Sums or products from the first element on: a loop that carries those so far."""

    def rule(ctx: Context, site: Site) -> Value:
        return _accumulated(ctx, site, operation, neutral)

    return rule


def _accumulated(ctx: Context, site: Site, operation: str, neutral: float) -> Value:
    site.check(1, 1)
    span = site.span
    value = arrays.settled(ctx, arrays.numeric(ctx, site.arguments[0], span), span, "part")
    shape = shape_of(value) or ()
    if len(shape) != 1:
        raise errors.too_many_dimensions(span, site.name, 1)
    index, state = (surface.Name(ctx.fresh(name), span) for name in ("i", "sums"))
    item = arrays.element(ctx, value, (index,), span)
    last = arrays.call("last", state, span=span)
    start = arrays.call("vector", arrays.number(neutral, span), span=span)
    total = arrays.call(operation, last, item, span=span)
    step = surface.Function((index, state), (arrays.call("conj", state, total, span=span),))
    count = arrays.size(ctx, value, 0, span)
    sums = surface.Loop(count, start, step, (), span)
    return Latent(arrays.call("rest", sums, span=span), shape, is_known(value))


def _log_softmax(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    span = site.span
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], span), span)
    total = arrays.atom(ctx, matrices.reduction(ctx, "log-sum-exp", value, None, span), span)
    return arrays.operation(ctx, "-", [value, total], span)


def _softmax(ctx: Context, site: Site) -> Value:
    return arrays.operation(ctx, "exp", [_log_softmax(ctx, site)], site.span)


def _dot(ctx: Context, site: Site) -> Value:
    site.check(2, 2)
    left, right = site.arguments
    return matrices.matmul(ctx, left, right, site.span)


def _outer(ctx: Context, site: Site) -> Value:
    site.check(2, 2)
    left, right = site.arguments
    return matrices.outer(ctx, left, right, site.span)


NUMPY: dict[str, Special] = {
    "sum": (np.sum, _reduction("sum")),
    "mean": (np.mean, _mean),
    "max": (np.max, _reduction("largest")),
    "min": (np.min, _reduction("smallest")),
    "amax": (np.max, _reduction("largest")),
    "amin": (np.min, _reduction("smallest")),
    "prod": (np.prod, _product),
    "var": (np.var, _variance),
    "std": (np.std, _deviation),
    "any": (np.any, _quantified("largest")),
    "all": (np.all, _quantified("smallest")),
    "cumsum": (np.cumsum, _cumulative("+", 0)),
    "cumprod": (np.cumprod, _cumulative("*", 1)),
    "ptp": (np.ptp, _range),
    "average": (np.average, _average),
    "trace": (np.trace, _trace),
    "dot": (np.dot, _dot),
    "inner": (np.inner, _dot),
    "outer": (np.outer, _outer),
    "linalg.norm": (np.linalg.norm, _norm),
}
"""Functions of NumPy: what does them with data, and what with sampled values."""


def _log_sum_exp(x: Any, **keywords: Any) -> Any:
    return np.logaddexp.reduce(x, **keywords)


OTHER: dict[str, Special] = {
    "ufunc.matmul": (np.matmul, _dot),
    "scipy.special.logsumexp": (_log_sum_exp, _reduction("log-sum-exp")),
    "scipy.special.softmax": (None, _softmax),
    "scipy.special.log_softmax": (None, _log_softmax),
    "builtins.sum": (np.sum, _sum_of),
    "math.prod": (math.prod, _product),
    "builtins.max": (max, _extreme("max", "largest")),
    "builtins.min": (min, _extreme("min", "smallest")),
    "builtins.any": (any, _quantified("largest")),
    "builtins.all": (all, _quantified("smallest")),
}
"""The same of Python and SciPy."""
