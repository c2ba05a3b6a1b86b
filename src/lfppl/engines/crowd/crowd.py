"""A crowd of chains and its common tuning: DHMC's, fed by all chains at once."""

from __future__ import annotations

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from lfppl.backends.batch import Array, BatchDensity
from lfppl.backends.density import Density
from lfppl.engines import adaptation as tuning
from lfppl.engines.adaptation import (
    AIM,
    DIVERGED_COUNT,
    ENERGY_MEAN,
    ENERGY_SQUARE,
    ITERATION,
    LENGTH,
    LOG_STEP_MEAN,
    PROBE_COUNT,
    PROBE_STEPS,
    PROBE_TIME,
    SEARCH,
    SETTLED_COUNT,
    STEP,
    STEP_COUNT,
    WINDOW_COUNT,
)
from lfppl.engines.chains import STATISTICS, Floats, Settings, State
from lfppl.engines.crowd.trajectories import Ear, Outcome, Pace, Trajectories
from lfppl.engines.dhmc import ENGINE
from lfppl.engines.hamiltonian import (
    STEPS_WITHOUT_TURNS,
    close_window,
    watched_coordinates,
)
from lfppl.engines.lengths import FIRST_PROBE, LONGEST_PROBE
from lfppl.engines.native import target_of
from lfppl.engines.strides import LEAP_SHARE, LONGEST_LEAP, labels_of, scale_labels
from lfppl.errors.engine import density_is_nan, outside_support

PROBES = 256
"""Probing trajectories at the end of a window, over all chains: at least so many."""


class Told(NamedTuple):
    """What positions tell: the values kept, the bits, the terms; a row for each chain."""

    values: Floats
    bits: NDArray[np.bool_]
    terms: Floats


class _News(NamedTuple):
    """What warm-up learns from an iteration: means and sums over all chains.

    `moved` counts accepted updates of the colours with wide coordinates.
    """

    acceptance: Array
    divergences: Array
    moved: Array
    mean: Array
    square: Array
    energy_mean: Array
    energy_square: Array


