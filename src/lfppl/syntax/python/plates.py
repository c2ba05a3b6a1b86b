"""Loops as plates: no round needs what another has computed; arrays and lists are filled."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays
from lfppl.syntax.python.calls import enclosed
from lfppl.syntax.python.comprehensions import loop_index
from lfppl.syntax.python.context import Context, Retreat
from lfppl.syntax.python.rounds import Loop, carried
from lfppl.syntax.python.targets import assign
from lfppl.syntax.python.values import (
    UNASSIGNED,
    Growing,
    Items,
    Latent,
    Missing,
    Row,
    Static,
    Value,
    is_known,
    is_truth,
    shape_of,
)


def as_plate(ctx: Context, loop: Loop) -> None:
    """No round needs what another has computed; arrays and lists are filled row by row."""
    if loop.plain & set(loop.carried):
        raise Retreat
    index = loop_index(ctx, loop.node.target, loop.rows)
    before = {name: ctx.frame.environment[name] for name in loop.carried}
    with ctx.nested() as block:
        ctx.loops += 1
        for name, value in before.items():
            ctx.frame.environment[name] = _open(ctx, name, value, index, loop)
        assign(ctx, loop.node.target, loop.rows.element(index))
        ctx.execute(loop.node.body, loop.live)
        ctx.loops -= 1
        rows = [(name, _row(ctx.frame.environment[name], before[name])) for name in loop.carried]
        filled = [(name, grown) for name, grown in rows if grown.items]
        body = _rows_written(ctx, block, [value for _, value in filled], loop.span)
    binder = index.expression
    assert isinstance(binder, surface.Name)
    count = arrays.expression(ctx, loop.rows.count, loop.span)
    source = surface.Binding(binder, arrays.call("range", count, span=loop.span), loop.span)
    plate = surface.For((source,), (body,), bool(filled), loop.span)
    if not filled:
        ctx.statement(plate, loop.span)
        return
    _collect(ctx, loop, plate, filled, before)


def _open(ctx: Context, name: str, value: Value, index: Latent, loop: Loop) -> Value:
    """A list or array as a plate fills it."""
    if isinstance(value, Row):
        return Row(value.index, _open(ctx, name, value.value, index, loop))
    if isinstance(value, Growing) or (isinstance(value, Items) and value.kind == "list"):
        return _open_list(name, value, index, loop)
    if isinstance(value, Latent) and value.is_list:
        return Growing()
    shape = shape_of(value)
    binder = index.expression
    if not shape or shape[0] is None or index.full != shape[0] or not loop.rows.direct:
        raise Retreat
    assert isinstance(binder, surface.Name)
    if isinstance(value, Items) and value.kind == "tuple":
        raise Retreat
    row = arrays.element(ctx, value, (binder,), loop.span)
    return Row(binder.id, _initial_row(value, Latent(row, shape[1:], is_known(value))))


def _initial_row(value: Value, row: Latent) -> Value:
    """The rows of `np.zeros((n, m))` are alike: one of them, known now."""
    if isinstance(value, Static) and row.shape and not value.value.any():
        return Static(value.value[0])
    return row


def _open_list(name: str, value: Value, index: Latent, loop: Loop) -> Value:
    stored = _is_stored(loop, name)
    if not stored or isinstance(value, Growing):
        return Growing()
    assert isinstance(value, Items)
    if index.full != len(value.items) or not loop.rows.direct:
        raise Retreat
    binder = index.expression
    assert isinstance(binder, surface.Name)
    return Row(binder.id, Missing(UNASSIGNED))


def _row(value: Value, before: Value) -> Growing:
    """What a round has made of a variable: its rows, none if it left it alone."""
    while isinstance(before, Row):
        assert isinstance(value, Row)
        value, before = value.value, before.value
    if isinstance(value, Row):
        value = Growing((value.value,))
    if not isinstance(value, Growing) or any(shape_of(row) is None for row in value.items):
        raise Retreat
    return value


def _rows_written(
    ctx: Context,
    block: Sequence[surface.Binding],
    filled: Sequence[Growing],
    span: Span,
) -> surface.Expression:
    """The body of a plate: the row of the one variable it fills, or of all in a vector."""
    if not filled:
        return surface.Let(tuple(block), (surface.Number(0.0, span),), span)
    written = [_of_round(grown.items) for grown in filled]
    if len(written) == 1:
        return enclosed(ctx, block, written[0], span)
    parts = tuple(arrays.expression(ctx, each, span) for each in written)
    return surface.Let(tuple(block), (surface.VectorLiteral(parts, span),), span)


def _of_round(rows: tuple[Value, ...]) -> Value:
    return rows[0] if len(rows) == 1 else Items(rows, "list")


def _collect(
    ctx: Context,
    loop: Loop,
    plate: surface.For,
    filled: Sequence[tuple[str, Growing]],
    before: dict[str, Value],
) -> None:
    """Bind what a plate has filled."""
    span = loop.span
    if len(filled) == 1:
        name, grown = filled[0]
        _collected(ctx, loop, name, grown, before[name], plate)
        return
    together = ctx.bind("rows", plate, span)
    for position, (name, grown) in enumerate(filled):
        index = surface.Name(ctx.fresh("i"), span)
        row = arrays.call("get", together.expression, index, span=span)
        part = arrays.call("get", row, arrays.number(position, span), span=span)
        count = arrays.expression(ctx, loop.rows.count, span)
        own = arrays.plate(index, count, part, span)
        _collected(ctx, loop, name, grown, before[name], own)


def _collected(
    ctx: Context,
    loop: Loop,
    name: str,
    grown: Growing,
    before: Value,
    plate: surface.Expression,
) -> None:
    """Give a variable the rows that a plate has made of it."""
    value = _gathered(loop, grown, plate)
    outer: list[str] = []
    while isinstance(before, Row):
        outer.append(before.index)
        before = before.value
    if isinstance(before, Growing):
        if before.items:
            raise Retreat
        bound = ctx.bind(name, value.expression, loop.span, value)
        ctx.frame.environment[name] = Growing((bound,), spread=True)
        return
    value = _behind(ctx, loop, name, before, value)
    result: Value = ctx.bind(name, value.expression, loop.span, value)
    for index in reversed(outer):
        result = Row(index, result)
    ctx.frame.environment[name] = result


def _gathered(loop: Loop, grown: Growing, plate: surface.Expression) -> Latent:
    """The rows of all rounds as one array."""
    inner = shape_of(grown.items[0]) or ()
    each: int | None = len(grown.items)
    if grown.spread:
        each, inner = inner[0], inner[1:]
    if grown.spread or len(grown.items) > 1:
        plate = arrays.call("flatten", plate, span=loop.span)
    total = None if None in (loop.count, each) else (loop.count or 0) * (each or 0)
    known, truth = all(map(is_known, grown.items)), all(map(is_truth, grown.items))
    return Latent(plate, (total, *inner), known, truth)


def _behind(ctx: Context, loop: Loop, name: str, before: Value, value: Latent) -> Latent:
    """New elements behind those that a list had; arrays were filled from the first element on."""
    is_list = carried(before).is_list
    length = (shape_of(before) or (0,))[0]
    if not is_list:
        return value
    if length == 0 or (isinstance(before, Items) and _is_stored(loop, name)):
        return replace(value, is_list=True)
    parts = (arrays.expression(ctx, before, loop.span), value.expression)
    joined = arrays.call("concat", *parts, span=loop.span)
    total = None if None in (length, value.shape[0]) else (length or 0) + (value.shape[0] or 0)
    return Latent(joined, (total, *value.shape[1:]), value.known, is_list=True)


def _is_stored(loop: Loop, name: str) -> bool:
    return any(
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and _base_name(node) == name
        for statement in loop.node.body
        for node in ast.walk(statement)
    )


def _base_name(node: ast.Subscript) -> str:
    base: ast.expr = node
    while isinstance(base, ast.Subscript):
        base = base.value
    return base.id if isinstance(base, ast.Name) else ""
