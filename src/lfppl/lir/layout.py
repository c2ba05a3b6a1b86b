"""Laying pieces out as nodes of the LIR: equal shapes grouped, addresses, the schedule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.errors import CompilerBug
from lfppl.lir.coordinates import Coordinates
from lfppl.lir.kernels import STRUCTURAL_NODES, Output, Piece, cut, live
from lfppl.lir.tables import (
    Addresses,
    Affine,
    Column,
    Gather,
    Indexed,
    Linear,
    Map,
    Reduce,
    Run,
    Table,
    Uniform,
)
from lfppl.lir.tables import Node as Row
from lfppl.trace.graph import Node

LAST = 1 << 60
"""The level of rows that nothing reads: they come at the end, together."""


@dataclass
class Part:
    """What becomes consecutive rows of a node: a piece, or a reduction or matrix of the graph."""

    content: Piece | Node
    report: bool = False
    level: int = 0
    group: int = -1
    first: int = 0

    @property
    def nodes(self) -> list[Node]:
        """The graph nodes that get an address here."""
        if isinstance(self.content, Node):
            return [self.content]
        return [output.node for output in self.content.outputs]

    @property
    def sources(self) -> tuple[Node, ...]:
        """The graph nodes that are read here."""
        if isinstance(self.content, Node):
            return self.content.arguments
        return tuple(leaf for leaf in self.content.leaves if not leaf.is_static)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.nodes[0].domain.rows


@dataclass
class Group:
    """Parts of one shape: they become one node."""

    parts: list[Part] = field(default_factory=list)
    base: int = 0
    rows: int = 0
    width: int = 1


class Layout:
    """Everything's place in the flat array, and the nodes and the schedule that follow."""

    def __init__(
        self, sinks: list[Output], reports: list[Output], coordinates: Coordinates
    ) -> None:
        self._coordinates = coordinates
        parts = _parts(sinks, frozenset(), report=False)
        given = frozenset(node.number for part in parts for node in part.nodes)
        parts += _parts(reports, given, report=True)
        self._part_of: dict[int, tuple[Part, int]] = {}
        for part in parts:
            for k, node in enumerate(part.nodes):
                if not (isinstance(part.content, Piece) and node.operation in STRUCTURAL_NODES):
                    self._part_of[node.number] = (part, k)
        self._copies = {
            output.node.number: (part, k)
            for part in parts
            if isinstance(part.content, Piece)
            for k, output in enumerate(part.content.outputs)
        }
        self._known: dict[int, Addresses] = {}
        self._set_levels(parts)
        self.groups = _grouped(parts)
        self.size = self._place()

    # --- addresses -------------------------------------------------------------------------------

    def addresses(self, node: Node) -> Addresses:
        """Where the number of each row of a node stands."""
        if node.number not in self._known:
            self._known[node.number] = self._addresses(node)
        return self._known[node.number]

    def _addresses(self, node: Node) -> Addresses:
        if node.operation in ("coordinate", "state"):
            slots: Addresses = self._coordinates.blocks[node.payload].slots.reshape(-1)
            return slots
        if node.operation == "lift":
            lifted: Addresses = self.addresses(node.arguments[0])[node.payload]
            return lifted
        if node.operation == "stack":
            rows = node.domain.rows // len(node.arguments)
            columns = [np.broadcast_to(self.addresses(a), (rows,)) for a in node.arguments]
            return np.stack(columns, axis=1).reshape(-1)
        if node.number not in self._part_of:
            raise CompilerBug(f"no address for {node.operation}")
        part, output = self._part_of[node.number]
        return self._rows_of(part, output)

    def _rows_of(self, part: Part, output: int) -> Addresses:
        group = self.groups[part.group]
        start = group.base + output * group.rows + part.first
        return np.arange(start, start + part.rows, dtype=np.int32)

    def output_rows(self, node: Node) -> tuple[int, int, int]:
        """The LIR node, output number and first row of a sink."""
        part, output = self._copies[node.number]
        return part.group, output, part.first

    # --- order -----------------------------------------------------------------------------------

    def _set_levels(self, parts: list[Part]) -> None:
        levels: dict[int, int] = {}
        readers: set[int] = set()
        for part in sorted(parts, key=lambda p: max(node.number for node in p.nodes)):
            self._settle(part, levels)
        for part in parts:
            for source in part.sources:
                readers.update(id(p) for p in self._read_parts(source))
        for part in parts:
            if id(part) not in readers:
                part.level = LAST

    def _settle(self, part: Part, levels: dict[int, int]) -> int:
        """The level of a part: one more than the highest it reads."""
        waiting = [part]
        while waiting:
            current = waiting[-1]
            if id(current) in levels:
                waiting.pop()
                continue
            below = [p for source in current.sources for p in self._read_parts(source)]
            missing = [p for p in below if id(p) not in levels]
            if missing:
                waiting.extend(missing)
            else:
                current.level = 1 + max((levels[id(p)] for p in below), default=0)
                levels[id(current)] = current.level
        return part.level

    def _read_parts(self, node: Node) -> list[Part]:
        """The parts that hold the numbers of a node."""
        if node.number in self._part_of:
            return [self._part_of[node.number][0]]
        if node.operation in ("lift", "stack"):
            return [part for argument in node.arguments for part in self._read_parts(argument)]
        return []

    def _place(self) -> int:
        start = self._coordinates.dimension
        for number, group in enumerate(self.groups):
            group.parts.sort(key=lambda part: part.level)
            group.base, group.width = start, len(group.parts[0].nodes)
            for part in group.parts:
                part.group, part.first = number, group.rows
                group.rows += part.rows
            start += group.rows * group.width
        return start

    def schedule(self, *, report: bool) -> tuple[Run, ...]:
        """The rows that the density needs, or those for the report, in an order of computing."""
        runs: list[tuple[int, int, Run]] = []
        for number, group in enumerate(self.groups):
            if group.parts[0].report is not report:
                continue
            for part in group.parts:
                run = Run(number, part.first, part.first + part.rows)
                if runs and runs[-1][0] == part.level and runs[-1][2].node == number:
                    run = Run(number, runs.pop()[2].start, run.stop)
                runs.append((part.level, number, run))
        return tuple(run for _, _, run in sorted(runs, key=lambda item: item[:2]))

    # --- nodes -----------------------------------------------------------------------------------

    def nodes(self) -> tuple[Row, ...]:
        """The nodes of the LIR."""
        return tuple(self._node(group) for group in self.groups)

    def _node(self, group: Group) -> Row:
        first = group.parts[0].content
        if isinstance(first, Piece):
            columns = tuple(self._column(group, i) for i in range(first.kernel.inputs))
            return Map(first.kernel, columns, group.rows, group.base)
        if first.operation == "linear":
            inputs = gather(self.addresses(first.arguments[0]))
            return Linear(first.payload, inputs, group.rows, group.base)
        return self._reduce(group, first.payload[0])

    def _column(self, group: Group, i: int) -> Column:
        leaves = [part.content.leaves[i] for part in group.parts if isinstance(part.content, Piece)]
        if leaves[0].is_static:
            rows = [
                np.broadcast_to(np.asarray(leaf.payload, dtype=np.float64), (part.rows,))
                for leaf, part in zip(leaves, group.parts, strict=True)
            ]
            values = rows[0] if len(rows) == 1 else np.concatenate(rows)
            if all(leaf.operation == "constant" for leaf in leaves) and _all_equal(values):
                return Uniform(float(values[0]))
            return Table(np.ascontiguousarray(values))
        found = [self.addresses(leaf) for leaf in leaves]
        return gather(found[0] if len(found) == 1 else np.concatenate(found))

    def _reduce(self, group: Group, kind: Any) -> Reduce:
        inputs, counts = [], []
        for part in group.parts:
            assert isinstance(part.content, Node)
            inputs.append(self.addresses(part.content.arguments[0]))
            counts.append(part.content.payload[1].counts)
        offsets = np.concatenate(([0], np.cumsum(np.concatenate(counts))))
        return Reduce(kind, gather(np.concatenate(inputs)), offsets, group.rows, group.base)


