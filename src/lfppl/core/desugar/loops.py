"""Loops without carried state: `for`, `doseq`, and Core's own `plate` and `fold`."""

from __future__ import annotations

from lfppl.core.ast import Constant, Expression, Fold, Operation, Plate, Variable
from lfppl.core.desugar.binding import bind, leaf_name, let
from lfppl.core.desugar.context import Block, Context, Value
from lfppl.core.desugar.rows import rows_of
from lfppl.core.desugar.sugar import sugar
from lfppl.errors import language
from lfppl.syntax import surface


def for_each(context: Context, form: surface.For) -> Expression:
    """`(for [p e ...] body ...)` and `doseq`: nested plates, the last binding varying fastest."""
    result = _level(context, form, 0)
    if form.collect:
        return result
    block = Block()
    context.let(block, "_", result, form.span)
    return block.close(Constant(None, form.span))


def _level(context: Context, form: surface.For, depth: int) -> Expression:
    if depth == len(form.bindings):
        body = let(context, surface.Let((), form.body, form.span))
        return body if form.collect else context.statement(body)
    binding = form.bindings[depth]
    outside, inside = Block(), Block()
    rows = rows_of(context, outside, binding.value)
    index = context.index(_index_name(binding.pattern, rows.direct))
    row = Value(rows.element(Variable(index, binding.pattern.span)))
    with context.scope():
        bind(context, inside, binding.pattern, row, binding.pattern.span, alias=True)
        body = inside.close(_level(context, form, depth + 1))
    plate: Expression = Plate(index, rows.count, body, form.span)
    if form.collect and depth < len(form.bindings) - 1:
        plate = Operation("flatten", (plate,), form.span)
    return outside.close(plate)


def _index_name(pattern: surface.Pattern, direct: bool) -> str:
    name = leaf_name(pattern, "_")
    return name if direct or name == "_" else f"{name}_index"


_PLATE, _FOLD = "(plate [index count] e)", "(fold [index count] [accumulator initial] e)"


def _head(head: surface.Expression, usage: str) -> tuple[surface.Name, surface.Expression]:
    if isinstance(head, surface.VectorLiteral) and len(head.items) == 2:
        name, value = head.items
        if isinstance(name, surface.Name):
            return name, value
    raise language.bad_loop_head(head.span, usage)


def _plate(context: Context, call: surface.Call) -> Expression:
    head, body = call.arguments
    name, size = _head(head, _PLATE)
    count = context.operand(size)
    index = context.index(name.id)
    with context.scope():
        context.names[name.id] = Value(Variable(index, name.span))
        return Plate(index, count, context.expression(body), call.span)


def _fold(context: Context, call: surface.Call) -> Expression:
    head, carried, body = call.arguments
    name, size = _head(head, _FOLD)
    accumulator, start = _head(carried, _FOLD)
    count, initial = context.operand(size), context.expression(start)
    index, state = context.index(name.id), context.fresh(accumulator.id)
    with context.scope():
        context.names[name.id] = Value(Variable(index, name.span))
        context.names[accumulator.id] = Value(Variable(state, accumulator.span))
        return Fold(index, count, state, initial, context.expression(body), call.span)


SUGARS = {
    "plate": sugar("(plate head e)", _plate)._replace(usage=_PLATE),
    "fold": sugar("(fold head carried e)", _fold)._replace(usage=_FOLD),
}
