"""Core: the paper's seven forms (section 3), with arrays, plates and folds.

    e ::= x | c | (op e ...) | (if (< e 0) e e) | (let [x e] e)
        | (sample d) | (observe d e) | (name e ...)            a distribution
        | (plate [i e] e) | (fold [i e] [x e] e)

Every binder of a program is unique. Core prints as text that reads back to the same Core.
A value is a number, a truth value, nil, a distribution, or a vector of values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from lfppl.source import NOWHERE, Span


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, a truth value or nil (None)."""

    value: float | bool | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Variable:
    """A bound name; a free one is a datum."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of `core.primitives` (scalar) or `core.arrays` (on vectors)."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class If:
    """`(if (< test 0) then otherwise)`; samples in both branches are drawn always.

    `site` numbers the `if`s of the program in preorder: (site, loop indices) is the name of a
    branching variable.
    """

    test: Expression
    then: Expression
    otherwise: Expression
    site: int = field(default=-1, compare=False)
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Let:
    """`(let [name value] body)`."""

    name: str
    value: Expression
    body: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Distribution:
    """`(normal 0 1)`: a distribution object of the table in `core.distributions`."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Sample:
    """`(sample d)`: a random variable `name[indices]`.

    An index is a number (a vector element) or the index name of an enclosing plate or fold.
    """

    distribution: Expression
    name: str
    indices: tuple[int | str, ...] = ()
    site: int = field(default=-1, compare=False)
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Observe:
    """`(observe d value)`: multiplies the density; its value is 0."""

    distribution: Expression
    value: Expression
    site: int = field(default=-1, compare=False)
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Plate:
    """`(plate [index count] body)`: the vector of the body's values, index from 0 to count - 1.

    No state is carried from one row to the next.
    """

    index: str
    count: Expression
    body: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Fold:
    """`(fold [index count] [accumulator initial] body)`: the last accumulator."""

    index: str
    count: Expression
    accumulator: str
    initial: Expression
    body: Expression
    span: Span = _span()


Expression: TypeAlias = (
    Constant | Variable | Operation | If | Let | Distribution | Sample | Observe | Plate | Fold
)


def spine(expression: Expression) -> tuple[list[Let], Expression]:
    """A chain of nested lets as a list, and its innermost body; passes loop over it.

    >>> lets, body = spine(Let("x", Constant(1.0), Let("y", Constant(2.0), Variable("y"))))
    >>> [let.name for let in lets], body
    (['x', 'y'], Variable(name='y'))
    """
    lets = []
    while isinstance(expression, Let):
        lets.append(expression)
        expression = expression.body
    return lets, expression
