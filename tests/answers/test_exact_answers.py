"""Programs, compiled and sampled as users do it, have the posteriors known exactly.

A z-score beyond BOUND has probability 1.3e-6, and no program has more than twelve of them: a right
engine fails a test with probability below 2e-5. Seeds are fixed.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from arviz_stats.base import array_stats

import lfppl
from answers import labels, reals
from answers.answer import Answer, Floats

BOUND = 4.84

JUMPING = (
    labels.papers_mixture,
    labels.four_clusters,
    labels.thousand_points,
    labels.spike_and_slab,
    labels.hidden_markov,
    reals.binomial,
    reals.change_point,
    reals.figure_1,
    reals.truncated,
    reals.islands,
    reals.hole,
)
SMOOTH = (reals.funnel, reals.eight_schools)


@cache
def prepared(make) -> tuple[Answer, lfppl.Model]:
    answer = make()
    return answer, lfppl.compile(answer.source, answer.data)


def sampled(make, engine: str) -> lfppl.Fit:
    answer, model = prepared(make)
    return model.sample(
        draws=answer.draws, engine=engine, seed=4, progress=False, **dict(answer.options)
    )


def z_scores(answer: Answer, fit: lfppl.Fit) -> dict[str, float]:
    """How many standard errors each mean is away from its exact value."""
    found = answer.measure(fit.draws)
    assert found.keys() == answer.expected.keys()
    return {name: z_score(values, answer, name) for name, values in found.items()}


def z_score(values: Floats, answer: Answer, name: str) -> float:
    off = abs(values.mean() - answer.expected[name])
    effective = array_stats.ess(values, chain_axis=0, draw_axis=1, method="mean")
    assert effective > 300
    return float(max(off - answer.tolerance, 0.0) / (values.std() / np.sqrt(effective)))


@pytest.mark.parametrize("engine", ["dhmc", "dnuts"])
@pytest.mark.parametrize("make", JUMPING, ids=lambda make: make.__name__)
def test_programs_with_jumps_have_their_exact_posteriors(make, engine):
    answer, model = prepared(make)
    assert model.discontinuous
    assert max(z_scores(answer, sampled(make, engine)).values()) < BOUND


@pytest.mark.parametrize("engine", ["dhmc", "dnuts", "hmc", "nuts"])
@pytest.mark.parametrize("make", SMOOTH, ids=lambda make: make.__name__)
def test_smooth_programs_have_their_exact_posteriors(make, engine):
    answer, model = prepared(make)
    assert not model.discontinuous
    assert max(z_scores(answer, sampled(make, engine)).values()) < BOUND


@pytest.mark.parametrize("engine", ["dhmc", "dnuts"])
def test_labels_of_a_thousand_points_move(engine):
    """Fresh draws of all labels would differ in `fresh` of them on average."""
    answer, _ = prepared(labels.thousand_points)
    fit = sampled(labels.thousand_points, engine)
    z = fit.draws["z"].astype(float)
    share = z.mean((0, 1))
    fresh = (2 * share * (1 - share)).sum()
    flips = np.abs(np.diff(z, axis=1)).sum(2).mean()
    assert flips > 0.2 * fresh
    assert len(answer.data["y"]) == 1000
