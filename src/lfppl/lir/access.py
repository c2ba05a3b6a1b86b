"""Which addresses the rows of a node write and read."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lfppl.lir.tables import Affine, Gather, Indexed, Linear, Map, Model, Node, Reduce

Positions: TypeAlias = NDArray[np.int64]


class Reads(NamedTuple):
    """Pairs: `rows[i]` of a node reads `addresses[i]`."""

    rows: Positions
    addresses: Positions


def gathered(gather: Gather, positions: Positions) -> Positions:
    """The addresses that a gather reads at some positions.

    >>> gathered(Affine(3, 2), np.array([0, 1, 2])).tolist()
    [3, 5, 7]
    """
    if isinstance(gather, Affine):
        return gather.start + gather.stride * positions
    return gather.addresses[positions].astype(np.int64)


def output_count(node: Node) -> int:
    """How many values a row writes."""
    return len(node.kernel.outputs) if isinstance(node, Map) else 1


def input_count(node: Reduce | Linear) -> int:
    """How many values a reduction or a weighted sum reads in all."""
    return int(node.offsets[-1]) if isinstance(node, Reduce) else int(node.weights.shape[1])


def written(node: Node, rows: Positions) -> Positions:
    """The addresses that some rows write: one line per output, one column per row."""
    outputs = np.arange(output_count(node), dtype=np.int64)
    return node.base + outputs[:, None] * node.rows + rows[None, :]


def reads(node: Node, with_zeros: bool = True) -> Reads:
    """Everything that the rows of a node read; weights of 0 count only `with_zeros`."""
    if isinstance(node, Map):
        return _map_reads(node)
    if isinstance(node, Reduce):
        rows = np.repeat(np.arange(node.rows, dtype=np.int64), np.diff(node.offsets))
        positions = np.arange(input_count(node), dtype=np.int64)
    else:
        rows, positions = _weighted(node, with_zeros)
    return Reads(rows, gathered(node.inputs, positions))


def _map_reads(node: Map) -> Reads:
    rows = np.arange(node.rows, dtype=np.int64)
    gathers = [column for column in node.columns if isinstance(column, Affine | Indexed)]
    if not gathers:
        return Reads(rows[:0], rows[:0])
    addresses = np.concatenate([gathered(gather, rows) for gather in gathers])
    return Reads(np.tile(rows, len(gathers)), addresses)


def _weighted(node: Linear, with_zeros: bool) -> tuple[Positions, Positions]:
    if isinstance(node.weights, np.ndarray):
        used = np.ones(node.weights.shape, bool) if with_zeros else node.weights != 0.0
        rows, columns = np.nonzero(used)
        return rows.astype(np.int64), columns.astype(np.int64)
    entries = np.diff(node.weights.indptr)
    rows = np.repeat(np.arange(node.rows, dtype=np.int64), entries)
    return rows, node.weights.indices.astype(np.int64)


class RowGraph:
    """The rows that the density needs, numbered, and which of them read which address.

    Row r of node n has the number `first[n] + r`; rows of the report read nothing here.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.first = np.cumsum([0, *(node.rows for node in model.nodes)]).astype(np.int64)
        pairs = self._scheduled_reads()
        rows = [self.first[n] + pair.rows for n, pair in enumerate(pairs)]
        empty = np.zeros(0, dtype=np.int64)
        addresses = np.concatenate([empty, *(pair.addresses for pair in pairs)])
        numbers = np.concatenate([empty, *rows])
        self._readers, self._reader_starts = _grouped(numbers, addresses, model.size)
        self._addresses, self._address_starts = _grouped(addresses, numbers, self.count)

    def _scheduled_reads(self) -> list[Reads]:
        needed = np.zeros(self.count, dtype=bool)
        for n, start, stop in self.model.schedule:
            needed[self.first[n] + start : self.first[n] + stop] = True
        found = []
        for n, node in enumerate(self.model.nodes):
            rows, addresses = reads(node, with_zeros=False)
            kept = needed[self.first[n] + rows]
            found.append(Reads(rows[kept], addresses[kept]))
        return found

    @property
    def count(self) -> int:
        """The number of rows in all."""
        return int(self.first[-1])

    def readers(self, addresses: Positions) -> Positions:
        """The numbers of the rows that read one of some addresses."""
        return np.unique(_of_groups(self._readers, self._reader_starts, addresses))

    def addresses_read(self, numbers: Positions) -> Positions:
        """The addresses that rows read, given by number."""
        return np.unique(_of_groups(self._addresses, self._address_starts, numbers))

    def written(self, numbers: Positions) -> Positions:
        """The addresses that rows write, given by number."""
        nodes = np.searchsorted(self.first, numbers, side="right") - 1
        parts = [
            written(self.model.nodes[n], numbers[nodes == n] - self.first[n]).ravel()
            for n in np.unique(nodes)
        ]
        return np.concatenate([np.zeros(0, dtype=np.int64), *parts])

    def reachable(self, addresses: Positions) -> Positions:
        """The numbers of all rows that read, directly or not, one of some addresses."""
        seen = np.zeros(self.count, dtype=bool)
        frontier = self.readers(addresses)
        while len(frontier):
            seen[frontier] = True
            after = self.readers(self.written(frontier))
            frontier = after[~seen[after]]
        return np.flatnonzero(seen)


def _grouped(items: Positions, groups: Positions, count: int) -> tuple[Positions, Positions]:
    """Items in the order of their groups, and where each group begins."""
    order = np.argsort(groups, kind="stable")
    return items[order], np.searchsorted(groups[order], np.arange(count + 1)).astype(np.int64)


def _of_groups(items: Positions, starts: Positions, groups: Positions) -> Positions:
    """The items of some groups, one group after another."""
    lengths = starts[groups + 1] - starts[groups]
    first = np.repeat(starts[groups] - np.cumsum(lengths) + lengths, lengths)
    return items[first + np.arange(len(first))]
