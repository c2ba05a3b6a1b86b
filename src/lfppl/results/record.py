"""What was drawn: a chain's arrays, filled stretch by stretch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.engines.chains import STATISTICS

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Stretch(NamedTuple):
    """Some consecutive iterations of a chain, as they are kept and written into checkpoints.

    `draws[i]` and `pointwise[i]` belong to iteration `recorded[i]`; `statistics` has a row for
    every iteration from `first` on.
    """

    first: int
    seconds: float
    draws: Floats
    pointwise: Floats
    recorded: Integers
    statistics: Floats
    flips: Integers
    places: Floats
    place_iterations: Integers


@dataclass(eq=False)
class ChainRecord:
    """A chain so far: arrays of their final size, filled to `drawn` and `iterations` rows."""

    warmup: int
    all_draws: Floats
    all_pointwise: Floats
    all_statistics: Floats
    flips: Integers
    recorded: list[Integers] = field(default_factory=list)
    places: list[Floats] = field(default_factory=list)
    place_iterations: list[Integers] = field(default_factory=list)
    drawn: int = 0
    iterations: int = 0
    warmup_s: float = 0.0
    sample_s: float = 0.0
    bits: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))

    def add(self, stretch: Stretch) -> None:
        """Append the next stretch."""
        rows, count = len(stretch.draws), len(stretch.statistics)
        here = slice(self.drawn, self.drawn + rows)
        self.all_draws[here] = stretch.draws
        self.all_pointwise[here] = stretch.pointwise
        self.all_statistics[self.iterations : self.iterations + count] = stretch.statistics
        self.flips += stretch.flips
        self.recorded.append(stretch.recorded)
        self.places.append(stretch.places)
        self.place_iterations.append(stretch.place_iterations)
        if self.iterations < self.warmup:
            self.warmup_s += stretch.seconds
        else:
            self.sample_s += stretch.seconds
        self.drawn += rows
        self.iterations += count

    @property
    def draws(self) -> Floats:
        """The draws so far, a row each."""
        return self.all_draws[: self.drawn]

    @property
    def pointwise(self) -> Floats:
        """The pointwise log densities of the observations, a row for each draw."""
        return self.all_pointwise[: self.drawn]

    def statistic(self, name: str, *, recorded: bool = True) -> Floats:
        """A statistic of the draws, or of every iteration after the warm-up."""
        column = self.all_statistics[: self.iterations, STATISTICS.index(name)]
        if not recorded:
            return column[self.warmup :]
        recorded_at = np.concatenate([np.empty(0, np.int64), *self.recorded])
        return np.asarray(column[recorded_at])


def empty_record(
    draws: int, kept: int, observed: int, iterations: int, warmup: int, branches: int
) -> ChainRecord:
    """A record with room for a whole chain.

    >>> empty_record(10, 2, 0, 30, 20, 0).draws.shape
    (0, 2)
    """
    return ChainRecord(
        warmup=warmup,
        all_draws=np.empty((draws, kept)),
        all_pointwise=np.empty((draws, observed)),
        all_statistics=np.empty((iterations, len(STATISTICS))),
        flips=np.zeros(branches, np.int64),
    )
