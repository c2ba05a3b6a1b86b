"""What stands in the brackets behind an array: places, slices, arrays of places, new dimensions."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

import numpy as np

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, static
from lfppl.syntax.python.context import Context
from lfppl.syntax.python.values import Shape, Static, Value, is_known, is_number, is_truth, shape_of


def index_of(
    ctx: Context, part: ast.expr, value: Value | None = None
) -> Value | slice | Any | None:
    """The value of an index: a number, an array, a slice of known bounds, None, or `...`.

    `value` is that of the expression, if it has been looked at.
    """
    if isinstance(part, ast.Slice):
        bounds = (part.lower, part.upper, part.step)
        latent = [ctx.evaluate(each) for each in bounds if each is not None]
        if not static.are_static(latent):
            return _moving_slice(ctx, part)
        return slice(*(bound(ctx, each) for each in bounds))
    if isinstance(part, ast.Constant) and part.value is ...:
        return ...
    value = ctx.evaluate(part) if value is None else value
    if isinstance(value, Static) and value.value is None:
        return None
    if isinstance(value, Static) and is_number(value) and not is_truth(value):
        return Static(whole_number(value.value, ctx.span(part)))
    if static.are_static((value,)) and shape_of(value):
        return _chosen(static.to_static(value), ctx.span(part))
    value = arrays.numeric(ctx, value, ctx.span(part))
    if is_truth(value) and shape_of(value):
        raise errors.latent_mask(ctx.span(part))
    return arrays.settled(ctx, value, ctx.span(part), "index")


def chosen(index: Any, shape: Shape | None, span: Span) -> list[int]:
    """The places in an array of some shape that an array of integers or truth values chooses."""
    places = _chosen(index, span).value
    length = shape[0] if shape else None
    for place in places.ravel().tolist() if length is not None else ():
        check_range(int(place), length or 0, span)
    return [int(place) % length if length else int(place) for place in places.ravel().tolist()]


def _chosen(index: Any, span: Span) -> Static:
    """The places that an array of integers, or of truth values, chooses."""
    array = np.asarray(index)
    if array.dtype == np.bool_:
        return Static(np.flatnonzero(array))
    if not (array == np.floor(array)).all():
        raise errors.fractional_index(span)
    return Static(array)


@dataclass(frozen=True, slots=True)
class MovingSlice:
    """A slice whose bounds depend on the index of a loop."""

    start: surface.Expression
    stop: surface.Expression | None
    length: int | None = None


def _moving_slice(ctx: Context, part: ast.Slice) -> MovingSlice:
    span = ctx.span(part)
    if part.step is not None:
        raise errors.slice_step(span)
    bounds = [ctx.evaluate(e) if e is not None else None for e in (part.lower, part.upper)]
    for value in bounds:
        if value is not None and not is_known(value):
            raise errors.latent_slice(span)
    start, stop = bounds
    first = arrays.number(0, span) if start is None else arrays.expression(ctx, start, span)
    last = None if stop is None else arrays.expression(ctx, stop, span)
    return MovingSlice(first, last)


def bound(ctx: Context, part: ast.expr | None) -> int | None:
    """A bound of a slice, known now."""
    if part is None:
        return None
    value = ctx.evaluate(part)
    if isinstance(value, Static) and value.value is None:
        return None
    if not is_number(value) or not isinstance(value, Static):
        if not is_known(value):
            raise errors.latent_slice(ctx.span(part))
        raise ctx.unless_written_out(errors.slice_unknown(ctx.span(part)))
    return whole_number(value.value, ctx.span(part))


def whole_number(value: Any, span: Span) -> int:
    """A number as an index."""
    if value != int(value):
        raise errors.fractional_index(span)
    return int(value)


def check_range(place: int, length: int, span: Span) -> None:
    """Refuse a place that a dimension does not have."""
    if not -length <= place < length:
        raise errors.index_out_of_range(span, place, length)


@dataclass(frozen=True, slots=True)
class Axis:
    """What an index does to one dimension: an element, a stretch, chosen elements, a new one."""

    index: Value | None = None
    start: int = 0
    length: int | None = None
    step: int = 1
    new: bool = False


def axis_of(ctx: Context, part: ast.expr, index: Any, length: int | None) -> Axis:
    """What an index does to a dimension of some length."""
    if index is None:
        return Axis(new=True, length=1)
    if isinstance(index, MovingSlice):
        raise ctx.unless_written_out(errors.slice_unknown(ctx.span(part)))
    if isinstance(index, slice):
        if length is None:
            raise errors.ragged(ctx.span(part))
        first, last, step = index.indices(length)
        return Axis(start=first, length=len(range(first, last, step)), step=step)
    if isinstance(index, Static) and is_number(index) and length is not None:
        check_range(index.value, length, ctx.span(part))
        return Axis(index=Static(index.value % length))
    return Axis(index=index)
