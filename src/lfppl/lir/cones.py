"""Cones: the rows that change when a discontinuous coordinate does, for all coordinates at once.

Everything is done on arrays of pairs (coordinate, row), wave by wave from the coordinates outwards,
so that the cost is the total size of the cones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis.marks import kinds
from lfppl.lir.access import gathered, output_count, reads
from lfppl.lir.tables import (
    Affine,
    Cones,
    ConeShape,
    ConeStep,
    Indexed,
    Map,
    Node,
    Run,
)

Ints = NDArray[np.int64]

MAX_SINGLE = 24
"""Cones of at most so many rows may become row loops of their colour."""


@dataclass(frozen=True)
class Pairs:
    """Coordinate `coordinates[p]` (a position in x) changes global row `rows[p]`.

    Pairs are sorted by coordinate, then by the order in which rows are computed.
    """

    coordinates: Ints
    rows: Ints


class RowIndex:
    """All rows of all nodes, numbered in the order of the nodes; what they read and write."""

    def __init__(self, nodes: Sequence[Node], schedule: Sequence[Run]) -> None:
        self.nodes = nodes
        self.starts = np.cumsum([0, *(node.rows for node in nodes)])
        self.rank = np.zeros(int(self.starts[-1]), dtype=np.int32)
        self._node_of = np.repeat(np.arange(len(nodes)), [node.rows for node in nodes])
        self.order = list(dict.fromkeys(run.node for run in schedule))
        for place, run in enumerate(schedule):
            first = self.starts[run.node]
            self.rank[first + run.start : first + run.stop] = place

    @property
    def total(self) -> int:
        """The number of rows."""
        return int(self.starts[-1])

    def node_of(self, rows: Ints) -> Ints:
        """The node of each global row."""
        return self._node_of[rows]

    def outputs(self, rows: Ints) -> tuple[Ints, Ints]:
        """The addresses that rows write, and the position in `rows` of each."""
        found, owners = [], []
        of = self.node_of(rows)
        for number in kinds(of):
            node = self.nodes[number]
            here = positions(of, number)
            local = rows[here] - self.starts[number]
            width = output_count(node)
            for k in range(width):
                found.append(node.base + k * node.rows + local)
                owners.append(here)
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        return np.concatenate(found), np.concatenate(owners)

    def reads(self, coordinates: Ints, size: int) -> tuple[Ints, Ints]:
        """All (address, global row) pairs where the row reads what depends on some coordinates."""
        reached = np.zeros(size, dtype=bool)
        reached[coordinates] = True
        found: list[tuple[Ints, Ints]] = []
        before = -1
        while before != (count := int(np.count_nonzero(reached))):
            before = count
            found = [pair for number in self.order for pair in self._reads_of(number, reached)]
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        addresses, rows = zip(*found, strict=True)
        return np.concatenate(addresses), np.concatenate(rows)

    def _reads_of(self, number: int, reached: NDArray[np.bool_]) -> list[tuple[Ints, Ints]]:
        """What a node reads of the reached addresses; what it writes is reached then."""
        node, found = self.nodes[number], []
        for addresses, rows in _reads(node, reached):
            hit = reached[addresses]
            if not hit.all():
                addresses, rows = addresses[hit], rows[hit]
            if len(rows):
                found.append((addresses, rows + self.starts[number]))
                width = output_count(node)
                for k in range(width):
                    reached[node.base + k * node.rows + rows] = True
        return found


def _reads(node: Node, reached: NDArray[np.bool_]) -> Iterator[tuple[Ints, Ints]]:
    """The addresses that the rows of a node read, column by column."""
    if not isinstance(node, Map):
        found = reads(node, with_zeros=False)
        yield found.addresses, found.rows
        return
    rows = np.arange(node.rows, dtype=np.int64)
    for column in node.columns:
        if isinstance(column, Affine) and column.stride == 0 and not reached[column.start]:
            continue
        if isinstance(column, Affine | Indexed):
            yield gathered(column, rows), rows


def positions(values: Ints, value: int) -> Ints:
    """Where a value stands; quick where it stands everywhere."""
    hit = values == value
    return np.arange(len(values)) if hit.all() else np.flatnonzero(hit)


def find_pairs(index: RowIndex, coordinates: Ints, size: int) -> Pairs:
    """The cone of every coordinate: the rows that read it, the rows that read those, and so on."""
    addresses, rows = index.reads(coordinates, size)
    if not _is_sorted(addresses):
        order = np.argsort(addresses, kind="stable")
        addresses, rows = addresses[order], rows[order]
    per_address = np.bincount(addresses, minlength=size)
    offsets = np.concatenate(([0], np.cumsum(per_address))).astype(np.int64)
    found = Pairs(coordinates[:0], coordinates[:0])
    who, where = coordinates, coordinates
    while (counts := per_address[where]).any():
        if not (counts == 1).all():
            who, where = (
                np.repeat(who, counts),
                np.repeat(offsets[where], counts) + _counting(counts),
            )
        else:
            where = offsets[where]
        found, fresh = _added(found, Pairs(who, rows[where]), max(index.total, 1))
        where, owners = index.outputs(fresh.rows)
        who = fresh.coordinates[owners]
    coordinate, row = found.coordinates, found.rows
    if not _is_sorted(index.rank[row]):
        order = np.lexsort((row, index.rank[row], coordinate))
        coordinate, row = coordinate[order], row[order]
    return Pairs(coordinate, row)


def _added(known: Pairs, more: Pairs, total: int) -> tuple[Pairs, Pairs]:
    """All pairs in order, and those that are new; `total` is the number of rows."""
    keys = more.coordinates * total + more.rows
    if not len(known.rows) and (keys[1:] > keys[:-1]).all():
        return more, more
    old = known.coordinates * total + known.rows
    fresh = np.setdiff1d(_distinct(keys), old, assume_unique=True)
    together = _distinct(np.concatenate((old, fresh)))
    return Pairs(together // total, together % total), Pairs(fresh // total, fresh % total)


def _distinct(keys: Ints) -> Ints:
    """The keys in order, each once; those of plates are in order already."""
    ordered = keys if _is_sorted(keys) else np.sort(keys)
    fresh = np.ones(len(ordered), dtype=bool)
    fresh[1:] = ordered[1:] != ordered[:-1]
    return ordered[fresh]


def _is_sorted(keys: NDArray[np.signedinteger[Any]]) -> bool:
    return bool((keys[1:] >= keys[:-1]).all())


def _counting(counts: Ints) -> Ints:
    """0 .. c-1 for each count c, one after another."""
    ends: Ints = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) - np.repeat(ends - counts, counts)


def shape_cones(index: RowIndex, pairs: Pairs, coordinates: Ints) -> Cones:
    """Cones grouped by shape."""
    last = int(coordinates[-1]) + 1 if len(coordinates) else 0
    counts = np.bincount(pairs.coordinates, minlength=last)[coordinates]
    starts = np.cumsum(counts) - counts
    shapes: list[ConeShape] = []
    shape_of = np.zeros(len(coordinates), dtype=np.int32)
    place = np.zeros(len(coordinates), dtype=np.int32)
    for count in kinds(counts):
        members = positions(counts, count)
        table = pairs.rows[starts[members][:, None] + np.arange(count)]
        for which in _by_signature(index, coordinates[members], table):
            chosen = members[which]
            shape_of[chosen] = len(shapes)
            place[chosen] = np.arange(len(chosen))
            shapes.append(cone_shape(index, coordinates[chosen], table[which]))
    return Cones(coordinates.astype(np.int32), tuple(shapes), shape_of, place)


def _by_signature(index: RowIndex, members: Ints, table: Ints) -> list[Ints]:
    """The positions of members with equally shaped cones: same nodes, same reads among the rows."""
    signature = list(index.node_of(table).T)
    if table.shape[1] > MAX_SINGLE:
        signature += list(index.rank[table].T)
    else:
        signature += [code for codes in _read_codes(index, members, table) for code in codes]
    varying = [part for part in signature if len(part) > 1 and not (part == part[0]).all()]
    if not varying:
        return [np.arange(len(members))]
    joined = np.stack(varying, axis=1).astype(np.int64)
    keys = joined.view([("", joined.dtype)] * joined.shape[1]).reshape(-1)
    _, inverse = np.unique(keys, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    bounds = np.flatnonzero(np.diff(inverse[order])) + 1
    return sorted(np.split(order, bounds), key=lambda which: int(which[0]))


def _read_codes(index: RowIndex, members: Ints, table: Ints) -> list[list[Ints]]:
    """What each column of each row reads: 0 the coordinate, a `_code` a written value, or -1.

    One code stands for all members where none of them reads anything of its cone.
    """
    codes = []
    written = _written(index, table)
    for step in range(table.shape[1]):
        numbers = index.node_of(table[:, step])
        width = max((_columns(index.nodes[n]) for n in kinds(numbers)), default=0)
        code = [_NOTHING] * width
        for number in kinds(numbers):
            here = positions(numbers, number)
            local = table[here, step] - index.starts[number]
            for j, column in _gathers(index.nodes[number]):
                read = _shared_read(column)
                if read is None or _may_be_inside(read, members, written[:step]):
                    found = _source(gathered(column, local), members[here], here, written, step)
                    if code[j] is _NOTHING:
                        code[j] = np.full(len(members), -1, dtype=np.int64)
                    code[j][here] = found
        codes.append(code)
    return codes


_NOTHING = np.full(1, -1, dtype=np.int64)


def _gathers(node: Node) -> Iterator[tuple[int, Affine | Indexed]]:
    """The columns of a Map that read addresses, with their numbers."""
    if isinstance(node, Map):
        for j, column in enumerate(node.columns):
            if isinstance(column, Affine | Indexed):
                yield j, column


def _shared_read(column: Affine | Indexed) -> int | None:
    """The address that all rows read in a column, if it is one."""
    return column.start if isinstance(column, Affine) and column.stride == 0 else None


def _may_be_inside(address: int, members: Ints, written: list[list[Ints]]) -> bool:
    """Whether an address is a coordinate of the members or written in their cones."""
    return any(
        bool((addresses == address).any())
        for addresses in (members, *(outputs for step in written for outputs in step))
    )


def _written(index: RowIndex, table: Ints) -> list[list[Ints]]:
    """For each step, the address of each output of each member's row (-1 where it has fewer)."""
    result = []
    for step in range(table.shape[1]):
        rows = table[:, step]
        numbers = index.node_of(rows)
        outputs: list[Ints] = []
        for number in kinds(numbers):
            node = index.nodes[number]
            here = positions(numbers, number)
            local = rows[here] - index.starts[number]
            width = output_count(node)
            while len(outputs) < width:
                outputs.append(np.full(len(rows), -1, dtype=np.int64))
            for k in range(width):
                outputs[k][here] = node.base + k * node.rows + local
        result.append(outputs)
    return result


