"""The operations of Core on vectors (nested lists), over any scalars: floats or expressions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from lfppl.core.primitives import PRIMITIVES
from lfppl.errors import CompilerBug

COMPARISON = "<"
"""`(< a b)` as a value is 1 or 0."""


class Scalars(ABC):
    """What the vector operations need to know about scalars."""

    @abstractmethod
    def apply(self, name: str, *arguments: Any) -> Any:
        """A scalar primitive, `<`, or the unary minus `neg`."""

    @abstractmethod
    def integer(self, value: Any) -> int:
        """The value of a scalar that is known when compiling."""

    @abstractmethod
    def pick(self, index: Any, items: Sequence[Any]) -> Any:
        """The item at floor(index), clipped to the ends."""

    @abstractmethod
    def largest(self, items: Sequence[Any]) -> Any:
        """The largest of the scalars; -inf of none."""

    @abstractmethod
    def smallest(self, items: Sequence[Any]) -> Any:
        """The smallest of the scalars; inf of none."""

    @abstractmethod
    def log_sum_exp(self, items: Sequence[Any]) -> Any:
        """Log of the sum of the exponentials."""

    @abstractmethod
    def number(self, value: float) -> Any:
        """A constant."""


def operate(scalars: Scalars, name: str, arguments: Sequence[Any]) -> Any:
    """The value of an operation of Core on numbers and nested lists.

    >>> from lfppl.reference.interpreter import Floats
    >>> operate(Floats(), "+", [[1.0, 2.0], 10.0])
    [11.0, 12.0]
    >>> operate(Floats(), "subvec", [[1.0, 2.0, 3.0], 1.0, 3.0])
    [2.0, 3.0]
    """
    if name in _VECTOR_OPERATIONS:
        return _VECTOR_OPERATIONS[name](scalars, *arguments)
    if name == "-" and len(arguments) == 1:
        name = "neg"
    if name not in PRIMITIVES and name != COMPARISON:
        raise CompilerBug(f"the reference does not know the operation {name}")
    return _elementwise(scalars, name, arguments)


def _elementwise(scalars: Scalars, name: str, arguments: Sequence[Any]) -> Any:
    """A scalar primitive, element by element where an argument is a vector."""
    if not any(isinstance(a, list) for a in arguments):
        return scalars.apply(name, *arguments)
    return [_elementwise(scalars, name, row) for row in rows_of(arguments)]


def rows_of(arguments: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Row i of the vectors among the arguments, everything else repeated.

    >>> rows_of([[1.0, 2.0], 5.0])
    [(1.0, 5.0), (2.0, 5.0)]
    """
    return rows_where(arguments, [isinstance(a, list) for a in arguments])


def rows_where(arguments: Sequence[Any], spread: Sequence[bool]) -> list[tuple[Any, ...]]:
    """Row i of the arguments that spread over the rows, the others repeated."""
    counts = {len(a) for a, spreads in zip(arguments, spread, strict=True) if spreads}
    if len(counts) != 1:
        raise CompilerBug(f"vectors of different lengths {sorted(counts)} met in the reference")
    return [
        tuple(a[i] if spreads else a for a, spreads in zip(arguments, spread, strict=True))
        for i in range(counts.pop())
    ]


def depth(value: Any) -> int:
    """How often vectors are nested: 0 for a number, 1 for a vector, 2 for a matrix.

    >>> depth(1.0), depth([1.0]), depth([[1.0]])
    (0, 1, 2)
    """
    if not isinstance(value, list):
        return 0
    return 1 + max((depth(item) for item in value), default=0)


def _concat(scalars: Scalars, *vectors: Any) -> list[Any]:
    return [item for vector in vectors if isinstance(vector, list) for item in vector]


def _put(scalars: Scalars, vector: list[Any], index: Any, value: Any) -> list[Any]:
    changed = list(vector)
    changed[scalars.integer(index)] = value
    return changed


def _subvec(scalars: Scalars, vector: list[Any], start: Any, end: Any) -> list[Any]:
    return vector[scalars.integer(start) : scalars.integer(end)]


def _range(scalars: Scalars, start: Any, end: Any) -> list[Any]:
    return [scalars.number(float(i)) for i in range(scalars.integer(start), scalars.integer(end))]


def _sum(scalars: Scalars, vector: list[Any]) -> Any:
    total = scalars.number(0.0)
    for item in vector:
        total = operate(scalars, "+", [total, item])
    return total


def _dot(scalars: Scalars, left: list[Any], right: list[Any]) -> Any:
    if depth(left) > 1 or depth(right) > 1:
        return _mat_mul(scalars, left, right)
    return _sum(scalars, _elementwise(scalars, "*", [left, right]))


def _mat_mul(scalars: Scalars, left: list[Any], right: list[Any]) -> Any:
    if depth(left) == depth(right) == 1:
        return _dot(scalars, left, right)
    if depth(left) == 1:
        return [_dot(scalars, left, column) for column in _transpose(scalars, right)]
    if depth(right) == 1:
        return [_dot(scalars, row, right) for row in left]
    return [_mat_mul(scalars, row, right) for row in left]


def _transpose(scalars: Scalars, matrix: list[Any]) -> list[Any]:
    return [list(column) for column in zip(*matrix, strict=True)]


_VECTOR_OPERATIONS: dict[str, Callable[..., Any]] = {
    "vector": lambda s, *items: list(items),
    "get": lambda s, vector, index: s.pick(index, vector),
    "count": lambda s, vector: s.number(float(len(vector))),
    "subvec": _subvec,
    "concat": _concat,
    "put": _put,
    "range": _range,
    "repeat": lambda s, count, value: [value] * s.integer(count),
    "flatten": lambda s, vector: _concat(s, *vector),
    "transpose": _transpose,
    "sum": _sum,
    "largest": lambda s, vector: s.largest(vector),
    "smallest": lambda s, vector: s.smallest(vector),
    "log-sum-exp": lambda s, vector: s.log_sum_exp(vector),
    "dot": _dot,
    "mat-mul": _mat_mul,
}
