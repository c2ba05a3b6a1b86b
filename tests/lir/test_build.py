"""The LIR of programs: plates stay one node, unrolled rounds are grouped, statements counted."""

from __future__ import annotations

import numpy as np
import pytest

from lfppl.lir.evaluate import evaluate
from lfppl.lir.tables import Linear, Map, Model, Reduce
from lowered import agrees, built

MIXTURE = """(let [mu (for [i (range 3)] (sample (normal 0 3)))
                   z (for [y ys] (sample (categorical [0.2 0.3 0.5])))]
               (for [[y k] (map vector ys z)] (observe (normal (get mu k) 1) y))
               mu)"""
PAIRED = """(let [mu (for [i (range 2)] (sample (normal 0 3)))]
              (for [y ys]
                (let [z (sample (bernoulli 0.4))] (observe (normal (get mu z) 1) y)))
              mu)"""
CHAIN = """(let [x0 (sample (normal 0 1))]
             (loop steps x0 (fn [i x]
               (let [next (sample (normal (* 0.9 x) 1))]
                 (if (< next 0.3) (observe (normal next 1) 1) (observe (laplace next 1) 0.5))
                 next))))"""


def steps(model: Model) -> int:
    return sum(len(node.kernel.instructions) for node in model.nodes if isinstance(node, Map))


def test_plates_are_not_unrolled() -> None:
    models = [built(PAIRED, {"ys": np.linspace(-3, 3, n)}) for n in (10, 1000)]
    assert len(models[0].nodes) == len(models[1].nodes)
    assert steps(models[0]) == steps(models[1])
    assert [len(model.schedule) for model in models] == [len(models[0].schedule)] * 2
    assert models[1].dimension == 1002


def test_a_carried_loop_makes_as_many_nodes_for_ten_steps_as_for_a_hundred() -> None:
    models = [built(CHAIN, {"steps": n}) for n in (10, 100)]
    assert len(models[0].nodes) == len(models[1].nodes)
    assert steps(models[0]) == steps(models[1])
    assert [model.dimension for model in models] == [11, 101]


def test_equal_shapes_of_different_places_are_one_node() -> None:
    text = """(let [a (sample (normal 2 3)) b (sample (normal 5 2)) c (sample (normal 3 0.1))]
                (observe (laplace a 4) 9)
                (observe (laplace b 6) 8) (observe (laplace c 7) 1.5) a)"""
    model = built(text)
    assert [node.rows for node in model.nodes] == [3]
    assert agrees(text)


def test_a_sum_of_data_times_latents_is_a_linear_node() -> None:
    text = """(let [b (for [i (range 3)] (sample (normal 0 1)))]
                (for [j (range 4)]
                  (observe (normal (sum (map * (get A j) b)) 1) (get y j)))
                b)"""
    data = {"A": np.arange(12.0).reshape(4, 3) - 5.5, "y": [1.0, 2.0, 0.5, 0.0]}
    (linear,) = (node for node in built(text, data).nodes if isinstance(node, Linear))
    weights = linear.weights if isinstance(linear.weights, np.ndarray) else linear.weights.toarray()
    np.testing.assert_array_equal(weights, data["A"])
    assert agrees(text, data)


def test_a_matrix_times_a_vector_is_a_linear_node() -> None:
    text = """(let [b (for [i (range 3)] (sample (normal 0 1)))]
                (observe (normal (mat-mul A b) 1) y) b)"""
    data = {"A": np.arange(12.0).reshape(4, 3), "y": [1.0, 2.0, 0.5, 0.0]}
    assert [type(node) for node in built(text, data).nodes].count(Linear) == 1
    assert agrees(text, data)


def test_a_statement_written_twice_counts_twice() -> None:
    once = "(let [x (sample (normal 0 1))] (observe (normal x 1) 0.5) x)"
    twice = (
        "(let [x (sample (normal 0 1))] (observe (normal x 1) 0.5) (observe (normal x 1) 0.5) x)"
    )
    x = np.array([0.2])
    first, second = (evaluate(built(text), x) for text in (once, twice))
    likelihood = first.vertex_terms[1]
    assert second.log_density == pytest.approx(first.log_density + likelihood)
    assert agrees(twice)