def gather(addresses: NDArray[np.int32]) -> Gather:
    """Addresses as a start and a stride where they are regular.

    >>> gather(np.array([4, 6, 8]))
    Affine(start=4, stride=2)
    """
    if len(addresses) == 1:
        return Affine(int(addresses[0]), 0)
    if len(addresses):
        stride = int(addresses[1]) - int(addresses[0])
        if stride >= 0 and bool((np.diff(addresses) == stride).all()):
            return Affine(int(addresses[0]), stride)
    return Indexed(np.ascontiguousarray(addresses, dtype=np.int32))


def _all_equal(values: NDArray[np.float64]) -> bool:
    return len(values) > 0 and bool((values == values[0]).all())


def _parts(sinks: list[Output], given: frozenset[int], *, report: bool) -> list[Part]:
    """What has to be computed for some sinks beyond what is given."""
    nodes = live((output.node for output in sinks), given)
    tables = [n for n in nodes if n.operation in ("reduce", "linear") and n.number not in given]
    pieces = cut(sinks, given)
    return [Part(table, report) for table in tables] + [Part(piece, report) for piece in pieces]


def _grouped(parts: list[Part]) -> list[Group]:
    groups: dict[Any, Group] = {}
    for i, part in enumerate(parts):
        groups.setdefault(_shape(part, i), Group()).parts.append(part)
    return list(groups.values())


def _shape(part: Part, number: int) -> Any:
    """What parts must have in common to be rows of one node."""
    content = part.content
    if isinstance(content, Node):
        alone = content.operation == "linear" or part.rows > 1
        return ("alone", number) if alone else ("reduce", content.payload[0], part.report)
    kinds = tuple(_kind(leaf, part.rows) for leaf in content.leaves)
    roles = tuple(output.role for output in content.outputs)
    return (content.kernel, kinds, roles, part.rows > 1, part.report)


def _kind(leaf: Node, rows: int) -> Any:
    """Unrolled rows are grouped whatever their constants; those of plates only with equal ones."""
    if not leaf.is_static:
        return "gather"
    return ("constant", leaf.payload) if rows > 1 and leaf.operation == "constant" else "table"
