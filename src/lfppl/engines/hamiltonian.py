"""Hamiltonian engines: momentum, mixed integrator, trajectory rule and adaptation, put together."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.density import Density
from lfppl.engines import adaptation as tuning
from lfppl.engines.adaptation import (
    COUNTERS,
    ITERATION,
    LENGTH,
    LOG_STEP_MEAN,
    NUMBERS,
    PROBE_COUNT,
    PROBE_STEPS,
    PROBE_TIME,
    SEARCH,
    STEP,
    WINDOW_COUNT,
    adapt_step,
    observe_position,
    restart_step,
)
from lfppl.engines.chains import Floats, Segment, Settings, State, copied
from lfppl.engines.generator import draw_uniform, new_generator
from lfppl.engines.integrators import mixed_step, potential
from lfppl.engines.lengths import (
    FIRST_PROBE,
    LONGEST_PROBE,
    PROBE_SHARE,
    WAYS,
    best_steps,
    probe,
)
from lfppl.engines.momentum import Motion, bare_motion, kinetic, new_motion, refresh
from lfppl.engines.native import (
    BRANCHES,
    Target,
    address,
    bare,
    bare_target,
    call_write,
    copy,
    is_compiled,
    kernel,
    target_of,
)
from lfppl.engines.records import (
    Record,
    bare_record,
    count_crossings,
    new_record,
    segment_of,
    write_draw,
    write_place,
    write_statistics,
)
from lfppl.engines.strides import (
    Labels,
    bare_labels,
    change_speeds,
    draw_leap,
    labels_of,
    scale_labels,
    stride_labels,
)
from lfppl.engines.trajectories import (
    MAX_DEPTH,
    Outcome,
    Scratch,
    bare_scratch,
    fixed_trajectory,
    new_scratch,
    no_u_turn_trajectory,
)
from lfppl.errors.engine import density_is_nan, gamma_must_be_empty, outside_support

FIXED, NO_U_TURN = 0, 1
JITTER = 0.2
"""A trajectory's step is the adapted one times U[0.8, 1], lest x_b stay on a lattice."""
STEPS_WITHOUT_TURNS = 2
"""Steps of a trajectory when no coordinate is worth watching for a U-turn."""


class Plan(NamedTuple):
    """What stays the same during one call of the native loop."""

    rule: int
    warmup: int
    slow_start: int
    slow_stop: int
    thin: int
    max_depth: int
    max_steps: int
    steps: int
    steering_count: int
    adapts_step: bool
    aim: float
    aim_moved: float


# --- one iteration -------------------------------------------------------------------------------


@kernel
def search_step(
    target: Target, motion: Motion, scratch: Scratch, numbers: Floats, u: float
) -> None:
    """Double or halve the step until one step's acceptance crosses 0.8 (Stan's heuristic)."""
    copy(scratch.chosen, 0, target.position, 0, target.dimension)
    direction = 0
    for _ in range(60):
        refresh(target, motion)
        before = u + kinetic(target, motion)
        after = mixed_step(target, motion, numbers[STEP]) + kinetic(target, motion)
        copy(target.position, 0, scratch.chosen, 0, target.dimension)
        potential(target, motion)
        up = after - before < -math.log(0.8)
        if direction == 0:
            direction = 1 if up else -1
        elif up != (direction == 1):
            break
        numbers[STEP] *= 2.0 if direction == 1 else 0.5
        if numbers[STEP] > 1.0e4 or numbers[STEP] < 1.0e-12:
            break


@kernel
def one_trajectory(
    target: Target, motion: Motion, scratch: Scratch, plan: Plan, numbers: Floats, u: float
) -> Outcome:
    """Refresh the momentum and follow the plan's rule."""
    refresh(target, motion)
    time = numbers[STEP] * (1.0 - JITTER * draw_uniform(motion.generator))
    if plan.rule == NO_U_TURN:
        return no_u_turn_trajectory(target, motion, scratch, u, time, plan.max_depth)
    steps = plan.steps
    if steps == 0:
        wanted = numbers[LENGTH] / numbers[STEP] + draw_uniform(motion.generator)
        steps = int(min(max(wanted, 1.0), plan.max_steps))
    return fixed_trajectory(target, motion, scratch, u, time, steps)


