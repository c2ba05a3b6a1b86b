"""Comparisons and logic: `< > <= >= = not= and or not`, as tests and as values 1 and 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from lfppl.core.ast import Constant, Expression, Operation
from lfppl.core.desugar.context import Block, Context
from lfppl.core.desugar.decisions import (
    READINGS,
    AllOf,
    AnyOf,
    Not,
    Reading,
    Test,
    below,
    test_of,
    truth,
)
from lfppl.core.desugar.sugar import Build, sugar
from lfppl.source import Span
from lfppl.syntax import surface

Compare = Callable[[Expression, Expression, Span], Test]


def _less(a: Expression, b: Expression, span: Span) -> Test:
    return below(a, b, span)


def _greater(a: Expression, b: Expression, span: Span) -> Test:
    return below(b, a, span)


def _at_most(a: Expression, b: Expression, span: Span) -> Test:
    return Not(below(b, a, span))


def _at_least(a: Expression, b: Expression, span: Span) -> Test:
    return Not(below(a, b, span))


def equal(a: Expression, b: Expression, span: Span) -> Test:
    """The test a = b."""
    return AllOf((Not(below(a, b, span)), Not(below(b, a, span))))


def _operands(
    context: Context, block: Block, call: surface.Call, shared: bool
) -> Sequence[Expression]:
    values = [(each, context.operand(each)) for each in call.arguments]
    if not shared:
        return [value for _, value in values]
    return [context.share(block, "compared", value, each.span) for each, value in values]


def _comparison(compare: Compare, twice: bool = False) -> Reading:
    def read(context: Context, block: Block, call: surface.Call) -> Test:
        shared = twice or len(call.arguments) > 2
        operands = _operands(context, block, call, shared)
        tests = tuple(compare(a, b, call.span) for a, b in pairwise(operands))
        return tests[0] if len(tests) == 1 else AllOf(tests)

    return read


def _different(context: Context, block: Block, call: surface.Call) -> Test:
    operands = _operands(context, block, call, True)
    return Not(AllOf(tuple(equal(a, b, call.span) for a, b in pairwise(operands))))


def _joined(join: type[AllOf] | type[AnyOf]) -> Reading:
    def read(context: Context, block: Block, call: surface.Call) -> Test:
        tests = tuple(test_of(context, block, each) for each in call.arguments)
        return tests[0] if len(tests) == 1 else join(tests)

    return read


def _not(context: Context, block: Block, call: surface.Call) -> Test:
    return Not(test_of(context, block, call.arguments[0]))


def _with_zero(compare: Compare) -> Reading:
    def read(context: Context, block: Block, call: surface.Call) -> Test:
        (operand,) = _operands(context, block, call, True)
        return compare(operand, Constant(0.0, call.span), call.span)

    return read


def _empty(context: Context, block: Block, call: surface.Call) -> Test:
    count = context.call("count", context.expression(call.arguments[0]), span=call.span)
    return below(count, Constant(1.0, call.span), call.span)


def _as_value(name: str) -> Build:
    def build(context: Context, call: surface.Call) -> Expression:
        block = Block()
        return block.close(truth(READINGS[name](context, block, call), call.span))

    return build


def _ordering(name: str, swapped: bool) -> Build:
    """A comparison of two values is an operation of Core; it also works on vectors."""

    def build(context: Context, call: surface.Call) -> Expression:
        if len(call.arguments) > 2:
            return _as_value(name)(context, call)
        a, b = (context.operand(each) for each in call.arguments)
        return Operation("<", (b, a) if swapped else (a, b), call.span)

    return build


READINGS.update(
    {
        "<": _comparison(_less),
        ">": _comparison(_greater),
        "<=": _comparison(_at_most),
        ">=": _comparison(_at_least),
        "=": _comparison(equal, twice=True),
        "==": _comparison(equal, twice=True),
        "not=": _different,
        "and": _joined(AllOf),
        "or": _joined(AnyOf),
        "not": _not,
        "zero?": _with_zero(equal),
        "pos?": _with_zero(_greater),
        "neg?": _with_zero(_less),
        "empty?": _empty,
    }
)

_USAGES = {
    **{name: f"({name} a b ...)" for name in ("<", ">", "<=", ">=", "=", "==", "not=")},
    "and": "(and test ...)",
    "or": "(or test ...)",
    "not": "(not test)",
    "zero?": "(zero? x)",
    "pos?": "(pos? x)",
    "neg?": "(neg? x)",
    "empty?": "(empty? vector)",
}

SUGARS = {
    **{name: sugar(usage, _as_value(name)) for name, usage in _USAGES.items()},
    "<": sugar("(< a b ...)", _ordering("<", swapped=False)),
    ">": sugar("(> a b ...)", _ordering(">", swapped=True)),
}
SUGARS["and"] = SUGARS["and"]._replace(least=0)
SUGARS["or"] = SUGARS["or"]._replace(least=0)
