"""Random-walk Metropolis within Gibbs: one coordinate at a time, a plain fallback and baseline."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from lfppl.backends.density import Density
from lfppl.engines import adaptation as tuning
from lfppl.engines.adaptation import COUNTERS, ITERATION, NUMBERS
from lfppl.engines.chains import Floats, Segment, Settings, State, copied
from lfppl.engines.generator import draw_normal_pair, draw_uniform, new_generator, shuffle
from lfppl.engines.machine_code import Entry, is_compiled
from lfppl.engines.native import (
    BRANCHES,
    EVALUATE,
    MOVE,
    UNDO,
    Target,
    address,
    bare,
    bare_target,
    call_evaluate,
    call_move,
    call_undo,
    call_write,
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
    write_statistics,
)
from lfppl.engines.trajectories import Outcome
from lfppl.errors.engine import density_is_nan, outside_support

TARGET_ACCEPTANCE = 0.44
"""The best rate of one-dimensional random walks (Roberts, Gelman and Gilks, 1997)."""
GAIN_DECAY = 0.6
"""Scales learn at a rate of iteration**-GAIN_DECAY."""


@kernel
def proposal(target: Target, scale: Any, narrow: Any, generator: Any, b: int) -> float:
    """Anywhere in a small support, or a normal step."""
    if narrow[b]:
        width = target.upper[b] - target.lower[b]
        return target.lower[b] + width * draw_uniform(generator)  # type: ignore[no-any-return]
    return target.position[b] + scale[b] * draw_normal_pair(generator)[0]  # type: ignore[no-any-return]


@kernel
def try_discontinuous(target: Target, value: float, b: int, generator: Any) -> float:
    """Move a discontinuous coordinate if the Metropolis test says so; returns the acceptance."""
    change = call_move(target.functions[MOVE], target.workspace, b, value)
    acceptance = min(1.0, math.exp(-change)) if change == change else 0.0
    if draw_uniform(generator) >= acceptance:
        call_undo(target.functions[UNDO], target.workspace)
    return acceptance


@kernel
def try_continuous(
    target: Target, value: float, a: int, generator: Any, u: float
) -> tuple[float, float]:
    """The same by evaluating the whole density; returns U too."""
    old = target.position[a]
    target.position[a] = value
    new = call_evaluate(target.functions[EVALUATE], target.workspace)
    acceptance = min(1.0, math.exp(u - new)) if new == new else 0.0
    if draw_uniform(generator) < acceptance:
        return acceptance, new
    target.position[a] = old
    return acceptance, u


@kernel
def learn(scale: Any, narrow: Any, i: int, acceptance: float, gain: float) -> None:
    """Let a coordinate's scale grow where it is accepted often, shrink where seldom."""
    if gain > 0.0 and not narrow[i]:
        scale[i] *= math.exp(gain * (acceptance - TARGET_ACCEPTANCE))


@kernel
def scan(
    target: Target, scale: Any, narrow: Any, order: Any, generator: Any, u: float, gain: float
) -> tuple[float, float]:
    """Every coordinate once, discontinuous ones in random order; returns U and the acceptance."""
    total = 0.0
    shuffle(generator, order, target.jump_count)
    for k in range(target.jump_count):
        b = target.discontinuous[order[k]]
        value = proposal(target, scale, narrow, generator, b)
        acceptance = try_discontinuous(target, value, b, generator)
        learn(scale, narrow, b, acceptance, gain)
        total += acceptance
    if target.smooth_count > 0 and target.jump_count > 0:
        u = call_evaluate(target.functions[EVALUATE], target.workspace)
    for k in range(target.smooth_count):
        a = target.continuous[k]
        value = proposal(target, scale, narrow, generator, a)
        acceptance, u = try_continuous(target, value, a, generator, u)
        learn(scale, narrow, a, acceptance, gain)
        total += acceptance
    return call_evaluate(target.functions[EVALUATE], target.workspace), total / target.dimension


@kernel
def run(
    target: Target,
    record: Record,
    scale: Any,
    narrow: Any,
    order: Any,
    generator: Any,
    counters: Any,
    warmup: int,
    thin: int,
    iterations: int,
) -> float:
    """Iterations of a chain; returns U at the position it came to."""
    target, record = bare_target(target), bare_record(record)
    scale, narrow, order = bare(scale), bare(narrow), bare(order)
    generator, counters = bare(generator), bare(counters)
    u = call_evaluate(target.functions[EVALUATE], target.workspace)
    if not math.isfinite(u):
        return u  # type: ignore[no-any-return]
    if record.bit_count > 0:
        call_write(target.functions[BRANCHES], target.workspace, address(record.bits))
    for _ in range(iterations):
        iteration = counters[ITERATION]
        warm = iteration < warmup
        before = u
        gain = (iteration + 1.0) ** -GAIN_DECAY if warm else 0.0
        u, acceptance = scan(target, scale, narrow, order, generator, u, gain)
        outcome = Outcome(u, before, acceptance, 1, 0, 0)
        crossings = count_crossings(target, record, not warm)
        write_statistics(target, record, outcome, 1.0, crossings, acceptance)
        if not warm and (iteration - warmup) % thin == thin - 1:
            write_draw(target, record, record.filled[1])
            record.filled[1] += 1
        counters[ITERATION] += 1
    return u  # type: ignore[no-any-return]


LOOP = Entry(run)


@dataclass(frozen=True)
class MetropolisWithinGibbs:
    """The engine: wants every variable as a discontinuous coordinate, for which `move` is cheap."""

    name: str = "mwg"
    gamma: Literal["jumping", "empty", "everything"] = "everything"

    @property
    def is_compiled(self) -> bool:
        """Whether the first segment needs no compilation (there is one per machine)."""
        return is_compiled(LOOP)

    def start_count(self, density: Density, settings: Settings) -> int:
        """One position."""
        return 1

    def initial_state(
        self,
        density: Density,
        position: Floats,
        settings: Settings,
        seeds: np.random.SeedSequence,
    ) -> State:
        """The state before the first iteration."""
        target = target_of(density, density.workspace())
        deviation = tuning.initial_deviation(target)
        return State(
            position=np.array(np.atleast_2d(position)[0], np.float64),
            scale=deviation.copy(),
            centre=np.zeros(density.dimension),
            deviation=deviation,
            mean=np.zeros(density.dimension),
            square=np.zeros(density.dimension),
            ways=np.zeros(0),
            narrow=tuning.few_cells(target),
            riding=np.zeros(0, np.bool_),
            numbers=np.zeros(NUMBERS),
            counters=np.zeros(COUNTERS, np.int64),
            generator=new_generator(seeds),
            particles=np.empty((0, 0)),
            log_weights=np.empty(0),
        )

    def advance(
        self,
        density: Density,
        workspace: Floats,
        state: State,
        settings: Settings,
        iterations: int,
    ) -> Segment:
        """The next iterations of the chain; `state` itself is not changed."""
        target = target_of(density, workspace)
        state = copied(state)
        target.position[:] = state.position
        first = state.iteration
        record = new_record(density, settings, first, iterations)
        u = LOOP(
            target,
            record,
            state.scale,
            state.narrow.view(np.uint8),
            np.arange(len(target.discontinuous)),
            state.generator,
            state.counters,
            settings.warmup,
            settings.thin,
            iterations,
        )
        if math.isnan(u):
            raise density_is_nan(target.position)
        if u == math.inf:
            raise outside_support(target.position)
        state.position[:] = target.position
        return segment_of(record, settings, first, state)


ENGINE = MetropolisWithinGibbs()
