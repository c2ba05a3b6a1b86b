"""Frames: the rows, loops and branch that an expression is evaluated in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lfppl.trace.domains import Domain
from lfppl.trace.graph import Graph, Node
from lfppl.trace.records import LoopIndex


@dataclass(frozen=True)
class Frame:
    """Where evaluation stands: the rows, the loops around, and the condition of the branch.

    `active` marks the rows not known to lie in a branch not taken; None where all are.

    >>> frame = Frame(Graph().domains.root).round("k", 3)
    >>> frame.index("k"), frame.index(7), frame.indices
    (3, 7, (3,))
    """

    domain: Domain
    loops: tuple[tuple[str, LoopIndex], ...] = ()
    guard: Node | None = None
    active: NDArray[np.bool_] | None = None

    @property
    def indices(self) -> tuple[LoopIndex, ...]:
        """The indices of the loops around, from the outside."""
        return tuple(index for _, index in self.loops)

    def index(self, part: int | str) -> LoopIndex:
        """What a part of a variable's name stands for here."""
        return part if isinstance(part, int) else dict(self.loops)[part]

    def enter(self, domain: Domain, name: str) -> Frame:
        """The frame inside a plate over the rows of a child domain."""
        active = None if self.active is None else self.active[domain.parent_row]
        return Frame(domain, (*self.loops, (name, domain)), self.guard, active)

    def round(self, name: str, number: int) -> Frame:
        """The frame inside one round of an unrolled loop."""
        return replace(self, loops=(*self.loops, (name, number)))

    def branch(self, graph: Graph, truth: Node) -> Frame:
        """The frame inside a branch that is taken where a truth value is 1."""
        guard = truth if self.guard is None else graph.both(self.guard, truth)
        if not truth.is_static:
            return replace(self, guard=guard)
        holds = np.broadcast_to(graph.lift_to(truth, self.domain).payload, self.domain.rows)
        active = holds != 0 if self.active is None else self.active & (holds != 0)
        return replace(self, guard=guard, active=active)

    def without_guard(self) -> Frame:
        """The same frame for what happens in every branch."""
        return replace(self, guard=None)
