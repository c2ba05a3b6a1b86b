"""Predictions have the law of the model; seeds are fixed, false alarms are rarer than 1e-4."""

import numpy as np
import pytest

import lfppl
import run_models
from lfppl.core.distributions import FAMILIES
from lfppl.runs.drawing import draw_many
from lfppl.runs.predictor import Predictions

BOUND = 4.5
"""Standard errors: 14 two-sided comparisons alarm falsely with probability 1e-4."""


def assert_mean(values, expected, sd):
    values = np.asarray(values, np.float64).reshape(-1)
    assert abs(values.mean() - expected) < BOUND * sd / np.sqrt(len(values))


@pytest.fixture(scope="module")
def regression():
    text = """
    (let [level (sample (normal 1 2)) scale (sample (gamma 4 2)) n (sample (poisson 3))]
      (doseq [i (range 3)] (observe (normal (+ level i) 0.5) (get y i)))
      (observe (poisson n) counted)
      (if (< level 1) (observe (normal 10 1) side) (observe (normal -10 1) side))
      (+ level n))
    """
    return lfppl.compile(text, {"y": [1.0, 2.0, 3.0], "counted": 2, "side": 0.0})


def test_prior_draws_have_the_moments_of_the_prior(regression):
    prior, predicted = Predictions(regression, 1).prior(4000)
    assert_mean(prior["level"], 1.0, 2.0)
    assert_mean(prior["scale"], 2.0, 1.0)
    assert_mean(prior["n"], 3.0, np.sqrt(3.0))
    assert_mean(prior["return"], 4.0, np.sqrt(7.0))
    for i in range(3):
        assert_mean(predicted["y"][:, i], 1.0 + i, np.sqrt(4.25))
    assert_mean(predicted["counted"], 3.0, np.sqrt(6.0))


def test_predictions_come_from_the_branch_that_is_taken(regression):
    prior, predicted = Predictions(regression, 1).prior(500)
    is_low = prior["level"] < 1
    assert (predicted["side"][is_low] > 0).all()
    assert (predicted["side"][~is_low] < 0).all()


def test_posterior_predictions_follow_the_draws(regression):
    fit = run_models.quick(regression, draws=500, warmup=200)
    predicted = fit.tree["posterior_predictive"]
    assert predicted["y"].shape == (2, 500, 3)
    residual = predicted["y"].values[..., 1] - fit.draws["level"] - 1.0
    assert_mean(residual, 0.0, 0.5)
    assert_mean(residual**2, 0.25, 0.25 * np.sqrt(2.0))
    np.testing.assert_array_equal(predicted["side"].values > 0, fit.draws["level"] < 1)


def test_predictions_are_the_same_for_the_same_seed(regression):
    first, second = (Predictions(regression, 7).prior(50) for _ in range(2))
    np.testing.assert_array_equal(first[1]["y"], second[1]["y"])
    other = Predictions(regression, 8).prior(50)
    assert not np.array_equal(first[1]["y"], other[1]["y"])


def test_large_models_are_predicted_in_portions(regression, monkeypatch):
    monkeypatch.setattr("lfppl.runs.predict.MOST_NUMBERS", 500)
    prior, predicted = Predictions(regression, 1).prior(400)
    assert prior["level"].shape == (400,)
    assert predicted["y"].shape == (400, 3)
    assert_mean(prior["level"], 1.0, 2.0)


def test_fewer_draws_are_predicted_where_they_are_long(monkeypatch):
    monkeypatch.setattr("lfppl.runs.predictor.MOST_PREDICTED", 200)
    fit = run_models.quick(run_models.example("mixture"))
    assert fit.tree["posterior_predictive"]["y"].shape == (2, 10, 10)


def test_variables_that_were_left_out_cannot_be_predicted_from():
    fit = run_models.quick(run_models.example("mixture"), keep=["mu"])
    assert "posterior_predictive" not in fit.tree.children
    assert "prior_predictive" in fit.tree.children


# --- draws of vectors ----------------------------------------------------------------------------


def test_vectors_are_drawn_for_many_parameters_at_once():
    generator = np.random.default_rng(3)
    mean = np.tile([1.0, -2.0], (4000, 1))
    covariance = np.tile([[2.0, 0.6], [0.6, 1.0]], (4000, 1, 1))
    drawn = draw_many(generator, FAMILIES["mvn"], [mean, covariance])
    assert drawn.shape == (4000, 2)
    assert_mean(drawn[:, 0], 1.0, np.sqrt(2.0))
    product = (drawn[:, 0] - 1.0) * (drawn[:, 1] + 2.0)
    assert_mean(product, 0.6, np.sqrt(2.0 + 0.36))
    shares = draw_many(generator, FAMILIES["dirichlet"], [np.tile([1.0, 2.0, 3.0], (4000, 1))])
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
    for k, a in enumerate((1.0, 2.0, 3.0)):
        assert_mean(shares[:, k], a / 6.0, np.sqrt(a * (6.0 - a) / (36.0 * 7.0)))


def test_categories_are_drawn_by_weight():
    weights = np.tile([1.0, 0.0, 3.0], (4000, 1))
    drawn = draw_many(np.random.default_rng(4), FAMILIES["categorical"], [weights])
    assert set(np.unique(drawn)) == {0.0, 2.0}
    assert_mean(drawn == 2.0, 0.75, np.sqrt(0.75 * 0.25))


def test_parameters_that_allow_no_draw_give_nan():
    weights = np.array([[1.0, 1.0], [-1.0, 2.0], [np.nan, 1.0], [0.0, 0.0]])
    drawn = draw_many(np.random.default_rng(5), FAMILIES["categorical"], [weights])
    np.testing.assert_array_equal(np.isnan(drawn), [False, True, True, True])


def test_tiny_concentrations_do_not_become_nan():
    drawn = draw_many(np.random.default_rng(6), FAMILIES["dirichlet"], [np.full((100, 3), 1e-3)])
    assert np.isfinite(drawn).all()
