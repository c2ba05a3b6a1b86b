"""Values as expressions of the program, and operations on arrays element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python.context import Context
from lfppl.syntax.python.values import (
    Deferred,
    Dist,
    Items,
    Latent,
    Range,
    Row,
    Shape,
    Static,
    Table,
    Value,
    describe,
    is_array,
    is_known,
    is_number,
    is_truth,
    shape_of,
)

Expression: TypeAlias = surface.Expression
Index: TypeAlias = tuple[Expression, ...]


LARGEST = 2**1023
"""Integers beyond are no double-precision numbers."""

_KINDS = {
    "c": "an array of complex numbers",
    "M": "an array of dates",
    "m": "an array of durations",
}


def call(name: str, *arguments: Expression, span: Span) -> surface.Call:
    """A call of a form, operation or distribution."""
    return surface.Call(surface.Name(name, span), arguments, span)


def number(value: float, span: Span) -> surface.Number:
    """A number at a place."""
    return surface.Number(float(value), span)


def expression(ctx: Context, value: Value, span: Span) -> Expression:
    """The expression of the program that stands for a value."""
    match value:
        case Latent(expression=written):
            return written
        case Static(value=None):
            return surface.Nil(span)
        case Static():
            return _static(ctx, value, span)
        case Deferred():
            return _plates(ctx, value, (), span)
        case Items(items=items):
            return surface.VectorLiteral(tuple(expression(ctx, i, span) for i in items), span)
        case Dist(expression=written):
            return written
        case Row(value=inner):
            return expression(ctx, inner, span)
        case Range():
            return expression(ctx, listed(ctx, value, span), span)
    raise errors.not_a_value(span, describe(value))


def _static(ctx: Context, value: Static, span: Span) -> Expression:
    if is_number(value):
        if isinstance(value.value, int) and abs(value.value) > LARGEST:
            raise errors.too_large_number(span)
        return number(value.value, span)
    if is_array(value):
        if value.value.ndim == 0:
            return number(value.value.item(), span)
        if value.value.dtype.kind not in "biuf":
            raise errors.not_a_value(span, _KINDS.get(value.value.dtype.kind, "an array of texts"))
        _check_present(value, span)
        return surface.Name(ctx.datum(value), span)
    raise errors.not_a_value(span, describe(value))


def _check_present(value: Static, span: Span) -> None:
    missing = np.isnan(value.value)
    if missing.any():
        place = tuple(int(i) for i in np.argwhere(missing)[0])
        raise errors.missing_value(span, value.origin or "this array", place)


def _plates(ctx: Context, value: Deferred, indices: Index, span: Span) -> Expression:
    if len(indices) == len(value.shape):
        return value.element(indices)
    index = surface.Name(ctx.fresh("i"), span)
    body = _plates(ctx, value, (*indices, index), span)
    return plate(index, size(ctx, value, len(indices), span), body, span)


def plate(index: surface.Name, count: Expression, body: Expression, span: Span) -> surface.For:
    """A vector of rows: the body for every index from 0 on."""
    source = call("range", count, span=span)
    return surface.For((surface.Binding(index, source, span),), (body,), True, span)


def size(ctx: Context, value: Value, axis: int, span: Span) -> Expression:
    """The length of a dimension."""
    shape = shape_of(value)
    assert shape is not None
    length = shape[axis]
    if length is not None:
        return number(length, span)
    if axis or isinstance(value, Deferred):
        raise errors.ragged(span)
    return call("count", expression(ctx, value, span), span=span)


def numeric(ctx: Context, value: Value, span: Span) -> Value:
    """A number or array; anything else is a mistake."""
    if isinstance(value, Range):
        value = listed(ctx, value, span)
    if shape_of(value) is None:
        if isinstance(value, Items):
            raise errors.ragged_list(span, value.kind, parts_of(value))
        raise errors.expected_number(span, describe(value))
    return value


def parts_of(value: Items) -> list[str]:
    """What the elements of a list are, in words, each kind once."""
    return list(dict.fromkeys(describe(item) for item in value.items))


def listed(ctx: Context, value: Range, span: Span) -> Value:
    """A range as an array."""
    if is_number(value.count):
        assert isinstance(value.count, Static)
        length = int(value.count.value)
        first = value.item(0) if length else Static(0)
        if isinstance(first, Static) and is_number(first):
            second = value.item(1) if length > 1 else first
            step = second.value - first.value if isinstance(second, Static) else 0
            if length < 2 or step:
                return Static(first.value + (step or 1) * np.arange(length))
    index = surface.Name(ctx.fresh("i"), span)
    element = value.element(Latent(index, (), True))
    count = expression(ctx, value.count, span)
    length_known = int(value.count.value) if isinstance(value.count, Static) else None
    shape = (length_known, *(shape_of(element) or ()))
    body = expression(ctx, element, span)
    return Latent(plate(index, count, body, span), shape, is_known(element))


def atom(ctx: Context, value: Value, span: Span, name: str = "_") -> Value:
    """A value that may be written many times: what is no name or number gets one."""
    if isinstance(value, Latent) and not isinstance(
        value.expression, surface.Name | surface.Number
    ):
        return ctx.bind("part" if name == "_" else name, value.expression, span, value)
    if isinstance(value, Items):
        items = tuple(atom(ctx, item, span, name) for item in value.items)
        same = all(new is old for new, old in zip(items, value.items, strict=True))
        return value if same else Items(items, value.kind)
    return value


def settled(ctx: Context, value: Value, span: Span, name: str) -> Value:
    """A value as a variable holds it: deferred arrays are written out, samples bound."""
    if isinstance(value, Deferred):
        written = expression(ctx, value, span)
        like = Latent(written, value.shape, value.known, value.truth)
        return ctx.bind(name, written, span, like)
    if isinstance(value, Items):
        return _settled_items(ctx, value, span, name)
    if isinstance(value, Table) and value.own:
        columns = {k: settled(ctx, v, span, f"{name}_{k}") for k, v in value.columns.items()}
        same = all(columns[key] is each for key, each in value.columns.items())
        return value if same else Table(columns, own=True)
    if isinstance(value, Dist) and not isinstance(value.expression, surface.Name):
        bound = ctx.bind(name, value.expression, span)
        return Dist(bound.expression, value.name, value.batch, value.event)
    return atom(ctx, value, span, name)


def _settled_items(ctx: Context, value: Items, span: Span, name: str) -> Value:
    """A list of numbers is one vector of the program, so that its samples are elements of it."""
    regular = shape_of(value) is not None and value.items and value.kind != "tuple"
    if regular and _has_raw(value):
        written = expression(ctx, value, span)
        shape = shape_of(value)
        assert shape is not None
        bound = ctx.bind(name, written, span, Latent(written, shape, is_list=value.kind == "list"))
        return _taken_apart(bound, shape, value.kind, span)
    items = tuple(
        settled(ctx, item, span, f"{name}_{position}") for position, item in enumerate(value.items)
    )
    # The same object where nothing changes: two names of one list are told by it.
    same = all(new is old for new, old in zip(items, value.items, strict=True))
    return value if same else Items(items, value.kind)


def _taken_apart(vector: Latent, shape: Shape, kind: str, span: Span) -> Value:
    return vector


def _has_raw(value: Value) -> bool:
    if isinstance(value, Items):
        return any(_has_raw(item) for item in value.items)
    return isinstance(value, Latent) and value.raw


# --- elements ------------------------------------------------------------------------------------


def element(ctx: Context, value: Value, indices: Index, span: Span) -> Expression:
    """The element of an array of known rank at indices, one for each dimension."""
    if isinstance(value, Deferred):
        return value.element(indices)
    written = expression(ctx, value, span)
    for index in indices:
        written = call("get", written, index, span=span)
    return written


def broadcast_shape(shapes: Sequence[Shape], span: Span) -> Shape:
    """The shape of arrays combined element by element, by NumPy's rule."""
    rank = max(len(shape) for shape in shapes)
    result: list[int | None] = []
    for axis in range(-rank, 0):
        lengths = {shape[axis] for shape in shapes if len(shape) >= -axis}
        wide = lengths - {1}
        if len(wide - {None}) > 1:
            raise errors.shapes_differ(span, [shape for shape in shapes if shape])
        result.append(1 if not wide else next((n for n in wide if n is not None), None))
    return tuple(result)


