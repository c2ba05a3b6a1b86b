"""Symbolic evaluation: plates once, loops round by round, names and guards as Core has them."""

from __future__ import annotations

import numpy as np
import pytest

from lfppl.errors import LfpplError
from lfppl.trace.graph import Node
from lfppl.trace.values import Batch, Items, Known
from lowered import traced


def test_a_plate_is_evaluated_once() -> None:
    sizes = []
    for count in (5, 5000):
        text = "(for [y ys] (let [m (sample (normal 0 1))] (observe (normal (exp m) 1) y) m))"
        found = traced(text, {"ys": np.linspace(0, 1, count)})
        sizes.append((len(found.graph.nodes), len(found.samples), len(found.factors)))
        assert found.samples[0].domain.rows == count
    assert sizes[0] == sizes[1]


def test_a_loop_that_carries_a_value_is_evaluated_round_by_round() -> None:
    text = "(loop 4 (sample (normal 0 1)) (fn [i x] (sample (normal x 1))))"
    found = traced(text)
    assert len(found.samples) == 5
    assert [block.indices for block in found.samples[1:]] == [(0,), (1,), (2,), (3,)]


def test_equal_loops_share_their_rows() -> None:
    text = """(let [xs (for [i (range 7)] (sample (normal 0 1)))]
                (for [i (range 7)] (observe (normal (get xs i) 1) i)) 0)"""
    sample, observe = traced(text).factors
    assert sample.domain is observe.domain
    assert observe.parameters[0] is sample.value


def test_a_value_shared_by_two_expressions_is_one_node() -> None:
    found = traced("(let [x (sample (normal 0 1)) a (exp (+ x 1)) b (exp (+ x 1))] [a b])")
    assert isinstance(found.returned, Items)
    assert found.returned.items[0] is found.returned.items[1]


def test_what_is_known_is_computed() -> None:
    found = traced("(+ (sum (map * A A)) (exp 0))", {"A": [1.0, 2.0, 3.0]})
    assert isinstance(found.returned, Node)
    assert (found.returned.operation, found.returned.payload) == ("constant", 15.0)


def test_a_sample_in_a_branch_is_everywhere_and_an_observe_guarded() -> None:
    text = """(let [x (sample (normal 0 1))]
                (if (< x 1) (let [y (sample (gamma 1 1))] (observe (normal y 1) 1)) 0))"""
    _, y, observed = traced(text).factors
    assert y.guard is None
    assert observed.guard is not None


def test_an_observe_in_a_branch_never_taken_is_no_term() -> None:
    found = traced("(if (< 1 0) (observe (normal 0 1) 1) (observe (laplace 0 1) 1))")
    assert [factor.family.name for factor in found.factors] == ["laplace"]
    assert found.predicates == []
    assert len(found.branches) == 1


def test_an_observed_vector_is_a_row_per_element() -> None:
    (factor,) = traced("(observe (normal 0 1) ys)", {"ys": np.arange(9.0)}).factors
    assert factor.domain.rows == 9


def test_a_distribution_with_vector_parameters_is_a_variable_per_element() -> None:
    (block,) = traced("(let [xs (sample (normal ms 1))] xs)", {"ms": np.arange(9.0)}).samples
    assert (block.name, block.domain.rows, len(block.indices)) == ("xs", 9, 1)


def test_a_choice_of_families_is_observed_case_by_case() -> None:
    text = """(let [k (sample (bernoulli 0.5))]
                (observe (get [(normal 0 1) (laplace 1 2)] k) 0.3))"""
    found = traced(text)
    assert [factor.family.name for factor in found.factors[1:]] == ["normal", "laplace"]
    assert all(factor.guard is not None for factor in found.factors[1:])


def test_a_choice_within_a_family_is_a_choice_of_parameters() -> None:
    text = """(let [k (sample (bernoulli 0.5))]
                (observe (get [(normal 0 1) (normal 1 2)] k) 0.3))"""
    (_, factor) = traced(text).factors
    assert factor.guard is None
    assert [p.operation for p in factor.parameters if isinstance(p, Node)] == ["pick", "pick"]


def test_ragged_plates_have_the_rows_they_have() -> None:
    found = traced("(for [i (range 4)] (for [j (range i)] (sample (normal 0 1))))")
    (block,) = found.samples
    assert block.domain.rows == 6
    assert isinstance(found.returned, Batch)
    assert block.domain.counts.tolist() == [0, 1, 2, 3]


def test_a_vector_of_what_the_outer_loop_knows_repeats_it() -> None:
    (row,) = np.unique(np.tanh([[0, 0], [1, 1]]), axis=1).T
    found = traced("(for [i (range 2)] (for [j (range 3)] (tanh i)))").returned
    assert isinstance(found, Known)
    assert np.array_equal(found.array, [np.repeat(row[:, None], 3, axis=1)])


def test_an_index_out_of_range_in_a_branch_not_taken_is_no_mistake() -> None:
    text = "(for [i (range 3)] (if (< i 2) (get v i) 0))"
    assert isinstance(traced(text, {"v": [4.0, 5.0]}).returned, Known)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(for [i (range 3)] (get v i))", "index-out-of-range"),
        ("(let [k (sample (poisson 2))] (for [i (range k)] i))", "unbounded-loop"),
        ("(if v 1 2)", "vector-predicate"),
        ("(observe 1 2)", "no-distribution"),
        ("(let [k (sample (bernoulli 0.5))] (sample (get [(normal 0 1) (laplace 0 1)] k)))",
         "mixed-families"),
    ],
)  # fmt: skip
def test_mistakes_are_told(text: str, code: str) -> None:
    with pytest.raises(LfpplError) as raised:
        traced(text, {"v": [4.0, 5.0]} if " v" in text else None)
    assert f"error[{code}]" in str(raised.value)


def test_places_of_jumps_and_partial_operations_are_noted() -> None:
    text = "(let [x (sample (normal 0 1))] [(floor x) (log x) (get [1 2] x) (< x 1) (exp x)])"
    places = {span.text for span in traced(text).origins.values()}
    assert places == {"(floor x)", "(log x)", "(get [1 2] x)", "(< x 1)"}
