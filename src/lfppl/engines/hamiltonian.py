"""Hamiltonian engines: momentum, mixed integrator, trajectory rule and adaptation, put together."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.density import Density
from lfppl.engines import adaptation as tuning
from lfppl.engines.adaptation import (
    AFAR,
    AIM,
    COUNTERS,
    CROSSING_STEPS,
    ENERGY_MEAN,
    ENERGY_SQUARE,
    LENGTH,
    LOG_STEP_MEAN,
    NEARBY,
    NUMBERS,
    PROBE_COUNT,
    PROBE_STEPS,
    PROBE_TIME,
    SEARCH,
    STEP,
    WINDOW_COUNT,
)
from lfppl.engines.chains import Floats, Segment, Settings, State, copied
from lfppl.engines.generator import new_generator
from lfppl.engines.lengths import (
    FIRST_PROBE,
    LONGEST_PROBE,
    SPREAD_OF_SIZE,
    WAYS,
    best_steps,
)
from lfppl.engines.loop import FIXED, NO_U_TURN, Plan, run
from lfppl.engines.machine_code import Entry, is_compiled
from lfppl.engines.momentum import new_motion
from lfppl.engines.native import Target, target_of
from lfppl.engines.population import (
    HOT_PART,
    PARTICLES,
    first_particles,
    population_of,
    without_particles,
)
from lfppl.engines.records import Record, new_record, segment_of
from lfppl.engines.riding import choose_riders
from lfppl.engines.strides import labels_of, scale_labels
from lfppl.engines.trajectories import MAX_DEPTH, new_scratch
from lfppl.errors.engine import density_is_nan, gamma_must_be_empty, outside_support

STEPS_WITHOUT_TURNS = 2
"""Steps of a trajectory when no coordinate is worth watching for a U-turn."""
STRETCH = 1.25
"""By so much the step may differ from the one that acceptance asks for."""


@dataclass(frozen=True)
class Hamiltonian:
    """An engine: a name, a trajectory rule, and the discontinuous variables it wants.

    `loop` is the native loop; tests replace it by wrong ones.
    """

    name: str
    rule: int
    gamma: Literal["jumping", "empty", "everything"] = "jumping"
    target_acceptance: float = 0.8
    loop: Callable[..., float] = Entry(run)

    @property
    def is_compiled(self) -> bool:
        """Whether the first segment needs no compilation (there is one per machine)."""
        return is_compiled(self.loop)

    def start_count(self, density: Density, settings: Settings) -> int:
        """From how many positions a chain begins: several where it begins hot."""
        return PARTICLES if hot_iterations(density, settings) else 1

    def initial_state(
        self,
        density: Density,
        position: Floats,
        settings: Settings,
        seeds: np.random.SeedSequence,
    ) -> State:
        """The state before the first iteration."""
        if self.gamma == "empty" and len(density.discontinuous):
            raise gamma_must_be_empty(self.name)
        target = target_of(density, density.workspace())
        particles = first_particles(position, self.start_count(density, settings))
        deviation = np.ones(density.dimension)
        discontinuous = target.discontinuous
        deviation[discontinuous] = tuning.initial_deviation(target)[discontinuous]
        narrow = tuning.narrow_coordinates(target, deviation)
        numbers, counters = np.zeros(NUMBERS), np.zeros(COUNTERS, np.int64)
        numbers[STEP] = settings.step_size or 1.0
        numbers[AIM] = self._aim(settings)
        numbers[LENGTH] = math.pi / 2
        counters[SEARCH] = AFAR
        counters[CROSSING_STEPS] = settings.steps or STEPS_WITHOUT_TURNS
        return State(
            position=np.array(np.atleast_2d(position)[0], np.float64),
            scale=deviation.copy(),
            centre=np.zeros(density.dimension),
            deviation=deviation,
            mean=np.zeros(density.dimension),
            square=np.zeros(density.dimension),
            ways=np.zeros(WAYS),
            narrow=narrow,
            riding=np.zeros(density.dimension, np.bool_),
            numbers=numbers,
            counters=counters,
            generator=new_generator(seeds),
            particles=particles,
            log_weights=np.zeros(len(particles)),
        )

    def advance(
        self,
        density: Density,
        workspace: Floats,
        state: State,
        settings: Settings,
        iterations: int,
    ) -> Segment:
        """The next iterations of the chain, window by window; `state` itself is not changed."""
        state = copied(state)
        target = target_of(density, workspace, state.riding)
        target.position[:] = state.position
        first, left = state.iteration, iterations
        record = new_record(density, settings, first, iterations)
        windows = tuning.schedule(settings.warmup)
        while left > 0:
            now = state.iteration
            ends = [end for end in (*windows.ends, settings.warmup) if end > now]
            count = min(left, ends[0] - now) if ends else left
            self._run(target, state, settings, windows, record, count)
            if state.iteration in windows.ends and settings.adapt_scale:
                seen = int(state.counters[WINDOW_COUNT])
                close_window(target, state)
                choose_riders(density, state, seen, self._aim(settings))
                target = target_of(density, workspace, state.riding)
                if settings.target_acceptance is None:
                    tuning.raise_aim(state.numbers, state.counters)
                self._plan_probes(target, state, settings, windows)
                if state.iteration == windows.stop:
                    state.counters[SEARCH] = NEARBY
            if state.iteration in windows.ends:
                state.counters[CROSSING_STEPS] = self._crossing_steps(target, state, settings)
            if state.iteration in (windows.stop, settings.warmup) and settings.step_size is None:
                state.numbers[STEP] = math.exp(state.numbers[LOG_STEP_MEAN])
            if state.iteration == settings.warmup and settings.step_size is None:
                self._fit_step(target, state, settings)
            if len(state.particles) and state.iteration >= hot_iterations(density, settings):
                state = without_particles(state)
            left -= count
        state.position[:] = target.position
        return segment_of(record, settings, first, state)

    def _aim(self, settings: Settings) -> float:
        """The acceptance aimed at before anything was learned."""
        return settings.target_acceptance or self.target_acceptance

    def _run(
        self,
        target: Target,
        state: State,
        settings: Settings,
        windows: tuning.Schedule,
        record: Record,
        count: int,
    ) -> None:
        """One call of the native loop."""
        steers = tuning.steering_colours(target, state.narrow)
        motion = new_motion(target, state.scale, state.generator, steers)
        scratch = new_scratch(len(target.position), *watched_coordinates(target, state.narrow))
        plan = self._plan(target, state, settings, windows, steers)
        u = self.loop(
            target,
            motion,
            scratch,
            plan,
            labels_of(target, state, int(state.counters[CROSSING_STEPS])),
            record,
            tuning.memory_of(state),
            population_of(state),
            count,
        )
        if math.isnan(u):
            raise density_is_nan(target.position)
        if u == math.inf:
            raise outside_support(target.position)

    def _plan_probes(
        self, target: Target, state: State, settings: Settings, windows: tuning.Schedule
    ) -> None:
        """How far the probes of the next window go: none where the length is not to be learned."""
        counters, length = state.counters, state.numbers[LENGTH] / state.numbers[STEP]
        watched = len(watched_coordinates(target, state.narrow)[0])
        wanted = 4 * math.ceil(length) if counters[PROBE_COUNT] else FIRST_PROBE
        counters[PROBE_STEPS] = min(max(wanted, FIRST_PROBE), LONGEST_PROBE)
        learned = self.rule == FIXED and watched > 0 and settings.steps is None
        if not learned or state.iteration >= windows.stop:
            counters[PROBE_STEPS] = 0
        counters[PROBE_COUNT] = 0

    def _crossing_steps(self, target: Target, state: State, settings: Settings) -> int:
        """In how many steps a label of two cells should cross its support."""
        watches = len(watched_coordinates(target, state.narrow)[0]) > 0
        if settings.steps or self.rule != FIXED or not watches:
            return settings.steps or STEPS_WITHOUT_TURNS
        length = min(float(state.numbers[LENGTH] / state.numbers[STEP]), settings.max_steps)
        return min(tuning.crossing_steps(length), settings.max_steps)

    def _fit_step(self, target: Target, state: State, settings: Settings) -> None:
        """Where labels ask for an even number of steps, make these as long as was learned."""
        steps = self._crossing_steps(target, state, settings)
        state.counters[CROSSING_STEPS] = steps
        learned = self.rule == FIXED and settings.steps is None
        if learned and crossing_labels(target, state.narrow).any():
            wanted = state.numbers[LENGTH] / (steps * state.numbers[STEP])
            state.numbers[STEP] *= min(max(wanted, 1.0 / STRETCH), STRETCH)
        scale_labels(target, state, steps)

    def _plan(
        self,
        target: Target,
        state: State,
        settings: Settings,
        windows: tuning.Schedule,
        steers: NDArray[np.int64],
    ) -> Plan:
        """What the native loop must know, at this stage of the chain."""
        watches = len(watched_coordinates(target, state.narrow)[0]) > 0
        learning = state.iteration < windows.stop
        fixed = not watches or (self.rule == FIXED and not (learning and settings.steps is None))
        steps = settings.steps or (0 if watches else STEPS_WITHOUT_TURNS)
        if not steps and crossing_labels(target, state.narrow).any():
            steps = int(state.counters[CROSSING_STEPS])
        steered = len(target.continuous) > 0 or bool(steers.any())
        return Plan(
            rule=FIXED if fixed else NO_U_TURN,
            warmup=settings.warmup,
            hot=hot_part(windows) if len(state.particles) else 0,
            slow_start=windows.start,
            slow_stop=windows.stop,
            thin=settings.thin,
            max_depth=min(settings.max_depth, MAX_DEPTH),
            max_steps=settings.max_steps,
            steps=steps,
            steering_count=int(np.diff(target.colour_starts)[steers > 0].sum()),
            adapts_step=settings.step_size is None and steered,
            aim_moved=settings.target_moved,
        )


def crossing_labels(target: Target, narrow: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which coordinates are labels of two cells, that cross their support in every trajectory."""
    return narrow & tuning.two_cells(target)


