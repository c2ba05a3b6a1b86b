"""Tests: what decides an `if`, as comparisons with 0 joined by `and`, `or` and `not`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from lfppl.core.ast import Constant, Expression, If, Operation, spine
from lfppl.core.ast import Let as CoreLet
from lfppl.core.desugar.context import Block, Context
from lfppl.core.desugar.kinds import Kind
from lfppl.errors import language
from lfppl.source import Span
from lfppl.syntax import surface


@dataclass(frozen=True, slots=True)
class Sign:
    """True where the expression is below 0."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Not:
    """True where the test is not."""

    test: Test


@dataclass(frozen=True, slots=True)
class AllOf:
    """True where all tests are."""

    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """True where one of the tests is."""

    tests: tuple[Test, ...]


Test: TypeAlias = Sign | Not | AllOf | AnyOf

TRUE, FALSE = Sign(Constant(-1.0)), Sign(Constant(1.0))


def choice(test: Test, then: Expression, otherwise: Expression, span: Span) -> Expression:
    """`then` where the test holds, else `otherwise`; neither is repeated.

    >>> from lfppl.core.ast import Variable as V
    >>> from lfppl.source import NOWHERE
    >>> choice(Not(Sign(V("x"))), V("a"), V("b"), NOWHERE)
    If(test=Variable(name='x'), then=Variable(name='b'), otherwise=Variable(name='a'), site=-1)
    """
    match test:
        case Sign():
            return If(test.value, then, otherwise, span=span)
        case Not():
            return choice(test.test, otherwise, then, span)
        case AllOf() | AnyOf():
            return If(_signal(test, span), then, otherwise, span=span)
        case _:
            assert_never(test)


def _signal(test: Test, span: Span) -> Expression:
    """An expression below 0 where the test holds."""
    if isinstance(test, Sign):
        return test.value
    holds, fails = Constant(-1.0, span), Constant(1.0, span)
    if isinstance(test, Not):
        return choice(test.test, fails, holds, span)
    everything = isinstance(test, AllOf)
    result: Expression = holds if everything else fails
    for position, each in enumerate(reversed(test.tests)):
        if position == 0:
            result = choice(each, holds, fails, span)
        elif everything:
            result = choice(each, result, fails, span)
        else:
            result = choice(each, holds, result, span)
    return result


def truth(test: Test, span: Span) -> Expression:
    """1 where the test holds, else 0."""
    return choice(test, Constant(1.0, span), Constant(0.0, span), span)


def below(a: Expression, b: Expression, span: Span) -> Sign:
    """The test a < b.

    >>> from lfppl.core.ast import Variable as V
    >>> from lfppl.source import NOWHERE
    >>> below(V("a"), Constant(0.0), NOWHERE)
    Sign(value=Variable(name='a'))
    """
    return Sign(difference(a, b, span))


def difference(a: Expression, b: Expression, span: Span) -> Expression:
    """A - b, without needless zeros."""
    if _is_zero(b):
        return a
    return Operation("-", (b,) if _is_zero(a) else (a, b), span)


def _is_zero(core: Expression) -> bool:
    return isinstance(core, Constant) and type(core.value) is float and core.value == 0


Reading: TypeAlias = Callable[[Context, Block, surface.Call], Test]
"""Reads the test off a call, binding what it needs twice in the block."""

READINGS: dict[str, Reading] = {}
"""The calls that are tests; filled in by `comparisons`."""


def test_of(context: Context, block: Block, expression: surface.Expression) -> Test:
    """The test that an expression stands for."""
    if isinstance(expression, surface.Call):
        name = context.builtin_head(expression.function)
        if name in READINGS:
            context.checked(name, expression)
            return READINGS[name](context, block, expression)
    core = context.expression(expression)
    if isinstance(core, Constant):
        return TRUE if core.value else FALSE
    if context.kind(core) is Kind.DISTRIBUTION:
        raise language.distribution_as_number(expression.span)
    return Sign(_sign_of_truth(core))


def _sign_of_truth(core: Expression) -> Expression:
    """An expression that is below 0 where a truth value is not 0."""
    lets, body = spine(core)
    result = _sign_of_body(body)
    for let in reversed(lets):
        result = CoreLet(let.name, let.value, result, let.span)
    return result


def _sign_of_body(body: Expression) -> Expression:
    if isinstance(body, Constant):
        return (TRUE if body.value else FALSE).value
    if isinstance(body, Operation) and body.name == "<":
        return difference(body.arguments[0], body.arguments[1], body.span)
    if isinstance(body, If):
        then, otherwise = _sign_of_truth(body.then), _sign_of_truth(body.otherwise)
        return If(body.test, then, otherwise, span=body.span)
    return Operation("-", (Constant(0.5), body), body.span)
