"""The native loop: momentum, trajectory, what is written down, what warm-up learns."""

from __future__ import annotations

import math
from typing import NamedTuple

from lfppl.engines.adaptation import (
    AFAR,
    AIM,
    BOLDNESS,
    ITERATION,
    LENGTH,
    LOG_STEP_MEAN,
    PROBE_COUNT,
    PROBE_STEPS,
    PROBE_TIME,
    SEARCH,
    STEP,
    Memory,
    adapt_step,
    bare_memory,
    count_divergence,
    observe_draw,
    restart_step,
)
from lfppl.engines.chains import Floats
from lfppl.engines.generator import draw_uniform
from lfppl.engines.integrators import mixed_step, potential
from lfppl.engines.lengths import PROBE_SHARE, probe
from lfppl.engines.momentum import Motion, bare_motion, heat_momentum, kinetic, refresh
from lfppl.engines.native import (
    BRANCHES,
    Target,
    address,
    bare_target,
    call_write,
    copy,
    inlined,
    kernel,
)
from lfppl.engines.population import (
    Population,
    bare_population,
    draw_anew,
    put_back,
    take,
    temperature,
)
from lfppl.engines.records import (
    Record,
    bare_record,
    count_crossings,
    write_draw,
    write_place,
    write_statistics,
)
from lfppl.engines.strides import (
    HOT_LEAP_SHARE,
    LEAP_SHARE,
    Labels,
    bare_labels,
    blur_strides,
    change_speeds,
    draw_leap,
    stride_labels,
)
from lfppl.engines.trajectories import (
    Outcome,
    Scratch,
    bare_scratch,
    fixed_trajectory,
    no_u_turn_trajectory,
)

FIXED, NO_U_TURN = 0, 1
JITTER = 0.2
"""A trajectory's step is the adapted one times U[0.8, 1], lest x_b stay on a lattice."""


class Plan(NamedTuple):
    """What stays the same during one call of the native loop."""

    rule: int
    warmup: int
    hot: int
    slow_start: int
    slow_stop: int
    thin: int
    max_depth: int
    max_steps: int
    steps: int
    steering_count: int
    adapts_step: bool
    aim_moved: float


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


@inlined
def one_trajectory(
    target: Target,
    motion: Motion,
    scratch: Scratch,
    plan: Plan,
    numbers: Floats,
    u: float,
    heat: float,
) -> Outcome:
    """Refresh the momentum and follow the plan's rule."""
    refresh(target, motion)
    if heat != 1.0:
        heat_momentum(target, motion, heat)
    time = numbers[STEP] * (1.0 - JITTER * draw_uniform(motion.generator))
    if plan.rule == NO_U_TURN:
        return no_u_turn_trajectory(target, motion, scratch, u, time, plan.max_depth, heat)
    steps = plan.steps
    if steps == 0:
        wanted = numbers[LENGTH] / numbers[STEP] + draw_uniform(motion.generator)
        steps = int(min(max(wanted, 1.0), plan.max_steps))
    return fixed_trajectory(target, motion, scratch, u, time, steps, heat)


@kernel
def adapt(
    target: Target,
    motion: Motion,
    scratch: Scratch,
    plan: Plan,
    labels: Labels,
    memory: Memory,
    outcome: Outcome,
    steering: float,
    usual: bool,
) -> None:
    """What warm-up learns from one iteration; a leap tells nothing of the step."""
    numbers, counters = memory.numbers, memory.counters
    if plan.adapts_step and usual:
        if target.smooth_count > 0:
            if target.jump_count + target.rider_count > 0:
                count_divergence(counters, outcome.divergence > 0)
            adapt_step(numbers, counters, outcome.acceptance, numbers[AIM])
        else:
            adapt_step(numbers, counters, steering, plan.aim_moved)
    if plan.slow_start <= counters[ITERATION] < plan.slow_stop:
        u = outcome.potential
        observe_draw(memory, target, u)
        if counters[PROBE_STEPS] > 0 and draw_uniform(motion.generator) < PROBE_SHARE:
            step = math.exp(numbers[LOG_STEP_MEAN]) if plan.adapts_step else numbers[STEP]
            blur_strides(motion, labels, step)
            time = step * (1.0 - JITTER * draw_uniform(motion.generator))
            probe(target, motion, scratch, memory, u, time, counters[PROBE_STEPS])
            numbers[PROBE_TIME] += step
            counters[PROBE_COUNT] += 1