class Crowd:
    """Many chains with one tuning.

    The tuning is the state of one DHMC chain that has seen what all have; its step follows the mean
    acceptance of all, its window the positions of all. `native` is the same density as `batch`.
    """

    def __init__(
        self,
        batch: BatchDensity,
        native: Density,
        settings: Settings,
        positions: Floats,
        seeds: np.random.SeedSequence,
    ) -> None:
        self.batch, self.settings = batch, settings
        first, second = seeds.spawn(2)
        self.random = np.random.default_rng(first)
        self.key = jax.random.key(int(second.generate_state(1, np.uint32)[0]))
        self.target = target_of(native, native.workspace())
        self.tuning: State = ENGINE.initial_state(native, positions[0], settings, first)
        self.windows = tuning.schedule(settings.warmup)
        self.positions: Array = jnp.asarray(positions)
        self.count = len(positions)
        self.trajectories = Trajectories(batch)
        self._iterate = jax.jit(self._all)
        each = jax.vmap(self.trajectories.probe, (0, 0, None, None, None))
        self._probe = jax.jit(lambda *arguments: each(*arguments).sum(axis=0))
        self._tell = jax.jit(jax.vmap(self._told))
        self._evaluate = jax.jit(jax.vmap(lambda x: batch.evaluate(x)[0]))

    @property
    def iteration(self) -> int:
        """How many iterations were made, warm-up included."""
        return self.tuning.iteration

    @property
    def step_size(self) -> float:
        """The present step."""
        return float(self.tuning.numbers[STEP])

    def check_start(self) -> None:
        """Raise where a chain cannot start."""
        potentials = np.asarray(self._evaluate(self.positions))
        for place in np.flatnonzero(~np.isfinite(potentials)):
            wrong = density_is_nan if np.isnan(potentials[place]) else outside_support
            raise wrong(np.asarray(self.positions[place]))

    def advance(self) -> Floats:
        """One iteration of all chains; returns their statistics, a row for each.

        In the warm-up, whose statistics nobody keeps, there are no rows.
        """
        counters = self.tuning.counters
        if counters[SEARCH]:
            self._search_step()
        warm = self.iteration < self.settings.warmup
        leap = self._draw_leap()
        pace = self._pace(self._steps(), leap)
        self.positions, statistics, news = self._iterate(self.positions, *self._keys(), pace)
        if warm:
            self._learn(_News(*map(np.asarray, news)), int(pace.steps), leap == 1.0)
        counters[ITERATION] += 1
        if warm:
            self._end_windows()
        return np.empty((0, len(STATISTICS))) if warm else np.asarray(statistics)

    def tell(self) -> Told:
        """What the present positions tell."""
        return Told(*(np.asarray(part) for part in self._tell(self.positions)))

    def _told(self, position: Array) -> tuple[Array, Array, Array]:
        values = self.batch.values(position)
        if self.settings.keep is not None:
            values = values[jnp.asarray(self.settings.keep)]
        terms = self.batch.terms(position) if self.settings.keep_terms else jnp.zeros(0)
        return values, self.batch.branches(position), terms

    def _keys(self) -> tuple[Array, Array]:
        """A key for each chain, and one for all."""
        self.key, shared, chains = jax.random.split(self.key, 3)
        return jax.random.split(chains, self.count), shared

    def _all(
        self, positions: Array, keys: Array, shared: Array, pace: Pace
    ) -> tuple[Array, Array, _News]:
        """All chains' iteration: where they come to, statistics, and what warm-up learns from."""
        each = jax.vmap(self.trajectories.iterate, (0, 0, None, None))
        outcome = each(positions, keys, shared, pace)
        return outcome.position, _statistics(outcome, pace, self.target.jump_count), _news(outcome)

    # --- one iteration ---------------------------------------------------------------------------

    def _draw_leap(self) -> float:
        """How many times their ordinary speed wide discontinuous coordinates take."""
        wide = self.target.discontinuous[~self.tuning.narrow[self.target.discontinuous]]
        if not len(wide) or self.random.uniform() >= LEAP_SHARE:
            return 1.0
        return float(2.0 ** self.random.integers(1, LONGEST_LEAP + 1))

    def _pace(self, steps: int, leap: float) -> Pace:
        """Scales with labels' strides drawn anew, wide coordinates `leap` times as fast."""
        labels = labels_of(self.target, self.tuning)
        scale, step = self.tuning.scale.copy(), self.tuning.numbers[STEP]
        cells = self.random.integers(labels.most)
        scale[labels.coordinates] = labels.stride * (1 + cells % labels.longest) / step
        scale[labels.wide] *= leap
        steers = jnp.asarray(self._steers)
        return Pace(jnp.asarray(scale), jnp.float64(step), jnp.int32(steps), steers)

    def _steps(self) -> int:
        """The number of steps: given, learnt, or a short way where nothing is worth watching."""
        if self.settings.steps is not None:
            return self.settings.steps
        if not self._watched.any():
            return STEPS_WITHOUT_TURNS
        numbers = self.tuning.numbers
        wanted = int(numbers[LENGTH] / numbers[STEP] + self.random.uniform())
        return min(max(wanted, 1), self._most_steps())

    def _most_steps(self) -> int:
        """While the length is not learnt yet, no more steps than a probe."""
        learning = self.iteration < self.windows.stop
        return min(LONGEST_PROBE, self.settings.max_steps) if learning else self.settings.max_steps

    # --- what warm-up learns ---------------------------------------------------------------------

    @property
    def _steers(self) -> NDArray[np.int64]:
        return tuning.steering_colours(self.target, self.tuning.narrow)

    @property
    def _watched(self) -> NDArray[np.bool_]:
        watched, _ = watched_coordinates(self.target, self.tuning.narrow)
        found = np.zeros(self.target.dimension, bool)
        found[watched] = True
        return found

    @property
    def _adapts_step(self) -> bool:
        steered = len(self.target.continuous) > 0 or bool(self._steers.any())
        return self.settings.step_size is None and steered

    def _search_step(self) -> None:
        """Double or halve the step until the mean acceptance of one step crosses 0.8."""
        numbers, counters = self.tuning.numbers, self.tuning.counters
        counters[SEARCH] = 0
        if not self._adapts_step:
            return
        direction = 0
        while len(self.target.continuous) and 1e-12 < numbers[STEP] < 1e4:
            *_, news = self._iterate(self.positions, *self._keys(), self._pace(1, 1.0))
            up = bool(news.acceptance > 0.8)
            if direction and up != (direction == 1):
                break
            direction = 1 if up else -1
            numbers[STEP] *= 2.0 if up else 0.5
        tuning.restart_step(numbers, counters, tuning.BOLDNESS)

    def _learn(self, news: _News, steps: int, usual: bool) -> None:
        numbers, counters = self.tuning.numbers, self.tuning.counters
        if self._adapts_step and usual:
            if len(self.target.continuous):
                if counters[STEP_COUNT] > tuning.SETTLING:
                    counters[[SETTLED_COUNT, DIVERGED_COUNT]] += self.count, int(news.divergences)
                tuning.adapt_step(numbers, counters, float(news.acceptance), numbers[AIM])
            else:
                sizes = np.diff(self.target.colour_starts)[self._steers > 0]
                moved = float(news.moved) / (self.count * steps * int(sizes.sum()))
                tuning.adapt_step(numbers, counters, moved, self.settings.target_moved)
        if self.windows.start <= self.iteration < self.windows.stop:
            self._observe(news)

    def _observe(self, news: _News) -> None:
        """Merge the draws of all chains into the window's means and sums of squares."""
        state, numbers, counters = self.tuning, self.tuning.numbers, self.tuning.counters
        known = int(counters[WINDOW_COUNT])
        total = known + self.count
        weight, share = known * self.count / total, self.count / total
        change, rise = news.mean - state.mean, float(news.energy_mean) - numbers[ENERGY_MEAN]
        state.square[:] += news.square + change**2 * weight
        state.mean[:] += change * share
        numbers[ENERGY_SQUARE] += float(news.energy_square) + rise**2 * weight
        numbers[ENERGY_MEAN] += rise * share
        counters[WINDOW_COUNT] = total

    def _end_windows(self) -> None:
        state, settings = self.tuning, self.settings
        if self.iteration in self.windows.ends and settings.adapt_scale:
            self._probe_lengths()
            close_window(self.target, state)
            if settings.target_acceptance is None:
                tuning.raise_aim(state.numbers, state.counters)
            state.counters[PROBE_COUNT] = 0
        if self.iteration == settings.warmup and settings.step_size is None:
            state.numbers[STEP] = math.exp(state.numbers[LOG_STEP_MEAN])
            scale_labels(self.target, state)

    def _probe_lengths(self) -> None:
        """Follow probing trajectories from where the chains are (`lengths`)."""
        state, counters, numbers = self.tuning, self.tuning.counters, self.tuning.numbers
        if self.settings.steps is not None or not self._watched.any():
            return
        seen = int(counters[WINDOW_COUNT])
        variance = tuning.regularised_variance(state.square, seen, np.ones(len(state.square)))
        state.centre[:], state.deviation[:] = state.mean, np.sqrt(variance)
        ear = Ear(*map(jnp.asarray, (state.centre, state.deviation, 1.0 * self._watched)))
        known = 4 * math.ceil(numbers[LENGTH] / numbers[STEP])
        steps = min(max(known, FIRST_PROBE), LONGEST_PROBE)
        for _ in range(-(-PROBES // self.count)):
            heard = self._probe(self.positions, *self._keys(), self._pace(steps, 1.0), ear)
            state.ways[:] += np.asarray(heard).ravel()
            counters[PROBE_COUNT] += self.count
            numbers[PROBE_TIME] += self.count * numbers[STEP]
        counters[PROBE_STEPS] = steps


def _statistics(outcome: Outcome, pace: Pace, jumps: int) -> Array:
    """The statistics of all chains, a row for each; crossings are counted elsewhere."""
    tried = jnp.maximum(jumps * pace.steps, 1)
    columns = {
        "acceptance": outcome.acceptance,
        "energy": outcome.energy,
        "step_size": pace.step,
        "steps": 1.0 * pace.steps,
        "divergence": 1.0 * outcome.divergence,
        "log_density": -outcome.potential,
        "moved": outcome.moved.sum(axis=1) / tried if jumps else 1.0,
    }
    rows = [jnp.broadcast_to(columns.get(n, 0.0), outcome.energy.shape) for n in STATISTICS]
    return jnp.stack(rows, axis=1)


def _news(outcome: Outcome) -> _News:
    mean, energy = outcome.position.mean(axis=0), outcome.potential.mean()
    return _News(
        acceptance=outcome.acceptance.mean(),
        divergences=(outcome.divergence > 0).sum(),
        moved=outcome.moved[:, 1].sum(),
        mean=mean,
        square=((outcome.position - mean) ** 2).sum(axis=0),
        energy_mean=energy,
        energy_square=((outcome.potential - energy) ** 2).sum(),
    )
