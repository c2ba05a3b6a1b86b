"""Domains: the rows that an expression has a number for; a plate makes a child of its frame's."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


class Domain:
    """The rows of a plate: `counts[r]` rows for each row r of the parent, in order.

    The root has one row. Domains with equal parent and counts are one object (see `Domains`), so
    two loops over the same range share their rows.
    """

    def __init__(self, number: int, parent: Domain | None, counts: Rows) -> None:
        self.number = number
        self.parent = parent
        self.counts = counts
        self.rows = int(counts.sum())
        self.depth: int = parent.depth + 1 if parent else 0

    @cached_property
    def starts(self) -> Rows:
        """The first row of each parent row."""
        return np.concatenate(([0], np.cumsum(self.counts)[:-1])).astype(np.int64)

    @cached_property
    def every(self) -> Rows:
        """All rows, in order; shared, like the other arrays here, and not to be changed."""
        return np.arange(self.rows, dtype=np.int64)

    @cached_property
    def parent_row(self) -> Rows:
        """The row of the parent that each row belongs to."""
        return np.repeat(np.arange(len(self.counts), dtype=np.int64), self.counts)

    @cached_property
    def index(self) -> Rows:
        """The loop index of each row: its place among the rows of its parent row."""
        if len(self.counts) == 1:
            return self.every
        return self.every - self.starts[self.parent_row]

    @property
    def count(self) -> int | None:
        """The number of rows of every parent row, or None where they differ."""
        first = int(self.counts[0]) if len(self.counts) else 0
        return first if bool((self.counts == first).all()) else None

    def row_in(self, ancestor: Domain) -> Rows:
        """The row of an ancestor (or of itself) that each row lies in."""
        if ancestor is self:
            return self.every
        rows, domain = self.parent_row, self.parent
        while domain is not ancestor:
            assert domain is not None, "not an ancestor"
            rows, domain = domain.parent_row[rows], domain.parent
        return rows

    def is_within(self, ancestor: Domain) -> bool:
        """Whether the other domain is this one or one of its ancestors."""
        domain: Domain | None = self
        while domain is not None and domain.depth > ancestor.depth:
            domain = domain.parent
        return domain is ancestor


class Domains:
    """All domains of a trace, interned.

    >>> domains = Domains()
    >>> plate = domains.child(domains.root, np.array([3]))
    >>> domains.child(domains.root, np.array([3])) is plate, plate.index.tolist()
    (True, [0, 1, 2])
    """

    def __init__(self) -> None:
        self.root = Domain(0, None, np.ones(1, dtype=np.int64))
        self._all: dict[tuple[int, bytes], Domain] = {}

    def child(self, parent: Domain, counts: Rows) -> Domain:
        """The domain with `counts[r]` rows for each row r of the parent."""
        counts = np.ascontiguousarray(counts, dtype=np.int64)
        key = (parent.number, counts.tobytes())
        if key not in self._all:
            self._all[key] = Domain(len(self._all) + 1, parent, counts)
        return self._all[key]

    def repeated(self, parent: Domain, count: int) -> Domain:
        """The domain with the same number of rows for each row of the parent."""
        return self.child(parent, np.full(parent.rows, count, dtype=np.int64))
