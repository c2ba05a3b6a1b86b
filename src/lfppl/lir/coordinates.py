"""Coordinates of the sampler: which entries of x a variable has, and its change of variables.

A continuous variable with a bounded support is sampled in an unconstrained coordinate; one in Γ
keeps its natural coordinate (DESIGN, section 3, Supports). A simplex is always broken like a stick.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis.discontinuity import Discontinuity
from lfppl.core.distributions.constraints import LEAST_POSITIVE
from lfppl.core.distributions.contract import Formula
from lfppl.trace.domains import Domain
from lfppl.trace.graph import Graph, Node
from lfppl.trace.records import SampleBlock, Trace, index_table
from lfppl.trace.values import Argument

Mapped = Callable[[Node], Node]


@dataclass(frozen=True)
class JacobianTerm:
    """The log Jacobian of a block's change of variables, a number for each row of its domain."""

    block: SampleBlock
    node: Node


@dataclass(frozen=True)
class BlockCoordinates:
    """Where a block stands in x, and what its natural values are.

    `slots[r]` are the entries of x of row r. `transform` names the change of variables of the rows
    that are not discontinuous; `natural` is the block's leaf in the new coordinates. In a mixed
    block only some rows are discontinuous.
    """

    block: SampleBlock
    slots: NDArray[np.int32]
    transform: str
    natural: Node
    bounds: tuple[float, float]
    is_mixed: bool = False


@dataclass(frozen=True)
class Coordinates:
    """All blocks in their coordinates, and the graph rewritten accordingly by `mapped`."""

    dimension: int
    blocks: list[BlockCoordinates]
    jacobians: list[JacobianTerm]
    mapped: Mapped


def choose_coordinates(trace: Trace, found: Discontinuity, *, natural: bool) -> Coordinates:
    """Allocate x, and change variables unless natural coordinates are asked for."""
    choice = _Choice(trace, found, natural)
    blocks = [choice.block(block) for block in trace.samples]
    return Coordinates(choice.dimension, blocks, choice.jacobians, choice.mapped)


class _Choice:
    """The rewriting so far: new nodes by the number of the old."""

    def __init__(self, trace: Trace, found: Discontinuity, natural: bool) -> None:
        self.graph = trace.graph
        self.found = found
        self.is_natural = natural
        self.jacobians: list[JacobianTerm] = []
        self.nodes = list(trace.graph.nodes)
        self.new: dict[int, Node] = {}
        self.done = 0
        self.slots = _allocate(trace, natural)
        self.dimension = sum(slots.size for slots in self.slots)
        self.changed = False

    def mapped(self, node: Node) -> Node:
        """A node of the trace in the new coordinates."""
        if not self.changed or node.number >= len(self.nodes):
            return node
        for old in self.nodes[self.done : node.number + 1]:
            if old.number not in self.new:
                self.new[old.number] = self._rebuilt(old)
        self.done = max(self.done, node.number + 1)
        return self.new[node.number]

    def _rebuilt(self, node: Node) -> Node:
        arguments = [self.new[argument.number] for argument in node.arguments]
        if all(a is b for a, b in zip(arguments, node.arguments, strict=True)):
            return node
        graph = self.graph
        match node.operation:
            case "lift":
                return graph.lift(arguments[0], node.domain, node.payload)
            case "reduce":
                return graph.reduce(node.payload[0], arguments[0], node.payload[1])
            case "stack":
                return graph.stack(arguments)
            case "linear":
                source = graph.lift_to(arguments[0], node.arguments[0].domain)
                return graph.linear(node.payload, source, node.domain)
            case _:
                return graph.lift_to(graph.apply(node.operation, *arguments), node.domain)

    def block(self, block: SampleBlock) -> BlockCoordinates:
        """Choose the coordinate of one block."""
        slots = self.slots[block.number]
        support = block.family.support
        parameters = [map_argument(self.mapped, value) for value in block.parameters]
        low = self._bound(support.lower, parameters)
        high = self._bound(support.upper, parameters)
        name, change = self._change(block, low, high)
        jumps = self.found.by_block[block.number] >= 0
        leaf = block.leaf
        if change is None or (jumps.all() and name != "simplex"):
            self.new[leaf.number] = leaf
            return BlockCoordinates(block, slots, "identity", leaf, _bounds(low, high))
        state = self.graph.state(self._state_domain(block, slots), block.number)
        natural, jacobian = change(state)
        if jumps.any() and name != "simplex":
            mask = self.graph.table(block.domain, jumps.astype(np.float64))
            natural = self.graph.select(mask, state, natural)
            jacobian = self.graph.select(mask, 0.0, jacobian)
        natural = self.graph.lift_to(natural, leaf.domain)
        self.changed = True
        self.new[leaf.number] = natural
        self.jacobians.append(JacobianTerm(block, self.graph.lift_to(jacobian, block.domain)))
        mixed = bool(jumps.any()) and name != "simplex"
        return BlockCoordinates(block, slots, name, natural, _bounds(low, high), mixed)

    def _bound(self, formula: Formula | None, parameters: list[Argument]) -> Node | None:
        return None if formula is None else _node(self.graph, formula(self.graph, *parameters))

    def _state_domain(self, block: SampleBlock, slots: NDArray[np.int32]) -> Domain:
        if not block.family.is_vector:
            return block.domain
        return self.graph.domains.repeated(block.domain, slots.shape[1])

    def _change(
        self, block: SampleBlock, low: Node | None, high: Node | None
    ) -> tuple[str, Callable[[Node], tuple[Node, Node]] | None]:
        support, graph = block.family.support, self.graph
        if self.is_natural or support.kind in ("integers", "vector"):
            return "identity", None
        if support.kind == "simplex":
            return "simplex", lambda state: _break_stick(graph, state, block)
        if low is not None and high is not None:
            return "interval", lambda state: _between(graph, state, low, high)
        if low is not None:
            return "log", lambda state: _above(graph, state, low, 1.0)
        if high is not None:
            return "log", lambda state: _above(graph, state, high, -1.0)
        return "identity", None


