"""Observations: their names, their data, and the pointwise log density."""

import numpy as np
import pytest

import lfppl
import run_models
from lfppl.backends.llvm import CompiledDensity
from lfppl.runs.observations import find_observations


def observations(model):
    return find_observations(model.core, model.data, model.trace, model.tables())


@pytest.mark.parametrize("name", [*run_models.NAMES, "everything"])
def test_pointwise_densities_sum_to_the_terms_of_the_observe_statements(name):
    model = run_models.everything() if name == "everything" else run_models.example(name)
    tables = model.tables()
    found, compiled = observations(model), CompiledDensity(model.density())
    compiled.evaluate(np.random.default_rng(1).uniform(0.1, 0.9, tables.dimension))
    terms = compiled.terms()
    vertices = np.concatenate([factor.vertices for factor in tables.factors])
    is_observed = np.array([vertex.kind == "observe" for vertex in tables.vertices])[vertices]
    pointwise = found.sums.of(np.where(np.isfinite(terms), terms, -99.0)[None])[0]
    expected = np.where(np.isfinite(terms), terms, -99.0)[is_observed].sum()
    np.testing.assert_allclose(pointwise.sum(), expected, rtol=1e-12)
    assert sum(observation.size for observation in found.all) == len(pointwise)


def test_observations_are_named_by_their_data_and_hold_them():
    (found,) = observations(run_models.example("mixture")).all
    assert (found.name, found.shape) == ("y", (10,))
    np.testing.assert_array_equal(found.observed, run_models.example("mixture").data["y"])


def test_statements_in_opposite_branches_are_one_observation_of_their_datum():
    names = [found.name for found in observations(run_models.everything()).all]
    assert names == ["y", "successes"]
    assert [found.name for found in observations(run_models.example("figure-1")).all] == ["y"]


def test_elements_of_one_vector_observed_apart_are_not_added_up():
    model = lfppl.compile(
        "(let [x (sample (normal 0 1))] (observe (normal x 1) (first y))"
        " (observe (normal x 2) (second y)) x)",
        {"y": [1.0, 2.0]},
    )
    first, second = observations(model).all
    assert (first.name, float(first.observed)) == ("y", 1.0)
    assert (second.name, float(second.observed)) == ("y_2", 2.0)


def test_data_of_unrolled_loops_and_choices_stand_in_their_order():
    model = run_models.example("hidden-markov")
    (found,) = observations(model).all
    np.testing.assert_array_equal(found.observed, model.data["readings"])


def test_factors_have_no_data():
    found = {o.name: o for o in observations(run_models.example("censored")).all}
    assert np.isnan(found["factor"].observed).all()
    assert np.isfinite(found["times"].observed).all()


def test_nested_loops_make_arrays():
    model = lfppl.compile(
        "(let [m (sample (normal 0 1))] (doseq [i (range 2)] (doseq [j (range 3)]"
        " (observe (normal m 1) (get (get A i) j)))) m)",
        {"A": [[1, 2, 3], [4, 5, 6]]},
    )
    (found,) = observations(model).all
    np.testing.assert_array_equal(found.observed, [[1, 2, 3], [4, 5, 6]])
