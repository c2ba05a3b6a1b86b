"""Where the values and the terms that a density reports belong: names, shapes, observations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.core.distributions import FAMILIES
from lfppl.lir.tables import Model as Tables
from lfppl.lir.tables import VariableBlock
from lfppl.results.names import RETURN, Quantity

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def quantities(tables: Tables) -> tuple[Quantity, ...]:
    """The variables and the returned value, with the places of their elements in a draw."""
    groups: dict[str, list[tuple[VariableBlock, Integers]]] = {}
    start = 0
    for block in tables.variables:
        places = start + np.arange(block.values.size).reshape(block.values.shape)
        groups.setdefault(block.name, []).append((block, places))
        start += block.values.size
    found = [_variable(name, parts) for name, parts in groups.items()]
    returned = tables.returned.addresses
    if returned.size:
        places = start + np.arange(returned.size).reshape(returned.shape)
        found.append(Quantity(RETURN, places, False))
    return tuple(found)


def _variable(name: str, parts: list[tuple[VariableBlock, Integers]]) -> Quantity:
    indices = np.concatenate([block.indices for block, _ in parts])
    width = max(places.shape[1] for _, places in parts)
    extent = tuple(int(top) + 1 for top in indices.max(axis=0, initial=0))
    is_vector = FAMILIES[parts[0][0].family].is_vector
    shape = (*extent, width) if is_vector else extent
    array = np.full(shape, -1, np.int64)
    for block, places in parts:
        rows = places if is_vector else places[:, 0]
        array[tuple(block.indices.T)] = rows if block.indices.shape[1] else rows[0]
    return Quantity(name, array, all(block.discrete for block, _ in parts))


class Observed(NamedTuple):
    """The terms of an observe statement: rows in the pointwise density, and their loop indices.

    `points[i]` is the row of the pointwise array that term `terms[i]` belongs to.
    """

    site: int
    indices: Integers
    terms: Integers
    points: Integers


def observed_terms(tables: Tables) -> Iterator[Observed]:
    """The observe statements with the terms that belong to them, by row of their loops."""
    numbers, labels = _term_rows(tables)
    for position, vertex in enumerate(tables.vertices):
        if vertex.kind == "observe":
            terms = np.flatnonzero(numbers == position)
            rows = labels[terms]
            used = (rows >= 0).any(axis=0)
            rows = rows[:, used]
            inside = (rows >= 0).all(axis=1)  # a constant shared by all rows belongs to none
            if len(terms) and inside.any():
                terms, rows = terms[inside], rows[inside]
                unique, points = _distinct(rows)
                yield Observed(vertex.site, unique, terms, points)


def _distinct(rows: Integers) -> tuple[Integers, Integers]:
    """The different rows in order, and which of them each row is; quick where they are so."""
    if not rows.shape[1]:
        return rows[:1], np.zeros(len(rows), np.int64)
    if (rows[1:, 0] > rows[:-1, 0]).all():
        return rows, np.arange(len(rows))
    unique, points = np.unique(rows, axis=0, return_inverse=True)
    return unique, points.reshape(-1)


def _term_rows(tables: Tables) -> tuple[Integers, Integers]:
    """The vertex and the loop indices of every term, in order."""
    width = max((factor.indices.shape[1] for factor in tables.factors), default=0)
    numbers = [np.empty(0, np.int64)]
    labels = [np.empty((0, width), np.int64)]
    for factor in tables.factors:
        wide = np.full((len(factor.vertices), width), -1, np.int64)
        wide[:, : factor.indices.shape[1]] = factor.indices
        numbers.append(factor.vertices.astype(np.int64))
        labels.append(wide)
    return np.concatenate(numbers), np.concatenate(labels)


def grid(indices: Integers) -> tuple[int, ...]:
    """The shape that sorted indices fill, or a flat one where they leave holes.

    >>> grid(np.array([[0, 0], [0, 1], [1, 0], [1, 1]])), grid(np.array([[0], [2]]))
    ((2, 2), (2,))
    """
    if not indices.shape[1]:
        return ()
    shape = tuple(int(top) + 1 for top in indices.max(axis=0, initial=-1))
    return shape if int(np.prod(shape)) == len(indices) else (len(indices),)


@dataclass(frozen=True)
class Sums:
    """Terms added up: sum `rows[i]` takes in term `columns[i]`; `shape` counts sums and terms."""

    rows: Integers
    columns: Integers
    shape: tuple[int, int]

    def of(self, terms: Floats) -> Floats:
        """The sums in every row of an array of (draw, term).

        >>> Sums(np.array([0, 2, 0]), np.array([0, 1, 2]), (3, 3)).of(np.array([[1.0, 2.0, 4.0]]))
        array([[5., 0., 2.]])
        """
        result = np.zeros((len(terms), self.shape[0]))
        order = np.lexsort((self.columns, self.rows))
        rows = self.rows[order]
        starts = np.flatnonzero(np.diff(rows, prepend=-1))
        if len(starts):
            chosen = terms[:, self.columns[order]]
            result[:, rows[starts]] = np.add.reduceat(chosen, starts, axis=1)
        return result


def summing(groups: Sequence[tuple[Integers, Integers]], terms: int) -> Sums:
    """How terms are added up: for each (terms, points) the rows of a further block."""
    rows, columns, start = [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0
    for group_terms, points in groups:
        rows.append(start + points)
        columns.append(group_terms)
        start += int(points.max()) + 1 if len(points) else 0
    return Sums(np.concatenate(rows), np.concatenate(columns), (start, terms))
