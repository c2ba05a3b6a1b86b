"""The crowd of chains in JAX has the posteriors known exactly, and refuses what it cannot do.

Chains are independent but for their common tuning: the standard error is that of their means. A
z-score beyond BOUND has probability 2e-5 with Student's t of 127 degrees, and no program has more
than twelve of them. Seeds are fixed.
"""

from __future__ import annotations

import numpy as np
import pytest

import lfppl
from answers import labels, reals

BOUND = 4.84
CHAINS = 128


@pytest.mark.parametrize(
    "make",
    [labels.four_clusters, labels.hidden_markov, reals.islands],
    ids=lambda make: make.__name__,
)
def test_crowds_have_the_exact_posteriors(make):
    answer = make()
    model = lfppl.compile(answer.source, answer.data)
    options = {"chains": CHAINS, "draws": 120, "warmup": 300, "seed": 4, "progress": False}
    fit = model.sample(engine="crowd", **options)
    for name, values in answer.measure(fit.draws).items():
        means = values.mean(axis=1)
        error = means.std(ddof=1) / np.sqrt(CHAINS)
        assert abs(means.mean() - answer.expected[name]) < BOUND * error + answer.tolerance, name


MODEL = "(let [x (sample (normal 0 1))] (observe (normal (if (< x 0) -1 1) 1) 0.7) x)"


def test_a_crowd_gives_a_fit_like_any_other():
    model = lfppl.compile(MODEL)
    options = {"engine": "crowd", "chains": 6, "draws": 20, "warmup": 30, "progress": False}
    fit = model.sample(**options, seed=1, thin=2)
    assert fit.draws["x"].shape == (6, 10)
    assert fit.about.engine == "crowd"
    assert [v.shape for v in fit.tree["log_likelihood"].data_vars.values()] == [(6, 10)]
    assert fit.tree["sample_stats"]["crossings"].sum() > 0
    again = model.sample(**options, seed=1, thin=2)
    np.testing.assert_array_equal(fit.draws["x"], again.draws["x"])


def test_a_crowd_takes_no_checkpoint(tmp_path):
    with pytest.raises(lfppl.LfpplError, match="takes no `checkpoint`"):
        lfppl.compile(MODEL).sample(engine="crowd", checkpoint=tmp_path / "c")


def test_a_crowd_says_what_is_impossible():
    model = lfppl.compile(
        "(let [x (sample (normal 0 1))] (observe (normal (if (< x 0) -1 1) 1) (sqrt (- 0 1))) x)"
    )
    with pytest.raises(lfppl.LfpplError, match="not a number"):
        model.sample(engine="crowd", chains=4, progress=False)
