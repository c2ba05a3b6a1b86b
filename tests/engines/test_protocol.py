"""What every engine must do: segments, thinning, records, restored states."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cases
import numpy as np
import pytest

from lfppl.engines import ENGINES, engine
from lfppl.engines.chains import STATISTICS, Settings, restored_state, state_arrays
from lfppl.errors import CompilerBug, ModelError
from lfppl.errors.engine import ChainError

SETTINGS = Settings(warmup=60, keep_positions=True, keep_terms=True)


@cache
def case(name: str):
    return cases.gaussian((0.5, 2.0)) if name in ("hmc", "nuts") else cases.switched_normal()


def chain(name: str, pieces, settings=SETTINGS, seed: int = 4):
    """Segments of the given lengths, one after another, each in a fresh workspace."""
    made, target = engine(name), case(name)
    start = target.sample(np.random.default_rng(1), 1)[0]
    state = made.initial_state(target.density, start, settings, np.random.SeedSequence(seed))
    for piece in pieces:
        arrays = state_arrays(state)
        workspace = target.density.workspace()
        segment = made.advance(target.density, workspace, restored_state(arrays), settings, piece)
        state = segment.state
        yield segment


def joined(segments, what: str):
    return np.concatenate([getattr(segment, what) for segment in segments])


@pytest.mark.parametrize("name", ENGINES)
def test_segments_of_any_length_give_the_same_draws_bit_for_bit(name):
    whole = list(chain(name, [140]))
    parts = list(chain(name, [3, 7, 20, 31, 1, 38, 40]))
    for what in ("draws", "positions", "terms", "recorded", "statistics"):
        np.testing.assert_array_equal(joined(whole, what), joined(parts, what))
    np.testing.assert_array_equal(whole[0].flips, sum(part.flips for part in parts))
    last, other = state_arrays(whole[-1].state), state_arrays(parts[-1].state)
    assert all(np.array_equal(last[key], other[key]) for key in last)


@pytest.mark.parametrize("cut", [30, 55, 149, 151])
def test_labels_stride_alike_wherever_segments_are_cut(cut):
    made, target = engine("dhmc"), cases.paper_mixture()
    settings = replace(SETTINGS, warmup=150)
    start = target.sample(np.random.default_rng(1), 1)[0]
    first = made.initial_state(target.density, start, settings, np.random.SeedSequence(2))
    workspace = target.density.workspace()
    whole = made.advance(target.density, workspace, first, settings, 200)
    part = made.advance(target.density, workspace, first, settings, cut)
    rest = made.advance(target.density, workspace, part.state, settings, 200 - cut)
    np.testing.assert_array_equal(joined([part, rest], "statistics"), whole.statistics)


@pytest.mark.parametrize("name", ENGINES)
def test_thinning_keeps_every_third_of_the_same_draws(name):
    every = next(chain(name, [120]))
    third = replace(SETTINGS, thin=3)
    thinned = list(chain(name, [61, 1, 5, 53], third))
    np.testing.assert_array_equal(joined(thinned, "draws"), every.draws[2::3])
    np.testing.assert_array_equal(joined(thinned, "recorded"), every.recorded[2::3])
    assert len(joined(thinned, "statistics")) == 120


@pytest.mark.parametrize("name", ENGINES)
def test_advancing_leaves_the_state_given_unchanged(name):
    made, target = engine(name), case(name)
    start = target.sample(np.random.default_rng(1), 1)[0]
    state = made.initial_state(target.density, start, SETTINGS, np.random.SeedSequence(1))
    before = state_arrays(state)
    made.advance(target.density, target.density.workspace(), state, SETTINGS, 70)
    assert all(np.array_equal(before[key], getattr(state, key)) for key in before)


@pytest.mark.parametrize("name", ENGINES)
def test_the_warm_up_is_not_recorded_but_counted(name):
    segment = next(chain(name, [100]))
    assert segment.draws.shape == (40, case(name).density.value_count)
    assert segment.recorded.tolist() == list(range(60, 100))
    assert segment.statistics.shape == (100, len(STATISTICS))
    assert segment.state.iteration == 100


@pytest.mark.parametrize("name", ENGINES)
def test_values_positions_and_terms_belong_together(name):
    segment = next(chain(name, [100]))
    floors = case(name).density.discontinuous
    shown = segment.positions.copy()
    shown[:, floors] = np.floor(shown[:, floors])
    np.testing.assert_array_equal(segment.draws, shown)
    log_density = segment.statistic("log_density")[segment.recorded]
    np.testing.assert_allclose(segment.terms[:, 0], log_density)


@pytest.mark.parametrize("name", ENGINES)
def test_different_seeds_give_different_draws(name):
    first, second = next(chain(name, [80])), next(chain(name, [80], seed=5))
    assert not np.array_equal(first.draws, second.draws)


@pytest.mark.parametrize("name", ENGINES)
def test_values_can_be_picked(name):
    every = next(chain(name, [80]))
    picked = next(chain(name, [80], replace(SETTINGS, keep=np.array([1]))))
    np.testing.assert_array_equal(picked.draws[:, 0], every.draws[:, 1])


@pytest.mark.parametrize("name", ["dhmc", "dnuts", "mwg"])
def test_crossings_count_branching_variables_that_differ(name):
    segment = next(chain(name, [3000]))
    bits = segment.positions[:, 1] < 1.0
    assert segment.flips[0] >= np.count_nonzero(bits[1:] != bits[:-1]) > 0
    crossings = segment.statistic("crossings")[segment.recorded[1:]]
    np.testing.assert_array_equal(crossings, bits[1:] != bits[:-1])


@pytest.mark.parametrize("name", ENGINES)
def test_a_chain_outside_the_support_says_so(name):
    target = cases.truncated() if name in ("hmc", "nuts") else case(name)
    made, start = engine(name), np.full(target.density.dimension, -1.0)
    state = made.initial_state(target.density, start, SETTINGS, np.random.SeedSequence(1))
    with pytest.raises(ChainError, match="density is zero") as caught:
        made.advance(target.density, target.density.workspace(), state, SETTINGS, 1)
    np.testing.assert_array_equal(caught.value.position, start)


@pytest.mark.parametrize("name", ["hmc", "nuts"])
def test_gradient_engines_refuse_discontinuous_coordinates(name):
    density = cases.stairs().density
    with pytest.raises(CompilerBug, match="without discontinuous"):
        engine(name).initial_state(density, np.zeros(2), SETTINGS, np.random.SeedSequence(1))


def test_an_unknown_engine_is_a_mistake_with_the_known_ones():
    with pytest.raises(ModelError, match="dhmc, dnuts, hmc, mwg, nuts"):
        engine("gibbs")


def test_divergences_keep_their_place():
    funnel, made = cases.funnel(), engine("nuts")
    settings = Settings(warmup=0, step_size=1.5)
    state = made.initial_state(funnel.density, np.zeros(4), settings, np.random.SeedSequence(2))
    segment = made.advance(funnel.density, funnel.density.workspace(), state, settings, 500)
    divergent = np.flatnonzero(segment.statistic("divergence"))
    assert len(divergent) > 0
    kept = len(segment.divergent_iterations)
    assert segment.divergent_iterations.tolist() == divergent[:kept].tolist()
    assert segment.divergent_places.shape == (kept, 4)
    assert np.all(segment.divergent_places.any(axis=1))


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_knows_that_it_was_compiled(name):
    next(chain(name, [61]))
    assert engine(name).is_compiled
