"""The trace's graph in numbers, for many points at once: arrays of (point, row)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.core.primitives import NumpyMath
from lfppl.trace.domains import Domain
from lfppl.trace.graph import Node
from lfppl.trace.values import Argument

Floats = NDArray[np.float64]
_MATH = NumpyMath()


class Numbers:
    """The values of nodes at some points; the coordinates are set block by block.

    A node over a domain of n rows has an array (points, n), or one that broadcasts to it.

    >>> from lfppl.trace.graph import Graph
    >>> graph = Graph()
    >>> x = graph.coordinate(graph.domains.root, 0)
    >>> numbers = Numbers(2)
    >>> numbers.set(x, np.array([[1.0], [2.0]]))
    >>> numbers.of(graph.exp(x) + 1.0).round(2).tolist()
    [[3.72], [8.39]]
    """

    def __init__(self, points: int) -> None:
        self.points = points
        self._values: dict[int, Floats] = {}

    def set(self, node: Node, values: Floats) -> None:
        """Give the numbers of a node, of a coordinate as a rule."""
        self._values[node.number] = values

    def of(self, node: Node) -> Floats:
        """The numbers of a node, one for every point and row."""
        for each in needed([node], self._values):
            self._values[each.number] = self._computed(each)
        values = self._values[node.number]
        return np.broadcast_to(values, (self.points, node.domain.rows))

    def argument(self, argument: Argument, domain: Domain) -> Floats:
        """A formula's argument for the rows of a domain; a vector's elements are the last axis."""
        if isinstance(argument, Node):
            rows = self.of(argument)
            if argument.domain is not domain and argument.domain.rows > 1:
                rows = rows[:, domain.row_in(argument.domain)]
            return np.broadcast_to(rows, (self.points, domain.rows))
        parts = [self.argument(part, domain) for part in argument]
        return _stacked(parts, (self.points, domain.rows))

    def _computed(self, node: Node) -> Floats:
        arguments = [self._values[argument.number] for argument in node.arguments]
        rule = _RULES.get(node.operation)
        if rule is not None:
            return rule(node, *arguments)
        return np.asarray(_MATH.apply(node.operation, *arguments), np.float64)


def needed(nodes: Iterable[Node], known: Any = ()) -> list[Node]:
    """The nodes that some nodes are computed from, themselves included, in the order of computing.

    What `known` holds the numbers of is left out, and what only that needs.
    """
    found: dict[int, Node] = {}
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node.number not in found and node.number not in known:
            found[node.number] = node
            waiting.extend(node.arguments)
    return [found[number] for number in sorted(found)]


def _stacked(parts: list[Floats], shape: tuple[int, int]) -> Floats:
    """Vectors element by element; ones as long as the rest of the shape allows."""
    if not parts:
        return np.empty((*shape, 0))
    return np.stack(parts, axis=2)


def _constant(node: Node) -> Floats:
    return np.full((1, 1), node.payload)


def _table(node: Node) -> Floats:
    return np.asarray(node.payload, np.float64)[None, :]


def _lift(node: Node, values: Floats) -> Floats:
    return values if values.shape[1] == 1 else values[:, node.payload]


def _stack(node: Node, *values: Floats) -> Floats:
    rows = node.domain.rows // len(values)
    points = max(len(part) for part in values)
    wide = [np.broadcast_to(part, (points, rows)) for part in values]
    return np.stack(wide, axis=2).reshape(points, -1)


def _linear(node: Node, values: Floats) -> Floats:
    values = np.broadcast_to(values, (len(values), node.payload.shape[1]))
    return np.asarray((node.payload @ values.T).T, np.float64)


def _reduce(node: Node, values: Floats) -> Floats:
    kind, inner = node.payload
    values = np.broadcast_to(values, (len(values), inner.rows))
    function, start = _REDUCTIONS[kind]
    result = np.full((len(values), len(inner.counts)), start)
    filled = inner.counts > 0
    if filled.any():
        with np.errstate(all="ignore"):
            result[:, filled] = function.reduceat(values, inner.starts[filled], axis=1)
    return result


_REDUCTIONS: dict[str, tuple[Any, float]] = {
    "sum": (np.add, 0.0),
    "max": (np.maximum, -np.inf),
    "min": (np.minimum, np.inf),
    "logsumexp": (np.logaddexp, -np.inf),
}

_RULES: dict[str, Callable[..., Floats]] = {
    "constant": _constant,
    "table": _table,
    "lift": _lift,
    "stack": _stack,
    "linear": _linear,
    "reduce": _reduce,
}
