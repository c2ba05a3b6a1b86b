"""Marks on the rows of nodes, and how they travel from values to what the values depend on."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lfppl.trace.domains import Rows
from lfppl.trace.graph import Node

Mark: TypeAlias = int | NDArray[np.int64]
"""A number for all rows, or one for each row; -1 for rows without a mark."""


def kinds(values: Rows) -> Rows:
    """The different values in order; quick where all are equal, as in a plate, or are in order."""
    if len(values) and (values == values[0]).all():
        return values[:1]
    if (values[1:] > values[:-1]).all():
        return values
    return np.unique(values)


def merge(first: Mark | None, second: Mark) -> Mark:
    """The smaller mark of each row where both have one, else the one there is.

    >>> merge(np.array([-1, 4, 9]), 7).tolist()
    [7, 4, 7]
    """
    if first is None:
        return second
    if isinstance(first, int) and isinstance(second, int):
        return min(first, second)
    smaller = np.minimum(first, second)
    return np.where(smaller < 0, np.maximum(first, second), smaller)


def covers(first: Mark | None, second: Mark) -> bool:
    """Whether all rows that the second marks are marked by the first.

    >>> covers(np.array([-1, 4]), np.array([-1, 2])), covers(np.array([-1, 4]), 2)
    (True, False)
    """
    if first is None:
        return not isinstance(second, int) and bool((second < 0).all())
    return isinstance(first, int) or bool(((first >= 0) | (np.asarray(second) < 0)).all())


def collect(mark: Mark, rows: Rows, size: int) -> Mark:
    """The marks of rows of another domain, of which row r is `rows[r]`.

    >>> collect(np.array([5, -1, 3]), np.array([0, 1, 0]), 2).tolist()
    [3, -1]
    """
    if size == 1:
        return mark if isinstance(mark, int) else _smallest(mark)
    result = np.full(size, np.iinfo(np.int64).max, dtype=np.int64)
    if isinstance(mark, int):
        result[rows] = mark
    else:
        marked = mark >= 0
        np.minimum.at(result, rows[marked], mark[marked])
    return np.where(result == np.iinfo(np.int64).max, -1, result)


def _smallest(mark: NDArray[np.int64]) -> int:
    marked = mark[mark >= 0]
    return int(marked.min()) if len(marked) else -1


class Spreading:
    """Marks carried from nodes to everything they are computed from.

    `reached` is told of the rows of every coordinate that is marked; it may add more marks.
    Nodes wait in the order in which they were built, the last first, so that a node is looked at
    when all that read it have been.
    """

    def __init__(self, reached: Callable[[Node, Mark], None]) -> None:
        self.marks: dict[int, Mark] = {}
        self._reached = reached
        self._order: list[int] = []
        self._waiting: dict[int, Node] = {}

    def add(self, node: Node, mark: Mark) -> None:
        """Mark rows of a node."""
        if node.domain.rows == 1 and not isinstance(mark, int):
            mark = _smallest(mark)
        before = self.marks.get(node.number)
        if isinstance(mark, int) and mark < 0:
            return
        if node.number not in self._waiting and not covers(before, mark):
            self._waiting[node.number] = node
            heapq.heappush(self._order, -node.number)
        self.marks[node.number] = merge(before, mark)

    def run(self) -> None:
        """Carry all marks to the end."""
        while self._order:
            node = self._waiting.pop(-heapq.heappop(self._order))
            mark = self.marks[node.number]
            if node.operation == "coordinate":
                self._reached(node, mark)
            for i, argument in enumerate(node.arguments):
                if not argument.is_static:
                    self.add(argument, _CARRY.get(node.operation, _same)(node, i, mark))


def _same(node: Node, i: int, mark: Mark) -> Mark:
    return mark


def _lift(node: Node, i: int, mark: Mark) -> Mark:
    return collect(mark, node.payload, node.arguments[0].domain.rows)


def _reduce(node: Node, i: int, mark: Mark) -> Mark:
    return mark if isinstance(mark, int) else mark[node.payload[1].parent_row]


def _stack(node: Node, i: int, mark: Mark) -> Mark:
    if isinstance(mark, int):
        return mark
    return mark.reshape(-1, len(node.arguments))[:, i]


def _linear(node: Node, i: int, mark: Mark) -> Mark:
    size = node.arguments[0].domain.rows
    weights = node.payload
    if isinstance(weights, np.ndarray):
        best = mark if isinstance(mark, int) else _smallest(mark)
        return collect(best, np.flatnonzero(weights.any(axis=0)), size)
    rows = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    values = mark if isinstance(mark, int) else mark[rows]
    return collect(values, weights.indices.astype(np.int64), size)


_CARRY: dict[str, Callable[[Node, int, Mark], Mark]] = {
    "lift": _lift,
    "reduce": _reduce,
    "stack": _stack,
    "linear": _linear,
}