@kernel
def adapt(
    target: Target,
    motion: Motion,
    scratch: Scratch,
    plan: Plan,
    centre: Floats,
    deviation: Floats,
    mean: Floats,
    square: Floats,
    ways: Floats,
    numbers: Floats,
    counters: NDArray[np.int64],
    outcome: Outcome,
    steering: float,
    usual: bool,
) -> None:
    """What warm-up learns from one iteration; a leap tells nothing of the step."""
    if plan.adapts_step and usual:
        if target.smooth_count > 0:
            adapt_step(numbers, counters, outcome.acceptance, plan.aim)
        else:
            adapt_step(numbers, counters, steering, plan.aim_moved)
    if plan.slow_start <= counters[ITERATION] < plan.slow_stop:
        counters[WINDOW_COUNT] += 1
        observe_position(target.position, mean, square, target.dimension, counters[WINDOW_COUNT])
        if counters[PROBE_STEPS] > 0 and draw_uniform(motion.generator) < PROBE_SHARE:
            time = numbers[STEP] * (1.0 - JITTER * draw_uniform(motion.generator))
            u, steps = outcome.potential, counters[PROBE_STEPS]
            probe(target, motion, scratch, centre, deviation, ways, u, time, steps)
            numbers[PROBE_TIME] += numbers[STEP]
            counters[PROBE_COUNT] += 1


@kernel
def run(
    target: Target,
    motion: Motion,
    scratch: Scratch,
    plan: Plan,
    labels: Labels,
    record: Record,
    centre: Floats,
    deviation: Floats,
    mean: Floats,
    square: Floats,
    ways: Floats,
    numbers: Floats,
    counters: NDArray[np.int64],
    iterations: int,
) -> float:
    """Iterations of a chain; returns U at the position it came to."""
    target, motion, scratch = bare_target(target), bare_motion(motion), bare_scratch(scratch)
    labels, record = bare_labels(labels), bare_record(record)
    mean, square, ways = bare(mean), bare(square), bare(ways)
    centre, deviation = bare(centre), bare(deviation)
    numbers, counters = bare(numbers), bare(counters)
    u = potential(target, motion)
    if not math.isfinite(u):
        return u
    if record.bit_count > 0:
        call_write(target.functions[BRANCHES], target.workspace, address(record.bits))
    stride_labels(target, motion, labels, numbers, True, False)
    if counters[SEARCH] and plan.adapts_step:
        if target.smooth_count > 0:
            search_step(target, motion, scratch, numbers, u)
        restart_step(numbers, counters)
    counters[SEARCH] = 0
    for _ in range(iterations):
        warm = counters[ITERATION] < plan.warmup
        stride_labels(target, motion, labels, numbers, warm, True)
        motion.moved[0], motion.moved[1] = 0, 0
        step = numbers[STEP]
        leap = draw_leap(labels, motion.generator)
        change_speeds(motion, labels, leap)
        outcome = one_trajectory(target, motion, scratch, plan, numbers, u)
        change_speeds(motion, labels, 1.0 / leap)
        u = outcome.potential
        tried = target.jump_count * outcome.steps
        moved = (motion.moved[0] + motion.moved[1]) / tried if tried else 1.0
        steering = motion.moved[1] / max(plan.steering_count * outcome.steps, 1)
        crossings = count_crossings(target, record, not warm)
        write_statistics(record, outcome, step, crossings, moved)
        if outcome.divergence:
            write_place(target, record, scratch.place, counters[ITERATION])
        if warm:
            adapt(
                target,
                motion,
                scratch,
                plan,
                centre,
                deviation,
                mean,
                square,
                ways,
                numbers,
                counters,
                outcome,
                steering,
                leap == 1.0,
            )
        elif (counters[ITERATION] - plan.warmup) % plan.thin == plan.thin - 1:
            write_draw(target, record, record.filled[1])
            record.filled[1] += 1
        counters[ITERATION] += 1
    return u