def test_terms_of_a_plate_that_do_not_depend_on_its_row_count_for_every_row() -> None:
    text = """(let [x (sample (normal 0 1))]
                (for [i (range 7)] (observe (normal x 1) 0.5)) x)"""
    found = evaluate(built(text), np.array([0.2]))
    one = -0.5 * 0.3**2 - 0.5 * np.log(2 * np.pi)
    assert found.vertex_terms[1] == pytest.approx(7 * one)
    assert agrees(text)


@pytest.mark.parametrize(
    "text",
    [
        """(let [xs (for [i (range 4)]
                      (for [j (range i)] (sample (normal i 1))))]
             (for [row xs] (observe (normal (sum row) 1) 1)) 0)""",
        """(for [i (range 4)]
             (let [m (sample (normal 0 1))]
               (for [j (range (* 2 i))] (observe (normal m 1) (* i j)))
               m))""",
    ],
)
def test_ragged_plates_agree_with_the_interpreter(text: str) -> None:
    assert agrees(text)


def test_a_static_test_in_a_plate_guards_an_index_out_of_range() -> None:
    text = """(let [xs (for [i (range 4)] (sample (normal 0 1)))]
                (for [i (range 4)]
                  (if (< i 1)
                    (observe (normal (get xs i) 1) 1)
                    (observe (normal (get xs (- i 1)) 1) (get xs i))))
                xs)"""
    assert agrees(text)
    assert not built(text).predicates


@pytest.mark.parametrize(
    "elements",
    ["[1 2.5 4]", "[[1 2] [3 4] [5 6]]", "[(normal 0 1) (normal 3 2) (normal 1 1)]",
     "[(normal 0 1) (laplace 3 2) (cauchy 1 1)]"],
)  # fmt: skip
def test_latent_index_into_vectors_of(elements: str) -> None:
    use = {"[[": "(observe (normal (sum e) 1) 2)", "[(": "(observe e 2)"}
    statement = use.get(elements[:2], "(observe (normal e 1) 2)")
    text = f"""(let [k (sample (categorical [1 2 1])) e (get {elements} k)] {statement} k)"""
    assert agrees(text, points=8)


def test_predicates_are_named_by_the_loops_around_them() -> None:
    text = """(for [i (range 2)] (for [j (range 3)]
                (let [x (sample (normal 0 1))] (if (< x i) (observe (normal x 1) j) 0))))"""
    bits = evaluate(built(text), np.full(6, -0.5)).bits
    assert sorted(indices for _, indices in bits) == [(i, j) for i in range(2) for j in range(3)]
    assert all(bits.values())


def test_reductions_over_rows_are_one_node() -> None:
    text = """(let [xs (for [i (range 50)] (sample (normal 0 1)))]
                (observe (normal (reduce max 0 xs) 1) 2) xs)"""
    assert [type(node) for node in built(text).nodes].count(Reduce) >= 1
    assert agrees(text)


def test_what_is_only_returned_is_not_computed_for_the_density() -> None:
    text = "(let [x (sample (normal 0 1))] (observe (normal x 1) 1) [(exp x) (sin x)])"
    model = built(text)
    scheduled = {run.node for run in model.schedule}
    reported = {run.node for run in model.report_schedule}
    assert reported
    assert not scheduled & reported
    assert {factor.node for factor in model.factors} <= scheduled


def test_a_simplex_of_one_part_is_one() -> None:
    model = built(
        "(let [w (for [i (range 3)] (sample (dirichlet [2]))) x (sample (normal 0 1))] w)"
    )
    assert model.dimension == 1
    assert evaluate(model, np.array([0.5])).variables["w"].tolist() == [[1.0]] * 3


def test_labels_in_two_plates_of_data_agree_with_the_interpreter() -> None:
    assert agrees(MIXTURE, {"ys": np.linspace(-2, 2, 5)})
