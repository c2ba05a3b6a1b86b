"""Riders: integers of many values in leapfrog steps, and when they ride.

A z-score beyond 4.5 has probability 7e-6; the tests look at about twenty of them.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from test_answers import BOUND, effective
from walking import Walker

import lfppl
from lfppl.engines import engine, riding
from lfppl.engines.adaptation import AIM, DIVERGED_COUNT, LEAST_STEP, RIDES_NOT, SETTLED_COUNT
from lfppl.engines.chains import Settings
from lfppl.engines.native import plain
from lfppl.engines.riders import as_seen, from_scale, on_scale, stretch, stretch_of

BOUNDED = """
(let [n (sample (discrete-uniform 0 2000))
      p (sample (beta 3 5))]
  (observe (binomial n p) 130)
  (observe (binomial n p) 151)
  n)
"""
STEEP = """
(let [n (sample (discrete-uniform 40 900))
      x (sample (normal 0 1))]
  (factor (- (* -1.4 (log (+ 1 (- n 40)))) (* 0.1 x)))
  n)
"""
OPEN = """
(let [rate (sample (gamma 3 0.01))
      n (sample (poisson rate))
      m (sample (poisson (* 2 rate)))]
  (observe (normal (+ n m) 60) 800)
  n)
"""
MIXED = """
(let [n (sample (discrete-uniform 0 1000))
      z (for [i (range 3)] (sample (categorical [0.2 0.5 0.3])))
      x (sample (normal 0 1))]
  (doseq [i (range 3)]
    (observe (normal (+ (* 0.01 n) (get [0 1 3] (get z i)) x) 0.5) (get [5 4.2 6.6] i)))
  n)
