"""The graph of a model (paper, section 4) laid out by Graphviz: vertices, arcs and `if`s."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from lfppl.display import extra
from lfppl.errors import drawing
from lfppl.lir.dot import deciding, sampled_at
from lfppl.lir.tables import Model as Tables
from lfppl.lir.tables import Vertex
from lfppl.source import Span

Kind = Literal["sample", "observe", "if"]
Point = tuple[float, float]

MOST_VERTICES = 120
"""A larger graph is no picture any more."""
POINTS = 72.0
"""Graphviz counts sizes in inches and places in points, 72 to the inch."""
CHARACTER, LINE, MARGIN = 7.4, 16.0, 22.0
"""Room for the labels: width of a character, height of a line, and what is around them."""


@dataclass(frozen=True)
class Node:
    """A statement or an `if`: what its label says, and where it stands (y grows downwards)."""

    key: str
    kind: Kind
    label: tuple[str, ...]
    discontinuous: bool
    place: Point = (0.0, 0.0)

    @property
    def size(self) -> Point:
        """Width and height, from the label."""
        wide = max(len(line) for line in self.label) * CHARACTER + MARGIN
        high = len(self.label) * LINE + MARGIN / 2
        return (wide * 1.4, high * 1.7) if self.kind == "if" else (wide, high)


@dataclass(frozen=True)
class Edge:
    """An arc: a chain of Bezier curves (1 + 3n points) that ends in an arrow at `tip`."""

    source: str
    target: str
    dashed: bool
    curve: tuple[Point, ...] = ()
    tip: Point = (0.0, 0.0)


@dataclass(frozen=True)
class Drawing:
    """A graph with places, in a box of `width` times `height`."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    width: float
    height: float


def drawing_of(tables: Tables) -> Drawing:
    """The graph of a model, laid out from top to bottom.

    >>> import lfppl
    >>> model = lfppl.compile("(let [x (sample (normal 0 1))] (observe (normal x 1) 2))")
    >>> drawing = drawing_of(model.lir)
    >>> [node.label[0] for node in drawing.nodes], len(drawing.edges)
    (['x', 'observe'], 1)
    """
    nodes, edges = list(_nodes(tables)), list(_edges(tables))
    if not nodes:
        raise drawing.nothing_to_draw("the model has no random variables")
    if len(nodes) > MOST_VERTICES:
        raise drawing.too_large_a_graph(len(nodes), MOST_VERTICES)
    return laid_out(nodes, edges)


def laid_out(nodes: list[Node], edges: list[Edge]) -> Drawing:
    """Places for all nodes and edges. Labels stay here: no font is asked for."""
    graph = extra.pygraphviz("the graph of a model").AGraph(directed=True, strict=False)
    graph.graph_attr.update(nodesep="0.3", ranksep="0.4")
    for node in nodes:
        wide, high = (f"{length / POINTS:.4f}" for length in node.size)
        shape = "diamond" if node.kind == "if" else "box"
        graph.add_node(node.key, label="", width=wide, height=high, fixedsize=True, shape=shape)
    for number, edge in enumerate(edges):
        graph.add_edge(edge.source, edge.target, key=str(number))
    graph.layout(prog="dot")
    return _read(graph, nodes, edges)


# --- what is in it -------------------------------------------------------------------------------


def _nodes(tables: Tables) -> Iterator[Node]:
    rough = sampled_at(tables, only_discontinuous=True)
    sizes = {vertex: len(slots) for vertex, slots in sampled_at(tables).items()}
    for i, vertex in enumerate(tables.vertices):
        if vertex.kind != "jacobian":
            yield Node(f"v{i}", vertex.kind, _label(vertex, sizes.get(i, 1)), i in rough)
    for site in deciding(tables):
        span = tables.branch_spans[site]
        yield Node(f"p{site}", "if", ("if", *_line(span)), False)


def _label(vertex: Vertex, size: int) -> tuple[str, ...]:
    name = vertex.name or vertex.kind
    lines = (f"{name} × {size:,}" if size > 1 else name, vertex.family, *_line(vertex.span))
    return tuple(line for line in lines if line)


def _line(span: Span) -> Iterator[str]:
    if span.source.text:
        yield f"line {span.line}"


def _edges(tables: Tables) -> Iterator[Edge]:
    branching = set(tables.branch_arcs)
    jacobians = {i for i, v in enumerate(tables.vertices) if v.kind == "jacobian"}
    for arc in tables.arcs:
        if jacobians.isdisjoint(arc):
            yield Edge(f"v{arc[0]}", f"v{arc[1]}", arc in branching)
    for site, sources in deciding(tables).items():
        for source in sources:
            yield Edge(f"v{source}", f"p{site}", True)


# --- what Graphviz says --------------------------------------------------------------------------


def _read(graph: Any, nodes: list[Node], edges: list[Edge]) -> Drawing:
    left, bottom, right, top = _numbers(graph.graph_attr["bb"])

    def turned(text: str) -> Point:
        x, y = _numbers(text)
        return x - left, top - y

    placed = [replace(n, place=turned(graph.get_node(n.key).attr["pos"])) for n in nodes]
    drawn = []
    for number, edge in enumerate(edges):
        found = graph.get_edge(edge.source, edge.target, key=str(number))
        tip, *curve = found.attr["pos"].split()  # an arrow comes first: e,x,y
        drawn.append(replace(edge, curve=tuple(map(turned, curve)), tip=turned(tip[2:])))
    return Drawing(tuple(placed), tuple(drawn), right - left, top - bottom)


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]
