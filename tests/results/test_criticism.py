"""Warnings in words, for each way in which a run can have gone wrong, and none for good runs."""

from dataclasses import replace

import numpy as np
import pytest

import lfppl
import run_models
from lfppl.engines.chains import STATISTICS


def fit_of(text, data=None, **options):
    return run_models.quick(lfppl.compile(text, data), **options)


def test_a_good_run_has_no_warnings():
    fit = fit_of("(let [x (sample (normal 0 1))] x)", draws=1000, warmup=300, chains=4)
    assert fit.warnings == ()


def test_chains_that_disagree_are_named():
    initial = [{"x": -20.0}, {"x": 20.0}]
    fit = fit_of(
        "(let [x (sample (normal 0 30))] (if (< x 0) (observe (normal x 1) -20)"
        " (observe (normal x 1) 20)) x)",
        initial=initial,
    )
    texts = "\n".join(fit.warnings)
    assert "R-hat is above 1.01 for `x`, `return`" in texts
    assert "the effective sample size is small for" in texts
    assert "chains are stuck: the `if` at <text>:1:" in texts
    assert "is taken in chain 0 and not in the others" in texts


def test_a_branch_that_never_changed_is_named_with_its_place():
    fit = fit_of("(let [x (sample (normal 9 1))]\n  (if (< x 0) 0 1)\n  x)", draws=800, warmup=200)
    assert any("the `if` at <text>:2:" in text for text in fit.warnings)
    assert any("never changed its branch" in text for text in fit.warnings)


def test_a_branch_that_changes_is_not_named():
    fit = fit_of("(let [x (sample (normal 0 1))] (if (< x 0) 0 1))", draws=800, warmup=200)
    assert not any("never changed" in text for text in fit.warnings)


def test_labels_that_stay_in_one_region_are_named():
    initial = [{"mu": [-2, 2], "z": [0] * 5 + [1] * 5}, {"mu": [2, -2], "z": [1] * 5 + [0] * 5}]
    model = run_models.example("mixture")
    fit = run_models.quick(model, initial=initial, draws=20, warmup=5, keep=["mu", "z"])
    assert any(text.startswith("chains are stuck: `z[") for text in fit.warnings)


def test_components_that_swapped_names_are_told_from_chains_that_disagree():
    centres = [{"mu": [-2, 2]}, {"mu": [2, -2]}, {"mu": [-2, 2]}, {"mu": [2, -2]}]
    model = run_models.example("mixture")
    fit = run_models.quick(model, initial=centres, draws=2000, warmup=500, chains=4)
    assert len(fit.warnings) == 1
    assert "R-hat is above 1.01 for `z[" in fit.warnings[0]
    assert "though they do in what the model returns" in fit.warnings[0]


def test_what_is_constant_does_not_agree():
    initial = [{"x": -20.0}, {"x": 20.0}]
    text = "(let [x (sample (normal 0 30))] (observe (normal (abs x) 1) 20) 1)"
    fit = fit_of(text, initial=initial)
    assert "the chains do not agree yet" in fit.warnings[0]


@pytest.mark.parametrize(
    ("kind", "message"),
    [(1.0, "3 of 120 trajectories diverged"), (2.0, "was not a number in 3 of 120 trajectories")],
)
def test_divergences_are_counted(kind, message):
    fit = fit_of("(let [x (sample (normal 0 1))] x)")
    column = STATISTICS.index("divergence")
    fit.chains[0].all_statistics[[1, 70, 71, 72], column] = kind  # the first is in the warm-up
    assert any(message in text for text in fit.warnings)
    assert fit.divergences == 3


def test_a_chain_that_did_not_move_is_named():
    fit = fit_of("(let [x (sample (normal 0 1))] x)")
    fit.chains[1].all_statistics[:, STATISTICS.index("log_density")] = -1.0
    assert "chain 1 did not move: all its trajectories were rejected" in fit.warnings


def test_what_happened_to_the_run_comes_first():
    fit = fit_of("(let [x (sample (normal 0 1))] x)")
    assert replace(fit, notes=("something",)).warnings[0] == "something"


def test_flips_are_counted_in_the_tree():
    fit = run_models.quick(run_models.example("figure-1"), draws=300)
    flips = fit.tree["branching"]["flips"]
    assert flips.shape == (2, 1)
    assert int(flips.sum()) == fit.crossings > 0
    assert "figure-1.lfppl:" in str(fit.tree["branching"]["place"].values[0])
    np.testing.assert_array_equal(fit.statistic("crossings").sum(axis=1), flips[:, 0])
