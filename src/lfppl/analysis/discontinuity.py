"""Γ, soundly (docs/errata.md, 5): the coordinates in which the density may jump, with reasons.

A coordinate is discontinuous where an `if` predicate depends on it, where it is an embedded integer,
or where an edge of some distribution depends on it, unless a change of variables removes that edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis.marks import Mark, collect, merge, spread
from lfppl.analysis.proofs import condition_holds, constraint_holds
from lfppl.analysis.ranges import Ranges
from lfppl.core.distributions.contract import Condition
from lfppl.source import Span
from lfppl.trace.elements import latent_nodes
from lfppl.trace.graph import Node
from lfppl.trace.records import FactorRecord, SampleBlock, Trace
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


def find_discontinuous(trace: Trace, ranges: Ranges) -> Discontinuity:
    """The discontinuous coordinates of a trace, each with its first reason."""
    search = _Search(trace, ranges)
    search.add_embedded()
    search.add_predicates()
    search.add_jumps()
    search.add_edges()
    search.close()
    return Discontinuity(search.reasons, search.result())


class _Search:
    """The reasons found so far, and the rows they reach."""

    def __init__(self, trace: Trace, ranges: Ranges) -> None:
        self.trace = trace
        self.graph = trace.graph
        self.ranges = ranges
        self.reasons: list[Reason] = []
        self.pending: dict[int, Mark] = {}
        self.found: dict[int, Mark] = {}
        self.closed: set[int] = set()

    def add_embedded(self) -> None:
        """Every discrete variable: its value is an integer, its coordinate real."""
        for block in self.trace.samples:
            if block.family.is_discrete:
                text = f"its values are integers (`{block.family.name}`)"
                self._seed(block.leaf, Reason("embedding", block.span, text))

    def add_predicates(self) -> None:
        """What a test of an `if` depends on."""
        for record in self.trace.predicates:
            reason = Reason("predicate", record.span, "the `if` depends on it")
            self._seed(record.truth, reason)

    def add_jumps(self) -> None:
        """Comparisons, `floor` and latent indices that reach the density."""
        live = live_nodes(self.trace)
        for record in self.trace.jumps:
            if record.node.number in live:
                self._seed(record.node, Reason("predicate", record.span, record.text))

    def add_edges(self) -> None:
        """Edges that no change of variables can remove."""
        for factor in self.trace.factors:
            for node, what in self._parameter_edges(factor):
                self._seed(node, Reason("edge", factor.span, what))
            if factor.block is None:
                for node, what in self._value_edges(factor):
                    self._seed(node, Reason("edge", factor.span, what))

    def close(self) -> None:
        """The edges of a variable that keeps its natural coordinate reach its parameters too."""
        while self.pending:
            for block, mark in spread(self.pending, self.graph.nodes).items():
                self.found[block] = merge(self.found.get(block), mark)
            self.pending = {}
            for factor in self.trace.factors:
                block = factor.block
                if block and block.number in self.found and block.number not in self.closed:
                    self.closed.add(block.number)
                    self._keep_edges(factor, block)

    def _keep_edges(self, factor: FactorRecord, block: SampleBlock) -> None:
        mark = self.found[block.number]
        for node, what in self._value_edges(factor):
            reason = Reason("edge", factor.span, what)
            rows = None
            if not isinstance(mark, int) and node.domain is block.leaf.domain:
                rows = mark
            self._seed(node, reason, rows)

    def _parameter_edges(self, factor: FactorRecord) -> Iterator[tuple[Node, str]]:
        for parameter, argument in zip(factor.family.parameters, factor.parameters, strict=True):
            if parameter.jump:
                if not constraint_holds(self.ranges, parameter.constraint, argument):
                    what = f"`{factor.family.name}` allows only some values of `{parameter.name}`"
                    yield from ((node, what) for node in latent_nodes(argument))
        arguments = list(factor.parameters)
        for relation in factor.family.relations:
            yield from self._edge(relation, arguments, factor)

    def _value_edges(self, factor: FactorRecord) -> Iterator[tuple[Node, str]]:
        conditions = [c for piece in factor.family.pieces for c in piece.conditions]
        if not conditions:
            return
        arguments = [factor.value, *factor.parameters]
        for condition in conditions:
            yield from self._edge(condition, arguments, factor)

    def _edge(
        self, condition: Condition, arguments: list[Argument], factor: FactorRecord
    ) -> Iterator[tuple[Node, str]]:
        if not condition.jump or condition_holds(self.ranges, self.graph, condition, arguments):
            return
        node = condition.formula(self.graph, *arguments)
        if isinstance(node, Node) and not node.is_static:
            yield node, f"an edge of `{factor.family.name}` depends on it"

    def _seed(self, node: Node, reason: Reason, rows: NDArray[np.int64] | None = None) -> None:
        if node.is_static:
            return
        mark: Mark = len(self.reasons)
        if rows is not None:
            mark = np.where(rows >= 0, len(self.reasons), -1)
        self.reasons.append(reason)
        self.pending[node.number] = merge(self.pending.get(node.number), mark)

    def result(self) -> list[NDArray[np.int64]]:
        """The marks by block and row; the parts of a vector share theirs."""
        rows = []
        for block in self.trace.samples:
            mark = self.found.get(block.number, -1)
            if block.parts > 1 and not isinstance(mark, int):
                mark = collect(mark, block.leaf.domain.parent_row, block.domain.rows)
            rows.append(np.array(np.broadcast_to(mark, (block.domain.rows,))))
        return rows


def live_nodes(trace: Trace) -> set[int]:
    """The nodes that the density depends on."""
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
