"""The density along variables: its values, and where it jumps, against known answers."""

import numpy as np
import pytest

import lfppl
import run_models
from lfppl.errors import ModelError
from lfppl.runs.landscape import Slice, best_of, prior_sample, profile, range_of, relief, zoomed

STEPS = "(let [x (sample (uniform 0 4))] (factor (cond (< x 1) 0 (< x 2.5) (* 2 x) :else -1)) x)"

ROUND = """
(let [x (sample (normal 0 1))
      y (sample (normal 0 1))]
  (if (< (+ (* x x) (* y y)) 2) (factor 1) (factor 0)))
"""


def along(model, name, ends, points=300):
    point = {n: a[0] for n, a in prior_sample(model).items()}
    return profile(Slice(model.evaluation, point, [name]), ends, points), point


def test_boundaries_are_found_exactly_flips_and_edges_of_the_support_alike():
    found, _ = along(lfppl.compile(STEPS), "x", (-1.0, 5.0))
    np.testing.assert_allclose(found.boundaries, (0.0, 1.0, 2.5, 4.0), atol=1e-9)


def test_a_profile_has_the_density_of_the_model_on_both_sides_of_a_boundary():
    model = lfppl.compile(STEPS)
    found, _ = along(model, "x", (-1.0, 5.0), points=40)
    plain = ~np.isnan(found.log_density)
    expected = [model.log_density({"x": x}) for x in found.x[plain]]
    near = np.isclose(found.x[plain], np.array(found.boundaries)[:, None], atol=1e-6).any(axis=0)
    np.testing.assert_allclose(
        found.log_density[plain][~near], np.array(expected)[~near], rtol=1e-12
    )
    at_one = np.flatnonzero(np.isnan(found.x))[1]
    assert found.x[at_one - 1] == found.x[at_one + 1] == found.boundaries[1]
    before, after = found.log_density[at_one - 1], found.log_density[at_one + 1]
    assert after - before == pytest.approx(2.0, abs=1e-6)


def test_several_boundaries_between_two_points_of_the_grid_are_all_found():
    model = run_models.example("change-point")
    found, _ = along(model, "tau", (30.5, 49.5), points=3)
    np.testing.assert_allclose(found.boundaries, np.arange(31, 50), atol=1e-9)


def test_an_integer_covers_a_unit_cell():
    model = lfppl.compile("(let [k (sample (categorical [0.2 0.5 0.3]))] k)")
    found, _ = along(model, "k", (-0.5, 3.5), points=101)
    np.testing.assert_allclose(found.boundaries, (0.0, 1.0, 2.0, 3.0), atol=1e-9)
    nearest = [int(np.nanargmin(abs(found.x - middle))) for middle in (0.5, 1.5, 2.5)]
    heights = np.exp(found.log_density[nearest])
    np.testing.assert_allclose(heights, (0.2, 0.5, 0.3), rtol=1e-12)


def test_a_kink_and_a_steep_slope_are_no_boundaries():
    steep = "(let [x (sample (laplace 0 0.01)) y (sample (normal (* 1000 x) 1))] (if (< y 9) 1 2))"
    found, _ = along(lfppl.compile(steep), "x", (-0.5, 0.5))
    assert found.boundaries == ()


def test_the_boundary_over_two_variables_is_the_circle_that_the_model_asks_about():
    model = lfppl.compile(ROUND)
    slice_ = Slice(model.evaluation, {"x": 0.0, "y": 0.0}, ["x", "y"])
    found = relief(slice_, (-2.0, 2.0), (-2.0, 2.0), 41)
    ends = np.array(found.boundaries).reshape(-1, 2)
    np.testing.assert_allclose(np.hypot(*ends.T), np.sqrt(2.0), atol=1e-9)
    lengths = [np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in found.boundaries]
    assert sum(lengths) == pytest.approx(2 * np.pi * np.sqrt(2.0), rel=2e-3)
    assert found.log_density[0, 40] == pytest.approx(model.log_density({"x": 2.0, "y": -2.0}))


def test_boundaries_that_cross_stay_straight():
    binds = "[x (sample (normal 0 1)) y (sample (normal 0 1))]"
    model = lfppl.compile(f"(let {binds} [(if (< x 0) 1 2) (if (< y 0) 1 2)])")
    slice_ = Slice(model.evaluation, {"x": 0.0, "y": 0.0}, ["x", "y"])
    found = relief(slice_, (-1.05, 1.0), (-1.05, 1.0), 10)
    assert len(found.boundaries) == 2 * 9
    straight = {
        (a[0] == b[0] == 0.0, a[1] == b[1] == 0.0) for a, b in np.round(found.boundaries, 9)
    }
    assert straight == {(True, False), (False, True)}


@pytest.mark.parametrize("name", ["mixture", "thermostat", "everything"])
def test_the_best_draw_of_the_prior_is_a_point_of_the_model(name):
    model = run_models.everything() if name == "everything" else run_models.example(name)
    draws = prior_sample(model)
    point = best_of(draws, np.arange(400.0))
    assert {n: np.shape(a) for n, a in point.items()} == model.sampled
    for name_, low in (("share", 0.0), ("scale", 0.0)):
        if name_ in draws:
            assert range_of(name_, draws)[0] < np.quantile(draws[name_], 0.01)
            assert draws[name_].min() > low


def test_elements_of_arrays_are_axes():
    model = run_models.example("mixture")
    point = {n: a[0] for n, a in prior_sample(model).items()}
    slice_ = Slice(model.evaluation, point, ["mu[1]", "z[3]"])
    moved = {"mu": np.array([point["mu"][0], 0.7]), "z": point["z"].copy()}
    moved["z"][3] = 1
    assert slice_.at(0.7, 1.2).log_density == pytest.approx(model.log_density(moved), rel=1e-12)
    with pytest.raises(ModelError, match="`mu` is no scalar variable"):
        Slice(model.evaluation, point, ["mu"])


def test_axes_that_nobody_gave_end_where_the_density_is_faint():
    model = lfppl.compile("(let [x (sample (normal 3 0.1)) y (sample (normal 0 5))] (+ x y))")
    slice_ = Slice(model.evaluation, {"x": 3.0, "y": 0.0}, ["x", "y"])
    (low, high), kept = zoomed(slice_, [(0.0, 9.0), (-50.0, 50.0)], [True, False])
    half = 0.1 * np.sqrt(2 * np.log(1000.0))
    assert 2.0 < low < 3.0 - half < 3.0 + half < high < 4.0
    assert kept == (-50.0, 50.0)