def hot_iterations(density: Density, settings: Settings) -> int:
    """How many iterations are hot: a part of the first phase, where coordinates jump."""
    hot = settings.hot_start and len(density.discontinuous) > 0
    return hot_part(tuning.schedule(settings.warmup)) if hot else 0


def hot_part(windows: tuning.Schedule) -> int:
    """How many iterations of the first phase are hot."""
    return int(HOT_PART * windows.start)


def watched_coordinates(target: Target, narrow: NDArray[np.bool_]) -> tuple[NDArray[np.int64], int]:
    """The coordinates of the U-turn test, continuous ones first, and how many are continuous."""
    wide = target.discontinuous[~narrow[target.discontinuous]]
    return np.concatenate([target.continuous, wide]), len(target.continuous)


def close_window(target: Target, state: State) -> None:
    """Take scales and speeds from what the window has seen, and begin the next."""
    count = int(state.counters[WINDOW_COUNT])
    prior = np.ones(len(state.position))
    variance = tuning.regularised_variance(state.square, count, prior)
    continuous, discontinuous = target.continuous, target.discontinuous
    if state.counters[PROBE_COUNT]:
        state.numbers[LENGTH] = best_length(target, state)
    state.centre[:] = state.mean
    state.deviation[:] = np.sqrt(variance)
    state.scale[continuous] = variance[continuous]
    state.scale[discontinuous] = state.deviation[discontinuous]
    state.narrow[:] = tuning.narrow_coordinates(target, state.deviation)
    state.mean[:] = 0.0
    state.square[:] = 0.0
    state.ways[:] = 0.0
    state.numbers[[PROBE_TIME, ENERGY_MEAN, ENERGY_SQUARE]] = 0.0
    state.counters[WINDOW_COUNT] = 0
    state.counters[SEARCH] = AFAR
    scale_labels(target, state)


def best_length(target: Target, state: State) -> float:
    """How long trajectories should be by what the window's probes have heard."""
    probes, between = int(state.counters[PROBE_COUNT]), int(state.counters[WINDOW_COUNT]) - 1
    seen, _ = watched_coordinates(target, state.narrow)
    spread = (state.square[seen] / between / state.deviation[seen] ** 2).sum()
    energy = state.numbers[ENERGY_SQUARE] / between
    fresh = 2.0 * probes * np.array([spread, SPREAD_OF_SIZE * spread, energy])
    steps = best_steps(state.ways, fresh, int(state.counters[PROBE_STEPS]))
    return float(steps * state.numbers[PROBE_TIME] / probes)