@inlined
def turn(
    target: Target,
    motion: Motion,
    scratch: Scratch,
    plan: Plan,
    labels: Labels,
    memory: Memory,
    u: float,
    heat: float,
) -> tuple[Outcome, float]:
    """One trajectory with fresh strides, and what warm-up learns from it; what part has moved."""
    numbers, counters = memory.numbers, memory.counters
    warm = counters[ITERATION] < plan.warmup
    stride_labels(target, motion, labels, numbers, warm, True)
    motion.moved[0], motion.moved[1] = 0, 0
    leap = draw_leap(labels, motion.generator, LEAP_SHARE if heat == 1.0 else HOT_LEAP_SHARE)
    change_speeds(motion, labels, leap)
    outcome = one_trajectory(target, motion, scratch, plan, numbers, u, heat)
    change_speeds(motion, labels, 1.0 / leap)
    tried = target.jump_count * outcome.steps
    moved = (motion.moved[0] + motion.moved[1]) / tried if tried else 1.0
    if warm:
        steering = motion.moved[1] / max(plan.steering_count * outcome.steps, 1)
        adapt(target, motion, scratch, plan, labels, memory, outcome, steering, leap == 1.0)
    return outcome, moved


@kernel
def run(
    target: Target,
    motion: Motion,
    scratch: Scratch,
    plan: Plan,
    labels: Labels,
    record: Record,
    memory: Memory,
    population: Population,
    iterations: int,
) -> float:
    """Iterations of a chain; returns U at the position it came to."""
    target, motion, scratch = bare_target(target), bare_motion(motion), bare_scratch(scratch)
    labels, record, memory = bare_labels(labels), bare_record(record), bare_memory(memory)
    population = bare_population(population)
    numbers, counters = memory.numbers, memory.counters
    u = potential(target, motion)
    if not math.isfinite(u):
        return u
    if record.bit_count > 0:
        call_write(target.functions[BRANCHES], target.workspace, address(record.bits))
    stride_labels(target, motion, labels, numbers, True, False)
    if counters[SEARCH] and plan.adapts_step:
        if counters[SEARCH] == AFAR and target.smooth_count > 0:
            search_step(target, motion, scratch, numbers, u)
        restart_step(numbers, counters, BOLDNESS if counters[SEARCH] == AFAR else 1.0)
    counters[SEARCH] = 0
    for _ in range(iterations):
        warm = counters[ITERATION] < plan.warmup
        step = numbers[STEP]
        heat = temperature(plan.hot, counters[ITERATION])
        for particle in range(population.size if heat > 1.0 else 1):
            if heat > 1.0:
                u = take(target, motion, population, particle)
            outcome, moved = turn(target, motion, scratch, plan, labels, memory, u, heat)
            u = outcome.potential
            if heat > 1.0:
                cooler = temperature(plan.hot, counters[ITERATION] + 1)
                put_back(target, population, particle, u, 1.0 / cooler - 1.0 / heat)
        if heat > 1.0:
            u = draw_anew(target, motion, population, counters[ITERATION] + 1 == plan.hot, u)
        crossings = count_crossings(target, record, not warm)
        write_statistics(target, record, outcome, step, crossings, moved)
        if outcome.divergence:
            write_place(target, record, scratch.place, counters[ITERATION])
        if not warm and (counters[ITERATION] - plan.warmup) % plan.thin == plan.thin - 1:
            write_draw(target, record, record.filled[1])
            record.filled[1] += 1
        counters[ITERATION] += 1
    return u
