"""Vectors: making, taking apart, joining; and the matrix operations."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from lfppl.core.ast import Constant, Expression, Operation, Plate, Variable
from lfppl.core.desugar.context import Block, Context
from lfppl.core.desugar.decisions import difference
from lfppl.core.desugar.sugar import Build, Sugar, sugar
from lfppl.errors import language
from lfppl.source import Span
from lfppl.syntax import surface


def vector_literal(context: Context, form: surface.VectorLiteral) -> Expression:
    """`[a b c]`."""
    items = tuple(context.expression(item) for item in form.items)
    return Operation("vector", items, form.span)


def _operation(name: str) -> Build:
    """An operation of Core; elements may be anything, other arguments may not be distributions."""

    def build(context: Context, call: surface.Call) -> Expression:
        arguments = tuple(context.expression(each) for each in call.arguments)
        return Operation(name, arguments, call.span)

    return build


def _numeric(name: str) -> Build:
    def build(context: Context, call: surface.Call) -> Expression:
        arguments = tuple(context.operand(each) for each in call.arguments)
        return Operation(name, arguments, call.span)

    return build


Formula = Callable[..., Expression]


def _formula(formula: Formula) -> Build:
    """Sugar that may repeat its arguments: `(span, argument, ...) -> Core`."""

    def build(context: Context, call: surface.Call) -> Expression:
        block = Block()
        shared = [
            context.share(block, "vector", context.expression(each), each.span)
            for each in call.arguments
        ]
        return block.close(formula(call.span, *shared))

    return build


def _single(formula: Formula) -> Build:
    """Sugar that uses every argument once."""

    def build(context: Context, call: surface.Call) -> Expression:
        return formula(call.span, *(context.expression(each) for each in call.arguments))

    return build


def element(position: float) -> Formula:
    """The element at a fixed position."""
    return lambda span, vector: Operation("get", (vector, Constant(position, span)), span)


def count_of(vector: Expression, span: Span) -> Expression:
    """The number of elements."""
    return Operation("count", (vector,), span)


def _last(span: Span, vector: Expression) -> Expression:
    end = difference(count_of(vector, span), Constant(1.0, span), span)
    return Operation("get", (vector, end), span)


def _rest(span: Span, vector: Expression) -> Expression:
    return Operation("subvec", (vector, Constant(1.0, span), count_of(vector, span)), span)


def _butlast(span: Span, vector: Expression) -> Expression:
    end = difference(count_of(vector, span), Constant(1.0, span), span)
    return Operation("subvec", (vector, Constant(0.0, span), end), span)


def _take(span: Span, count: Expression, vector: Expression) -> Expression:
    return Operation("subvec", (vector, Constant(0.0, span), count), span)


def _drop(span: Span, count: Expression, vector: Expression) -> Expression:
    return Operation("subvec", (vector, count, count_of(vector, span)), span)


def _subvec(context: Context, call: surface.Call) -> Expression:
    if len(call.arguments) == 3:
        return _operation("subvec")(context, call)
    block = Block()
    vector, start = (context.expression(each) for each in call.arguments)
    shared = context.share(block, "vector", vector, call.arguments[0].span)
    end = count_of(shared, call.span)
    return block.close(Operation("subvec", (shared, start, end), call.span))


def _conj(span: Span, vector: Expression, *items: Expression) -> Expression:
    return Operation("concat", (vector, Operation("vector", items, span)), span)


def _cons(span: Span, item: Expression, vector: Expression) -> Expression:
    return Operation("concat", (Operation("vector", (item,), span), vector), span)


def _mean(span: Span, vector: Expression) -> Expression:
    total = Operation("sum", (vector,), span)
    return Operation("/", (total, count_of(vector, span)), span)


def _vec(context: Context, call: surface.Call) -> Expression:
    return context.expression(call.arguments[0])


def _range(context: Context, call: surface.Call) -> Expression:
    bounds = [context.operand(each) for each in call.arguments]
    if len(bounds) == 3:
        return _stepped(context, call, *bounds)
    start = bounds[0] if len(bounds) == 2 else Constant(0.0, call.span)
    return Operation("range", (start, bounds[-1]), call.span)


def _stepped(
    context: Context, call: surface.Call, start: Expression, stop: Expression, step: Expression
) -> Expression:
    """`(range start stop step)`: arithmetic on a plate."""
    span = call.span
    if not (isinstance(step, Constant) and step.value):
        raise language.step_not_constant(call.arguments[2].span)
    block = Block()
    first = context.share(block, "start", start, span)
    index = context.index("i")
    value = Operation("*", (Variable(index, span), step), span)
    if first != Constant(0.0):
        value = Operation("+", (first, value), span)
    count = _steps(first, stop, step, span)
    return block.close(Plate(index, count, value, span))


def _steps(start: Expression, stop: Expression, step: Constant, span: Span) -> Expression:
    size = float(step.value or 0)
    if isinstance(start, Constant) and isinstance(stop, Constant):
        length = (float(stop.value or 0) - float(start.value or 0)) / size
        return Constant(float(max(0, ceil(length))), span)
    steps = Operation("/", (difference(start, stop, span), step), span)
    return Operation("-", (Operation("floor", (steps,), span),), span)


def plate_count(start: Expression, stop: Expression, span: Span) -> Expression:
    """How many integers there are from start up to stop."""
    if isinstance(start, Constant) and isinstance(stop, Constant):
        return Constant(max(0.0, float(stop.value or 0) - float(start.value or 0)), span)
    return difference(stop, start, span)


def _extended(name: str, usage: str) -> Sugar:
    return sugar(usage, _operation(name))


SUGARS = {
    "vector": _extended("vector", "(vector e ...)")._replace(least=0),
    "list": _extended("vector", "(list e ...)")._replace(least=0),
    "concat": _extended("concat", "(concat vector ...)")._replace(least=0),
    "get": _extended("get", "(get vector index)"),
    "nth": _extended("get", "(nth vector index)"),
    "count": _extended("count", "(count vector)"),
    "put": _extended("put", "(put vector index value)"),
    "assoc": _extended("put", "(assoc vector index value)"),
    "repeat": _extended("repeat", "(repeat n value)"),
    "flatten": _extended("flatten", "(flatten vectors)"),
    "vec": sugar("(vec vector)", _vec),
    "range": sugar("(range start? stop step?)", _range),
    "first": sugar("(first vector)", _single(element(0.0))),
    "second": sugar("(second vector)", _single(element(1.0))),
    "last": sugar("(last vector)", _formula(_last)),
    "rest": sugar("(rest vector)", _formula(_rest)),
    "next": sugar("(next vector)", _formula(_rest)),
    "butlast": sugar("(butlast vector)", _formula(_butlast)),
    "take": sugar("(take n vector)", _single(_take)),
    "drop": sugar("(drop n vector)", _formula(_drop)),
    "subvec": sugar("(subvec vector start stop?)", _subvec),
    "conj": sugar("(conj vector e ...)", _single(_conj))._replace(least=2),
    "cons": sugar("(cons e vector)", _single(_cons)),
    "mean": sugar("(mean vector)", _formula(_mean)),
    "sum": sugar("(sum vector)", _numeric("sum")),
    "largest": sugar("(largest vector)", _numeric("largest")),
    "smallest": sugar("(smallest vector)", _numeric("smallest")),
    "log-sum-exp": sugar("(log-sum-exp vector)", _numeric("log-sum-exp")),
    "dot": sugar("(dot a b)", _numeric("dot")),
    "mat-mul": sugar("(mat-mul a b)", _numeric("mat-mul")),
    "transpose": sugar("(transpose matrix)", _numeric("transpose")),
}
