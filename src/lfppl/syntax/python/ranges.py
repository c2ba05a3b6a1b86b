"""What loops go over: `range`, `enumerate`, `zip`, `reversed`, arrays and lists."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, static
from lfppl.syntax.python.context import Context, Retreat
from lfppl.syntax.python.values import (
    Items,
    Latent,
    Range,
    Static,
    Table,
    Value,
    describe,
    is_known,
    is_number,
    is_truth,
    shape_of,
)


def range_of(ctx: Context, node: ast.AST, arguments: Sequence[Value]) -> Range:
    """`range(start, stop, step)`."""
    bounds = _bounds(arguments)
    span = ctx.span(node)
    for value in bounds:
        if not is_known(value):
            raise errors.latent_range(span)
        if shape_of(value) != ():
            raise errors.expected_number(span, describe(value))
    if all(is_number(value) for value in bounds):
        start, stop, step = (static.to_static(value) for value in bounds)
        if not all(each == int(each) for each in (start, stop, step)) or step == 0:
            raise errors.range_not_integers(span)
        return _known_range(int(start), int(stop), int(step), span)
    return _moving_range(ctx, bounds, span)


def _bounds(arguments: Sequence[Value]) -> tuple[Value, Value, Value]:
    if len(arguments) == 1:
        return Static(0), arguments[0], Static(1)
    return arguments[0], arguments[1], arguments[2] if len(arguments) > 2 else Static(1)


def _known_range(start: int, stop: int, step: int, span: Span) -> Range:
    count = len(range(start, stop, step))

    def element(index: Latent) -> Value:
        if start == 0 and step == 1:
            return index
        moved = index.expression
        if step != 1:
            moved = arrays.call("*", moved, arrays.number(step, span), span=span)
        if start:
            moved = arrays.call("+", arrays.number(start, span), moved, span=span)
        return Latent(moved, (), True)

    return Range(
        Static(count), element, lambda i: Static(start + step * i), (start, step) == (0, 1), start
    )


def _moving_range(ctx: Context, bounds: tuple[Value, Value, Value], span: Span) -> Range:
    start, stop, step = bounds
    if not (isinstance(step, Static) and step.value == 1):
        raise errors.range_step(span)
    if isinstance(start, Static) and start.value == 0:
        return Range(stop, lambda index: index, _no_item, True, 0)
    first = arrays.atom(ctx, start, span, "start")
    count = arrays.operation(ctx, "-", [stop, first], span)

    def element(index: Latent) -> Value:
        return arrays.operation(ctx, "+", [first, index], span)

    return Range(count, element, _no_item)


def _no_item(position: int) -> Value:
    raise Retreat


def iterable(ctx: Context, node: ast.AST, value: Value) -> Range:
    """What a loop over a value goes through."""
    span = ctx.span(node)
    if isinstance(value, Range):
        return value
    if isinstance(value, Items):
        return _over_items(ctx, value, span)
    if isinstance(value, Static) and isinstance(value.value, str):
        return _over_items(ctx, Items(tuple(Static(letter) for letter in value.value)), span)
    if isinstance(value, Table):
        return _over_items(ctx, Items(tuple(static.from_static(k) for k in value.columns)), span)
    shape = shape_of(value)
    if not shape:
        raise errors.not_iterable(span, describe(value))
    shared = arrays.settled(ctx, value, span, "rows")
    count = Static(shape[0]) if shape[0] is not None else None
    length = count or Latent(arrays.size(ctx, shared, 0, span), (), True)
    return Range(
        length,
        lambda index: _element(ctx, shared, index.expression, span),
        lambda i: _item(ctx, shared, i, span),
    )


def _element(ctx: Context, value: Value, index: surface.Expression, span: Span) -> Value:
    written = arrays.element(ctx, value, (index,), span)
    shape = shape_of(value) or ()
    return Latent(written, shape[1:], is_known(value), is_truth(value))


def _item(ctx: Context, value: Value, position: int, span: Span) -> Value:
    if isinstance(value, Static):
        return static.from_static(value.value[position])
    return _element(ctx, value, arrays.number(position, span), span)


def _over_items(ctx: Context, value: Items, span: Span) -> Range:
    def element(index: Latent) -> Value:
        if shape_of(value) is None or not value.items:
            raise Retreat
        return _element(ctx, value, index.expression, span)

    return Range(Static(len(value.items)), element, lambda i: value.items[i])


def enumerated(ctx: Context, node: ast.AST, value: Value, start: Value) -> Range:
    """`enumerate(value, start)`."""
    rows = iterable(ctx, node, value)
    if not isinstance(start, Static):
        raise errors.range_not_integers(ctx.span(node))
    numbers = range_of(ctx, node, [start, Static(start.value + 1)])
    return Range(
        rows.count,
        lambda index: Items((numbers.element(index), rows.element(index))),
        lambda i: Items((Static(start.value + i), rows.item(i))),
        rows.direct or start.value == 0,
        start.value,
    )


def zipped(ctx: Context, node: ast.AST, values: Sequence[Value]) -> Range:
    """`zip(a, b, ...)`, of equal lengths."""
    parts = [iterable(ctx, node, value) for value in values]
    counts = [part.count for part in parts]
    lengths = {int(count.value) for count in counts if isinstance(count, Static)}
    if len(lengths) > 1:
        raise errors.zip_lengths(ctx.span(node), sorted(lengths))
    return Range(
        counts[0],
        lambda index: Items(tuple(part.element(index) for part in parts)),
        lambda i: Items(tuple(part.item(i) for part in parts)),
    )


def reversed_(ctx: Context, node: ast.AST, value: Value) -> Range:
    """`reversed(value)`."""
    rows, span = iterable(ctx, node, value), ctx.span(node)
    if not isinstance(rows.count, Static):
        raise errors.ragged(span)
    last = int(rows.count.value) - 1

    def element(index: Latent) -> Value:
        place = arrays.call("-", arrays.number(last, span), index.expression, span=span)
        return rows.element(Latent(place, (), True))

    return Range(rows.count, element, lambda i: rows.item(last - i))