def _at(ctx: Context, value: Value, indices: Index, shape: Shape, span: Span) -> Expression:
    """The element of an array that is broadcast to a shape of more or longer dimensions."""
    own = shape_of(value) or ()
    used = indices[len(indices) - len(own) :] if own else ()
    pairs = zip(used, own, shape[len(shape) - len(own) :] if own else (), strict=True)
    places = tuple(
        number(0, span) if length == 1 and total != 1 else index for index, length, total in pairs
    )
    return element(ctx, value, places, span)


Formula: TypeAlias = Callable[..., Expression]


def elementwise(
    ctx: Context,
    formula: Formula,
    values: Sequence[Value],
    span: Span,
    native: bool = True,
    truth: bool = False,
) -> Value:
    """A formula applied to numbers, or to arrays element by element.

    A `native` one works on whole vectors in the program, if they have equal shapes.
    """
    values = [numeric(ctx, value, span) for value in values]
    shapes = [shape_of(value) or () for value in values]
    shape = broadcast_shape(shapes, span)
    known = all(is_known(value) for value in values)
    whole = native and all(own in ((), shape) for own in shapes)
    if not shape or (whole and not any(isinstance(value, Deferred) for value in values)):
        parts = [expression(ctx, value, span) for value in values]
        return Latent(formula(*parts), shape, known, truth)
    shared = [atom(ctx, value, span) for value in values]
    at = partial(_at, ctx, shape=shape, span=span)
    return Deferred(
        shape,
        lambda indices: formula(*(at(value, indices=indices) for value in shared)),
        known,
        truth,
    )


def operation(ctx: Context, name: str, values: Sequence[Value], span: Span) -> Value:
    """An operation of the language that works on numbers and whole vectors."""
    return elementwise(ctx, lambda *parts: call(name, *parts, span=span), values, span)


def choice(ctx: Context, test: Value, then: Value, otherwise: Value, span: Span) -> Value:
    """`then` where the test holds, element by element."""
    return elementwise(
        ctx,
        lambda t, a, b: surface.If(t, a, b, span),
        [truth(ctx, test, span), then, otherwise],
        span,
        native=False,
    )


def truth(ctx: Context, value: Value, span: Span) -> Value:
    """A test: what is no truth value is compared with 0, as Python does."""
    if is_truth(value):
        return value
    zero = Static(0)
    return elementwise(
        ctx,
        lambda a, b: call("not=", a, b, span=span),
        [value, zero],
        span,
        native=False,
        truth=True,
    )
