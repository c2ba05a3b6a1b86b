"""Dependence (paper, section 4): arcs go from samples to the statements that they influence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from lfppl.analysis.discontinuity import factor_nodes
from lfppl.source import Span
from lfppl.trace.graph import Node
from lfppl.trace.records import FactorRecord, Trace


@dataclass(frozen=True)
class Vertex:
    """A sample or observe statement."""

    kind: Literal["sample", "observe"]
    site: int
    family: str
    name: str
    span: Span


@dataclass(frozen=True)
class Arc:
    """Vertex `source`, a sample, has influence on vertex `target`: on its density, or on a test."""

    source: int
    target: int
    kind: Literal["density", "branch"]


@dataclass(frozen=True)
class Dependence:
    """The statements of a program and how they depend on one another."""

    vertices: tuple[Vertex, ...]
    arcs: tuple[Arc, ...]


def find_dependence(trace: Trace) -> Dependence:
    """The vertices and arcs of a trace, by statement."""
    vertices, position = _vertices(trace)
    sources = _sources(trace, position)
    arcs: dict[Arc, None] = {}
    for factor in trace.factors:
        target = position[factor.kind, factor.site]
        guard = sources(factor.guard) if factor.guard is not None else 0
        bits = 0
        for node in factor_nodes(factor):
            if node is not factor.guard:
                bits |= sources(node)
        arcs.update((Arc(s, target, "density"), None) for s in _positions(bits) if s != target)
        arcs.update((Arc(s, target, "branch"), None) for s in _positions(guard) if s != target)
    return Dependence(tuple(vertices), tuple(arcs))


def _vertices(trace: Trace) -> tuple[list[Vertex], dict[tuple[str, int], int]]:
    vertices: list[Vertex] = []
    position: dict[tuple[str, int], int] = {}
    for factor in trace.factors:
        key = (factor.kind, factor.site)
        if key not in position:
            position[key] = len(vertices)
            name = factor.block.name if factor.block else ""
            vertices.append(_vertex(factor, name))
    return vertices, position


def _vertex(factor: FactorRecord, name: str) -> Vertex:
    kind: Literal["sample", "observe"] = "sample" if factor.kind == "sample" else "observe"
    return Vertex(kind, factor.site, factor.family.name, name, factor.span)


def _sources(trace: Trace, position: dict[tuple[str, int], int]) -> Callable[[Node], int]:
    """For each node, the sample vertices it depends on, as the bits of an integer."""
    known: list[int] = []

    def sources(node: Node) -> int:
        for other in trace.graph.nodes[len(known) :]:
            bits = 0
            if other.operation == "coordinate":
                bits = 1 << position["sample", trace.samples[other.payload].site]
            for argument in other.arguments:
                bits |= known[argument.number]
            known.append(bits)
        return known[node.number]

    return sources


def _positions(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
