"""Choices between arrays, arrays of a shape, arrays put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import aliases, arrays, matrices, ranges, static
from lfppl.syntax.python.calls import Rule, Site, scalar
from lfppl.syntax.python.context import Context
from lfppl.syntax.python.library import UFUNCS, Special
from lfppl.syntax.python.reductions import axis_of
from lfppl.syntax.python.values import (
    Deferred,
    Items,
    Latent,
    Range,
    Static,
    Value,
    is_known,
    is_truth,
    shape_of,
)


def _where(ctx: Context, site: Site) -> Value:
    site.check(3, 3)
    test, then, otherwise = site.arguments
    return arrays.choice(ctx, test, then, otherwise, site.span)


def _clip(ctx: Context, site: Site) -> Value:
    site.check(1, 3, ("a_min", "a_max", "min", "max"))
    value = site.arguments[0]
    low = site.argument(1, "a_min", site.keywords.get("min", Static(None)))
    high = site.argument(2, "a_max", site.keywords.get("max", Static(None)))
    for bound, name in ((low, "maximum"), (high, "minimum")):
        if not (isinstance(bound, Static) and bound.value is None):
            pair = Site(site.node, site.span, site.name, (value, bound))
            value = arrays.settled(ctx, scalar(ctx, UFUNCS[name], pair), site.span, "clipped")
    return value


def _as_array(ctx: Context, site: Site) -> Value:
    site.check(1, 2, ("dtype", "copy"))
    value = site.arguments[0]
    if isinstance(value, Range):
        return arrays.listed(ctx, value, site.span)
    if static.are_static((value,)):
        return static.evaluate(np.array, (value,), site.span)
    made = _array_of(arrays.numeric(ctx, value, site.span))
    return made if site.name == "np.asarray" else aliases.fresh(ctx, made, site.span)


def _array_of(value: Value) -> Value:
    if isinstance(value, Items):
        return Items(tuple(_array_of(item) for item in value.items), "array")
    if isinstance(value, Latent):
        return Latent(value.expression, value.shape, value.known, value.truth, raw=value.raw)
    return value


def _copy(ctx: Context, site: Site) -> Value:
    """`x.copy()`, `x.tolist()`: an equal number or array."""
    return aliases.fresh(ctx, site.arguments[0], site.span)


def _to_float(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    if static.are_static(site.arguments):
        return static.evaluate(float, site.arguments, site.span)
    return arrays.numeric(ctx, site.arguments[0], site.span)


def _filled(function: Callable[..., Any], like: bool = False) -> Rule:
    """`np.zeros(n)` and its relatives, whose shape must be known."""

    def rule(ctx: Context, site: Site) -> Value:
        keywords = {k: v for k, v in site.keywords.items() if k != "dtype"}
        arguments = list(site.arguments[: 2 if function is np.full else 1])
        if like:
            shape = shape_of(arguments[0])
            if shape is None or None in shape:
                raise ctx.unless_written_out(errors.shape_unknown(site.span))
            arguments[0] = static.from_static(tuple(shape))
        if function is np.full and not static.are_static(arguments[1:]):
            return _repeated(ctx, site)
        if not static.are_static((*arguments, *keywords.values())):
            raise ctx.unless_written_out(errors.shape_unknown(site.span))
        return static.evaluate(function, arguments, site.span, keywords)

    return rule


def _repeated(ctx: Context, site: Site) -> Value:
    """`np.full(n, x)` with a sampled x."""
    if not static.are_static(site.arguments[:1]):
        raise ctx.unless_written_out(errors.shape_unknown(site.span))
    asked = static.to_static(site.arguments[0])
    shape = tuple(asked) if isinstance(asked, tuple | list) else (int(asked),)
    value = arrays.atom(ctx, site.arguments[1], site.span)
    written = arrays.expression(ctx, value, site.span)
    return Deferred(shape, lambda indices: written, is_known(value))


def _arange(ctx: Context, site: Site) -> Value:
    arguments = site.arguments
    if static.are_static(arguments):
        return static.evaluate(np.arange, arguments, site.span)
    return arrays.listed(ctx, ranges.range_of(ctx, site.node, arguments), site.span)


def _concatenate(ctx: Context, site: Site) -> Value:
    site.check(1, 2, ("axis",))
    parts = site.arguments[0]
    if not isinstance(parts, Items):
        raise errors.expected_list(site.span, site.name)
    if axis_of(site) not in (None, 0):
        raise errors.axis_unknown(site.span)
    return _joined(ctx, [arrays.numeric(ctx, each, site.span) for each in parts.items], site.span)


def _joined(ctx: Context, parts: list[Value], span: Span) -> Value:
    shapes = [shape_of(part) or () for part in parts]
    if any(not shape for shape in shapes):
        raise errors.expected_list(span, "np.concatenate")
    lengths = [shape[0] for shape in shapes]
    total = None if None in lengths else sum(n for n in lengths if n is not None)
    written = [arrays.expression(ctx, part, span) for part in parts]
    known = all(is_known(part) for part in parts)
    return Latent(arrays.call("concat", *written, span=span), (total, *shapes[0][1:]), known)


def _append(ctx: Context, site: Site) -> Value:
    """`np.append(x, v)`."""
    site.check(2, 2)
    first, second = (arrays.numeric(ctx, each, site.span) for each in site.arguments)
    if not shape_of(second):
        second = Items((second,), "array")
    return _joined(ctx, [first, second], site.span)


def _stack(ctx: Context, site: Site) -> Value:
    site.check(1, 2, ("axis",))
    parts = site.arguments[0]
    if not isinstance(parts, Items) or shape_of(parts) is None:
        raise errors.expected_list(site.span, site.name)
    stacked = Items(parts.items, "array")
    if axis_of(site) in (None, 0):
        return stacked
    return matrices.transpose(ctx, stacked, site.span)


def _flattened(ctx: Context, site: Site) -> Value:
    value, span = site.arguments[0], site.span
    shape = shape_of(arrays.numeric(ctx, value, span)) or ()
    written = arrays.expression(ctx, value, span)
    for _ in shape[1:]:
        written = arrays.call("flatten", written, span=span)
    total = None if None in shape else int(np.prod([n for n in shape if n is not None]))
    return Latent(written, (total,), is_known(value), is_truth(value))


def _difference(ctx: Context, site: Site) -> Value:
    """`np.diff(x)`."""
    site.check(1, 1)
    span = site.span
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], span), span)
    shape = shape_of(value) or ()
    if len(shape) != 1 or shape[0] is None:
        raise errors.too_many_dimensions(span, site.name, 1)

    def step(indices: arrays.Index) -> surface.Expression:
        after = arrays.call("+", arrays.number(1, span), indices[0], span=span)
        parts = [arrays.element(ctx, value, (place,), span) for place in (after, indices[0])]
        return arrays.call("-", *parts, span=span)

    return Deferred((shape[0] - 1,), step, is_known(value))


def _round(ctx: Context, site: Site) -> Value:
    site.check(1, 2, ("decimals", "ndigits"))
    given = site.keywords.get("ndigits", Static(0))
    digits = site.argument(1, "decimals", given)
    if not isinstance(digits, Static) or not isinstance(digits.value, int):
        raise errors.count_unknown(site.span, "the number of digits")
    if digits.value == 0:
        return arrays.operation(ctx, "round", site.arguments[:1], site.span)
    scale = Static(10.0**digits.value)
    scaled = arrays.operation(ctx, "*", [site.arguments[0], scale], site.span)
    rounded = arrays.operation(ctx, "round", [scaled], site.span)
    return arrays.operation(ctx, "/", [rounded, scale], site.span)


def _transpose(ctx: Context, site: Site) -> Value:
    return matrices.transpose(ctx, site.arguments[0], site.span)


NUMPY: dict[str, Special] = {
    "where": (np.where, _where),
    "clip": (np.clip, _clip),
    "concatenate": (np.concatenate, _concatenate),
    "append": (np.append, _append),
    "stack": (np.stack, _stack),
    "ravel": (np.ravel, _flattened),
    "diff": (np.diff, _difference),
    "round": (np.round, _round),
    "transpose": (np.transpose, _transpose),
    "array": (None, _as_array),
    "asarray": (None, _as_array),
    "float64": (None, _to_float),
    "zeros": (None, _filled(np.zeros)),
    "ones": (None, _filled(np.ones)),
    "empty": (None, _filled(np.zeros)),
    "full": (None, _filled(np.full)),
    "zeros_like": (None, _filled(np.zeros, like=True)),
    "ones_like": (None, _filled(np.ones, like=True)),
    "empty_like": (None, _filled(np.zeros, like=True)),
    "arange": (None, _arange),
}
"""Functions of NumPy: what does them with data, and what with sampled values."""

OTHER: dict[str, Special] = {
    "builtins.float": (None, _to_float),
    "builtins.round": (round, _round),
    **{
        f"method.{name}": (None, _copy) for name in ("copy", "tolist", "astype", "to_numpy", "item")
    },
    "method.flatten": (np.ravel, _flattened),
}
"""The same of Python, and methods."""