"""


def density_of(source: str):
    return lfppl.compile(source).density()


def start_of(source: str, *integers: float):
    """A position with these values of the followed coordinates, the others 0."""
    density = density_of(source)
    position = np.zeros(density.dimension)
    position[density.followed] = integers
    return position


def walker(source: str, *integers: float, size: float = 0.3) -> Walker:
    """All followed coordinates ride."""
    density = density_of(source)
    scale = np.full(density.dimension, size)
    return Walker(density, start_of(source, *integers), scale, 2, density.followed)


def chain(source: str, name: str, draws: int, start, seed: int = 1, **settings):
    """The draws of a chain after its warm-up, and its state."""
    density, made, chosen = density_of(source), engine(name), Settings(**settings)
    state = made.initial_state(
        density, np.array(start, float), chosen, np.random.SeedSequence(seed)
    )
    segment = made.advance(density, density.workspace(), state, chosen, chosen.warmup + draws)
    return segment.draws, segment.state


def log_choose(n, k):
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def bounded_law():
    """P(n) of BOUNDED: the chance is summed out by its beta law."""
    weight = [
        log_choose(n, 130)
        + log_choose(n, 151)
        + math.lgamma(2 * n - 281 + 5)
        - math.lgamma(2 * n + 8)
        if n >= 151
        else -math.inf
        for n in range(2001)
    ]
    return np.arange(2001), np.exp(np.array(weight) - max(weight))


def steep_law():
    n = np.arange(40, 901)
    return n, (1.0 + n - 40.0) ** -1.4


def open_law():
    """P(n) of OPEN: sums over n and m, whose rates share one gamma."""
    n, m = np.arange(900)[:, None], np.arange(1500)[None, :]
    fact = np.cumsum(np.log(np.maximum(np.arange(2400), 1)))
    whole = np.array([math.lgamma(3 + k) for k in range(2400)])
    weight = whole[n + m] - (n + m) * math.log(3.01) + m * math.log(2) - fact[n] - fact[m]
    weight = weight - 0.5 * ((n + m - 800) / 60) ** 2
    return np.arange(900), np.exp(weight - weight.max()).sum(axis=1)


LAWS = {"bounded": (BOUNDED, bounded_law), "steep": (STEEP, steep_law), "open": (OPEN, open_law)}


def place_of(source: str) -> int:
    return int(density_of(source).followed[0])


# --- the scale -----------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [BOUNDED, STEEP, OPEN])
def test_the_scale_and_its_slopes_fit_together(source):
    place, count = place_of(source), len(density_of(source).followed)
    target = walker(source, *[200.5] * count).target
    seen, here = plain(as_seen), plain(stretch_of)
    bounds = float(target.lower[place]), float(target.upper[place])
    for x in (45.25, 200.5, 777.75):
        y = seen(target, place, x)
        assert from_scale(*bounds, y) == pytest.approx(x, rel=1e-12)
        target.position[place] = x
        h = 1e-5
        numeric = (from_scale(*bounds, y + h) - from_scale(*bounds, y - h)) / (2 * h)
        size, slope = here(target, place)
        assert size == pytest.approx(numeric, rel=1e-7)
        assert plain(on_scale)(*bounds, x) == pytest.approx(y)
        assert plain(from_scale)(*bounds, y) == pytest.approx(x)
        assert plain(stretch)(*bounds, x)[0] == pytest.approx(size)
        logs = []
        for way in (h, -h):
            target.position[place] = from_scale(*bounds, y + way)
            logs.append(math.log(here(target, place)[0]))
        assert slope == pytest.approx((logs[0] - logs[1]) / (2 * h), rel=1e-5, abs=1e-7)


# --- steps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("time", [0.02, 0.1])
@pytest.mark.parametrize(("source", "start"), [(BOUNDED, [600.3]), (OPEN, [250.4, 480.9])])
def test_a_path_with_riders_walked_back_ends_where_it_began(source, start, time):
    way = walker(source, *start)
    before, momentum = way.position.copy(), way.momentum.copy()
    orders = way.orders(7)
    way.walk(time, orders)
    assert not np.allclose(way.position, before)
    way.momentum[:] *= -1
    way.walk(time, orders)
    np.testing.assert_allclose(way.position, before, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(-way.momentum, momentum, rtol=1e-7, atol=1e-9)


def test_a_step_with_riders_preserves_volume_on_their_scale():
    place, way = place_of(BOUNDED), walker(BOUNDED, 700.5)

    def moved(values):
        way.position[:], way.momentum[:] = values[:2], values[2:]
        way.position[place] = 2001.0 / (1.0 + math.exp(-values[place]))
        way.walk(0.05, way.orders(1))
        result = np.concatenate([way.position, way.momentum])
        result[place] = math.log(result[place] / (2001.0 - result[place]))
        return result

    at = np.array([0.0, 0.0, 0.4, -0.7])
    at[place] = math.log(700.5 / (2001.0 - 700.5))
    h = 1e-7  # stays within a cell
    jacobian = [(moved(at + h * e) - moved(at - h * e)) / (2 * h) for e in np.eye(4)]
    assert abs(np.linalg.det(np.array(jacobian))) == pytest.approx(1.0, abs=1e-4)


# --- who rides -----------------------------------------------------------------------------------


def test_whole_colours_ride_and_labels_do_not():
    density = density_of(MIXED)
    assert len(density.followed) == 1
    start = start_of(MIXED, 400.5)
    labels = np.setdiff1d(density.discontinuous, density.followed)
    start[labels] = 0.5
    _, state = chain(MIXED, "dhmc", 1000, start)
    alone = [colour for colour in density.colours if set(colour) == set(density.followed)]
    assert state.riding[density.followed].all() == bool(alone)
    assert not state.riding[labels].any()


def test_an_integer_that_something_branches_on_is_not_followed():
    assert density_of(BOUNDED).followed.tolist() == [place_of(BOUNDED)]
    branching = """
    (let [n (sample (discrete-uniform 0 2000)) x (sample (normal 0 1))]
      (observe (normal (if (< n 300) x 3) 1) 0.5)
      n)
    """
    assert density_of(branching).followed.tolist() == []


def test_riders_that_stumble_walk_again():
    density = density_of(BOUNDED)
    made, chosen = engine("dhmc"), Settings()
    place = place_of(BOUNDED)
    state = made.initial_state(density, start_of(BOUNDED, 500.5), chosen, np.random.SeedSequence(1))
    state.centre[place], state.deviation[place] = 500.0, 100.0
    riding.choose_riders(density, state, 20, 0.8)
    assert not state.riding.any()
    riding.choose_riders(density, state, 100, 0.8)
    assert state.riding[place]
    assert state.deviation[place] == pytest.approx(100 / (500 * 1501 / 2001), rel=1e-9)
    assert state.scale[place] == pytest.approx(state.deviation[place] ** 2)
    assert state.numbers[LEAST_STEP] > 0
    state.counters[[SETTLED_COUNT, DIVERGED_COUNT]] = 200, 50
    state.numbers[AIM] = 0.9
    riding.choose_riders(density, state, 100, 0.8)
    assert not state.riding.any()
    assert state.counters[RIDES_NOT] == 1
    assert state.numbers[AIM] == 0.8
    assert state.deviation[place] == pytest.approx(100.0, rel=1e-9)
    riding.choose_riders(density, state, 100, 0.8)
    assert not state.riding.any()


@pytest.mark.parametrize("name", ["dhmc", "dnuts"])
@pytest.mark.parametrize("law", LAWS)
def test_riders_have_their_exact_laws(name, law):
    source, make = LAWS[law]
    n, weight = make()
    weight = weight / weight.sum()
    followed = density_of(source).followed
    draws, state = chain(source, name, 20_000, start_of(source, *[300.5] * len(followed)))
    assert state.riding[followed].all()
    found = draws[:, -1]  # the value of the program
    for values in (n, np.log1p(n - n.min()), n <= n[np.searchsorted(weight.cumsum(), 0.6)]):
        exact = (weight * values).sum()
        spread = (weight * (values - exact) ** 2).sum()
        seen = values[(found - n[0]).astype(int)].astype(float)
        assert abs(seen.mean() - exact) / math.sqrt(spread / effective(seen)) < BOUND
