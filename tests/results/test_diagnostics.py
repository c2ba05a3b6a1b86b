"""Diagnostics agree with those of ArviZ, on good chains and on bad ones."""

import numpy as np
import pytest
from arviz_stats.base import array_stats
from scipy import special, stats

from lfppl.results import diagnostics
from lfppl.results.summary import COLUMNS, statistics


def chains(kind, shape, seed=0):
    noise = np.random.default_rng(seed).normal(size=shape)
    match kind:
        case "independent":
            return noise
        case "slow" | "alternating":
            share = 0.95 if kind == "slow" else -0.7
            for i in range(1, shape[1]):
                noise[:, i] += share * noise[:, i - 1]
            return noise
        case "walk":
            return noise.cumsum(axis=1)
        case "apart":
            return noise + 3.0 * np.arange(shape[0])[:, None]
        case "heavy":
            return noise**5
        case _:
            return np.floor(noise)


KINDS = ("independent", "slow", "alternating", "walk", "apart", "heavy", "integers")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(4, 200), (2, 501), (3, 53)])
def test_diagnostics_agree_with_arviz(kind, shape):
    draws = chains(kind, shape)
    wide = draws[:, :, None]
    assert diagnostics.r_hat(wide)[0] == pytest.approx(array_stats.rhat(draws), rel=1e-12)
    bulk = array_stats.ess(draws, method="bulk")
    assert diagnostics.ess_bulk(wide)[0] == pytest.approx(bulk, rel=1e-9)
    tail = array_stats.ess(draws, method="tail", prob=(0.05, 0.95))
    assert diagnostics.ess_tail(wide)[0] == pytest.approx(tail, rel=1e-9)
    error = array_stats.mcse(draws, method="mean")
    assert diagnostics.mcse_mean(wide)[0] == pytest.approx(error, rel=1e-9)


def test_many_quantities_at_once_are_as_one_by_one():
    draws = np.stack([chains(kind, (4, 100)) for kind in KINDS], axis=2)
    for function in (diagnostics.r_hat, diagnostics.ess_bulk, diagnostics.ess_tail):
        together = function(draws)
        apart = [function(draws[:, :, i : i + 1])[0] for i in range(draws.shape[2])]
        np.testing.assert_allclose(together, apart, rtol=1e-9)


def test_a_quantity_that_never_moves_has_no_diagnostics():
    draws = np.full((4, 100, 1), 3.3)
    for function in (diagnostics.r_hat, diagnostics.ess_bulk, diagnostics.ess_tail):
        assert np.isnan(function(draws)[0])


def test_chains_that_stay_apart_have_an_infinite_r_hat():
    draws = np.broadcast_to(np.array([0.1, 0.1, 0.7, 0.1])[:, None, None], (4, 100, 1))
    assert diagnostics.r_hat(draws)[0] == np.inf


@pytest.mark.parametrize("count", range(1, 8))
def test_too_few_draws_have_no_diagnostics(count):
    draws = np.random.default_rng(1).normal(size=(4, count, 2))
    for function in (diagnostics.r_hat, diagnostics.ess_bulk, diagnostics.mcse_mean):
        assert np.isnan(function(draws)).all()


def test_statistics_have_a_row_for_every_scalar():
    generator = np.random.default_rng(2)
    draws = {"A": generator.normal(size=(2, 50, 2, 2)), "x": generator.normal(size=(2, 50))}
    table = statistics(draws)
    assert list(table) == ["A[0,0]", "A[0,1]", "A[1,0]", "A[1,1]", "x"]
    assert all(tuple(row) == COLUMNS for row in table.values())
    assert table["A[1,0]"]["mean"] == pytest.approx(draws["A"][:, :, 1, 0].mean(), rel=1e-14)
    assert table["x"]["q95"] == pytest.approx(np.quantile(draws["x"], 0.95), rel=1e-14)
    assert table["x"]["sd"] == pytest.approx(draws["x"].std(ddof=1), rel=1e-14)


def test_statistics_do_not_depend_on_how_many_are_taken_at_once(monkeypatch):
    draws = {"x": np.random.default_rng(3).normal(size=(2, 60, 7))}
    whole = statistics(draws)
    monkeypatch.setattr("lfppl.results.summary.NUMBERS_AT_ONCE", 2 * 60 * 3)
    for name, row in statistics(draws).items():
        assert row == pytest.approx(whole[name], rel=1e-9)


def test_normal_scores_are_those_of_scipy():
    draws = np.random.default_rng(5).integers(0, 7, (3, 41, 2)).astype(float)
    flat = draws.reshape(-1, 2)
    shares = (stats.rankdata(flat, axis=0) - 0.375) / (len(flat) + 0.25)
    np.testing.assert_allclose(
        diagnostics.rank_normalised(draws).reshape(-1, 2), special.ndtri(shares), atol=1e-13
    )


def test_fast_lengths_have_small_factors_and_are_little_longer():
    for least in range(1, 5000):
        length = diagnostics.fast_length(least)
        assert least <= length <= max(1.25 * least, least + 8)
        assert 2**20 * 3**3 * 5**2 % length == 0
