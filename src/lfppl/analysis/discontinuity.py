"""Γ, soundly (docs/errata.md, 5): the coordinates in which the density may jump, with reasons.

A coordinate is discontinuous where an `if` predicate depends on it, where it is an embedded
integer, or where an edge of some distribution depends on it, unless a change of variables removes
that edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis.marks import Mark, Spreading, collect
from lfppl.analysis.poles import find_jumping_poles
from lfppl.analysis.proofs import condition_holds, constraint_holds, is_integral
from lfppl.analysis.ranges import Ranges
from lfppl.analysis.vanishing import vanishes
from lfppl.core.distributions.contract import Condition
from lfppl.source import Span
from lfppl.trace.elements import latent_nodes
from lfppl.trace.graph import Node
from lfppl.trace.records import FactorRecord, Trace, jump_source
from lfppl.trace.values import Argument


@dataclass(frozen=True)
class Reason:
    """Why a coordinate is discontinuous, and where in the source."""

    kind: Literal["predicate", "edge", "embedding"]
    span: Span
    text: str


@dataclass
class Discontinuity:
    """For every sample block, the position in `reasons` for each of its rows; -1 for continuous."""

    reasons: list[Reason]
    by_block: list[NDArray[np.int64]]


JUMPS = {
    "less": "a comparison is used as a number here",
    "floor": "`floor` jumps here",
    "pick": "an index is taken from it",
}
"""The operations that jump, and what a reason says of them."""


def find_discontinuous(trace: Trace, ranges: Ranges, *, idle: bool = True) -> Discontinuity:
    """The discontinuous coordinates of a trace, each with its first reason.

    Without `idle`, tests of an `if` that the density does not read count for nothing: the density
    does not jump there.
    """
    search = _Search(trace, ranges)
    search.add_embedded()
    search.add_predicates()
    search.add_jumps()
    search.add_poles()
    search.add_edges()
    if idle:
        search.add_idle_predicates()
    search.spreading.run()
    return Discontinuity(search.reasons, search.result())


class _Search:
    """The reasons found so far, and the rows they reach."""

    def __init__(self, trace: Trace, ranges: Ranges) -> None:
        self.trace = trace
        self.graph = trace.graph
        self.ranges = ranges
        self.live = live_nodes(trace)
        self.reasons: list[Reason] = []
        self.spreading = Spreading(self._keep_edges)
        self.kept: dict[int, list[tuple[Node, int]]] = {}
        self.factors = {f.block.number: f for f in trace.factors if f.block is not None}

    def add_embedded(self) -> None:
        """Every discrete variable: its value is an integer, its coordinate real."""
        for block in self.trace.samples:
            if block.family.is_discrete:
                text = f"its values are integers (`{block.family.name}`)"
                self._seed([block.leaf], Reason("embedding", block.span, text))

    def add_predicates(self) -> None:
        """What a test of an `if` depends on that the density reads."""
        for record in self.trace.predicates:
            if record.truth.number in self.live:
                reason = Reason("predicate", record.span, "the `if` depends on it")
                self._seed([record.truth], reason)

    def add_idle_predicates(self) -> None:
        """What the other tests depend on: those that only the returned value reads."""
        text = "the `if` of the returned value depends on it; engines may take it as continuous"
        for record in self.trace.predicates:
            if record.truth.number not in self.live:
                self._seed([record.truth], Reason("predicate", record.span, text))

    def add_jumps(self) -> None:
        """Comparisons, `floor` and latent indices that reach the density."""
        for number in sorted(self.live):
            node = self.graph.nodes[number]
            source = jump_source(node)
            span = self.trace.origins.get(source.number)
            if node.operation in JUMPS and span is not None:
                self._seed([source], Reason("predicate", span, JUMPS[node.operation]))

    def add_poles(self) -> None:
        """Divisions by what may be 0, and the like, where the density can tell from which side."""
        for node in find_jumping_poles(self.trace, self.ranges, self.live):
            span = self.trace.origins.get(node.number)
            if span is not None:
                text = f"`{node.operation}` may jump to infinity here"
                sources = node.arguments[1:] if node.operation == "/" else node.arguments
                self._seed(sources, Reason("edge", span, text))

    def add_edges(self) -> None:
        """Edges that no change of variables can remove."""
        for factor in self.trace.factors:
            for nodes, reason in self._parameter_edges(factor):
                self._seed(nodes, reason)
            for node, reason in self._value_edges(factor, observed=factor.block is None):
                self._seed([node], reason)
            if factor.block is None and factor.family.is_discrete:
                self._add_embedded_value(factor)

    def _add_embedded_value(self, factor: FactorRecord) -> None:
        """An observed integer distribution takes the integer part of its value."""
        nodes = [node for node in latent_nodes(factor.value) if not is_integral(node)]
        text = f"`{factor.family.name}` takes the integer part of it"
        self._seed(nodes, Reason("embedding", factor.span, text))

    def _keep_edges(self, leaf: Node, mark: Mark) -> None:
        """A coordinate that keeps its natural value has edges, which reach its parameters too."""
        block = self.trace.samples[leaf.payload]
        if block.number not in self.kept:
            self.kept[block.number] = [
                (node, self._position(reason))
                for node, reason in self._value_edges(self.factors[block.number], observed=True)
            ]
        for node, position in self.kept[block.number]:
            if isinstance(mark, int) or node.domain is not leaf.domain:
                self.spreading.add(node, position)
            else:
                self.spreading.add(node, np.where(mark >= 0, position, -1))

    def _parameter_edges(self, factor: FactorRecord) -> Iterator[tuple[list[Node], Reason]]:
        family = factor.family
        pairs = zip(family.parameters, factor.parameters, strict=True)
        for position, (parameter, argument) in enumerate(pairs):
            if constraint_holds(self.ranges, parameter.constraint, argument):
                continue
            if parameter.jump or not vanishes(factor, position):
                text = f"`{family.name}` allows only some values of `{parameter.name}`"
                yield list(latent_nodes(argument)), Reason("edge", factor.span, text)
        for relation in family.relations:
            for node, reason in self._edge(relation, factor.parameters, factor):
                yield [node], reason

    def _value_edges(
        self, factor: FactorRecord, *, observed: bool
    ) -> Iterator[tuple[Node, Reason]]:
        """The jumps of a density in its value; without the support's edges unless observed."""
        arguments = (factor.value, *factor.parameters)
        for piece in factor.family.pieces:
            for condition in piece.conditions:
                if observed or not condition.edge:
                    yield from self._edge(condition, arguments, factor)

    def _edge(
        self, condition: Condition, arguments: Sequence[Argument], factor: FactorRecord
    ) -> Iterator[tuple[Node, Reason]]:
        if not condition.jump or condition_holds(
            self.ranges, self.graph, condition, arguments, exactly=True
        ):
            return
        node = condition.formula(self.graph, *arguments)
        if isinstance(node, Node) and not node.is_static:
            text = f"an edge of `{factor.family.name}` depends on it"
            yield node, Reason("edge", factor.span, text)

    def _seed(self, nodes: Sequence[Node], reason: Reason) -> None:
        latent = [node for node in nodes if not node.is_static]
        if latent:
            position = self._position(reason)
            for node in latent:
                self.spreading.add(node, position)

    def _position(self, reason: Reason) -> int:
        self.reasons.append(reason)
        return len(self.reasons) - 1

    def result(self) -> list[NDArray[np.int64]]:
        """The marks by block and row; the parts of a vector share theirs."""
        rows = []
        for block in self.trace.samples:
            mark = self.spreading.marks.get(block.leaf.number, -1)
            if block.parts > 1 and not isinstance(mark, int):
                mark = collect(mark, block.leaf.domain.parent_row, block.domain.rows)
            rows.append(np.array(np.broadcast_to(mark, (block.domain.rows,))))
        return rows


def live_nodes(trace: Trace) -> set[int]:
    """The numbers of the nodes that the density depends on."""
    stack = [node for factor in trace.factors for node in factor_nodes(factor)]
    live: set[int] = set()
    while stack:
        node = stack.pop()
        if node.number not in live:
            live.add(node.number)
            stack.extend(node.arguments)
    return live


def factor_nodes(factor: FactorRecord) -> Iterator[Node]:
    """The latent nodes that a factor reads: its value, parameters and guard."""
    for value in (factor.value, *factor.parameters):
        yield from latent_nodes(value)
    if factor.guard is not None:
        yield factor.guard