def _source(
    read: Ints, coordinates: Ints, here: Ints, written: list[list[Ints]], step: int
) -> Ints:
    code = np.where(read == coordinates, 0, -1)
    for earlier in range(step):
        for k, addresses in enumerate(written[earlier]):
            code = np.where(read == addresses[here], _code(earlier, k), code)
    return code


def _code(step: int, output: int) -> int:
    return 1 + (step << 16) + output


def _columns(node: Node) -> int:
    return len(node.columns) if isinstance(node, Map) else 0


def cone_shape(index: RowIndex, members: Ints, table: Ints) -> ConeShape:
    """The shape of coordinates whose cones are the rows of a table, all alike."""
    numbers = index.node_of(table[0])
    if table.shape[1] <= MAX_SINGLE:
        codes = _read_codes(index, members[:1], table[:1])
        steps = tuple(
            _single_step(index, int(numbers[s]), table[:, s], codes[s])
            for s in range(table.shape[1])
        )
        single = all(isinstance(index.nodes[n], Map) for n in numbers)
        return ConeShape(members.astype(np.int32), steps, single)
    ranks = index.rank[table[0]]
    bounds = np.flatnonzero((np.diff(numbers) != 0) | (np.diff(ranks) != 0)) + 1
    steps = tuple(
        ConeStep(int(numbers[part[0]]), _rows(table[:, part] - index.starts[numbers[part[0]]]))
        for part in np.split(np.arange(table.shape[1]), bounds)
    )
    return ConeShape(members.astype(np.int32), steps, False)


def _single_step(index: RowIndex, number: int, rows: Ints, codes: list[Ints]) -> ConeStep:
    first = [int(code[0]) for code in codes]
    reads = tuple(c if c <= 0 else ((c - 1) >> 16) + 1 for c in first)
    outputs = tuple(0 if c <= 0 else (c - 1) & 0xFFFF for c in first)
    local = (rows - index.starts[number]).astype(np.int32)
    return ConeStep(number, local, reads, outputs)


def _rows(table: Ints) -> slice | NDArray[np.int32]:
    """A slice where all members change the same consecutive rows, else a row of the table each."""
    first = table[0]
    regular = bool((np.diff(first) == 1).all()) and bool((table == first).all())
    return slice(int(first[0]), int(first[-1]) + 1) if regular else table.astype(np.int32)
