"""Starting points: changes of variables, values given by name, and points that are not there."""

import numpy as np
import pytest

import lfppl
import run_models
from lfppl.backends.llvm import CompiledDensity
from lfppl.errors import ModelError
from lfppl.runs import transforms
from lfppl.runs.ancestral import draw_points, placed_blocks
from lfppl.runs.initial import several_points, starting_points
from lfppl.runs.layout import quantities

GENERATOR = np.random.default_rng(5)


@pytest.mark.parametrize(
    ("transform", "bounds"),
    [
        ("identity", (None, None)),
        ("log", (np.array(1.5), None)),
        ("log", (None, np.array(-2.0))),
        ("interval", (np.array(-1.0), np.array(3.0))),
        ("simplex", (None, None)),
    ],
)
def test_changes_of_variables_have_inverses(transform, bounds):
    states = GENERATOR.uniform(-3, 3, (50, 4))
    values = transforms.natural(transform, states, bounds)
    back = transforms.coordinate(transform, values, bounds)
    np.testing.assert_allclose(back, states, rtol=1e-9, atol=1e-9)


def test_the_pieces_of_a_stick_sum_to_one_and_zero_is_the_centre():
    pieces = transforms.natural("simplex", GENERATOR.normal(size=(20, 3)), (None, None))
    np.testing.assert_allclose(pieces.sum(axis=1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(transforms.natural("simplex", np.zeros(3), (None, None)), 0.25)


@pytest.mark.parametrize("gamma", ["jumping", "empty", "everything"])
def test_coordinates_and_natural_values_agree_with_native_code(gamma):
    model = run_models.everything()
    tables, density = model.tables(gamma), model.density(gamma)
    blocks = placed_blocks(model.trace, tables)
    points = draw_points(model.trace, blocks, tables.dimension, np.random.default_rng(2), 5)
    compiled = CompiledDensity(density)
    for row, x in enumerate(points.coordinates):
        compiled.evaluate(x)
        values = compiled.values()
        for quantity in quantities(tables):
            blocks_here = [b for b in model.trace.samples if b.name == quantity.name]
            for block in blocks_here:
                mine = np.floor if block.family.is_discrete else np.asarray
                expected = mine(points.numbers.of(block.leaf)[row])
                np.testing.assert_allclose(quantity.array(values).reshape(-1), expected)


GIVEN = {
    "scale": 0.7,
    "share": 0.25,
    "weights": [0.2, 0.3, 0.5],
    "centre": [0.1, -0.4],
    "low": 0.4,
    "edge": 0.9,
    "count": 6,
    "kind": [2, 0, 1],
    "level": [0.1, 2.0, -1.0],
}


@pytest.mark.parametrize("gamma", ["jumping", "empty", "everything"])
def test_a_chain_starts_at_the_values_given(gamma):
    model = run_models.everything()
    tables, density = model.tables(gamma), model.density(gamma)
    seeds = np.random.SeedSequence(1).spawn(1)
    (x,) = starting_points(model.trace, tables, density, seeds, GIVEN)
    compiled = CompiledDensity(density)
    compiled.evaluate(x)
    found = {q.name: q.array(compiled.values()) for q in quantities(tables)}
    for name, value in GIVEN.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-12)


def test_several_points_begin_with_the_one_and_have_the_values_given():
    model = run_models.example("mixture")
    density, tables = model.density(), model.tables()
    seeds, given = np.random.SeedSequence(1).spawn(3), {"mu": [5.0, np.nan]}
    ones = starting_points(model.trace, tables, density, seeds, given)
    rows = several_points(model.trace, tables, density, seeds, given, 6)
    for one, points in zip(ones, rows, strict=True):
        np.testing.assert_array_equal(points[0], one)
        assert points.shape == (6, tables.dimension)
        assert (points[:, 0] == 5.0).all()
        assert len(np.unique(points[:, 1])) == 6


def test_fewer_points_are_given_where_they_are_rare():
    model = lfppl.compile("(let [k (sample (poisson 10))] (observe (uniform 3 5) k) k)")
    seeds = np.random.SeedSequence(1).spawn(5)
    found = several_points(model.trace, model.tables(), model.density(), seeds, None, 30)
    assert all(1 <= len(points) < 30 for points in found)
    assert all(((points >= 3) & (points < 6)).all() for points in found)


def test_values_of_some_elements_can_be_given():
    model = run_models.example("mixture")
    density, tables = model.density(), model.tables()
    seeds = np.random.SeedSequence(1).spawn(2)
    each = [{"mu": [5.0, np.nan]}, {"z": np.ones(10)}]
    first, second = starting_points(model.trace, tables, density, seeds, each)
    assert first[0] == 5.0
    assert -2 <= first[1] <= 2
    assert (np.floor(second[2:]) == 1).all()


def test_discontinuous_variables_start_from_their_priors():
    model = lfppl.compile("(let [k (sample (poisson 900))] (observe (normal k 1) y) k)", {"y": 900})
    seeds = np.random.SeedSequence(1).spawn(20)
    points = starting_points(model.trace, model.tables(), model.density(), seeds, None)
    assert abs(np.mean(points) - 900) < 5 * 30 / np.sqrt(20)


@pytest.mark.parametrize(
    ("initial", "message"),
    [
        ({"nu": 1}, "is given for `nu`, which the model does not sample"),
        ({"mu": [1, 2, 3]}, "has the shape (3,), the variable (2,)"),
        ([{"mu": [1, 2]}], "1 starting points are given for 2 chains"),
    ],
)
def test_wrong_starting_values_are_named(initial, message):
    with pytest.raises(ModelError, match="starting") as caught:
        run_models.quick(run_models.example("mixture"), initial=initial)
    assert message in str(caught.value)


def test_a_starting_value_outside_the_support_is_named():
    with pytest.raises(ModelError, match="`scale` lies outside the support"):
        run_models.quick(run_models.everything(), initial={"scale": -1.0})


def test_a_density_that_is_zero_everywhere_names_the_statement():
    model = lfppl.compile(
        "(let [x (sample (normal 0 1))]\n  (observe (uniform 5 6) (+ 8 (* x x)))\n  x)"
    )
    with pytest.raises(ModelError, match="observation of uniform was zero in 100") as caught:
        run_models.quick(model)
    assert caught.value.span.source.position(caught.value.span.start)[0] == 2


def test_an_observation_at_a_pole_of_its_density_is_named():
    model = lfppl.compile(
        "(let [x (sample (normal 0 1))]\n  (observe (beta 0.5 0.5) y)\n  x)", {"y": 0}
    )
    with pytest.raises(ModelError, match="observation of beta was infinite in 100") as caught:
        run_models.quick(model)
    assert caught.value.span.source.position(caught.value.span.start)[0] == 2


def test_rare_points_are_found_within_a_hundred_attempts():
    model = lfppl.compile("(let [k (sample (poisson 10))] (observe (uniform 3 12) (* 2 k)) k)")
    assert (run_models.quick(model, chains=4).draws["k"] <= 6).all()


def test_a_prior_that_allows_no_draw_is_named():
    model = lfppl.compile(
        "(let [n (sample (poisson 1))\n  k (sample (binomial (- n 90) 0.5))]\n  k)"
    )
    with pytest.raises(ModelError, match=r"`k` \(binomial\) was not a number in 100") as caught:
        run_models.quick(model)
    assert caught.value.span.source.position(caught.value.span.start)[0] == 2
