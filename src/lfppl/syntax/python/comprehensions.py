"""List comprehensions: plates where the rows are alike, else one element after another."""

from __future__ import annotations

import ast

import lfppl.errors.python as errors
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, ranges, static
from lfppl.syntax.python.calls import enclosed
from lfppl.syntax.python.context import Context, Holder, Retreat
from lfppl.syntax.python.targets import assign
from lfppl.syntax.python.values import (
    Dist,
    Items,
    Latent,
    Range,
    Static,
    Value,
    describe,
    is_known,
    is_truth,
    shape_of,
)

MAX_ROUNDS = 20_000
"""Rounds that are written out one by one."""


def comprehension(
    ctx: Context, node: ast.ListComp | ast.GeneratorExp, holder: Holder | None
) -> Value:
    """`[element for target in rows ...]`."""
    for each in node.generators:
        if each.is_async:
            raise errors.unsupported_expression(ctx.span(node), "async")
    with_conditions = any(each.ifs for each in node.generators)
    if not with_conditions:
        try:
            with ctx.attempt():
                return _plates(ctx, node, holder)
        except Retreat:
            pass
    items: list[Value] = []
    with ctx.nested() as block:
        _written_out(ctx, node, 0, holder, items)
    ctx.block += block
    return Items(tuple(items), "list")


def _plates(ctx: Context, node: ast.ListComp | ast.GeneratorExp, holder: Holder | None) -> Value:
    """Nested plates; the rows of several generators lie behind one another."""
    value = _level(ctx, node, 0, holder)
    assert isinstance(value, Latent)
    return value


def _level(
    ctx: Context, node: ast.ListComp | ast.GeneratorExp, depth: int, holder: Holder | None
) -> Value:
    if depth == len(node.generators):
        return ctx.evaluate(node.elt, holder)
    generator, span = node.generators[depth], ctx.span(node)
    rows = ranges.iterable(ctx, generator.iter, ctx.evaluate(generator.iter))
    if static.are_static((rows.count,)) and static.to_static(rows.count) == 0:
        raise Retreat
    index = loop_index(ctx, generator.target, rows)
    binder = index.expression
    assert isinstance(binder, surface.Name)
    outside = ctx.block
    with ctx.nested() as block:
        ctx.loops += 1
        assign(ctx, generator.target, rows.element(index))
        value = _level(ctx, node, depth + 1, holder)
        ctx.loops -= 1
        inner = row_shape(ctx, value, node)
        body = enclosed(ctx, block, value, span)
    assert ctx.block is outside
    count = arrays.expression(ctx, rows.count, span)
    written: surface.Expression = arrays.plate(binder, count, body, span)
    length = int(rows.count.value) if isinstance(rows.count, Static) else None
    shape = (length, *inner)
    if depth < len(node.generators) - 1:
        written = arrays.call("flatten", written, span=span)
        total = None if None in shape[:2] else (shape[0] or 0) * (shape[1] or 0)
        shape = (total, *shape[2:])
    return Latent(written, shape, is_known(value), is_truth(value), raw=True, is_list=True)


def row_shape(ctx: Context, value: Value, node: ast.AST) -> tuple[int | None, ...]:
    """The shape of what one round of a plate gives."""
    if isinstance(value, Dist):
        raise Retreat
    shape = shape_of(value)
    if shape is None:
        raise Retreat
    return shape


def loop_index(ctx: Context, target: ast.expr, rows: Range) -> Latent:
    """The index of a plate, called after the target where the target is the index."""
    name = target.id if isinstance(target, ast.Name) else "i"
    if isinstance(target, ast.Name) and not rows.direct:
        name = f"{target.id}_index"
    if isinstance(target, ast.Tuple) and rows.direct and isinstance(target.elts[0], ast.Name):
        name = target.elts[0].id
    count = int(rows.count.value) if isinstance(rows.count, Static) else None
    return Latent(surface.Name(ctx.fresh(name), ctx.span(target)), (), known=True, full=count)


def _written_out(
    ctx: Context,
    node: ast.ListComp | ast.GeneratorExp,
    depth: int,
    holder: Holder | None,
    items: list[Value],
) -> None:
    if depth == len(node.generators):
        place = Holder(holder.name, (*holder.indices, len(items))) if holder else None
        value = ctx.evaluate(node.elt, place)
        name = holder.name if holder else "item"
        items.append(arrays.settled(ctx, value, ctx.span(node.elt), name))
        return
    generator = node.generators[depth]
    rows = ranges.iterable(ctx, generator.iter, ctx.evaluate(generator.iter))
    count = rounds(ctx, rows, generator.iter)
    for position in range(count):
        assign(ctx, generator.target, rows.item(position))
        if all(_holds(ctx, test) for test in generator.ifs):
            _written_out(ctx, node, depth + 1, holder, items)


def _holds(ctx: Context, test: ast.expr) -> bool:
    value = ctx.evaluate(test)
    if not static.are_static((value,)):
        raise errors.filter_unknown(ctx.span(test))
    return bool(static.to_static(value))


def rounds(ctx: Context, rows: Range, node: ast.AST) -> int:
    """How many rounds a loop that is written out has."""
    if not isinstance(rows.count, Static):
        raise errors.count_unknown(ctx.span(node), "how often this loop runs")
    count = int(rows.count.value)
    if count > MAX_ROUNDS:
        raise errors.too_many_rounds(ctx.span(node), count, MAX_ROUNDS)
    return count


__all__ = ["comprehension", "describe", "loop_index", "rounds", "row_shape"]
