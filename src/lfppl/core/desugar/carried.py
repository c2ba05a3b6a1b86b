"""Loops with an accumulator: a fold, or a plate where no state is really carried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lfppl.core.ast import Constant, Expression, Fold, Operation, Plate, Variable
from lfppl.core.desugar.context import Block, Builtin, Closure, Context, Value
from lfppl.core.desugar.decisions import difference
from lfppl.core.desugar.functions import apply
from lfppl.core.desugar.kinds import Kind
from lfppl.core.desugar.meanings import function_of, meaning_of
from lfppl.core.desugar.tails import is_zero, replace_tail
from lfppl.core.desugar.walk import occurs
from lfppl.source import Span
from lfppl.syntax import surface


def parameter_name(callee: Closure | Builtin, position: int, otherwise: str) -> str:
    """The name of a function's parameter, to call a binder after."""
    if isinstance(callee, Closure) and position < len(callee.function.parameters):
        pattern = callee.function.parameters[position]
        if isinstance(pattern, surface.Name) and pattern.id != "_":
            return pattern.id
    return otherwise


def loop(context: Context, form: surface.Loop) -> Expression:
    """`(loop count initial step extra ...)`: `(step i accumulator extra ...)` done count times."""
    block = Block()
    count, initial = context.operand(form.count), context.expression(form.initial)
    step = function_of(context, form.step)
    extras = [meaning_of(context, extra) for extra in form.extra]
    for position, extra in enumerate(extras):
        if isinstance(extra, Value):
            name = parameter_name(step, position + 2, "extra")
            shared = context.named(block, name, extra.core, form.extra[position].span)
            extras[position] = Value(shared)

    def body(index: Variable, state: Variable) -> Expression:
        return apply(context, step, [Value(index), Value(state), *extras], form.span)

    index = context.index(parameter_name(step, 0, "i"))
    state = context.fresh(parameter_name(step, 1, "state"))
    return block.close(carry(context, Header(index, count, state, initial, form.span), body))


@dataclass(frozen=True, slots=True)
class Header:
    """All of a fold but its body."""

    index: str
    count: Expression
    state: str
    initial: Expression
    span: Span

    def plate(self, body: Expression) -> Plate:
        """The plate with the same index."""
        return Plate(self.index, self.count, body, self.span)


def carry(
    context: Context, header: Header, body: Callable[[Variable, Variable], Expression]
) -> Expression:
    """A fold, or what it amounts to without carried state."""
    span = header.span
    row = body(Variable(header.index, span), Variable(header.state, span))
    for attempt in (_gathered, _unchanged, _added, _last):
        result = attempt(context, header, row)
        if result is not None:
            return result
    return Fold(header.index, header.count, header.state, header.initial, row, span)


def _gathered(context: Context, header: Header, body: Expression) -> Expression | None:
    """Every step appends one row to the accumulator: the vector of the rows."""

    def appended(tail: Expression) -> Expression | None:
        match tail:
            case Operation("concat", (Variable(name), Operation("vector", (row,)))):
                return row if name == header.state else None
        return None

    rows = _free_of(header.state, replace_tail(body, appended))
    if rows is None:
        return None
    plate = header.plate(rows)
    initial = header.initial
    if initial == Operation("vector", ()) or (
        isinstance(initial, Constant) and initial.value is None
    ):
        return plate
    return Operation("concat", (initial, plate), header.span)


def _unchanged(context: Context, header: Header, body: Expression) -> Expression | None:
    """Every step gives the accumulator back: the initial value, beside the rows' observes."""

    def zero(tail: Expression) -> Expression | None:
        same = isinstance(tail, Variable) and tail.name == header.state
        return Constant(0.0, tail.span) if same else None

    rows = _free_of(header.state, replace_tail(body, zero))
    if rows is None:
        return None
    return _beside(context, header.plate(rows), header.initial, header.span)


def _added(context: Context, header: Header, body: Expression) -> Expression | None:
    """Every step adds a number to the accumulator: a sum over the rows."""
    if context.kind(header.initial) is not Kind.NUMBER:
        return None

    def term(tail: Expression) -> Expression | None:
        match tail:
            case Variable(header.state):
                return Constant(0.0, tail.span)
            case Operation("+", (Variable(header.state), added)):
                return added
            case Operation("+", (added, Variable(header.state))):
                return added
        return None

    rows = _free_of(header.state, replace_tail(body, term))
    if rows is None:
        return None
    total = Operation("sum", (header.plate(rows),), header.span)
    if header.initial == Constant(0.0):
        return total
    return Operation("+", (header.initial, total), header.span)


def _last(context: Context, header: Header, body: Expression) -> Expression | None:
    """No step uses the accumulator: the value of the last row."""
    if occurs(header.state, body):
        return None
    span = header.span
    if is_zero(body):
        return _beside(context, header.plate(body), Constant(0.0, span), span)
    if isinstance(body, Constant):
        return _beside(context, header.plate(Constant(0.0, span)), body, span)
    block = Block()
    count = context.share(block, "count", header.count, span)
    plate = replace(header, count=count).plate(body)
    if isinstance(header.initial, Constant) and header.initial.value is None:
        end = difference(count, Constant(1.0, span), span)
        return block.close(Operation("get", (plate, end), span))
    start = Operation("vector", (header.initial,), span)
    rows = Operation("concat", (start, plate), span)
    return block.close(Operation("get", (rows, count), span))


def _free_of(name: str, body: Expression | None) -> Expression | None:
    return None if body is None or occurs(name, body) else body


def _beside(context: Context, plate: Plate, value: Expression, span: Span) -> Expression:
    block = Block()
    context.let(block, "_", plate, span)
    return block.close(value)
