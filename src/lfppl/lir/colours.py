"""Colouring the conflict graph: coordinates of one colour have cones that share no row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lfppl.lir.cones import Pairs

Ints = NDArray[np.int64]

MAX_PERIOD = 8
"""Every m-th coordinate of a variable is tried as a colour for m up to this."""

FEW = 2
"""With so few colours there is nothing to be gained by looking further."""

MAX_SMALL = 200_000
"""With at most so many (coordinate, row) pairs it is worth while to look for fewer colours."""

MAX_GREEDY = 4_000_000
"""With more (coordinate, row) pairs than this, conflicting coordinates get a colour each."""


def colour(pairs: Pairs, blocks: Sequence[Ints]) -> tuple[NDArray[np.int32], ...]:
    """The colours of the coordinates, variable by variable (`blocks` are their coordinates).

    >>> pairs = Pairs(np.array([0, 1, 1, 2]), np.array([5, 5, 6, 6]))
    >>> [c.tolist() for c in colour(pairs, [np.array([0, 1, 2])])]
    [[0, 2], [1]]
    """
    colours: list[NDArray[np.int32]] = []
    places = np.full(int(pairs.coordinates.max(initial=-1)) + 1, -1, dtype=np.int64)
    for block in blocks:
        places[:] = -1
        inside = block[block < len(places)]
        places[inside] = np.arange(len(inside))
        place = places[pairs.coordinates]
        chosen = place >= 0
        rows, place = pairs.rows[chosen], place[chosen]
        colours += [block[part].astype(np.int32) for part in _split(rows, place, len(block))]
    return tuple(colours)


def _split(rows: Ints, place: Ints, size: int) -> list[Ints]:
    """The positions 0 .. size-1 by colour; `place[p]` changes `rows[p]`."""
    everyone = np.arange(size)
    if size == 1 or not len(rows):
        return [everyone] if size else []
    period = _find_period(rows, place, size)
    if period is not None and (period <= FEW or len(rows) > MAX_SMALL):
        return [everyone[k::period] for k in range(period)]
    if len(rows) > MAX_GREEDY or np.unique(rows, return_counts=True)[1].max() == size:
        return [everyone[k : k + 1] for k in range(size)]
    return _greedy(rows, place, size)


def _find_period(rows: Ints, place: Ints, size: int) -> int | None:
    """The least m for which every m-th coordinate may have one colour."""
    periods = range(1, min(MAX_PERIOD, size) + 1)
    return next((m for m in periods if _is_free(rows * m + place % m)), None)


def _is_free(keys: Ints) -> bool:
    ordered = np.sort(keys)
    return not bool((ordered[1:] == ordered[:-1]).any())


def _greedy(rows: Ints, place: Ints, size: int) -> list[Ints]:
    """Each coordinate takes the first colour that none of its rows has seen."""
    taken: dict[int, int] = {}
    chosen = np.zeros(size, dtype=np.int64)
    order = np.argsort(place, kind="stable")
    rows = rows[order]
    bounds = np.searchsorted(place[order], np.arange(size + 1))
    for k in range(size):
        mine = [int(row) for row in rows[bounds[k] : bounds[k + 1]]]
        used = 0
        for row in mine:
            used |= taken.get(row, 0)
        free = (~used & (used + 1)).bit_length() - 1
        chosen[k] = free
        for row in mine:
            taken[row] = taken.get(row, 0) | (1 << free)
    return [np.flatnonzero(chosen == c) for c in range(int(chosen.max()) + 1)]
