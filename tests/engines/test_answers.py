"""Chains that tune themselves find the exact posterior.

A z-score beyond 4.5 has probability 7e-6; every test looks at no more than ten of them. Standard
errors come from the effective sample size and from the exact sample.
"""

from __future__ import annotations

from functools import cache

import cases
import numpy as np
import pytest
from arviz_stats.base import array_stats
from mixtures import mixture

from lfppl.engines import engine
from lfppl.engines.chains import Settings

BOUND = 4.5


def run(name: str, case: cases.Case, draws: int, seed: int = 3, **settings):
    """One self-tuned chain from an exact draw; positions and the segment."""
    made, chosen = engine(name), Settings(warmup=1000, keep_positions=True, **settings)
    start = case.sample(np.random.default_rng(seed), 1)[0]
    state = made.initial_state(case.density, start, chosen, np.random.SeedSequence(seed))
    segment = made.advance(case.density, case.density.workspace(), state, chosen, 1000 + draws)
    return segment.positions, segment


def effective(values) -> float:
    return float(array_stats.ess(values[None, :], chain_axis=0, draw_axis=1, method="mean"))


def z_score(values, exact) -> float:
    """The difference of means in standard errors."""
    error = exact.var() * (1 / effective(values) + 1 / len(exact))
    return abs(values.mean() - exact.mean()) / error**0.5


@cache
def built(make) -> cases.Case:
    return make()


@cache
def exact(make):
    return built(make).sample(np.random.default_rng(0), 400_000)


def check_means(name: str, make, draws: int, **settings) -> None:
    positions, _ = run(name, built(make), draws, **settings)
    assert effective(positions[:, 0]) > 200
    for k in range(min(positions.shape[1], 5)):
        assert z_score(positions[:, k], exact(make)[:, k]) < BOUND
        assert z_score(np.abs(positions[:, k]), np.abs(exact(make)[:, k])) < BOUND


@pytest.mark.parametrize(
    "make",
    [
        cases.four_components,
        cases.heavy_tail,
        cases.table_posterior,
        cases.change_point,
        cases.islands,
        cases.stairs,
    ],
)
@pytest.mark.parametrize("name", ["dhmc", "dnuts", "mwg"])
def test_targets_with_jumps_are_found(name, make):
    check_means(name, make, 40_000)


@pytest.mark.parametrize(
    "make", [cases.gaussian, cases.correlated_gaussian, cases.eight_schools, cases.truncated]
)
@pytest.mark.parametrize("name", ["hmc", "nuts"])
def test_smooth_targets_are_found(name, make):
    check_means(name, make, 40_000)


@pytest.mark.parametrize("name", ["hmc", "nuts"])
def test_the_funnel_is_found_with_small_steps(name):
    check_means(name, cases.funnel, 40_000, step_size=0.02, steps=150, adapt_scale=False)


@pytest.mark.parametrize("name", ["dhmc", "dnuts", "mwg"])
def test_the_papers_mixture_has_the_means_found_by_enumeration(name):
    positions, segment = run(name, built(cases.paper_mixture), 60_000)
    means = np.sort(positions[:, :2], axis=1)
    for k, expected in enumerate((-1.9448, 2.0398)):
        error = means[:, k].std() / effective(means[:, k]) ** 0.5
        assert abs(means[:, k].mean() - expected) < BOUND * error + 5e-5
    assert segment.flips.min() > 0


@pytest.mark.parametrize("name", ["dhmc", "dnuts"])
def test_labels_of_a_thousand_points_move(name):
    rng = np.random.default_rng(5)
    y = np.where(rng.random(1000) < 0.5, rng.normal(-1.5, 1, 1000), rng.normal(1.5, 1, 1000))
    density = mixture(y)
    start = np.concatenate([[-1.5, 1.5], np.where(y < 0, 0.5, 1.5)])
    case = cases.Case("thousand", density, lambda rng, n: start[None])
    positions, segment = run(name, case, 4000)
    mu = positions[:, :2].mean(0)
    share = 1 / (1 + np.exp(0.5 * ((y - mu[1]) ** 2 - (y - mu[0]) ** 2)))
    fresh = (2 * share * (1 - share)).sum()
    assert segment.statistic("crossings")[1000:].mean() > 0.2 * fresh
    labels = np.floor(positions[:, 2:]).mean(0)
    assert np.abs(labels - share).max() < 0.12
    assert effective(positions[:, 0]) > 400
