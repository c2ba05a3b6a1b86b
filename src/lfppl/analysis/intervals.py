"""Intervals: what each operation makes of the ranges of its arguments."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

INF = math.inf
Function: TypeAlias = Callable[[float], float]


class Range(NamedTuple):
    """The numbers from `low` to `high`; `open_low` where `low` itself is never reached.

    In floating point an open bound can be reached by underflow, so a check at run time may only be
    left out for a closed one.
    """

    low: float = -INF
    high: float = INF
    open_low: bool = False

    @property
    def is_positive(self) -> bool:
        """Whether all numbers are greater than 0, mathematically.

        >>> Range(0.0, 1.0).is_positive, Range(0.0, 1.0, open_low=True).is_positive
        (False, True)
        """
        return self.low > 0 or (self.low == 0 and self.open_low)


ANY = Range()
POSITIVE = Range(0.0, INF, True)


def union(ranges: Sequence[Range]) -> Range:
    """The smallest range with all numbers of the given ones.

    >>> union([Range(0.0, 1.0, True), Range(2.0, 3.0)])
    Range(low=0.0, high=3.0, open_low=True)
    """
    low = min(r.low for r in ranges)
    is_open = all(r.open_low for r in ranges if r.low == low)
    return Range(low, max(r.high for r in ranges), is_open)


def reduced(kind: str, a: Range, least_count: int) -> Range:
    """The range of a reduction of at least so many numbers.

    >>> reduced("sum", POSITIVE, 3)
    Range(low=0.0, high=inf, open_low=True)
    """
    if kind == "sum":
        low = 0.0 if a.low >= 0 else -INF
        return Range(low, 0.0 if a.high <= 0 else INF, a.is_positive and least_count > 0)
    return a if kind in ("max", "min") and least_count > 0 else ANY


def square(a: Range) -> Range:
    """The range of x times x.

    >>> square(Range(-2.0, 1.0))
    Range(low=0.0, high=4.0, open_low=False)
    """
    ends = (a.low * a.low, a.high * a.high)
    low = 0.0 if a.low <= 0 <= a.high else min(ends)
    return Range(low, max(ends), a.low == 0 and a.open_low)


def add(a: Range, b: Range) -> Range:
    """The range of a sum.

    >>> add(Range(1.0, 2.0), POSITIVE)
    Range(low=1.0, high=inf, open_low=True)
    """
    return Range(_sum(a.low, b.low, -INF), _sum(a.high, b.high, INF), a.open_low or b.open_low)


def _sum(a: float, b: float, otherwise: float) -> float:
    total = a + b
    return otherwise if math.isnan(total) else total


def _negative(a: Range) -> Range:
    return Range(-a.high, -a.low)


def subtract(a: Range, b: Range) -> Range:
    """The range of a difference.

    >>> subtract(Range(1.0, 2.0), Range(0.0, 1.0))
    Range(low=0.0, high=2.0, open_low=False)
    """
    return Range(_sum(a.low, -b.high, -INF), _sum(a.high, -b.low, INF), a.open_low)


def multiply(a: Range, b: Range) -> Range:
    """The range of a product.

    >>> multiply(Range(-1.0, 2.0), Range(0.0, INF))
    Range(low=-inf, high=inf, open_low=False)
    """
    corners = [x * y if x and y else 0.0 for x in a[:2] for y in b[:2]]
    is_open = a.is_positive and b.is_positive and (a.open_low or b.open_low)
    return Range(min(corners), max(corners), is_open)


def _divide(a: Range, b: Range) -> Range:
    if not b.is_positive:
        return ANY
    corners = [_quotient(x, y) for x in a[:2] for y in b[:2]]
    is_open = a.is_positive and (a.open_low or b.high == INF)
    return Range(min(corners), max(corners), is_open)


def _quotient(x: float, y: float) -> float:
    if y == 0:
        return math.copysign(INF, x) if x else 0.0
    return 0.0 if math.isinf(y) else x / y


def _increasing(function: Function, low: float, high: float) -> Callable[..., Range]:
    def rule(a: Range) -> Range:
        floor = low if a.low == -INF else function(a.low)
        roof = high if a.high == INF else function(a.high)
        return Range(floor, roof, a.low == -INF or a.open_low)

    return rule


def _unbounded(function: Function) -> Function:
    """The function, infinite where Python's overflows."""

    def with_infinity(x: float) -> float:
        try:
            return function(x)
        except OverflowError:
            return INF

    return with_infinity


def _log(a: Range) -> Range:
    low = -INF if a.low <= 0 else math.log(a.low)
    return Range(low, INF if a.high == INF or a.high <= 0 else math.log(a.high), a.open_low)


def _sqrt(a: Range) -> Range:
    if a.low < 0:
        return Range(0.0, INF)
    return Range(math.sqrt(a.low), INF if a.high == INF else math.sqrt(a.high), a.open_low)


def _floor(a: Range) -> Range:
    low = a.low if math.isinf(a.low) else float(math.floor(a.low))
    return Range(low, a.high if math.isinf(a.high) else float(math.floor(a.high)))


def _less(a: Range, b: Range) -> Range:
    return Range(float(a.high < b.low), float(not a.low >= b.high))


def _hyperbolic_cosine(a: Range) -> Range:
    return Range(1.0, INF)


RULES: dict[str, Callable[..., Range]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": _divide,
    "neg": _negative,
    "exp": _increasing(_unbounded(math.exp), 0.0, INF),
    "log": _log,
    "sqrt": _sqrt,
    "log1p": lambda a: _log(Range(a.low + 1.0, a.high + 1.0, a.open_low)),
    "expm1": _increasing(_unbounded(math.expm1), -1.0, INF),
    "sigmoid": lambda a: Range(0.0, 1.0, True),
    "softplus": lambda a: POSITIVE,
    "sin": lambda a: Range(-1.0, 1.0),
    "cos": lambda a: Range(-1.0, 1.0),
    "tanh": _increasing(math.tanh, -1.0, 1.0),
    "atan": _increasing(math.atan, -math.pi / 2, math.pi / 2),
    "cosh": _hyperbolic_cosine,
    "erf": lambda a: Range(-1.0, 1.0),
    "ndtr": lambda a: Range(0.0, 1.0, True),
    "floor": _floor,
    "less": _less,
    "and": lambda a, b: Range(min(a.low, b.low), min(a.high, b.high)),
    "or": lambda a, b: Range(max(a.low, b.low), max(a.high, b.high)),
    "not": lambda a: Range(1.0 - a.high, 1.0 - a.low),
    "lift": lambda a: a,
    "stack": lambda *parts: union(parts),
    "pick": lambda k, *items: union(items),
}
"""The range of an operation by the ranges of its arguments; no rule where anything may result."""
