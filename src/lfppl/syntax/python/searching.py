"""Where in an array something is, and choices between more than two values."""

from __future__ import annotations

import numpy as np

import lfppl.errors.python as errors
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, matrices
from lfppl.syntax.python.calls import Rule, Site
from lfppl.syntax.python.context import Context
from lfppl.syntax.python.library import Special
from lfppl.syntax.python.values import Deferred, Items, Latent, Static, Value, is_known, shape_of


def _place_of_extreme(comparison: str) -> Rule:
    """`np.argmax` and `np.argmin`: a loop that carries the best value so far and its place."""

    def rule(ctx: Context, site: Site) -> Value:
        site.check(1, 1)
        span = site.span
        value = arrays.settled(ctx, arrays.numeric(ctx, site.arguments[0], span), span, "part")
        if len(shape_of(value) or ()) != 1:
            raise errors.too_many_dimensions(span, site.name, 1)
        index, state = (surface.Name(ctx.fresh(name), span) for name in ("i", "best"))
        item = arrays.element(ctx, value, (index,), span)
        best = arrays.call("get", state, arrays.number(0, span), span=span)
        test = arrays.call(comparison, item, best, span=span)
        found = surface.VectorLiteral((item, index), span)
        step = surface.Function((index, state), (surface.If(test, found, state, span),))
        first = arrays.element(ctx, value, (arrays.number(0, span),), span)
        start = surface.VectorLiteral((first, arrays.number(0, span)), span)
        loop = surface.Loop(arrays.size(ctx, value, 0, span), start, step, (), span)
        place = arrays.call("get", loop, arrays.number(1, span), span=span)
        return Latent(place, (), is_known(value))

    return rule


def _counted(ctx: Context, site: Site, value: Value, edges: Value, comparison: str) -> Value:
    """How many edges a value, or each element of an array, lies behind."""
    span = site.span
    shared, bounds = (
        arrays.settled(ctx, arrays.numeric(ctx, v, span), span, "part") for v in (value, edges)
    )
    if len(shape_of(bounds) or ()) != 1:
        raise errors.too_many_dimensions(span, site.name, 1)

    def number(indices: arrays.Index) -> surface.Expression:
        index = surface.Name(ctx.fresh("i"), span)
        item = arrays.element(ctx, shared, indices, span)
        edge = arrays.element(ctx, bounds, (index,), span)
        test = arrays.call(comparison, item, edge, span=span)
        one = surface.If(test, arrays.number(1, span), arrays.number(0, span), span)
        rows = arrays.plate(index, arrays.size(ctx, bounds, 0, span), one, span)
        return arrays.call("sum", rows, span=span)

    known = is_known(shared) and is_known(bounds)
    shape = shape_of(shared) or ()
    return Deferred(shape, number, known) if shape else Latent(number(()), (), known)


def _search_sorted(ctx: Context, site: Site) -> Value:
    site.check(2, 3, ("side",))
    side = site.argument(2, "side", Static("left"))
    right = isinstance(side, Static) and side.value == "right"
    edges, value = site.arguments[:2]
    return _counted(ctx, site, value, edges, ">=" if right else ">")


def _digitize(ctx: Context, site: Site) -> Value:
    site.check(2, 3, ("right",))
    right = site.argument(2, "right", Static(False))
    value, edges = site.arguments[:2]
    return _counted(ctx, site, value, edges, ">" if getattr(right, "value", False) else ">=")


def _select(ctx: Context, site: Site) -> Value:
    """`np.select([test, ...], [value, ...], default)`: the value of the first test that holds."""
    site.check(2, 3, ("default",))
    tests, values = site.arguments[:2]
    if not isinstance(tests, Items) or not isinstance(values, Items):
        raise errors.expected_list(site.span, site.name)
    result = site.argument(2, "default", Static(0))
    for test, value in reversed(list(zip(tests.items, values.items, strict=False))):
        result = arrays.choice(ctx, test, value, result, site.span)
    return result


def _heaviside(ctx: Context, site: Site) -> Value:
    site.check(2, 2)
    value = arrays.settled(
        ctx, arrays.numeric(ctx, site.arguments[0], site.span), site.span, "part"
    )
    zero = Static(0)
    above, below = (_compared(ctx, site, name, value, zero) for name in (">", "<"))
    rest = arrays.choice(ctx, below, zero, site.arguments[1], site.span)
    return arrays.choice(ctx, above, Static(1), rest, site.span)


def _compared(ctx: Context, site: Site, name: str, left: Value, right: Value) -> Value:
    def formula(*parts: surface.Expression) -> surface.Expression:
        return arrays.call(name, *parts, span=site.span)

    return arrays.elementwise(ctx, formula, [left, right], site.span, native=False, truth=True)


def _count_nonzero(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    tests = arrays.truth(ctx, arrays.numeric(ctx, site.arguments[0], site.span), site.span)
    return matrices.reduction(ctx, "sum", tests, None, site.span)


NUMPY: dict[str, Special] = {
    "argmax": (np.argmax, _place_of_extreme(">")),
    "argmin": (np.argmin, _place_of_extreme("<")),
    "searchsorted": (np.searchsorted, _search_sorted),
    "digitize": (np.digitize, _digitize),
    "select": (np.select, _select),
    "count_nonzero": (np.count_nonzero, _count_nonzero),
}
"""Functions of NumPy: what does them with data, and what with sampled values."""

OTHER: dict[str, Special] = {"ufunc.heaviside": (np.heaviside, _heaviside)}
"""Functions that NumPy applies element by element."""
