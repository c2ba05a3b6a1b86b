"""What an expression visibly is: a number, a vector, a distribution, or nobody knows yet."""

from __future__ import annotations

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
from lfppl.core.distributions.contract import Constraint


class Kind(Enum):
    """What a value is, as far as it can be seen."""

    NUMBER = "number"
    VECTOR = "vector"
    DISTRIBUTION = "distribution"
    NIL = "nil"
    UNKNOWN = "unknown"


_NUMBERS = {"count", "dot", "sum", "largest", "smallest", "log-sum-exp"}
_UNKNOWN = {"get", "mat-mul"}
_VECTORS = {Constraint.WEIGHTS, Constraint.REALS, Constraint.POSITIVES, Constraint.COVARIANCE}


class Kinds:
    """The kinds of expressions, given those of the variables; each is looked at once.

    >>> kinds = Kinds({"n": Kind.NUMBER})
    >>> kinds.of(Operation("+", (Variable("n"), Constant(1.0)))).value
    'number'
    """

    def __init__(self, variables: dict[str, Kind]) -> None:
        self.variables = variables
        self._seen: dict[int, tuple[Expression, Kind]] = {}

    def of(self, expression: Expression) -> Kind:
        """The kind of an expression."""
        seen = self._seen.get(id(expression))
        if seen is None:
            seen = self._seen[id(expression)] = (expression, self._kind(expression))
        return seen[1]

    def _kind(self, expression: Expression) -> Kind:
        match expression:
            case Constant(value=None):
                return Kind.NIL
            case Constant() | Observe():
                return Kind.NUMBER
            case Variable(name=name):
                return self.variables.get(name, Kind.UNKNOWN)
            case Distribution():
                return Kind.DISTRIBUTION
            case Plate():
                return Kind.VECTOR
            case Let():
                return self.of(spine(expression)[1])
            case Sample(distribution=distribution):
                return self._draw(distribution)
            case If(then=then, otherwise=otherwise):
                both = {self.of(then), self.of(otherwise)}
                return both.pop() if len(both) == 1 else Kind.UNKNOWN
            case Operation():
                return self._operation(expression)
        return Kind.UNKNOWN

    def _operation(self, operation: Operation) -> Kind:
        if operation.name in _NUMBERS:
            return Kind.NUMBER
        if operation.name in ARRAY_OPERATIONS:
            return Kind.UNKNOWN if operation.name in _UNKNOWN else Kind.VECTOR
        return self._broadcast(operation.arguments)

    def _broadcast(self, arguments: tuple[Expression, ...]) -> Kind:
        kinds = {self.of(argument) for argument in arguments}
        if Kind.VECTOR in kinds:
            return Kind.VECTOR
        return Kind.NUMBER if kinds <= {Kind.NUMBER} else Kind.UNKNOWN

    def _draw(self, distribution: Expression) -> Kind:
        """A draw from a family of numbers is a vector where its parameters are."""
        if not isinstance(distribution, Distribution) or distribution.name not in FAMILIES:
            return Kind.UNKNOWN
        family = FAMILIES[distribution.name]
        if family.is_vector:
            return Kind.VECTOR
        if any(parameter.constraint in _VECTORS for parameter in family.parameters):
            return Kind.UNKNOWN
        return self._broadcast(distribution.arguments)
