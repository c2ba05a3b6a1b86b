"""Cones: exactly the rows that a coordinate changes, grouped by shape."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from generate import REPEATABLE, Written, programs
from lfppl.compiler import compile
from lfppl.lir.access import RowGraph
from lfppl.lir.cones import RowIndex, find_pairs
from lfppl.lir.tables import Model
from lfppl.lir.verify import verify
from lfppl.lir.verify_cones import cone_rows
from lowered import built


def labels(count: int) -> Model:
    text = """(let [mu (for [i (range 2)] (sample (normal 0 3)))]
                (for [y ys]
                  (let [z (sample (bernoulli 0.4))] (observe (normal (get mu z) 1) y)))
                mu)"""
    return built(text, {"ys": np.linspace(0, 1, count)})


def test_a_label_touches_one_row() -> None:
    (shape,) = labels(20).cones.shapes
    assert shape.single
    assert len(shape.members) == 20
    assert all(np.array_equal(step.rows, np.arange(20)) for step in shape.steps)


def test_one_round_of_a_chain_touches_its_own_rows_and_the_next() -> None:
    text = """(loop 30 0 (fn [i z]
                (let [z (sample (bernoulli (if (< z 1) 0.3 0.8)))]
                  (observe (normal z 1) 0.5) z)))"""
    cones = built(text).cones
    assert len(cones.coordinates) == 30
    assert len(cones.shapes) <= 3
    assert all(shape.single for shape in cones.shapes)


def test_a_coordinate_of_a_matrix_product_changes_the_rows_of_its_column() -> None:
    text = """(let [zs (for [i (range 3)] (sample (bernoulli 0.5)))]
                (observe (normal (mat-mul A zs) 1) [1 2 3 4]) zs)"""
    matrix = np.array([[1.0, 0, 2], [0, 3, 0], [0, 4, 0], [5, 0, 0]])
    model = built(text, {"A": matrix})
    graph = RowGraph(model)
    (linear,) = (n for n, node in enumerate(model.nodes) if type(node).__name__ == "Linear")
    for i, coordinate in enumerate(model.cones.coordinates):
        rows = cone_rows(model, graph, i) - graph.first[linear]
        touched = rows[(rows >= 0) & (rows < 4)]
        assert sorted(touched.tolist()) == np.flatnonzero(matrix[:, coordinate]).tolist()


def test_rows_only_for_the_report_are_in_no_cone() -> None:
    text = """(let [z (sample (bernoulli 0.5))] (observe (normal z 1) 1)
                (if (< z 1) (exp z) (sin z)))"""
    model = built(text)
    reported = {run.node for run in model.report_schedule}
    assert reported
    assert not {step.node for shape in model.cones.shapes for step in shape.steps} & reported


@pytest.mark.parametrize("count", [1, 7])
def test_pairs_are_what_a_search_row_by_row_finds(count: int) -> None:
    model = labels(count)
    index = RowIndex(model.nodes, model.schedule)
    graph = RowGraph(model)
    coordinates = np.sort(model.cones.coordinates).astype(np.int64)
    pairs = find_pairs(index, coordinates, model.size)
    for b in coordinates:
        found = np.sort(pairs.rows[pairs.coordinates == b])
        assert np.array_equal(found, graph.reachable(np.array([b])))


@settings(REPEATABLE, max_examples=40)
@given(programs())
def test_cones_of_random_programs_hold_their_invariants(written: Written) -> None:
    verify(compile(*written).lir)
