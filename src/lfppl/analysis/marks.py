"""Marks on the rows of nodes, and how they travel from values to what the values depend on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lfppl.trace.domains import Rows
from lfppl.trace.graph import Node

Mark: TypeAlias = int | NDArray[np.int64]
"""A number for all rows, or one for each row; -1 for rows without a mark."""


def merge(first: Mark | None, second: Mark) -> Mark:
    """The first mark where there is one, else the second.

    >>> merge(np.array([-1, 4]), 7).tolist()
    [7, 4]
    """
    if first is None:
        return second
    if isinstance(first, int):
        return first
    return np.where(first < 0, second, first)


def collect(mark: Mark, rows: Rows, size: int) -> Mark:
    """The marks of rows of another domain, of which row r is `rows[r]`."""
    if size == 1:
        return mark if isinstance(mark, int) else int(mark.max())
    result = np.full(size, -1, dtype=np.int64)
    if isinstance(mark, int):
        result[rows] = mark
    else:
        marked = mark >= 0
        result[rows[marked]] = mark[marked]
    return result


def spread(marks: dict[int, Mark], nodes: list[Node]) -> dict[int, Mark]:
    """Marks on nodes, carried to everything they are computed from; returns those on coordinates.

    The result is by sample block.
    """
    found: dict[int, Mark] = {}
    for node in reversed(nodes):
        mark = marks.pop(node.number, None)
        if mark is None:
            continue
        if node.operation == "coordinate":
            found[node.payload] = merge(found.get(node.payload), mark)
            continue
        for i, argument in enumerate(node.arguments):
            if not argument.is_static:
                carried = _CARRY.get(node.operation, _same)(node, i, mark)
                if argument.domain.rows == 1 and not isinstance(carried, int):
                    carried = int(carried.max())
                marks[argument.number] = merge(marks.get(argument.number), carried)
    return found


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
        best = mark if isinstance(mark, int) else int(mark.max())
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
