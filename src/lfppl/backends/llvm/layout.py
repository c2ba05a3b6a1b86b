"""Where everything stands in a workspace, what must be stored, and what has a derivative."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm.access import compressed
from lfppl.backends.space import continuous_coordinates
from lfppl.lir.tables import Affine, Gather, Indexed, Map, Model, Node, Reduce

Mask = NDArray[np.bool_]

Passes = Callable[[str, list[bool]], bool]
"""Whether the result of an operation depends on its arguments, given which of them matter."""

MANY_CELLS = 100
"""An integer with fewer possible values is not followed."""

LINE = 8
"""Doubles in a cache line; regions of the workspace begin at one."""


def addresses_of(gather: Gather, count: int) -> NDArray[np.int64]:
    """The addresses that `count` rows read.

    >>> addresses_of(Affine(3, 2), 3)
    array([3, 5, 7])
    """
    if isinstance(gather, Affine):
        return gather.start + gather.stride * np.arange(count, dtype=np.int64)
    return np.asarray(gather.addresses, dtype=np.int64)


def inputs_of(node: Node) -> list[tuple[Gather, int]]:
    """What a node reads of `v`, each with the number of elements."""
    if isinstance(node, Map):
        return [(c, node.rows) for c in node.columns if isinstance(c, Affine | Indexed)]
    if isinstance(node, Reduce):
        return [(node.inputs, int(node.offsets[-1]))]
    return [(node.inputs, node.weights.shape[1])]


def outputs_of(node: Node) -> int:
    """The number of outputs of a node."""
    return len(node.kernel.outputs) if isinstance(node, Map) else 1


def output_range(node: Node, output: int) -> slice:
    """The addresses of an output's rows."""
    start = node.base + output * node.rows
    return slice(start, start + node.rows)


