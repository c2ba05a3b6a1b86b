"""A chain of one of our engines, followed from checkpoint to checkpoint with the clock running."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

import lfppl
from lfppl.engines import engine
from lfppl.engines.chains import Settings, State
from lfppl.runs.initial import starting_points
from reproduce.curves import Floats, Integers, RunningMean

LONGEST = 100_000
"""Draws of one segment: more would only take memory."""


class Followed(NamedTuple):
    """Running means (a row for each count) and processor seconds since the end of the warm-up."""

    counts: Integers
    means: Floats
    seconds: Floats
    warmup_seconds: float


class Follower:
    """A chain that remembers where it is."""

    def __init__(
        self,
        model: lfppl.Model,
        engine_name: str,
        seeds: np.random.SeedSequence,
        initial: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        self.engine = engine(engine_name)
        self.settings = Settings(**settings)
        gamma = self.engine.gamma
        self.density = model.density(gamma)
        self.workspace = self.density.workspace()
        place, noise = seeds.spawn(2)
        tables = model.tables(gamma)
        (start,) = starting_points(model.trace, tables, self.density, [place], initial)
        self.state: State = self.engine.initial_state(self.density, start, self.settings, noise)

    def advance(self, iterations: int) -> Floats:
        """The next draws."""
        segment = self.engine.advance(
            self.density, self.workspace, self.state, self.settings, iterations
        )
        self.state = segment.state
        return segment.draws

    def follow(
        self,
        counts: Integers,
        quantities: Callable[[Floats], Floats],
        limit_s: float = np.inf,
    ) -> Followed:
        """Warm up, then draw up to the last count, or to the first after `limit_s` seconds."""
        begin = time.process_time()
        self.advance(self.settings.warmup)
        warm = time.process_time() - begin
        mean, means, seconds, done, spent = RunningMean(), [], [], 0, 0.0
        for count in counts:
            while done < count:
                portion = min(int(count) - done, LONGEST)
                begin = time.process_time()
                draws = self.advance(portion)
                spent += time.process_time() - begin
                now = mean.add(quantities(draws))
                done += portion
            means.append(now)
            seconds.append(spent)
            if spent > limit_s:
                break
        return Followed(counts[: len(means)], np.array(means), np.array(seconds), warm)


def compile_loops(model: lfppl.Model, engine_name: str) -> None:
    """Draw a little, so that no clock sees the engine's own compilation (one per machine)."""
    Follower(model, engine_name, np.random.SeedSequence(0), warmup=20).advance(40)
