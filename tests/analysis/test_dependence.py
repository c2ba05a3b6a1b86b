"""Vertices and arcs as the paper has them (section 4, Figure 1)."""

from __future__ import annotations

from pathlib import Path

import lfppl
from lfppl.analysis.dependence import Dependence

PAPER = Path(__file__).parent.parent / "programs" / "paper"


def named_arcs(found: Dependence) -> set[tuple[str, str, str]]:
    def name(i: int) -> str:
        vertex = found.vertices[i]
        return vertex.name or f"{vertex.kind} {vertex.family}"

    return {(name(arc.source), name(arc.target), arc.kind) for arc in found.arcs}


def test_arcs_of_figure_1() -> None:
    model = lfppl.compile(PAPER / "figure-1.lfppl", _data("figure-1"))
    found = model.analysis.dependence
    assert [vertex.kind for vertex in found.vertices] == ["sample", "observe", "observe"]
    source = found.vertices[0].name
    assert {arc[0] for arc in named_arcs(found)} == {source}
    assert {arc.target for arc in found.arcs if arc.kind == "branch"} == {1, 2}


def test_a_sample_reaches_what_its_value_is_a_parameter_of() -> None:
    text = """(let [m (sample (normal 0 1)) x (sample (normal m 1)) s (sample (gamma 1 1))]
                (observe (laplace x s) 1) x)"""
    assert named_arcs(lfppl.compile(text).analysis.dependence) == {
        ("m", "x", "density"),
        ("x", "observe laplace", "density"),
        ("s", "observe laplace", "density"),
    }


def test_a_test_reaches_the_statements_of_its_branches_only() -> None:
    text = """(let [x (sample (normal 0 1)) y (sample (normal 0 1))]
                (if (< x 1) (observe (laplace 0 1) 1) 0)
                (observe (cauchy y 1) 1) x)"""
    assert named_arcs(lfppl.compile(text).analysis.dependence) == {
        ("x", "observe laplace", "branch"),
        ("y", "observe cauchy", "density"),
    }


def test_statements_in_loops_are_one_vertex() -> None:
    text = """(let [xs (for [i (range 5)] (sample (normal 0 1)))]
                (for [x xs] (observe (normal x 1) 1)) xs)"""
    analysis = lfppl.compile(text).analysis
    assert len(analysis.dependence.vertices) == 2
    assert (analysis.n_sample, analysis.n_observe, analysis.n_predicates) == (5, 5, 0)


def _data(name: str) -> dict[str, object]:
    import json

    path = PAPER / f"{name}.data.json"
    return dict(json.loads(path.read_text())) if path.exists() else {}
