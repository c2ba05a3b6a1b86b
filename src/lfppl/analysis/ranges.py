"""Ranges of expressions: an interval each number surely lies in, for proving constraints."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from lfppl.trace.domains import Domain
from lfppl.trace.graph import Graph, Node
from lfppl.trace.records import SampleBlock, Trace
from lfppl.trace.values import Value

INF = math.inf


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
        """Whether all numbers are greater than 0, mathematically."""
        return self.low > 0 or (self.low == 0 and self.open_low)


ANY = Range()
POSITIVE = Range(0.0, INF, True)
MAX_MATRIX = 1000
"""Larger matrices are not tested for being positive semidefinite."""


class Ranges:
    """The range of every node of a trace.

    Sampled variables lie in their support, unless `within_support` is false: a sampler may propose
    values outside, which no check at run time may be left out for.

    >>> from lfppl.trace.graph import Graph
    >>> from lfppl.trace.records import Trace
    >>> graph = Graph()
    >>> ranges = Ranges(Trace(graph))
    >>> ranges.of(graph.constant(2.0))
    Range(low=2.0, high=2.0, open_low=False)
    """

    def __init__(self, trace: Trace, *, within_support: bool = True) -> None:
        self._samples = trace.samples
        self._within_support = within_support
        self._known: dict[int, Range] = {}
        self._update(trace.graph)

    def of(self, node: Node) -> Range:
        """The range of a node of the graph, also of one built since."""
        if node.number not in self._known:
            self._update(node.graph)
        return self._known[node.number]

    def _update(self, graph: Graph) -> None:
        with np.errstate(all="ignore"):
            for node in graph.nodes[len(self._known) :]:
                self._known[node.number] = self._range(node)

    def _range(self, node: Node) -> Range:
        if node.is_static:
            rows = node.static_rows()
            return Range(float(rows.min()), float(rows.max())) if len(rows) else ANY
        if node.operation == "coordinate":
            if not self._within_support:
                return ANY
            return self._of_block(self._samples[node.payload])
        arguments = [self._known[argument.number] for argument in node.arguments]
        if node.operation == "floor" and node.arguments[0].operation == "coordinate":
            return Range(arguments[0].low, arguments[0].high - 1.0)
        if node.operation == "reduce" and _is_quadratic_form(node.arguments[0], node.payload[1]):
            return Range(0.0, INF)
        if node.operation == "reduce":
            return _reduced(node.payload[0], arguments[0], node.payload[1].counts.min(initial=0))
        if node.operation == "select":
            return self._selected(node, *arguments)
        if node.operation == "*" and node.arguments[0] is node.arguments[1]:
            return _square(arguments[0])
        if node.operation == "*" and (
            _is_scaled(node.arguments[1], node.arguments[0])
            or _is_scaled(node.arguments[0], node.arguments[1])
        ):
            return Range(0.0, INF)
        if node.operation == "-":
            return self._of_difference(node, *arguments)
        rule = _RULES.get(node.operation)
        return rule(*arguments) if rule else ANY

    def _of_block(self, block: SampleBlock) -> Range:
        support = block.family.support
        if support.kind == "simplex":
            return Range(0.0, 1.0, True)
        low = self._bound(block, support.lower, -INF, lambda r: r.low)
        high = self._bound(block, support.upper, INF, lambda r: r.high)
        if block.family.is_discrete:
            return Range(low, high + 1.0)
        return Range(low, high, open_low=True)

    def _bound(
        self, block: SampleBlock, formula: Any, otherwise: float, end: Callable[[Range], float]
    ) -> float:
        if formula is None:
            return otherwise
        bound = formula(_BoundsOnly(), *[_as_range(self, p) for p in block.parameters])
        return end(bound) if isinstance(bound, Range) else float(bound)

    def _of_difference(self, node: Node, a: Range, b: Range) -> Range:
        """Also by what is left when equal parts cancel, as in (m + s) - m."""
        parts, constant = linear_form(node)
        if len(parts) >= 2:
            return _subtract(a, b)
        total = Range(constant, constant)
        for part, factor in parts.values():
            total = _add(total, _multiply(Range(factor, factor), self._known[part.number]))
            if factor > 0 and constant == 0:
                total = Range(total.low, total.high, self._known[part.number].open_low)
        return total

    def _selected(self, node: Node, condition: Range, then: Range, otherwise: Range) -> Range:
        """The union of both branches, each narrowed by what the test says of it."""
        test, a, b = node.arguments
        if test.operation == "less" and test.arguments[1].operation == "constant":
            limit = test.arguments[1].payload
            subject = test.arguments[0]
            if a is subject:
                then = Range(then.low, min(then.high, limit), then.open_low)
            if b is subject and limit > otherwise.low:
                otherwise = Range(limit, otherwise.high)
        return union((then, otherwise))


class _BoundsOnly:
    """Formulas of supports use the parameters as they are, or counts of them."""

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: ANY


def _as_range(ranges: Ranges, value: Value) -> Any:
    if isinstance(value, Node):
        return _RangeValue(ranges.of(value))
    return value


class _RangeValue(Range):
    """A range that formulas can add to and subtract from."""

    def __new__(cls, r: Range) -> _RangeValue:
        return super().__new__(cls, *r)

    def __add__(self, other: Any) -> Any:
        return _RangeValue(_add(self, _number(other)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _RangeValue(_subtract(self, _number(other)))

    def __rsub__(self, other: Any) -> Any:
        return _RangeValue(_subtract(_number(other), self))


def _number(value: Any) -> Range:
    return value if isinstance(value, Range) else Range(float(value), float(value))


def union(ranges: Sequence[Range]) -> Range:
    """The smallest range with all numbers of the given ones."""
    low = min(r.low for r in ranges)
    return Range(
        low, max(r.high for r in ranges), all(r.open_low for r in ranges if r.low == low)
    )


def _add(a: Range, b: Range) -> Range:
    return Range(_sum(a.low, b.low, -INF), _sum(a.high, b.high, INF), a.open_low or b.open_low)


def _sum(a: float, b: float, otherwise: float) -> float:
    total = a + b
    return otherwise if math.isnan(total) else total


def _negative(a: Range) -> Range:
    return Range(-a.high, -a.low)


def _subtract(a: Range, b: Range) -> Range:
    return Range(_sum(a.low, -b.high, -INF), _sum(a.high, -b.low, INF), a.open_low)


def _multiply(a: Range, b: Range) -> Range:
    corners = [x * y if x and y else 0.0 for x in a[:2] for y in b[:2]]
    positive = a.is_positive and b.is_positive
    return Range(min(corners), max(corners), positive)


def _square(a: Range) -> Range:
    ends = (a.low * a.low, a.high * a.high)
    inside = a.low <= 0 <= a.high
    low = 0.0 if inside else min(ends)
    return Range(low, max(ends), a.low == 0 and a.open_low)


def _divide(a: Range, b: Range) -> Range:
    if not b.is_positive:
        return ANY
    reciprocal = Range(
        0.0 if b.high == INF else 1.0 / b.high, INF if b.low == 0 else 1.0 / b.low, True
    )
    return _multiply(a, reciprocal)


def _increasing(function: Callable[[float], float], low: float, high: float) -> Any:
    def rule(a: Range) -> Range:
        floor = low if a.low == -INF else float(function(a.low))
        roof = high if a.high == INF else float(function(a.high))
        if math.isnan(floor) or math.isnan(roof):
            return Range(low, high)
        return Range(floor, roof, a.low == -INF or a.open_low)

    return rule


def _log(a: Range) -> Range:
    low = -INF if a.low <= 0 else math.log(a.low)
    return Range(low, INF if a.high == INF or a.high <= 0 else math.log(a.high), a.open_low)


def _sqrt(a: Range) -> Range:
    if a.low < 0:
        return Range(0.0, INF)
    return Range(math.sqrt(a.low), INF if a.high == INF else math.sqrt(a.high), a.open_low)


def _reduced(kind: str, a: Range, least_count: int) -> Range:
    if kind == "sum":
        low = 0.0 if a.low >= 0 else -INF
        return Range(low, 0.0 if a.high <= 0 else INF, a.is_positive and least_count > 0)
    return a if kind in ("max", "min") and least_count > 0 else ANY


def _floor(a: Range) -> Range:
    low = a.low if math.isinf(a.low) else float(math.floor(a.low))
    return Range(low, a.high if math.isinf(a.high) else float(math.floor(a.high)))


def linear_form(node: Node) -> tuple[dict[int, tuple[Node, float]], float]:
    """A node as a constant and a sum of other nodes with factors, equal ones joined.

    >>> from lfppl.trace.graph import Graph
    >>> graph = Graph()
    >>> x = graph.coordinate(graph.domains.root, 0)
    >>> linear_form(x - (x - 1.0))
    ({}, 1.0)
    """
    parts: dict[int, tuple[Node, float]] = {}
    constant = 0.0
    waiting = [(node, 1.0)]
    for _ in range(MAX_FORM):
        if not waiting:
            break
        current, factor = waiting.pop()
        if current.operation == "constant":
            constant += factor * current.payload
        elif current.operation in _SIGNS:
            signs = _SIGNS[current.operation]
            waiting.extend((a, factor * sign) for a, sign in zip(current.arguments, signs, strict=True))
        else:
            known = parts.get(current.number, (current, 0.0))[1]
            parts[current.number] = (current, known + factor)
    for rest, factor in waiting:
        parts[rest.number] = (rest, parts.get(rest.number, (rest, 0.0))[1] + factor)
    return {number: part for number, part in parts.items() if part[1] != 0.0}, constant


MAX_FORM = 64
"""A sum is taken apart into at most so many parts."""

_SIGNS = {"+": (1.0, 1.0), "-": (1.0, -1.0), "neg": (-1.0,)}


def _less(a: Range, b: Range) -> Range:
    return Range(float(a.high < b.low), float(not a.low >= b.high))


def _is_scaled(node: Node, base: Node) -> bool:
    """Whether a node is a number 0 or greater times another."""
    if node.operation != "*":
        return False
    a, b = node.arguments
    return any(
        scale.is_static and other is base and bool((scale.static_rows() >= 0).all())
        for scale, other in ((a, b), (b, a))
    )


def _is_quadratic_form(node: Node, inner: Domain) -> bool:
    """Whether a sum is x'Ax with A symmetric and positive semidefinite."""
    if node.operation != "*":
        return False
    for x, ax in (node.arguments, node.arguments[::-1]):
        if ax.operation == "linear" and ax.arguments[0] is x and inner.rows <= MAX_MATRIX:
            weights = ax.payload if isinstance(ax.payload, np.ndarray) else ax.payload.toarray()
            if weights.shape[0] == weights.shape[1] and np.allclose(weights, weights.T):
                return bool(np.linalg.eigvalsh(weights)[0] >= -1e-12 * np.abs(weights).max())
    return False


_RULES: dict[str, Callable[..., Range]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "neg": _negative,
    "exp": _increasing(lambda x: math.exp(min(x, 700.0)), 0.0, INF),
    "log": _log,
    "sqrt": _sqrt,
    "log1p": lambda a: _log(Range(a.low + 1.0, a.high + 1.0, a.open_low)),
    "expm1": _increasing(lambda x: math.expm1(min(x, 700.0)), -1.0, INF),
    "sigmoid": lambda a: Range(0.0, 1.0, True),
    "softplus": lambda a: POSITIVE,
    "sin": lambda a: Range(-1.0, 1.0),
    "cos": lambda a: Range(-1.0, 1.0),
    "tanh": _increasing(math.tanh, -1.0, 1.0),
    "atan": _increasing(math.atan, -math.pi / 2, math.pi / 2),
    "cosh": lambda a: Range(1.0, INF),
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