@dataclass
class Layout:
    """The plan of a workspace: `v` first, then the regions that code generation asks for.

    `recomputed` are the nodes whose values moves compute again instead of keeping them.
    """

    model: Model
    size: int = 0
    regions: dict[str, int] = field(default_factory=dict)
    recomputed: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.size = _aligned(self.model.size)

    def region(self, name: str, count: int) -> int:
        """Room for `count` doubles; the same room whenever the name is the same."""
        if name not in self.regions:
            self.regions[name] = self.size
            self.size = _aligned(self.size + count)
        return self.regions[name]

    # --- derivatives

    @cached_property
    def continuous(self) -> NDArray[np.int64]:
        """The positions of the continuous coordinates."""
        return continuous_coordinates(self.model)

    @cached_property
    def active(self) -> Mask:
        """The addresses that depend on a coordinate with a derivative."""
        return self._reached(self.derived, derivable)

    @cached_property
    def followed(self) -> NDArray[np.int64]:
        """The integers of many values whose density is a smooth function of them.

        The gradient is that of the function with its cells rubbed out: `floor` counts as identity.
        """
        chosen = np.zeros(self.model.dimension, dtype=bool)
        for block in self.model.variables:
            many = block.discrete and block.upper - block.lower >= MANY_CELLS
            places = block.coordinates.ravel()
            if block.discontinuous and many and not self._branches_on(places):
                chosen[places] = True
        return np.flatnonzero(chosen)

    @cached_property
    def derived(self) -> NDArray[np.int64]:
        """The coordinates that have a derivative."""
        return np.sort(np.concatenate([self.continuous, self.followed]))

    def _branches_on(self, coordinates: NDArray[np.integer]) -> bool:
        reached = self._reached(coordinates, lambda operation, live: any(live))
        nodes = self.model.nodes
        places = (output_range(nodes[p.node], p.output) for p in self.model.predicates)
        return any(bool(reached[place].any()) for place in places)

    def _reached(self, start: NDArray[np.integer], passes: Passes) -> Mask:
        """The addresses that depend on some coordinates through operations that let them pass."""
        reached = np.zeros(self.model.size, dtype=bool)
        reached[start] = True
        before = -1
        while before != (before := int(reached.sum())):
            for node in self.model.nodes:
                _spread(node, reached, passes)
        return reached

    def active_columns(self, node: Node) -> list[bool]:
        """Which columns (of a Map), or whether the inputs, depend on a continuous coordinate."""
        if isinstance(node, Map):
            return [
                isinstance(c, Affine | Indexed)
                and bool(self.active[addresses_of(c, node.rows)].any())
                for c in node.columns
            ]
        return [bool(self.active[addresses_of(*inputs_of(node)[0])].any())]

    @cached_property
    def readers(self) -> NDArray[np.int32]:
        """How many columns with a derivative read each address."""
        count = np.zeros(self.model.size, dtype=np.int32)
        for place in sorted({run.node for run in self.model.schedule}):
            for gather, length in self._active_inputs(self.model.nodes[place]):
                read = np.zeros(self.model.size, dtype=bool)
                read[addresses_of(gather, length)] = True
                count += read
        return count

    def _active_inputs(self, node: Node) -> list[tuple[Gather, int]]:
        inputs = inputs_of(node)
        return [i for i in inputs if self.active[addresses_of(*i)].any()]

    def is_sink(self, node: Node) -> bool:
        """Whether nothing with a derivative reads the node's outputs."""
        return not any(self.readers[output_range(node, k)].any() for k in range(outputs_of(node)))

    def is_active(self, node: Node) -> bool:
        """Whether the node depends on a continuous coordinate."""
        return any(self.active_columns(node))

    @cached_property
    def _held(self) -> Mask:
        """The addresses that have an adjoint: whole outputs, and the continuous coordinates."""
        held = np.zeros(self.model.size, dtype=bool)
        held[self.derived] = True
        for node in self.model.nodes:
            for k in range(outputs_of(node)):
                block = output_range(node, k)
                held[block] = bool(self.active[block].any() and self.readers[block].any())
        return held

    @cached_property
    def exclusive(self) -> Mask:
        """The addresses whose adjoint one column writes, whole and once: no zeroing, no adding."""
        result = np.zeros(self.model.size, dtype=bool)
        starts = {
            output_range(n, k).start: n.rows for n in self.model.nodes for k in range(outputs_of(n))
        }
        runs = np.bincount([r.node for r in self.model.schedule], minlength=len(self.model.nodes))
        for place, node in enumerate(self.model.nodes):
            if runs[place] != 1 or not isinstance(node, Map):
                continue
            for gather, length in self._active_inputs(node):
                if self._covers(gather, length) and starts.get(gather.start) == length:
                    result[gather.start : gather.start + length] = True
        return result

    def _covers(self, gather: Gather, length: int) -> TypeGuard[Affine]:
        if not isinstance(gather, Affine) or (gather.stride != 1 and length > 1):
            return False
        return bool((self.readers[gather.start : gather.start + length] == 1).all())

    def writes_whole(self, gather: Gather) -> bool:
        """Whether the column is the one that writes the adjoints of what it reads."""
        return isinstance(gather, Affine) and bool(self.exclusive[gather.start])

    @cached_property
    def slots(self) -> NDArray[np.int32]:
        """For each address its place among the adjoints; the last one is for those without."""
        shared = np.flatnonzero(self._held & ~self.exclusive)
        own = np.flatnonzero(self._held & self.exclusive)
        slots = np.full(self.model.size, len(shared) + len(own), dtype=np.int32)
        slots[shared] = np.arange(len(shared))
        slots[own] = len(shared) + np.arange(len(own))
        return slots

    @cached_property
    def shared_slots(self) -> int:
        """The number of adjoints that begin at 0, in front of the others."""
        return int(np.count_nonzero(self._held & ~self.exclusive))

    @cached_property
    def slot_count(self) -> int:
        """The number of adjoints."""
        return int(np.count_nonzero(self._held))

    @cached_property
    def adjoints(self) -> int:
        """Where the adjoints begin in the workspace."""
        return self.region("adjoints", self.slot_count + 1)

    def slots_of(self, gather: Gather, count: int) -> Gather:
        """The places of the adjoints of a column, relative to `adjoints`."""
        found = self.slots[addresses_of(gather, count)]
        if (affine := compressed(found)) is not None:
            return affine
        return Indexed(np.ascontiguousarray(found))

    # --- what must be stored

    @cached_property
    def read(self) -> Mask:
        """The addresses whose values someone but moves reads after the node has run."""
        needed = np.zeros(self.model.size, dtype=bool)
        for node in self.model.nodes:
            for gather, length in inputs_of(node):
                needed[addresses_of(gather, length)] = True
        for block in self.model.variables:
            needed[block.values.ravel()] = True
        returned = self.model.returned.addresses.ravel()
        needed[returned[returned >= 0]] = True
        for predicate in self.model.predicates:
            needed[output_range(self.model.nodes[predicate.node], predicate.output)] = True
        return needed

    @cached_property
    def needed(self) -> Mask:
        """The addresses that must be written: others read them, or moves correct them."""
        needed = self.read.copy()
        moved = {step.node for shape in self.model.cones.shapes for step in shape.steps}
        for place in moved - self.recomputed:
            node = self.model.nodes[place]
            for k in range(outputs_of(node)):
                needed[output_range(node, k)] = True
        return needed

    def is_stored(self, node: Node, output: int) -> bool:
        """Whether an output must be written to `v`."""
        return bool(self.needed[output_range(node, output)].any())


def _aligned(count: int) -> int:
    return -(-count // LINE) * LINE


def _spread(node: Node, active: Mask, passes: Passes) -> None:
    if not isinstance(node, Map):
        if active[addresses_of(*inputs_of(node)[0])].any():
            active[output_range(node, 0)] = True
        return
    live = [
        isinstance(c, Affine | Indexed) and bool(active[addresses_of(c, node.rows)].any())
        for c in node.columns
    ]
    for instruction in node.kernel.instructions:
        live.append(passes(instruction.operation, [live[a] for a in instruction.arguments]))
    for k, register in enumerate(node.kernel.outputs):
        if live[register]:
            active[output_range(node, k)] = True


_FLAT = frozenset({"less", "and", "or", "not"})


def derivable(operation: str, live: list[bool]) -> bool:
    """Whether the result of an instruction has a derivative in something live."""
    if operation in _FLAT:
        return False
    if operation in ("select", "pick"):
        return any(live[1:])
    return any(live)