def map_argument(mapped: Mapped, argument: Argument) -> Argument:
    """A formula's argument in the new coordinates."""
    if isinstance(argument, Node):
        return mapped(argument)
    return [map_argument(mapped, item) for item in argument]


def _node(graph: Graph, value: Any) -> Node:
    return value if isinstance(value, Node) else graph.constant(value)


def _bounds(low: Node | None, high: Node | None) -> tuple[float, float]:
    """Bounds that hold for all rows; infinite where they are latent."""
    lower = float(low.static_rows().min()) if low is not None and low.is_static else -math.inf
    upper = float(high.static_rows().max()) if high is not None and high.is_static else math.inf
    return lower, upper


def _above(graph: Graph, state: Node, bound: Node, sign: float) -> tuple[Node, Node]:
    """Half a line: x = bound ± exp(u); exp(u) is kept from underflowing to 0."""
    distance = graph.exp(state)
    distance = graph.select(graph.less(distance, LEAST_POSITIVE), LEAST_POSITIVE, distance)
    return bound + distance if sign > 0 else bound - distance, state


def _between(graph: Graph, state: Node, low: Node, high: Node) -> tuple[Node, Node]:
    """An interval: x = low + (high - low) sigmoid(u).

    Edges in the wrong order have density 0 by the relation of their family: the Jacobian, which has
    no value there, counts nothing.
    """
    width = high - low
    extent = graph.select(graph.less(width, LEAST_POSITIVE), 1.0, width)
    natural = low + width * graph.sigmoid(state)
    return natural, graph.log(extent) - graph.softplus(state) - graph.softplus(-state)


def _break_stick(graph: Graph, state: Node, block: SampleBlock) -> tuple[Node, Node]:
    """Stick breaking: piece k takes sigmoid(u_k - log(K - k)) of what is left."""
    parts = block.parts
    pieces: list[Node] = []
    left: Any = 0.0
    jacobian: Any = 0.0
    for k in range(parts - 1):
        u = _part(graph, state, block, k) - math.log(parts - 1 - k)
        log_taken, log_left = -graph.softplus(-u), -graph.softplus(u)
        pieces.append(graph.exp(left + log_taken))
        jacobian = jacobian + left + log_taken + log_left
        left = left + log_left
    pieces.append(graph.exp(left) if parts > 1 else graph.stored(1.0, block.domain))
    natural = graph.stack([graph.lift_to(piece, block.domain) for piece in pieces])
    return natural, _node(graph, jacobian)


def _part(graph: Graph, state: Node, block: SampleBlock, k: int) -> Node:
    rows = np.arange(block.domain.rows, dtype=np.int64) * (block.parts - 1) + k
    return graph.lift(state, block.domain, rows)


def _allocate(trace: Trace, natural: bool) -> list[NDArray[np.int32]]:
    """The entries of x of every block: variable by variable, elements in row-major order."""
    slots: list[NDArray[np.int32]] = [np.empty(0, dtype=np.int32)] * len(trace.samples)
    groups: dict[str, list[SampleBlock]] = {}
    for block in trace.samples:
        groups.setdefault(block.name, []).append(block)
    start = 0
    for group in groups.values():
        widths = [_width(block, natural) for block in group]
        tables = [index_table(block.indices, block.domain) for block in group]
        owner = np.repeat(np.arange(len(group)), [block.domain.rows for block in group])
        order = _row_major(tables)
        sizes = np.asarray(widths)[owner]
        starts = np.empty(len(owner), dtype=np.int64)
        starts[order] = start + np.concatenate(([0], np.cumsum(sizes[order])[:-1]))
        start += int(sizes.sum())
        first = 0
        for block, width in zip(group, widths, strict=True):
            rows = starts[first : first + block.domain.rows]
            slots[block.number] = (rows[:, None] + np.arange(width)).astype(np.int32)
            first += block.domain.rows
    return slots


def _row_major(tables: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    if len({table.shape[1] for table in tables}) == 1 and tables[0].shape[1]:
        joined = np.concatenate(tables)
        return np.lexsort(joined.T[::-1]).astype(np.int64)
    return np.arange(sum(len(table) for table in tables), dtype=np.int64)


def _width(block: SampleBlock, natural: bool) -> int:
    if block.family.support.kind == "simplex" and not natural:
        return block.parts - 1
    return block.parts
