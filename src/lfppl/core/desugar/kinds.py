"""What an expression visibly is: a number, a vector, a distribution, or nobody knows yet."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from lfppl.core.arrays import ARRAY_OPERATIONS
from lfppl.core.ast import (
    Constant,
    Distribution,
    Expression,
    If,
    Let,
    Observe,
    Operation,
    Plate,
    Sample,
    Variable,
    spine,
)
from lfppl.core.distributions import FAMILIES


class Kind(Enum):
    """What a value is, as far as it can be seen."""

    NUMBER = "number"
    VECTOR = "vector"
    DISTRIBUTION = "distribution"
    NIL = "nil"
    UNKNOWN = "unknown"


_NUMBERS = {"count", "dot", "sum", "largest", "smallest", "log-sum-exp"}
_UNKNOWN = {"get", "mat-mul"}


def kind(expression: Expression, known: Mapping[str, Kind]) -> Kind:
    """The kind of an expression, given the kinds of the variables.

    >>> kind(Operation("vector", ()), {}).value, kind(Variable("x"), {}).value
    ('vector', 'unknown')
    """
    match expression:
        case Constant(value=None):
            return Kind.NIL
        case Constant() | Observe():
            return Kind.NUMBER
        case Variable(name=name):
            return known.get(name, Kind.UNKNOWN)
        case Distribution():
            return Kind.DISTRIBUTION
        case Plate():
            return Kind.VECTOR
        case Let():
            return kind(spine(expression)[1], known)
        case Sample(distribution=distribution):
            return _draw(distribution)
        case If(then=then, otherwise=otherwise):
            both = {kind(then, known), kind(otherwise, known)}
            return both.pop() if len(both) == 1 else Kind.UNKNOWN
        case Operation():
            return _operation(expression, known)
    return Kind.UNKNOWN


def _draw(distribution: Expression) -> Kind:
    if isinstance(distribution, Distribution) and distribution.name in FAMILIES:
        vector = FAMILIES[distribution.name].is_vector
        return Kind.VECTOR if vector else Kind.NUMBER
    return Kind.UNKNOWN


def _operation(operation: Operation, known: Mapping[str, Kind]) -> Kind:
    if operation.name in _NUMBERS:
        return Kind.NUMBER
    if operation.name in ARRAY_OPERATIONS:
        return Kind.UNKNOWN if operation.name in _UNKNOWN else Kind.VECTOR
    kinds = {kind(argument, known) for argument in operation.arguments}
    if Kind.VECTOR in kinds:
        return Kind.VECTOR
    return Kind.NUMBER if kinds == {Kind.NUMBER} else Kind.UNKNOWN
