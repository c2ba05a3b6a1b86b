"""The tail of an expression: what its value is, behind lets and in the branches of `if`s."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lfppl.core.ast import Constant, Expression, If, Let, Observe, spine


def replace_tail(
    body: Expression, change: Callable[[Expression], Expression | None]
) -> Expression | None:
    """The expression with every tail changed, or None where one cannot be.

    >>> from lfppl.core.ast import Variable as V
    >>> replace_tail(Let("x", V("y"), V("x")), lambda tail: Constant(1.0))
    Let(name='x', value=Variable(name='y'), body=Constant(value=1.0))
    """
    lets, tail = spine(body)
    result: Expression | None
    if isinstance(tail, If):
        then = replace_tail(tail.then, change)
        other = replace_tail(tail.otherwise, change)
        result = replace(tail, then=then, otherwise=other) if then and other else None
    else:
        result = change(tail)
    if result is not None:
        for let in reversed(lets):
            result = Let(let.name, let.value, result, let.span)
    return result


def tails(body: Expression) -> list[Expression]:
    """All tails of an expression.

    >>> [tail.value for tail in tails(If(Constant(1.0), Constant(0.0), Constant(2.0)))]
    [0.0, 2.0]
    """
    _, tail = spine(body)
    if isinstance(tail, If):
        return [*tails(tail.then), *tails(tail.otherwise)]
    return [tail]


def is_zero(body: Expression) -> bool:
    """Whether the value is visibly always 0, as that of an observe is.

    >>> is_zero(If(Constant(1.0), Constant(0.0), Constant(2.0)))
    False
    """
    _, tail = spine(body)
    if isinstance(tail, If):
        return is_zero(tail.then) and is_zero(tail.otherwise)
    return isinstance(tail, Observe) or (
        isinstance(tail, Constant) and tail.value is not None and tail.value == 0
    )
