"""Cutting the expression graph into kernels: what is stored, and the straight-line code between.

Stored are the sinks (terms, predicates, wanted values), whatever another domain, a reduction or a
matrix reads, and expressions that several kernels need and that cost more than a few operations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from lfppl.lir.tables import Instruction, Kernel
from lfppl.trace.graph import Node

STRUCTURAL_NODES = ("lift", "stack", "state", "coordinate", "reduce", "linear")
"""Nodes that are read by address; `lift` and `stack` are only ways of addressing."""

MAX_REPEATED = 3
"""A shared expression of at most so many cheap operations is computed again in each kernel."""

CHEAP = frozenset({"+", "-", "*", "neg", "less", "not", "and", "or", "select", "floor"})


class Output(NamedTuple):
    """A stored expression, and what it is for: `term`, `predicate` or `value`."""

    node: Node
    role: str


@dataclass
class Piece:
    """The rows that one kernel computes for one domain: its outputs, leaves and code."""

    outputs: list[Output]
    leaves: list[Node] = field(default_factory=list)
    kernel: Kernel = field(default_factory=lambda: Kernel(0, (), ()))

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.outputs[0].node.domain.rows


def is_leaf(node: Node) -> bool:
    """Whether a kernel reads the node instead of computing it."""
    return node.is_static or node.operation in STRUCTURAL_NODES


def live(sinks: Iterable[Node], given: Collection[int] = ()) -> list[Node]:
    """All nodes that some nodes depend on, in order; those given are not looked into."""
    seen: dict[int, Node] = {}
    stack = list(sinks)
    while stack:
        node = stack.pop()
        if node.number not in seen:
            seen[node.number] = node
            if node.number not in given:
                stack.extend(node.arguments)
    return [seen[number] for number in sorted(seen)]


def cut(sinks: list[Output], given: Collection[int] = ()) -> list[Piece]:
    """The kernels that compute all sinks, merged where they read the same rows.

    The nodes numbered in `given` are stored already.
    """
    nodes = live((output.node for output in sinks), given)
    stored = _stored(nodes, {output.node.number for output in sinks}, given)
    roles: dict[int, str] = {output.node.number: output.role for output in sinks}
    outputs = [
        Output(node, roles.get(node.number, "value"))
        for node in nodes
        if node.number in stored and node.number not in given
    ]
    pieces = _merged([_piece([output], stored) for output in outputs])
    return [p if len(p.outputs) == 1 else _piece(p.outputs, stored) for p in pieces]


def _stored(nodes: list[Node], sinks: set[int], given: Collection[int]) -> set[int]:
    """The numbers of the nodes that kernels store.

    Going from the last node to the first, every computed node has an owner: the one stored node
    whose kernel needs it, or itself if it is stored or repeated in several kernels.
    """
    stored = sinks.union(given)
    for node in nodes:
        if node.number not in given:
            stored.update(argument.number for argument in _read_by_address(node))
    costs = _costs(nodes, given)
    owners: dict[int, int | None] = {}
    for node in reversed(nodes):
        if is_leaf(node) or node.number in given:
            continue
        owner = owners.get(node.number, node.number)
        if owner is None and costs[node.number] > MAX_REPEATED:
            stored.add(node.number)
        owner = node.number if node.number in stored or owner is None else owner
        for argument in node.arguments:
            first = owners.setdefault(argument.number, owner)
            owners[argument.number] = owner if first == owner else None
    return stored


def _read_by_address(node: Node) -> list[Node]:
    """The arguments that must stand in memory for a node to read them."""
    if node.operation == "stack":
        return [a for a in node.arguments if a.operation not in STRUCTURAL_NODES]
    if node.operation in STRUCTURAL_NODES:
        return [a for a in node.arguments if not is_leaf(a)]
    return []


def _costs(nodes: list[Node], given: Collection[int]) -> dict[int, int]:
    """How many operations it takes to compute a node again; large where any is not cheap."""
    costs: dict[int, int] = {}
    for node in nodes:
        if is_leaf(node) or node.number in given:
            costs[node.number] = 0
        elif node.operation in CHEAP:
            total = 1 + sum(costs[argument.number] for argument in node.arguments)
            costs[node.number] = min(total, MAX_REPEATED + 1)
        else:
            costs[node.number] = MAX_REPEATED + 1
    return costs


def _piece(outputs: list[Output], stored: set[int]) -> Piece:
    """The code of some outputs: leaves become columns in the order of their first use."""
    code = _Code(stored, {output.node.number for output in outputs})
    registers = [code.register(output.node) for output in outputs]
    return code.finish(outputs, registers)


class _Code:
    """Code being written; leaves and instructions are numbered apart until the end."""

    def __init__(self, stored: set[int], inside: set[int]) -> None:
        self.stored = stored
        self.inside = inside
        self.leaves: list[Node] = []
        self.steps: list[tuple[str, tuple[int, ...]]] = []
        self.known: dict[int, int] = {}

    def register(self, node: Node) -> int:
        """The register of a node: -1 - i for leaf i, k for step k."""
        waiting = [(node, False)]
        while waiting:
            current, ready = waiting.pop()
            if current.number in self.known:
                continue
            if self._is_column(current, node):
                self.known[current.number] = -1 - len(self.leaves)
                self.leaves.append(current)
            elif ready:
                registers = tuple(self.known[a.number] for a in current.arguments)
                self.known[current.number] = len(self.steps)
                self.steps.append((current.operation, registers))
            else:
                waiting.append((current, True))
                waiting.extend((argument, False) for argument in reversed(current.arguments))
        return self.known[node.number]

    def _is_column(self, node: Node, root: Node) -> bool:
        if is_leaf(node):
            return True
        return node.number in self.stored and node.number not in self.inside

    def finish(self, outputs: list[Output], registers: list[int]) -> Piece:
        count = len(self.leaves)

        def place(register: int) -> int:
            return -1 - register if register < 0 else count + register

        instructions = tuple(
            Instruction(name, tuple(place(r) for r in arguments)) for name, arguments in self.steps
        )
        kernel = Kernel(count, instructions, tuple(place(r) for r in registers))
        return Piece(outputs, self.leaves, kernel)


def _merged(pieces: list[Piece]) -> list[Piece]:
    """Pieces over the same rows that read the same leaves, or in a plate fewer, become one."""
    levels = _levels(pieces)
    groups: dict[tuple[int, int], list[Piece]] = {}
    for piece, level in zip(pieces, levels, strict=True):
        domain = piece.outputs[0].node.domain
        groups.setdefault((domain.number, level), []).append(piece)
    return [merged for group in groups.values() for merged in _merge_group(group)]


def _merge_group(pieces: list[Piece]) -> list[Piece]:
    by_leaves: dict[frozenset[int], Piece] = {}
    for piece in pieces:
        key = _dynamic(piece)
        if key in by_leaves:
            by_leaves[key].outputs.extend(piece.outputs)
        else:
            by_leaves[key] = piece
    if pieces[0].rows == 1 or len(by_leaves) == 1:
        return list(by_leaves.values())
    return _absorb(by_leaves)


def _absorb(by_leaves: dict[frozenset[int], Piece]) -> list[Piece]:
    """Each piece joins the first that reads all its leaves and more."""
    readers: dict[int, list[frozenset[int]]] = {}
    for key in by_leaves:
        for leaf in key:
            readers.setdefault(leaf, []).append(key)
    for key in sorted(by_leaves, key=len):
        if not key:
            continue
        rarest = min(key, key=lambda leaf: len(readers[leaf]))
        for other in readers[rarest]:
            if other in by_leaves and len(other) > len(key) and key < other:
                by_leaves[other].outputs.extend(by_leaves.pop(key).outputs)
                break
    return list(by_leaves.values())


def _dynamic(piece: Piece) -> frozenset[int]:
    return frozenset(leaf.number for leaf in piece.leaves if not leaf.is_static)


def _levels(pieces: list[Piece]) -> list[int]:
    """How many stored values lie between a piece and the coordinates, at the most."""
    levels: dict[int, int] = {}

    def of(node: Node) -> int:
        waiting = [node]
        while waiting:
            current = waiting[-1]
            missing = [a for a in current.arguments if a.number not in levels]
            if current.number in levels:
                waiting.pop()
            elif missing:
                waiting.extend(missing)
            else:
                below = [levels[a.number] for a in current.arguments]
                own = current.operation in ("reduce", "linear")
                levels[current.number] = max(below, default=0) + own
        return levels[node.number]

    result = []
    for piece in sorted(pieces, key=lambda p: p.outputs[0].node.number):
        level = max((of(leaf) for leaf in piece.leaves), default=0) + 1
        levels[piece.outputs[0].node.number] = level
    for piece in pieces:
        result.append(levels[piece.outputs[0].node.number])
    return result
