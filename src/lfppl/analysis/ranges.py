"""Ranges of expressions: an interval each number surely lies in, for proving constraints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lfppl.analysis.intervals import (
    ANY,
    INF,
    RULES,
    Range,
    add,
    multiply,
    reduced,
    square,
    subtract,
    union,
)
from lfppl.analysis.sums import linear_form
from lfppl.trace.domains import Domain
from lfppl.trace.graph import Graph, Node
from lfppl.trace.records import SampleBlock, Trace
from lfppl.trace.values import Argument

MAX_MATRIX = 1000
"""Larger matrices are not tested for being positive semidefinite."""


class Ranges:
    """The range of every node of a trace.

    Sampled variables lie in their support, and what cancels in a sum is gone. Not so `in_floats`:
    these are ranges of the numbers that arrive, where a sampler may propose values outside a
    support and a large number swallows a small one. Only they prove a check at run time needless.

    >>> from lfppl.trace.graph import Graph
    >>> from lfppl.trace.records import Trace
    >>> graph = Graph()
    >>> ranges = Ranges(Trace(graph))
    >>> ranges.of(graph.constant(2.0))
    Range(low=2.0, high=2.0, open_low=False)
    """

    def __init__(self, trace: Trace, *, in_floats: bool = False) -> None:
        self.in_floats = in_floats
        self._samples = trace.samples
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
            return ANY if self.in_floats else self._of_block(self._samples[node.payload])
        arguments = [self._known[argument.number] for argument in node.arguments]
        special = _SPECIAL.get(node.operation)
        if special is not None:
            return special(self, node, *arguments)
        rule = RULES.get(node.operation)
        return rule(*arguments) if rule else ANY

    # --- sampled variables -----------------------------------------------------------------------

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

    # --- operations that need more than the ranges of their arguments ----------------------------

    def _of_floor(self, node: Node, a: Range) -> Range:
        """An embedded integer stays below the end of its last cell."""
        source = node.arguments[0]
        if source.operation != "coordinate" or self.in_floats:
            return RULES["floor"](a)
        is_discrete = self._samples[source.payload].family.is_discrete
        return Range(a.low, a.high - 1.0) if is_discrete else RULES["floor"](a)

    def _of_reduction(self, node: Node, a: Range) -> Range:
        kind, inner = node.payload
        if kind == "sum" and _is_quadratic_form(node.arguments[0], inner):
            return Range(0.0, INF)
        return reduced(kind, a, int(inner.counts.min(initial=0)))

    def _of_difference(self, node: Node, a: Range, b: Range) -> Range:
        """Also by what is left when equal parts cancel, as in (m + s) - m."""
        plain = subtract(a, b)
        if self.in_floats or plain.low >= 0:
            return plain
        parts, constant = linear_form(node)
        total = Range(constant, constant)
        for part in parts:
            scaled = multiply(Range(part.factor, part.factor), self._known[part.node.number])
            is_open = part.factor > 0 and self._known[part.node.number].open_low
            total = add(total, scaled._replace(open_low=is_open))
        return total if total.low >= plain.low else plain

    def _of_product(self, node: Node, a: Range, b: Range) -> Range:
        first, second = node.arguments
        if first is second:
            return square(a)
        if _is_scaled(second, first) or _is_scaled(first, second):
            return Range(0.0, INF)
        return multiply(a, b)

    def _of_choice(self, node: Node, condition: Range, then: Range, otherwise: Range) -> Range:
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


_SPECIAL: dict[str, Callable[..., Range]] = {
    "floor": Ranges._of_floor,
    "reduce": Ranges._of_reduction,
    "-": Ranges._of_difference,
    "*": Ranges._of_product,
    "select": Ranges._of_choice,
}


class _BoundsOnly:
    """Formulas of supports use the parameters as they are, or counts of them."""

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: ANY


def _as_range(ranges: Ranges, value: Argument) -> Any:
    return _RangeValue(ranges.of(value)) if isinstance(value, Node) else value


class _RangeValue(Range):
    """A range that formulas can add to and subtract from."""

    def __new__(cls, r: Range) -> _RangeValue:
        return super().__new__(cls, *r)

    def __add__(self, other: Any) -> Any:
        return _RangeValue(add(self, _number(other)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _RangeValue(subtract(self, _number(other)))

    def __rsub__(self, other: Any) -> Any:
        return _RangeValue(subtract(_number(other), self))


def _number(value: Any) -> Range:
    return value if isinstance(value, Range) else Range(float(value), float(value))


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
