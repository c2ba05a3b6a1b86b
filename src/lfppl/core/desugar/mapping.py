"""Functions over vectors: `map`, `mapv`, `repeatedly`, `reduce` and `apply`."""

from __future__ import annotations

from lfppl.core.ast import Constant, Expression, Operation, Plate, Variable
from lfppl.core.desugar.carried import Header, carry, parameter_name
from lfppl.core.desugar.context import Block, Builtin, Closure, Context, Value
from lfppl.core.desugar.decisions import difference
from lfppl.core.desugar.functions import apply
from lfppl.core.desugar.meanings import function_of
from lfppl.core.desugar.rows import Rows, rows_of
from lfppl.core.desugar.sugar import sugar
from lfppl.core.desugar.vectors import count_of, element
from lfppl.errors import language
from lfppl.source import Span
from lfppl.syntax import surface


def _map(context: Context, call: surface.Call) -> Expression:
    function, *vectors = call.arguments
    callee = function_of(context, function)
    block = Block()
    rows = [rows_of(context, block, vector) for vector in vectors]
    return block.close(_mapped(context, callee, rows, call.span))


def _mapped(
    context: Context, callee: Closure | Builtin, rows: list[Rows], span: Span
) -> Expression:
    direct = next((position for position, each in enumerate(rows) if each.direct), None)
    name = "i" if direct is None else parameter_name(callee, direct, "i")
    index = context.index(name)
    elements = [Value(each.element(Variable(index, span))) for each in rows]
    return Plate(index, _shortest(rows, span), apply(context, callee, elements, span), span)


def _shortest(rows: list[Rows], span: Span) -> Expression:
    counts: list[Expression] = []
    for each in rows:
        if each.count not in counts:
            counts.append(each.count)
    if len(counts) == 1:
        return counts[0]
    return Operation("smallest", (Operation("vector", tuple(counts), span),), span)


def map_over(
    context: Context, callee: Closure | Builtin, vector: Expression, span: Span
) -> Expression:
    """A function of one argument over a vector that is Core already."""
    block = Block()
    rows = rows_of(context, block, context.given(Value(vector), span))
    return block.close(_mapped(context, callee, [rows], span))


def _repeatedly(context: Context, call: surface.Call) -> Expression:
    count = context.operand(call.arguments[0])
    callee = function_of(context, call.arguments[1])
    index = context.index("i")
    return Plate(index, count, apply(context, callee, [], call.span), call.span)


def _reduce(context: Context, call: surface.Call) -> Expression:
    function, *initial, vector = call.arguments
    callee = function_of(context, function)
    start = context.expression(initial[0]) if initial else None
    if isinstance(callee, Builtin) and callee.name in _REDUCTIONS:
        return _reduction(
            _REDUCTIONS[callee.name], callee.name, start, context.expression(vector), call.span
        )
    if start is None:
        return _reduce_from_first(context, callee, vector, call.span)
    block = Block()
    rows = rows_of(context, block, vector)
    return block.close(_folded(context, callee, rows, start, call.span))


_REDUCTIONS = {"+": "sum", "max": "largest", "min": "smallest", "concat": "flatten"}


def _reduction(
    reduction: str, name: str, start: Expression | None, vector: Expression, span: Span
) -> Expression:
    if start is None:
        return Operation(reduction, (vector,), span)
    if name in ("max", "min"):
        vector = Operation("concat", (Operation("vector", (start,), span), vector), span)
        return Operation(reduction, (vector,), span)
    result = Operation(reduction, (vector,), span)
    if start in (Constant(0.0), Operation("vector", ())):
        return result
    return Operation(name, (start, result), span)


def _reduce_from_first(
    context: Context, callee: Closure | Builtin, source: surface.Expression, span: Span
) -> Expression:
    block = Block()
    vector = context.share(block, "vector", context.expression(source), source.span)
    one = Constant(1.0, span)
    rows = Rows(
        difference(count_of(vector, span), one, span),
        lambda index: Operation("get", (vector, Operation("+", (index, one), span)), span),
        direct=False,
    )
    start = element(0.0)(span, vector)
    return block.close(_folded(context, callee, rows, start, span))


def _folded(
    context: Context, callee: Closure | Builtin, rows: Rows, initial: Expression, span: Span
) -> Expression:
    def body(index: Variable, state: Variable) -> Expression:
        return apply(context, callee, [Value(state), Value(rows.element(index))], span)

    index = context.index(parameter_name(callee, 1, "i") if rows.direct else "i")
    state = context.fresh(parameter_name(callee, 0, "state"))
    return carry(context, Header(index, rows.count, state, initial, span), body)


def _apply(context: Context, call: surface.Call) -> Expression:
    """`(apply + v)`: a function of any number of arguments, applied to a vector."""
    callee = function_of(context, call.arguments[0])
    if not isinstance(callee, Builtin) or callee.name not in _REDUCTIONS:
        raise language.cannot_apply(call.span)
    vector = context.expression(call.arguments[1])
    return Operation(_REDUCTIONS[callee.name], (vector,), call.span)


SUGARS = {
    "map": sugar("(map function vector ...)", _map)._replace(least=2),
    "mapv": sugar("(mapv function vector ...)", _map)._replace(least=2),
    "repeatedly": sugar("(repeatedly n function)", _repeatedly),
    "reduce": sugar("(reduce function initial? vector)", _reduce),
    "apply": sugar("(apply function vector)", _apply),
}
