"""Self-tuning: windows, steps, scales, lengths, and the traps of labels."""

from __future__ import annotations

import math

import cases
import numpy as np
import pytest
from densities import plain
from mixtures import mixture
from numba import njit

from lfppl.engines import adaptation, engine
from lfppl.engines.adaptation import LENGTH, STEP, schedule
from lfppl.engines.chains import Settings
from lfppl.engines.hamiltonian import watched_coordinates
from lfppl.engines.native import target_of


def tuned(name: str, density, start, draws: int = 1000, seed: int = 1, **settings):
    """The segment of a chain, warm-up included, and its state."""
    made, chosen = engine(name), Settings(keep_positions=True, **settings)
    state = made.initial_state(density, np.array(start), chosen, np.random.SeedSequence(seed))
    segment = made.advance(density, density.workspace(), state, chosen, chosen.warmup + draws)
    return segment, segment.state


def threshold_labels(count: int = 40):
    """Labels uniform on (0, 1) that compare with 1/2, as the paper writes them, and a normal."""
    d = count + 1

    @njit
    def energy(x):
        total = 0.5 * x[0] ** 2
        for i in range(1, d):
            if not 0.0 <= x[i] < 1.0:
                return math.inf
            total += 0.05 * x[0] if x[i] < 0.5 else 0.3
        return total

    @njit
    def slope(x, g):
        g[0] = x[0]
        for i in range(1, d):
            g[0] += 0.05 if x[i] < 0.5 else 0.0

    @njit
    def bits(x, out):
        for i in range(1, d):
            out[i - 1] = x[i] < 0.5

    bounds = {"lower": np.full(d, 0.0), "upper": np.full(d, 1.0), "cell": np.full(d, 1.0)}
    bounds["lower"][0], bounds["upper"][0], bounds["cell"][0] = -np.inf, np.inf, np.inf
    return plain(
        energy,
        slope,
        dimension=d,
        discontinuous=range(1, d),
        colours=[list(range(1, d))],
        bits=bits,
        branch_count=count,
        **bounds,
    )


@pytest.mark.parametrize("warmup", [0, 5, 20, 100, 150, 1000, 3000])
def test_windows_cover_the_slow_part_of_the_warm_up(warmup):
    windows = schedule(warmup)
    assert windows.start <= windows.stop <= warmup
    assert list(windows.ends) == sorted(set(windows.ends))
    assert not windows.ends or windows.ends[-1] == windows.stop


@pytest.mark.parametrize("name", ["hmc", "nuts"])
def test_the_step_reaches_the_acceptance_aimed_at(name):
    case = cases.correlated_gaussian()
    start = case.sample(np.random.default_rng(1), 1)[0]
    reached = []
    for aim in (0.6, 0.8, 0.95):
        segment, _ = tuned(name, case.density, start, target_acceptance=aim)
        reached.append(segment.statistic("acceptance")[1000:].mean())
    # Averaging the logarithm of the step errs on the careful side, as it does in Stan.
    np.testing.assert_allclose(reached, [0.6, 0.8, 0.95], atol=0.2)
    assert reached == sorted(reached)


def test_variances_are_learned():
    case = cases.gaussian((0.01, 1.0, 100.0))
    _, state = tuned("nuts", case.density, [0.0, 0.0, 0.0])
    np.testing.assert_allclose(np.sqrt(state.scale), [0.01, 1.0, 100.0], rtol=0.25)


def test_speeds_of_wide_coordinates_are_their_deviations():
    case = cases.stairs()
    _, state = tuned("dhmc", case.density, [0.0, 0.0])
    deviation = case.sample(np.random.default_rng(1), 10_000)[:, 1].std()
    assert not state.narrow.any()
    assert state.scale[1] == pytest.approx(deviation, rel=0.3)


def test_without_continuous_coordinates_the_step_follows_the_refraction_rate():
    case = cases.heavy_tail(6)
    for aim in (0.6, 0.8):
        options = {"target_moved": aim, "steps": 20}
        chains = [
            tuned("dhmc", case.density, np.full(6, 0.1), seed=k, **options)[0] for k in range(6)
        ]
        found = np.mean([np.median(chain.statistic("moved")[1000:]) for chain in chains])
        assert found == pytest.approx(aim, abs=0.08)
        assert min(chain.statistic("acceptance")[1000:].min() for chain in chains) > 1 - 1e-9


def test_a_given_step_is_kept():
    segment, _ = tuned("dnuts", cases.stairs().density, [0.0, 0.0], step_size=0.125, draws=10)
    assert set(segment.statistic("step_size")) == {0.125}


@pytest.mark.parametrize("name", ["dhmc", "dnuts"])
def test_without_a_warm_up_a_step_is_looked_for_all_the_same(name):
    case = cases.gaussian((1e-6, 1e-6, 1e-6))
    segment, _ = tuned(name, case.density, [0.0, 0.0, 0.0], draws=200, warmup=0)
    assert segment.statistic("step_size")[0] < 0.01
    assert segment.statistic("acceptance").mean() > 0.3


