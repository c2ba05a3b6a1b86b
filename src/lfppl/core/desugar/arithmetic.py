"""Arithmetic: n-ary `+ - * /`, and functions that are sugar over branches and `floor`."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from lfppl.core.ast import Constant, Expression, If, Operation
from lfppl.core.desugar.context import Block, Builtin, Context
from lfppl.core.desugar.decisions import difference
from lfppl.core.desugar.kinds import Kind
from lfppl.core.desugar.mapping import map_over
from lfppl.core.desugar.sugar import Build, Sugar, sugar
from lfppl.core.primitives import PRIMITIVES
from lfppl.source import Span
from lfppl.syntax import surface


def operation(name: str, *arguments: Expression, span: Span) -> Operation:
    """An operation at a place."""
    return Operation(name, arguments, span)


def _folded(name: str, neutral: float | None) -> Build:
    """`+` and `*` of any number of arguments, and `-` and `/` of two or more, from the left."""

    def build(context: Context, call: surface.Call) -> Expression:
        operands = [context.operand(each) for each in call.arguments]
        if not operands:
            return Constant(neutral, call.span)
        return reduce(lambda a, b: operation(name, a, b, span=call.span), operands)

    return build


def _minus(context: Context, call: surface.Call) -> Expression:
    if len(call.arguments) == 1:
        return operation("-", context.operand(call.arguments[0]), span=call.span)
    return _folded("-", None)(context, call)


def _divide(context: Context, call: surface.Call) -> Expression:
    if len(call.arguments) == 1:
        one = Constant(1.0, call.span)
        return operation("/", one, context.operand(call.arguments[0]), span=call.span)
    return _folded("/", None)(context, call)


def _plain(name: str) -> Build:
    def build(context: Context, call: surface.Call) -> Expression:
        operands = tuple(context.operand(each) for each in call.arguments)
        return Operation(name, operands, call.span)

    return build


Formula = Callable[..., Expression]
"""`(span, x, ...) -> Core`, the arguments being names or constants."""


def _formula(formula: Formula, branches: bool = False) -> Build:
    """Sugar that repeats its arguments; one with branches goes through a vector row by row."""

    def build(context: Context, call: surface.Call) -> Expression:
        operands = [context.operand(each) for each in call.arguments]
        if branches and len(operands) == 1 and context.kind(operands[0]) is Kind.VECTOR:
            return _row_by_row(context, call, operands[0])
        block = Block()
        shared = [
            context.share(block, "x", operand, each.span)
            for operand, each in zip(operands, call.arguments, strict=True)
        ]
        return block.close(formula(call.span, *shared))

    return build


def _row_by_row(context: Context, call: surface.Call, vector: Expression) -> Expression:
    assert isinstance(call.function, surface.Name)
    return map_over(context, Builtin(call.function.id), vector, call.span)


def _abs(span: Span, x: Expression) -> Expression:
    return If(x, operation("-", x, span=span), x, span=span)


def _sign(span: Span, x: Expression) -> Expression:
    minus, zero, one = (Constant(value, span) for value in (-1.0, 0.0, 1.0))
    return If(x, minus, If(operation("-", x, span=span), one, zero, span=span), span=span)


def _ceil(span: Span, x: Expression) -> Expression:
    floor = operation("floor", operation("-", x, span=span), span=span)
    return operation("-", floor, span=span)


def _round(span: Span, x: Expression) -> Expression:
    shifted = operation("+", x, Constant(0.5, span), span=span)
    return operation("floor", shifted, span=span)


def _mod(span: Span, a: Expression, b: Expression) -> Expression:
    floor = operation("floor", operation("/", a, b, span=span), span=span)
    return operation("-", a, operation("*", b, floor, span=span), span=span)


def _quot(span: Span, a: Expression, b: Expression) -> Expression:
    ratio = operation("/", a, b, span=span)
    toward_zero = operation("floor", ratio, span=span)
    return If(ratio, _ceil(span, ratio), toward_zero, span=span)


def _rem(span: Span, a: Expression, b: Expression) -> Expression:
    return operation("-", a, operation("*", b, _quot(span, a, b), span=span), span=span)


def _square(span: Span, x: Expression) -> Expression:
    return operation("*", x, x, span=span)


def _shifted(name: str) -> Build:
    def build(context: Context, call: surface.Call) -> Expression:
        one = Constant(1.0, call.span)
        return operation(name, context.operand(call.arguments[0]), one, span=call.span)

    return build


def _larger(a: Expression, b: Expression, span: Span) -> Expression:
    return If(difference(a, b, span), b, a, span=span)


def _smaller(a: Expression, b: Expression, span: Span) -> Expression:
    return If(difference(a, b, span), a, b, span=span)


def _extreme(pick: Callable[[Expression, Expression, Span], Expression], reduction: str) -> Build:
    """`max` and `min`: of a vector a reduction, of several numbers one choice after another."""

    def build(context: Context, call: surface.Call) -> Expression:
        operands = [context.operand(each) for each in call.arguments]
        if len(operands) == 1:
            number = context.kind(operands[0]) is Kind.NUMBER
            return operands[0] if number else Operation(reduction, (operands[0],), call.span)
        block = Block()
        shared = [
            context.share(block, "x", operand, each.span)
            for operand, each in zip(operands, call.arguments, strict=True)
        ]
        best = shared[0]
        for other in shared[1:-1]:
            best = context.let(block, "x", pick(best, other, call.span), call.span)
        return block.close(pick(best, shared[-1], call.span))

    return build


def _primitive(name: str, arity: int) -> Sugar:
    usage = f"({name} {' '.join('xyz'[:arity])})"
    return sugar(usage, _plain(name))


def _alias(name: str, alias: str) -> Sugar:
    row = _primitive(name, PRIMITIVES[name].arity)
    return row._replace(usage=row.usage.replace(name, alias, 1))


_FOLDED = ("+", "-", "*", "/", "neg")

SUGARS = {
    **{
        name: _primitive(name, primitive.arity)
        for name, primitive in PRIMITIVES.items()
        if name not in _FOLDED and not primitive.internal
    },
    "+": sugar("(+ x ...)", _folded("+", 0.0))._replace(least=0),
    "*": sugar("(* x ...)", _folded("*", 1.0))._replace(least=0),
    "-": sugar("(- x ...)", _minus),
    "/": sugar("(/ x ...)", _divide),
    "expt": _alias("pow", "expt"),
    "inc": sugar("(inc x)", _shifted("+")),
    "dec": sugar("(dec x)", _shifted("-")),
    "square": sugar("(square x)", _formula(_square)),
    "abs": sugar("(abs x)", _formula(_abs, branches=True)),
    "sign": sugar("(sign x)", _formula(_sign, branches=True)),
    "ceil": sugar("(ceil x)", _formula(_ceil)),
    "round": sugar("(round x)", _formula(_round)),
    "mod": sugar("(mod x y)", _formula(_mod)),
    "quot": sugar("(quot x y)", _formula(_quot)),
    "rem": sugar("(rem x y)", _formula(_rem)),
    "max": sugar("(max x ...)", _extreme(_larger, "largest")),
    "min": sugar("(min x ...)", _extreme(_smaller, "smallest")),
}
