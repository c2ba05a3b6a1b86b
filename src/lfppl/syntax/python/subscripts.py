"""Elements, slices and fancy indices of arrays, lists and tables."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, static
from lfppl.syntax.python.context import Context, Retreat
from lfppl.syntax.python.indices import (
    Axis,
    MovingSlice,
    axis_of,
    bound,
    check_range,
    index_of,
    whole_number,
)
from lfppl.syntax.python.values import (
    Deferred,
    Dist,
    Growing,
    Items,
    Latent,
    Range,
    Row,
    Shape,
    Static,
    Table,
    Value,
    describe,
    is_known,
    is_number,
    is_truth,
    shape_of,
)


def parts_of(node: ast.Subscript) -> tuple[ast.expr, ...]:
    """The indices between the brackets."""
    if isinstance(node.slice, ast.Tuple):
        return tuple(node.slice.elts)
    return (node.slice,)


def subscript(ctx: Context, node: ast.Subscript, base: Value) -> Value:
    """`base[...]`."""
    span = ctx.span(node)
    if isinstance(base, Growing):
        raise Retreat
    if isinstance(base, Row):
        return _row(ctx, node, base)
    if isinstance(base, Table):
        return _column(ctx, node, base)
    if isinstance(base, Range):
        base = arrays.listed(ctx, base, span)
    parts, first = parts_of(node), None
    if isinstance(base, Items):
        if not isinstance(parts[0], ast.Slice):
            first = ctx.evaluate(parts[0])
        chosen = _of_list(ctx, base, parts[0], first)
        if chosen is not None:
            return _remaining(ctx, node, chosen)
    if isinstance(base, Static) and isinstance(base.value, str | dict | None):
        return _of_text(ctx, node, base)
    shape = shape_of(base)
    if shape is None:
        return _of_irregular(ctx, node, base, first)
    if not shape:
        raise errors.number_indexed(ctx.span(node.value))
    rest = [(each, index_of(ctx, each)) for each in parts[1:]]
    return _of_array(ctx, base, shape, [(parts[0], index_of(ctx, parts[0], first)), *rest], span)


def _row(ctx: Context, node: ast.Subscript, base: Row) -> Value:
    """An element of an array that a loop is filling: only the row of this round is there."""
    first = parts_of(node)[0]
    index = ctx.evaluate(first) if not isinstance(first, ast.Slice) else None
    if not is_index(index, base.index):
        raise Retreat
    return _remaining(ctx, node, base.value)


def _remaining(ctx: Context, node: ast.Subscript, base: Value) -> Value:
    """The indices behind the first, of what the first has chosen."""
    rest = parts_of(node)[1:]
    if not rest:
        return base
    inner = ast.Tuple(list(rest), ast.Load()) if len(rest) > 1 else rest[0]
    if isinstance(inner, ast.Tuple):
        ast.copy_location(inner, node.slice)
    reduced = ast.Subscript(node.value, inner, ast.Load())
    ast.copy_location(reduced, node)
    return subscript(ctx, reduced, base)


def is_index(value: Value | None, binder: str) -> bool:
    """Whether a value is the index of a loop itself."""
    return isinstance(value, Latent) and value.expression == surface.Name(binder)


def _column(ctx: Context, node: ast.Subscript, base: Table) -> Value:
    key = ctx.evaluate(node.slice)
    if not isinstance(key, Static):
        raise errors.column_unknown(ctx.span(node.slice))
    if key.value not in base.columns:
        raise errors.no_such_column(ctx.span(node.slice), key.value, list(base.columns))
    return base.columns[key.value]


def _of_text(ctx: Context, node: ast.Subscript, base: Static) -> Value:
    index = ctx.evaluate(node.slice)
    if base.value is None or not static.are_static((index,)):
        raise errors.not_indexable(ctx.span(node.value), describe(base))
    return static.evaluate(lambda a, b: a[b], (base, index), ctx.span(node))


def _of_list(ctx: Context, base: Items, part: ast.expr, index: Value | None) -> Value | None:
    """A list or tuple at a place known now, or a stretch of it."""
    if isinstance(part, ast.Slice):
        if base.kind == "array":
            return None
        bounds = [bound(ctx, each) for each in (part.lower, part.upper, part.step)]
        return Items(base.items[slice(*bounds)], base.kind)
    if not (isinstance(index, Static) and is_number(index)):
        return None
    place = whole_number(index.value, ctx.span(part))
    check_range(place, len(base.items), ctx.span(part))
    return base.items[place]


def _of_irregular(ctx: Context, node: ast.Subscript, base: Value, index: Value | None) -> Value:
    """A list of distributions or of unequal things at an index that is not known now."""
    if isinstance(base, Items) and base.items and index is not None:
        shape = shape_of(index)
        if shape == () and all(isinstance(item, Dist) for item in base.items):
            return _distribution(ctx, base, index, ctx.span(node))
        raise ctx.unless_written_out(errors.list_index_unknown(ctx.span(node), base.kind))
    raise errors.not_indexable(ctx.span(node.value), describe(base))


def _distribution(ctx: Context, base: Items, index: Value, span: Span) -> Value:
    first = base.items[0]
    assert isinstance(first, Dist)
    written = [arrays.expression(ctx, item, span) for item in base.items]
    choices = surface.VectorLiteral(tuple(written), span)
    place = arrays.expression(ctx, index, span)
    return Dist(arrays.call("get", choices, place, span=span), first.name, (), first.event)


# --- arrays --------------------------------------------------------------------------------------


def _of_array(
    ctx: Context, base: Value, shape: Shape, indices: Sequence[tuple[ast.expr, Any]], span: Span
) -> Value:
    if all(isinstance(i, Static | slice) or i in (None, ...) for _, i in indices) and (
        static.are_static((base,))
    ):
        return _of_known(ctx, base, indices, span)
    indices = _spread(indices, len(shape), span)
    simple = _stepwise(ctx, base, shape, indices, span)
    if simple is not None:
        return simple
    axes = []
    own = iter(shape)
    for part, index in indices:
        length = None if index is None else next(own)
        axes.append(axis_of(ctx, part, index, length))
    axes += [Axis(length=length) for length in own]
    return _general(ctx, base, axes, span)


def _of_known(
    ctx: Context, base: Value, indices: Sequence[tuple[ast.expr, Any]], span: Span
) -> Value:
    index = tuple(static.to_static(i) if isinstance(i, Static) else i for _, i in indices)
    whole = tuple(i.astype(np.int64) if isinstance(i, np.ndarray) else i for i in index)
    array = np.asarray(static.to_static(base))
    is_aligned = not any(place is None or place is ... for place in whole)
    for (part, _), place, length in zip(indices, whole, array.shape, strict=False):
        if is_aligned and isinstance(place, int):
            check_range(place, length, ctx.span(part))
    return static.evaluate(lambda a: a[whole], (Static(array),), span)


def _spread(
    indices: Sequence[tuple[ast.expr, Any]], rank: int, span: Span
) -> list[tuple[ast.expr, Any]]:
    """The indices with `...` written out."""
    used = sum(1 for _, index in indices if index is not None and index is not ...)
    if used > rank:
        raise errors.too_many_indices(span, used, rank)
    result: list[tuple[ast.expr, Any]] = []
    for part, index in indices:
        if index is ...:
            result += [(part, slice(None))] * (rank - used)
        else:
            result.append((part, index))
    return result


def _stepwise(
    ctx: Context, base: Value, shape: Shape, indices: Sequence[tuple[ast.expr, Any]], span: Span
) -> Value | None:
    """Elements only, from the first dimension on; or one slice of it: operations of the program."""
    if len(indices) == 1 and isinstance(indices[0][1], slice | MovingSlice):
        return _stretch(ctx, base, shape, indices[0][1], span)
    if not all(isinstance(i, Static | Latent) and shape_of(i) == () for _, i in indices):
        return None
    if isinstance(base, Deferred):
        base = arrays.settled(ctx, base, span, "part")
    written, known = arrays.expression(ctx, base, span), is_known(base)
    for axis, (part, index) in enumerate(indices):
        place = _place(ctx, index, shape[axis], ctx.span(part), written)
        written = arrays.call("get", written, place, span=span)
        known = known and is_known(index)
    truth = is_truth(base)
    return Latent(written, shape[len(indices) :], known, truth)


def _place(
    ctx: Context, index: Value, length: int | None, span: Span, vector: surface.Expression
) -> surface.Expression:
    """An index as the language counts: from 0, never from the end."""
    if isinstance(index, Static):
        place = int(index.value)
        if length is not None:
            check_range(place, length, span)
            return arrays.number(place % length, span)
        if place < 0:
            total = arrays.call("count", vector, span=span)
            return arrays.call("-", total, arrays.number(-place, span), span=span)
    return arrays.expression(ctx, index, span)


def _stretch(
    ctx: Context, base: Value, shape: Shape, bounds: slice | MovingSlice, span: Span
) -> Value | None:
    length = shape[0]
    written = arrays.expression(ctx, base, span)
    is_list = isinstance(base, Latent) and base.is_list
    if isinstance(bounds, MovingSlice):
        stop = bounds.stop or arrays.size(ctx, base, 0, span)
        part = arrays.call("subvec", written, bounds.start, stop, span=span)
        return Latent(part, (bounds.length, *shape[1:]), is_known(base), is_list=is_list)
    if length is None or bounds.step not in (None, 1):
        return None if length is not None else _unknown_stretch(written, shape, bounds, span)
    first, last, _ = bounds.indices(length)
    if (first, last) == (0, length):
        return base
    ends = (arrays.number(first, span), arrays.number(max(first, last), span))
    part = arrays.call("subvec", written, *ends, span=span)
    return Latent(part, (max(last - first, 0), *shape[1:]), is_known(base), is_list=is_list)


def _unknown_stretch(written: surface.Expression, shape: Shape, bounds: slice, span: Span) -> Value:
    """A slice of a vector whose length differs from round to round."""
    count = arrays.call("count", written, span=span)
    ends = []
    for place, default in ((bounds.start, arrays.number(0, span)), (bounds.stop, count)):
        if place is None:
            ends.append(default)
        elif place < 0:
            ends.append(arrays.call("-", count, arrays.number(-place, span), span=span))
        else:
            ends.append(arrays.number(place, span))
    return Latent(arrays.call("subvec", written, *ends, span=span), (None, *shape[1:]))


def _general(ctx: Context, base: Value, axes: Sequence[Axis], span: Span) -> Value:
    """Any mixture of indices: an array whose elements are looked up in the base."""
    base = arrays.atom(ctx, base, span)
    chosen = [shape_of(axis.index) or () for axis in axes if axis.index is not None]
    together = arrays.broadcast_shape(chosen, span) if any(chosen) else ()
    if len(together) > 1:
        raise errors.too_many_dimensions(span, "an index", 1)
    shape: list[int | None] = []
    for axis in axes:
        if axis.index is None:
            shape.append(axis.length)
        elif shape_of(axis.index) and _TOGETHER not in shape:
            shape.append(_TOGETHER)
    lengths = tuple(together[0] if length == _TOGETHER else length for length in shape)
    where = shape.index(_TOGETHER) if _TOGETHER in shape else -1

    def looked_up(indices: arrays.Index) -> surface.Expression:
        return _look_up(ctx, base, axes, indices, where, span)

    known = is_known(base) and all(axis.index is None or is_known(axis.index) for axis in axes)
    return Deferred(lengths, looked_up, known, is_truth(base))


_TOGETHER = -1
"""Stands for the dimension that fancy indices make, until its length is filled in."""


def _look_up(
    ctx: Context,
    base: Value,
    axes: Sequence[Axis],
    indices: arrays.Index,
    where: int,
    span: Span,
) -> surface.Expression:
    places: list[surface.Expression] = []
    waiting = [index for position, index in enumerate(indices) if position != where]
    for axis in axes:
        if axis.index is not None:
            index = axis.index
            fancy = bool(shape_of(index))
            places.append(
                arrays.element(ctx, index, (indices[where],), span)
                if fancy
                else arrays.expression(ctx, index, span)
            )
        elif axis.new:
            waiting.pop(0)
        else:
            places.append(_moved(waiting.pop(0), axis, span))
    return arrays.element(ctx, base, tuple(places), span)


def _moved(index: surface.Expression, axis: Axis, span: Span) -> surface.Expression:
    """The place in the base that an index of a slice stands for."""
    if axis.step != 1:
        index = arrays.call("*", index, arrays.number(axis.step, span), span=span)
    if axis.start == 0:
        return index
    return arrays.call("+", arrays.number(axis.start, span), index, span=span)