# --- the engine ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hamiltonian:
    """An engine: a name, a trajectory rule, and the discontinuous variables it wants.

    `loop` is the native loop; tests replace it by wrong ones.
    """

    name: str
    rule: int
    gamma: Literal["found", "empty", "everything"] = "found"
    target_acceptance: float = 0.8
    loop: Callable[..., float] = run

    @property
    def is_compiled(self) -> bool:
        """Whether the first segment needs no compilation (there is one per machine)."""
        return is_compiled(self.loop)

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
        deviation = np.ones(density.dimension)
        discontinuous = target.discontinuous
        deviation[discontinuous] = tuning.initial_deviation(target)[discontinuous]
        narrow = tuning.narrow_coordinates(target, deviation)
        numbers, counters = np.zeros(NUMBERS), np.zeros(COUNTERS, np.int64)
        numbers[STEP] = settings.step_size or 1.0
        numbers[LENGTH] = math.pi / 2
        counters[SEARCH] = 1
        return State(
            position=np.array(position, np.float64),
            scale=deviation.copy(),
            centre=np.zeros(density.dimension),
            deviation=deviation,
            mean=np.zeros(density.dimension),
            square=np.zeros(density.dimension),
            ways=np.zeros(WAYS),
            narrow=narrow,
            numbers=numbers,
            counters=counters,
            generator=new_generator(seeds),
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
        target = target_of(density, workspace)
        state = copied(state)
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
                close_window(target, state)
                self._plan_probes(target, state, settings, windows)
            if state.iteration == settings.warmup and settings.step_size is None:
                state.numbers[STEP] = math.exp(state.numbers[LOG_STEP_MEAN])
                scale_labels(target, state)
            left -= count
        state.position[:] = target.position
        return segment_of(record, settings, first, state)

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
            labels_of(target, state),
            record,
            state.centre,
            state.deviation,
            state.mean,
            state.square,
            state.ways,
            state.numbers,
            state.counters,
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
        steered = len(target.continuous) > 0 or bool(steers.any())
        return Plan(
            rule=FIXED if fixed else NO_U_TURN,
            warmup=settings.warmup,
            slow_start=windows.start,
            slow_stop=windows.stop,
            thin=settings.thin,
            max_depth=min(settings.max_depth, MAX_DEPTH),
            max_steps=settings.max_steps,
            steps=steps,
            steering_count=int(np.diff(target.colour_starts)[steers > 0].sum()),
            adapts_step=settings.step_size is None and steered,
            aim=settings.target_acceptance or self.target_acceptance,
            aim_moved=settings.target_moved,
        )


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
        seen, _ = watched_coordinates(target, state.narrow)
        fresh = (state.square[seen] / (count - 1) / state.deviation[seen] ** 2).sum()
        probes, longest = int(state.counters[PROBE_COUNT]), int(state.counters[PROBE_STEPS])
        steps = best_steps(state.ways, probes * fresh, longest)
        time = state.numbers[PROBE_TIME] / state.counters[PROBE_COUNT]
        state.numbers[LENGTH] = steps * time
    state.centre[:] = state.mean
    state.deviation[:] = np.sqrt(variance)
    state.scale[continuous] = variance[continuous]
    state.scale[discontinuous] = state.deviation[discontinuous]
    state.narrow[:] = tuning.narrow_coordinates(target, state.deviation)
    state.mean[:] = 0.0
    state.square[:] = 0.0
    state.ways[:] = 0.0
    state.numbers[PROBE_TIME] = 0.0
    state.counters[WINDOW_COUNT] = 0
    state.counters[SEARCH] = 1
    scale_labels(target, state)
