"""The terms of the log density as nodes: statements expanded by the formulas of their families."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lfppl.analysis.proofs import condition_holds, constraint_holds
from lfppl.analysis.ranges import Ranges
from lfppl.core.distributions.density import log_density
from lfppl.lir.coordinates import Coordinates, map_argument
from lfppl.trace.domains import Domain
from lfppl.trace.graph import Graph, Node
from lfppl.trace.records import FactorRecord, LoopIndex, Trace
from lfppl.trace.values import Argument


@dataclass(frozen=True)
class Term:
    """A number to add to the log density for each row of a domain, and the vertex it belongs to."""

    node: Node
    domain: Domain
    vertex: int
    indices: tuple[LoopIndex, ...]


def expand_terms(
    trace: Trace, coordinates: Coordinates, positions: dict[tuple[str, int], int]
) -> list[Term]:
    """The terms of all statements and of the changes of variables, each a node of its own."""
    ranges = Ranges(trace, in_floats=True)
    terms = []
    for factor in trace.factors:
        node = _factor_node(trace.graph, factor, coordinates, ranges)
        position = positions[factor.kind, factor.site]
        terms.append(Term(node, factor.domain, position, factor.indices))
    for jacobian in coordinates.jacobians:
        block = jacobian.block
        position = positions["jacobian", block.site]
        terms.append(Term(jacobian.node, block.domain, position, block.indices))
    return _distinct(trace.graph, _with_constants_joined(trace.graph, terms))


def _with_constants_joined(graph: Graph, terms: list[Term]) -> list[Term]:
    """The constant terms of a vertex become one number."""
    totals: dict[int, float] = {}
    result = []
    for term in terms:
        if term.node.is_static:
            node = graph.lift_to(term.node, term.domain)
            rows = np.broadcast_to(np.asarray(node.payload), (term.domain.rows,))
            totals[term.vertex] = totals.get(term.vertex, 0.0) + float(rows.sum())
        else:
            result.append(term)
    root = graph.domains.root
    for vertex, total in totals.items():
        if total != 0.0:
            result.append(Term(graph.constant(total), root, vertex, ()))
    return result


def _distinct(graph: Graph, terms: list[Term]) -> list[Term]:
    """Terms over all rows of their domain; equal statements count as often as they are written."""
    seen: set[int] = set()
    result = []
    for term in terms:
        node = graph.lift_to(term.node, term.domain)
        if node.number in seen:
            node = graph.again(node)
        seen.add(node.number)
        result.append(replace(term, node=node))
    return result


def _factor_node(
    graph: Graph, factor: FactorRecord, coordinates: Coordinates, ranges: Ranges
) -> Node:
    mapped = coordinates.mapped
    value = map_argument(mapped, factor.value)
    parameters = [map_argument(mapped, parameter) for parameter in factor.parameters]
    node = log_density(
        graph,
        factor.family,
        value,
        parameters,
        support_holds=_support_holds(graph, factor, coordinates, value, parameters, ranges),
        whole=factor.block is not None,
        proved=_proved(graph, factor, parameters, ranges),
    )
    node = node if isinstance(node, Node) else graph.constant(node)
    if factor.guard is not None:
        node = graph.select(mapped(factor.guard), node, 0.0)
    return node


def _support_holds(
    graph: Graph,
    factor: FactorRecord,
    coordinates: Coordinates,
    value: Argument,
    parameters: list[Argument],
    ranges: Ranges,
) -> bool:
    """Whether the value is inside the support, by its coordinate or because it is known to be."""
    if factor.block is not None:
        block = coordinates.blocks[factor.block.number]
        return block.transform != "identity" and not block.is_mixed
    edges = [c for piece in factor.family.pieces for c in piece.conditions if c.edge]
    return all(condition_holds(ranges, graph, edge, [value, *parameters]) for edge in edges)


def _proved(
    graph: Graph, factor: FactorRecord, parameters: list[Argument], ranges: Ranges
) -> list[str | int]:
    family = factor.family
    proved: list[str | int] = [
        parameter.name
        for parameter, argument in zip(family.parameters, parameters, strict=True)
        if constraint_holds(ranges, parameter.constraint, argument)
    ]
    for position, relation in enumerate(family.relations):
        if condition_holds(ranges, graph, relation, parameters):
            proved.append(position)
    return proved
