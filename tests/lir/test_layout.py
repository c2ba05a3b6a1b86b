"""Layout: addresses without gaps, columns as plain as they can be, nothing read too early."""

from __future__ import annotations

import numpy as np

from lfppl.lir.layout import gather
from lfppl.lir.tables import Affine, Indexed, Linear, Map, Reduce, Table, Uniform
from lowered import agrees, built


def test_addresses_are_regular_where_they_can_be() -> None:
    assert gather(np.array([7])) == Affine(7, 0)
    assert gather(np.array([4, 4, 4])) == Affine(4, 0)
    assert gather(np.array([4, 6, 8])) == Affine(4, 2)
    irregular = gather(np.array([4, 6, 5]))
    assert isinstance(irregular, Indexed)
    assert irregular.addresses.tolist() == [4, 6, 5]


def test_falling_addresses_are_indexed() -> None:
    assert isinstance(gather(np.array([5, 4, 3])), Indexed)


def test_columns_of_a_plate_are_constants_data_and_addresses() -> None:
    text = """(let [m (sample (normal 0 1)) xs (for [y ys] (sample (normal 0 1)))]
                (for [[y x] (map vector ys xs)] (observe (normal (+ (* 3 x) m) 2) y)) m)"""
    model = built(text, {"ys": [1.0, 2.0, 4.0]})
    plates = [node for node in model.nodes if isinstance(node, Map) and node.rows == 3]
    kinds = {type(column) for node in plates for column in node.columns}
    assert kinds == {Uniform, Table, Affine}
    strides = {c.stride for node in plates for c in node.columns if isinstance(c, Affine)}
    assert strides == {0, 1}


def test_mutually_dependent_groups_are_scheduled_in_runs() -> None:
    text = """(loop 6 (sample (normal 0 1)) (fn [i x]
                (let [next (sample (normal (sin (* x x)) 1))]
                  (observe (normal (reduce max 0 [next x (* next x)]) 1) 0.7)
                  (exp (- 0 (* next next))))))"""
    model = built(text)
    assert agrees(text)
    runs: dict[int, int] = {}
    for run in model.schedule:
        runs[run.node] = runs.get(run.node, 0) + 1
    assert max(runs.values()) > 1


def test_scalar_reductions_of_one_kind_are_rows_of_one_node() -> None:
    text = """(let [xs (for [i (range 30)] (sample (normal 0 1)))
                    ys (for [i (range 30)] (sample (normal 0 2)))]
                (observe (normal (reduce max 0 xs) 1) 3)
                (observe (normal (reduce max 0 ys) 1.5) 4) 0)"""
    reductions = [node for node in built(text).nodes if isinstance(node, Reduce)]
    assert [(node.kind, node.rows) for node in reductions] == [("max", 2)]


def test_matrices_stay_apart() -> None:
    text = """(let [xs (for [i (range 3)] (sample (normal 0 1)))]
                (observe (normal (mat-mul A xs) 1) [1 2])
                (observe (normal (mat-mul B xs) 1) [1 2]) 0)"""
    data = {"A": np.arange(6.0).reshape(2, 3), "B": np.arange(6.0).reshape(2, 3) ** 2}
    assert [node.rows for node in built(text, data).nodes if isinstance(node, Linear)] == [2, 2]
    assert agrees(text, data)


def test_a_vector_of_known_and_chosen_numbers_has_a_row_for_each() -> None:
    text = """(let [us (for [i (range 3)] (sample (uniform 0 2)))]
                (for [i (range 3)]
                  (let [row (get [[1 2 3] [5 4 3]] (get us (- 2 i)))]
                    (doseq [v row] (observe (normal v 1) 0))))
                us)"""
    assert agrees(text)