def test_lengths_grow_with_the_slowest_direction():
    slow = cases.correlated_gaussian(20, 0.9)
    quick = cases.gaussian((1.0, 1.0, 1.0))
    lengths = []
    for case in (quick, slow):
        start = case.sample(np.random.default_rng(1), 1)[0]
        _, state = tuned("hmc", case.density, start)
        lengths.append(state.numbers[LENGTH])
    assert 1.0 < lengths[0] < 4.5
    assert lengths[1] > 1.5 * lengths[0]


# --- the traps -----------------------------------------------------------------------------------


def test_a_stride_as_wide_as_the_support_never_moves_though_all_is_accepted():
    # The first trap: what the adaptation must avoid.
    density = threshold_labels()
    made, settings = engine("dhmc"), Settings(warmup=0, step_size=1.3, steps=3)
    start = np.full(density.dimension, 0.5)
    state = made.initial_state(density, start, settings, np.random.SeedSequence(1))
    state.narrow[:] = False
    state.scale[:] = 1.0
    segment = made.advance(density, density.workspace(), state, settings, 200)
    assert segment.statistic("moved").max() == 0.0
    assert segment.statistic("acceptance").mean() > 0.5


@pytest.mark.parametrize("name", ["dhmc", "dnuts"])
def test_labels_on_the_unit_interval_move(name):
    density = threshold_labels()
    start = np.full(density.dimension, 0.25)
    segment, state = tuned(name, density, start)
    assert segment.statistic("moved")[1000:].mean() > 0.25
    assert segment.flips.min() > 50
    assert state.narrow[1:].all()
    strides = state.scale[1:] * state.numbers[STEP]
    np.testing.assert_allclose(strides, 0.5)


@pytest.mark.parametrize("name", ["dhmc", "dnuts"])
def test_labels_keep_their_stride_when_the_step_is_tiny(name):
    density = threshold_labels()
    start = np.full(density.dimension, 0.25)
    segment, _ = tuned(name, density, start, step_size=0.02, steps=5, max_depth=3)
    assert segment.flips.min() > 20


def test_labels_of_two_cells_cross_their_support_once_or_six_times():
    two = mixture(np.zeros(3))
    target = target_of(two, two.workspace())
    for steps, stride in ((1, 1.0), (2, 1.0), (4, 0.55), (6, 1.0), (22, 0.6), (44, 0.3)):
        assert adaptation.strides(target, steps)[2:].tolist() == pytest.approx([stride] * 3)
    four = cases.four_components().density
    target = target_of(four, four.workspace())
    assert adaptation.strides(target, 22)[4:].tolist() == [1.0] * 3


@pytest.mark.parametrize(("crossing", "least", "most"), [(1.1, -0.5, 0.45), (2.0, 0.5, 1.0)])
def test_labels_that_bounce_back_are_where_they_were(crossing, least, most, monkeypatch):
    # The third trap: half a support a step, and four steps later U is what it was.
    monkeypatch.setattr(adaptation, "CROSSING", crossing)
    rng = np.random.default_rng(3)
    density = mixture(np.where(rng.random(500) < 0.5, -1, 1) + rng.normal(size=500))
    start = np.concatenate([[-1.0, 1.0], rng.uniform(0, 2, 500)])
    segment, _ = tuned("dhmc", density, start, steps=4)
    u = segment.statistic("log_density")[1000:]
    assert least < np.corrcoef(u[1:], u[:-1])[0, 1] < most


def test_the_u_turn_test_watches_means_and_not_a_thousand_labels():
    # The second trap: summed over bouncing labels the test is noise, and trees stop at once.
    rng = np.random.default_rng(2)
    density = mixture(np.where(rng.random(1000) < 0.5, -2, 2) + rng.normal(size=1000))
    start = np.concatenate([[-2.0, 2.0], rng.uniform(0, 2, 1000)])
    segment, state = tuned("dnuts", density, start)
    watched, smooth = watched_coordinates(target_of(density, density.workspace()), state.narrow)
    assert watched.tolist() == [0, 1]
    assert smooth == 2
    assert segment.statistic("depth")[1000:].mean() > 1.5


def test_wide_discontinuous_coordinates_are_watched():
    density = cases.heavy_tail(5).density
    _, state = tuned("dnuts", density, np.full(5, 0.1))
    target = target_of(density, density.workspace())
    assert watched_coordinates(target, state.narrow)[0].tolist() == [0, 1, 2, 3, 4]


def test_without_anything_to_watch_trajectories_have_a_fixed_length():
    density = cases.table_posterior().density
    segment, _ = tuned("dnuts", density, [0.5, 0.5])
    assert len(set(segment.statistic("steps"))) == 1
    assert segment.flips.min() > 0


def test_labels_of_four_components_stride_over_one_two_and_three_cells():
    density = cases.four_components().density
    target = target_of(density, density.workspace())
    narrow = adaptation.narrow_coordinates(target, np.ones(density.dimension))
    assert narrow.tolist() == [False] * 4 + [True] * 3
    assert adaptation.longest_stride(target, narrow).tolist() == [1] * 4 + [3] * 3
