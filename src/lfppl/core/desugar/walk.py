"""Walking over Core: the parts of a node, and whether a name occurs."""

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
)


def children(expression: Expression) -> tuple[Expression, ...]:
    """The expressions a node is made of, in program order.

    >>> children(Let("x", Constant(1.0), Variable("x")))
    (Constant(value=1.0), Variable(name='x'))
    """
    match expression:
        case Constant() | Variable():
            return ()
        case Operation() | Distribution():
            return expression.arguments
        case If():
            return expression.test, expression.then, expression.otherwise
        case Let():
            return expression.value, expression.body
        case Sample():
            return (expression.distribution,)
        case Observe():
            return expression.distribution, expression.value
        case Plate():
            return expression.count, expression.body
        case Fold():
            return expression.count, expression.initial, expression.body
        case _:
            assert_never(expression)


def occurs(name: str, expression: Expression) -> bool:
    """Whether a variable occurs in an expression.

    >>> occurs("x", Operation("+", (Variable("x"), Constant(1.0))))
    True
    """
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Variable) and node.name == name:
            return True
        waiting.extend(children(node))
    return False
