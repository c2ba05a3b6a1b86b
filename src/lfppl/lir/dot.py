"""The paper's graph of a model (section 4) for Graphviz: vertices, arcs and `if`s."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lfppl.lir.access import Positions, written
from lfppl.lir.tables import Model, Vertex
from lfppl.lir.upstream import coordinates_behind

_SHAPES = {
    "sample": "shape=ellipse",
    "observe": 'shape=ellipse, style=filled, fillcolor="#dddddd"',
    "jacobian": "shape=box",
}


def dot(model: Model) -> str:
    """The graph in the language of Graphviz.

    Observed vertices are grey, discontinuous ones have a double line. A diamond is an `if`, reached
    by dashed lines from the variables that decide it; an arc is dashed where its source decides
    through an `if` whether its target counts.
    """
    lines = ["digraph model {", "  node [fontname=Helvetica];", "  edge [fontname=Helvetica];"]
    lines += [f"  {line}" for line in (*_vertices(model), *_arcs(model), *_ifs(model))]
    return "\n".join([*lines, "}"]) + "\n"


def _vertices(model: Model) -> Iterator[str]:
    discontinuous = sampled_at(model, only_discontinuous=True)
    for i, vertex in enumerate(model.vertices):
        double = ", peripheries=2" if i in discontinuous else ""
        yield f"v{i} [label={_quoted(_label(vertex))}, {_SHAPES[vertex.kind]}{double}];"


def _arcs(model: Model) -> Iterator[str]:
    branching = set(model.branch_arcs)
    for source, target in model.arcs:
        dashed = " [style=dashed]" if (source, target) in branching else ""
        yield f"v{source} -> v{target}{dashed};"


def _ifs(model: Model) -> Iterator[str]:
    for site, sources in deciding(model).items():
        span = model.branch_spans[site]
        label = _quoted(f"if\n{span.line}:{span.column}")
        yield f"p{site} [label={label}, shape=diamond];"
        for source in sources:
            yield f"v{source} -> p{site} [style=dashed];"


def deciding(model: Model) -> dict[int, tuple[int, ...]]:
    """For every `if` by its site: the sample vertices that its branching variables depend on."""
    sampled = sampled_at(model)
    found = {}
    for site, addresses in _predicates_at(model).items():
        behind = coordinates_behind(model, addresses)
        found[site] = tuple(v for v, own in sampled.items() if np.isin(own, behind).any())
    return found


def sampled_at(model: Model, only_discontinuous: bool = False) -> dict[int, Positions]:
    """The coordinates of every sample vertex."""
    vertices = {(v.name, v.span): i for i, v in enumerate(model.vertices) if v.kind == "sample"}
    by_name = {name: i for (name, _), i in vertices.items()}
    found: dict[int, list[Positions]] = {}
    for block in model.variables:
        vertex = vertices.get((block.name, block.span), by_name.get(block.name))
        if vertex is not None and (block.discontinuous or not only_discontinuous):
            found.setdefault(vertex, []).append(block.coordinates.ravel().astype(np.int64))
    return {vertex: np.concatenate(parts) for vertex, parts in found.items()}


def _predicates_at(model: Model) -> dict[int, Positions]:
    """The addresses of the branching variables of every site."""
    found: dict[int, list[Positions]] = {}
    for predicate in model.predicates:
        for site in np.unique(predicate.sites):
            rows = np.flatnonzero(predicate.sites == site).astype(np.int64)
            addresses = written(model.nodes[predicate.node], rows)[predicate.output]
            found.setdefault(int(site), []).append(addresses)
    return {site: np.concatenate(parts) for site, parts in found.items()}


def _label(vertex: Vertex) -> str:
    name = f"{vertex.name}\n" if vertex.name else ""
    return f"{name}{vertex.kind} {vertex.family}\n{vertex.span.line}:{vertex.span.column}"


def _quoted(label: str) -> str:
    escaped = label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
