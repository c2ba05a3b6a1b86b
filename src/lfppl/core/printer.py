"""Core as text that reads back to the same Core."""

from __future__ import annotations

from typing import assert_never

from lfppl.core.ast import (
    Constant,
    Distribution,
    Expression,
    Fold,
    If,
    Let,
    Observe,
    Operation,
    Plate,
    Sample,
    Variable,
    spine,
)
from lfppl.recursion import deep_recursion
from lfppl.syntax import surface
from lfppl.syntax.printer import print_expression

_CHAINED = ("+", "-", "*", "/")


def print_core(expression: Expression) -> str:
    """The text of a Core program; `read_program` and `desugar` give back an equal one.

    >>> print_core(If(Operation("-", (Variable("x"),)), Constant(1.0), Constant(None)))
    '(if (< (- x) 0) 1 nil)'
    """
    with deep_recursion():
        return print_expression(to_surface(expression))


def to_surface(e: Expression) -> surface.Expression:
    """The surface expression that desugars to a Core expression.

    >>> to_surface(Plate("i", Constant(3.0), Variable("y"))).function
    Name(id='plate')
    """
    match e:
        case Constant():
            return _constant(e)
        case Variable():
            return surface.Name(e.name, e.span)
        case Operation():
            return surface.Call(surface.Name(e.name), _all(_unchained(e)), e.span)
        case Distribution():
            return surface.Call(surface.Name(e.name), _all(e.arguments), e.span)
        case If():
            zero = surface.Number(0.0)
            test = surface.Call(surface.Name("<"), (to_surface(e.test), zero), e.test.span)
            return surface.If(test, to_surface(e.then), to_surface(e.otherwise), e.span)
        case Let():
            return _lets(e)
        case Sample():
            return surface.Sample(to_surface(e.distribution), span=e.span)
        case Observe():
            return surface.Observe(to_surface(e.distribution), to_surface(e.value), e.span)
        case Plate():
            return _loop("plate", e, _pair(e.index, e.count))
        case Fold():
            carried = _pair(e.accumulator, e.initial)
            return _loop("fold", e, _pair(e.index, e.count), carried)
        case _:
            assert_never(e)


def _all(expressions: tuple[Expression, ...]) -> tuple[surface.Expression, ...]:
    return tuple([to_surface(expression) for expression in expressions])


def _constant(e: Constant) -> surface.Expression:
    if e.value is None:
        return surface.Nil(e.span)
    if isinstance(e.value, bool):
        return surface.Truth(e.value, e.span)
    return surface.Number(e.value, e.span)


def _unchained(e: Operation) -> tuple[Expression, ...]:
    """The arguments; `(+ (+ a b) c)` is written `(+ a b c)`."""
    arguments = e.arguments
    if e.name not in _CHAINED or len(arguments) != 2:
        return arguments
    later: list[Expression] = []
    first: Expression = e
    while isinstance(first, Operation) and first.name == e.name and len(first.arguments) == 2:
        later.append(first.arguments[1])
        first = first.arguments[0]
    return first, *reversed(later)


def _lets(e: Let) -> surface.Let:
    """A chain of lets as one `let`."""
    lets, body = spine(e)
    bindings = tuple(
        [surface.Binding(surface.Name(let.name), to_surface(let.value), let.span) for let in lets]
    )
    return surface.Let(bindings, (to_surface(body),), e.span)


def _pair(name: str, value: Expression) -> surface.Expression:
    return surface.VectorLiteral((surface.Name(name), to_surface(value)))


def _loop(head: str, e: Plate | Fold, *parts: surface.Expression) -> surface.Call:
    return surface.Call(surface.Name(head), (*parts, to_surface(e.body)), e.span)
