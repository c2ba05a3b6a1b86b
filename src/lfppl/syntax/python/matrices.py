"""Products of vectors and matrices, transposition, sums along dimensions."""

from __future__ import annotations

import numpy as np

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, static
from lfppl.syntax.python.context import Context
from lfppl.syntax.python.values import (
    Deferred,
    Latent,
    Shape,
    Static,
    Value,
    is_known,
    shape_of,
)


def matmul(ctx: Context, left: Value, right: Value, span: Span) -> Value:
    """`left @ right`, of vectors and matrices."""
    if static.are_static((left, right)):
        return static.evaluate(np.matmul, (left, right), span)
    left, right = (arrays.numeric(ctx, value, span) for value in (left, right))
    first, second = shape_of(left) or (), shape_of(right) or ()
    if not first or not second:
        raise errors.matmul_of_number(span)
    if len(first) > 2 or len(second) > 2:
        raise errors.too_many_dimensions(span, "@", 2)
    inner = (first[-1], second[0])
    if None not in inner and inner[0] != inner[1]:
        raise errors.inner_dimensions(span, first, second)
    name = "dot" if len(first) == len(second) == 1 else "mat-mul"
    parts = [arrays.expression(ctx, value, span) for value in (left, right)]
    known = is_known(left) and is_known(right)
    shape: Shape = (*first[:-1], *second[1:])
    return Latent(arrays.call(name, *parts, span=span), shape, known)


def transpose(ctx: Context, value: Value, span: Span) -> Value:
    """`x.T`."""
    if static.are_static((value,)):
        return static.evaluate(np.transpose, (value,), span)
    value = arrays.numeric(ctx, value, span)
    shape = shape_of(value) or ()
    if len(shape) < 2:
        return value
    if len(shape) > 2:
        raise errors.too_many_dimensions(span, ".T", 2)
    written = arrays.call("transpose", arrays.expression(ctx, value, span), span=span)
    return Latent(written, shape[::-1], is_known(value))


def outer(ctx: Context, left: Value, right: Value, span: Span) -> Value:
    """`np.outer(a, b)`."""
    one, two = (arrays.atom(ctx, arrays.numeric(ctx, v, span), span) for v in (left, right))
    first, second = shape_of(one) or (), shape_of(two) or ()
    if len(first) != 1 or len(second) != 1:
        raise errors.too_many_dimensions(span, "np.outer", 1)

    def product(indices: arrays.Index) -> surface.Expression:
        a = arrays.element(ctx, one, indices[:1], span)
        b = arrays.element(ctx, two, indices[1:], span)
        return arrays.call("*", a, b, span=span)

    return Deferred((first[0], second[0]), product, is_known(one) and is_known(two))


def reduction(ctx: Context, name: str, value: Value, axis: int | None, span: Span) -> Value:
    """`sum`, `largest`, `smallest` or `log-sum-exp` of all elements, or along a dimension."""
    value = arrays.numeric(ctx, value, span)
    shape = shape_of(value) or ()
    if not shape:
        return value
    if axis is not None and not -len(shape) <= axis < len(shape):
        raise errors.no_such_axis(span, axis, len(shape))
    if axis is None or len(shape) == 1:
        return _whole(ctx, name, value, shape, span)
    return _along(ctx, name, value, axis % len(shape), shape, span)


def _whole(ctx: Context, name: str, value: Value, shape: Shape, span: Span) -> Value:
    written = arrays.expression(ctx, value, span)
    for _ in shape[1:]:
        written = arrays.call("flatten", written, span=span)
    return Latent(arrays.call(name, written, span=span), (), is_known(value))


def _along(ctx: Context, name: str, value: Value, axis: int, shape: Shape, span: Span) -> Value:
    shared = arrays.atom(ctx, value, span)

    def reduced(indices: arrays.Index) -> surface.Expression:
        index = surface.Name(ctx.fresh("i"), span)
        inner = (*indices[:axis], index, *indices[axis:])
        body = arrays.element(ctx, shared, inner, span)
        length = arrays.size(ctx, shared, axis, span)
        return arrays.call(name, arrays.plate(index, length, body, span), span=span)

    return Deferred((*shape[:axis], *shape[axis + 1 :]), reduced, is_known(shared))


def count(shape: Shape, axis: int | None, span: Span) -> Static:
    """How many elements a reduction takes together."""
    lengths = shape if axis is None else (shape[axis],)
    if None in lengths:
        raise errors.ragged(span)
    return Static(int(np.prod([n for n in lengths if n is not None])))
