"""From a trace and its analysis to the LIR: the whole of the lowering, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis import Analysis
from lfppl.lir.colours import colour
from lfppl.lir.cones import RowIndex, find_pairs, shape_cones
from lfppl.lir.coordinates import Coordinates, choose_coordinates
from lfppl.lir.kernels import Output
from lfppl.lir.layout import Layout
from lfppl.lir.plates import plate_cones
from lfppl.lir.returned import Shaped, place_returned, shape_returned
from lfppl.lir.tables import Cones, Factor, Model, Predicate, Run, Vertex
from lfppl.lir.terms import Term, expand_terms
from lfppl.lir.variables import variable_blocks
from lfppl.trace.domains import Domain
from lfppl.trace.graph import Node
from lfppl.trace.records import LoopIndex, Trace, index_table


@dataclass(frozen=True)
class _Labelled:
    """A sink with the number (vertex or site) and the loop indices of its rows."""

    node: Node
    domain: Domain
    number: int
    indices: tuple[LoopIndex, ...]


def build(trace: Trace, analysis: Analysis, *, natural: bool = False) -> Model:
    """The LIR of a program.

    With `natural`, x holds the natural values of all variables and no change of variables is made.
    """
    shaped = shape_returned(trace.graph, trace.returned)
    coordinates = choose_coordinates(trace, analysis.discontinuity, natural=natural)
    vertices, positions = _vertices(analysis, coordinates)
    terms = [_labelled(term) for term in expand_terms(trace, coordinates, positions)]
    predicates = _predicates(trace, coordinates)
    returned = [coordinates.mapped(node) for node in shaped.nodes]
    reports = [Output(p.node, "predicate") for p in predicates]
    reports += [Output(node, "value") for node in _wanted(coordinates, returned, reports)]
    layout = Layout([Output(term.node, "term") for term in terms], reports, coordinates)
    return _assemble(
        trace, analysis, coordinates, layout, terms, predicates, (shaped, returned), vertices
    )


def _assemble(
    trace: Trace,
    analysis: Analysis,
    coordinates: Coordinates,
    layout: Layout,
    terms: list[_Labelled],
    predicates: list[_Labelled],
    returned: tuple[Shaped, list[Node]],
    vertices: tuple[Vertex, ...],
) -> Model:
    nodes, schedule = layout.nodes(), layout.schedule(report=False)
    blocks = variable_blocks(coordinates, analysis.discontinuity, layout.addresses)
    jumping = [block.coordinates.reshape(-1) for block in blocks if block.discontinuous]
    cones, colours = _cones(RowIndex(nodes, schedule), schedule, jumping, layout.size)
    arcs = dict.fromkeys((arc.source, arc.target) for arc in analysis.dependence.arcs)
    branching = {(a.source, a.target) for a in analysis.dependence.arcs if a.kind == "branch"}
    return Model(
        dimension=coordinates.dimension,
        size=layout.size,
        variables=blocks,
        nodes=nodes,
        schedule=schedule,
        factors=tuple(Factor(*table) for table in _tables(layout, terms)),
        predicates=tuple(Predicate(*table) for table in _tables(layout, predicates)),
        vertices=vertices,
        arcs=tuple(arcs),
        returned=place_returned(*returned, layout.addresses),
        cones=cones,
        colours=colours,
        branch_spans=dict(trace.branches),
        report_schedule=layout.schedule(report=True),
        branch_arcs=tuple(sorted(branching)),
    )


def _cones(
    index: RowIndex, schedule: tuple[Run, ...], jumping: list[NDArray[np.int32]], size: int
) -> tuple[Cones, tuple[NDArray[np.int32], ...]]:
    """The cones of the discontinuous coordinates, and their colours."""
    plates = plate_cones(index, schedule, jumping)
    if plates is not None:
        return plates
    every = np.sort(np.concatenate(jumping)).astype(np.int64)
    pairs = find_pairs(index, every, size)
    colours = colour(pairs, [np.sort(block).astype(np.int64) for block in jumping])
    return shape_cones(index, pairs, every), colours


def _vertices(
    analysis: Analysis, coordinates: Coordinates
) -> tuple[tuple[Vertex, ...], dict[tuple[str, int], int]]:
    """The statements, and the changes of variables behind them, with their positions."""
    vertices = [
        Vertex(v.kind, v.site, v.family, v.name, v.span) for v in analysis.dependence.vertices
    ]
    positions: dict[tuple[str, int], int] = {
        (vertex.kind, vertex.site): i for i, vertex in enumerate(vertices)
    }
    for jacobian in coordinates.jacobians:
        block = jacobian.block
        if ("jacobian", block.site) not in positions:
            positions["jacobian", block.site] = len(vertices)
            vertices.append(
                Vertex("jacobian", block.site, block.family.name, block.name, block.span)
            )
    return tuple(vertices), positions


def _labelled(term: Term) -> _Labelled:
    return _Labelled(term.node, term.domain, term.vertex, term.indices)


def _predicates(trace: Trace, coordinates: Coordinates) -> list[_Labelled]:
    found: dict[int, _Labelled] = {}
    for record in trace.predicates:
        node = coordinates.mapped(record.truth)
        while node.number in found:
            node = trace.graph.again(node)
        found[node.number] = _Labelled(node, node.domain, record.site, record.indices)
    return list(found.values())


def _wanted(
    coordinates: Coordinates, returned: Sequence[Node], others: Sequence[Output]
) -> list[Node]:
    """The values to report that are computed: natural values, and what the program returns."""
    natural = [block.natural for block in coordinates.blocks if block.transform != "identity"]
    parts = [part for node in (*natural, *returned) for part in _computed(node)]
    taken = {output.node.number for output in others}
    return [node for node in dict.fromkeys(parts) if node.number not in taken]


def _computed(node: Node) -> list[Node]:
    """The nodes that must be stored for a node to have an address."""
    match node.operation:
        case "constant" | "table" | "coordinate" | "state":
            return []
        case "lift" | "stack":
            return [
                part
                for a in node.arguments
                for part in ([a] if a.is_static and node.operation == "stack" else _computed(a))
            ]
        case _:
            return [node]


def _tables(
    layout: Layout, sinks: list[_Labelled]
) -> list[tuple[int, int, NDArray[np.int32], NDArray[np.int64]]]:
    """For each output that holds sinks: its node and number, and the labels of its rows."""
    width = max((len(sink.indices) for sink in sinks), default=0)
    tables: dict[tuple[int, int], tuple[NDArray[np.int32], NDArray[np.int64]]] = {}
    for sink in sinks:
        node, output, first = layout.output_rows(sink.node)
        if (node, output) not in tables:
            rows = layout.groups[node].rows
            tables[node, output] = (
                np.zeros(rows, dtype=np.int32),
                np.full((rows, width), -1, dtype=np.int64),
            )
        numbers, indices = tables[node, output]
        rows_here = slice(first, first + sink.node.domain.rows)
        numbers[rows_here] = sink.number
        indices[rows_here, : len(sink.indices)] = index_table(sink.indices, sink.node.domain)
    return [(node, output, *table) for (node, output), table in tables.items()]
