"""A chain as data: its state in plain arrays, settings, a segment of draws, the engine contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.density import Density

Floats = NDArray[np.float64]

STATISTICS = (
    "acceptance",
    "energy",
    "step_size",
    "steps",
    "depth",
    "divergence",
    "log_density",
    "crossings",
    "moved",
)
"""The columns of a segment's statistics, one row per iteration.

`divergence` is 0, 1 (energy error beyond bounds, or support left) or 2 (the density was NaN);
`crossings` counts branching variables that differ from the draw before; `moved` is the part of
coordinate updates that were accepted (the refraction rate), 1 where there are none.
"""


@dataclass(frozen=True)
class Settings:
    """How an engine runs: numbers only, so that they can be written into a checkpoint.

    `target_acceptance` None takes the engine's own value. `steps` fixes the number of steps of
    a `dhmc` trajectory, `step_size` the step; None adapts them. `hot_start` heats the first
    iterations where coordinates are discontinuous. `keep` picks places of the values
    to return (None: all).
    """

    warmup: int = 1000
    thin: int = 1
    target_acceptance: float | None = None
    target_moved: float = 0.7
    max_depth: int = 10
    max_steps: int = 1024
    steps: int | None = None
    step_size: float | None = None
    adapt_scale: bool = True
    hot_start: bool = True
    keep: NDArray[np.int64] | None = None
    keep_positions: bool = False
    keep_terms: bool = False


class State(NamedTuple):
    """Everything the rest of a chain depends on: copies of it continue to the same draws.

    `scale` holds variances and speeds (`momentum.Motion`), `centre` and `deviation` are the last
    window's, `mean`, `square` and `ways` what the present window has seen, `narrow` says which
    discontinuous coordinates are labels, `riding` which integers move with the continuous ones.
    """

    position: Floats
    scale: Floats
    centre: Floats
    deviation: Floats
    mean: Floats
    square: Floats
    ways: Floats
    narrow: NDArray[np.bool_]
    riding: NDArray[np.bool_]
    numbers: Floats
    counters: NDArray[np.int64]
    generator: NDArray[np.uint64]
    particles: Floats
    log_weights: Floats

    @property
    def iteration(self) -> int:
        """How many iterations were made, warm-up included."""
        return int(self.counters[0])


def state_arrays(state: State) -> dict[str, NDArray[np.generic]]:
    """A state as named arrays, to be written into a checkpoint."""
    return {name: array.copy() for name, array in state._asdict().items()}


def restored_state(arrays: Mapping[str, NDArray[np.generic]]) -> State:
    """The state that `state_arrays` gave, bit for bit."""
    return State(**{name: np.array(arrays[name]) for name in State._fields})


def copied(state: State) -> State:
    """The same state in new arrays."""
    return restored_state(state_arrays(state))


@dataclass(frozen=True)
class Segment:
    """A stretch of a chain.

    `draws[i]`, `positions[i]` and `terms[i]` belong to iteration `recorded[i]`, counted from the
    beginning of the chain; the others, the warm-up among them, have a row in `statistics` only.
    `flips` counts for each branching variable how often it differed from the draw before, after
    the warm-up. `divergent_places[i]` is where the divergence of iteration
    `divergent_iterations[i]` was; not all places are kept when there are many.
    """

    first_iteration: int
    draws: Floats
    positions: Floats
    terms: Floats
    recorded: NDArray[np.int64]
    statistics: Floats
    flips: NDArray[np.int64]
    divergent_places: Floats
    divergent_iterations: NDArray[np.int64]
    state: State = field(repr=False)

    def statistic(self, name: str) -> Floats:
        """One column of the statistics, a row per iteration."""
        return self.statistics[:, STATISTICS.index(name)]


class Engine(Protocol):
    """A resumable sampler.

    `gamma` tells with which discontinuous variables the density must be compiled: those in which
    it is `jumping`, none (`empty`), or `everything`.
    """

    @property
    def name(self) -> str:
        """The name users call it by."""

    @property
    def gamma(self) -> Literal["jumping", "empty", "everything"]:
        """Which coordinates the density must treat as discontinuous."""

    @property
    def is_compiled(self) -> bool:
        """Whether the first segment needs no compilation (there is one per machine)."""

    def start_count(self, density: Density, settings: Settings) -> int:
        """From how many positions a chain can make use to begin."""

    def initial_state(
        self,
        density: Density,
        position: Floats,
        settings: Settings,
        seeds: np.random.SeedSequence,
    ) -> State:
        """The state before the first iteration, at a position or at those in rows."""

    def advance(
        self,
        density: Density,
        workspace: Floats,
        state: State,
        settings: Settings,
        iterations: int,
    ) -> Segment:
        """The next `iterations` of the chain; `state` itself is not changed."""
