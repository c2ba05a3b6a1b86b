"""What a chain writes down: draws, statistics, crossings, and the places of divergences."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.density import Density
from lfppl.engines.chains import STATISTICS, Floats, Segment, Settings, State
from lfppl.engines.native import (
    BRANCHES,
    TERMS,
    VALUES,
    Target,
    address,
    bare,
    call_write,
    copy,
    inlined,
    kernel,
)
from lfppl.engines.riders import change_of_scale
from lfppl.engines.trajectories import Outcome

PLACES_KEPT = 64
"""Places of divergences kept in a segment, fewer where a place is long."""
STATISTIC_COUNT = len(STATISTICS)


class Record(NamedTuple):
    """Where the native loop writes: rows of draws, positions, terms, statistics; bits and flips."""

    bit_count: int
    keep_count: int
    term_count: int
    place_count: int
    keeps_positions: bool
    draws: Floats
    keep: NDArray[np.int64]
    values: Floats
    positions: Floats
    terms: Floats
    statistics: Floats
    bits: NDArray[np.uint8]
    new_bits: NDArray[np.uint8]
    flips: NDArray[np.int64]
    places: Floats
    place_iterations: NDArray[np.int64]
    filled: NDArray[np.int64]


@kernel
def bare_record(record: Record) -> Any:
    """The same with bare pointers."""
    return Record(
        record.bit_count,
        record.keep_count,
        record.term_count,
        record.place_count,
        record.keeps_positions,
        bare(record.draws),
        bare(record.keep),
        bare(record.values),
        bare(record.positions),
        bare(record.terms),
        bare(record.statistics),
        bare(record.bits),
        bare(record.new_bits),
        bare(record.flips),
        bare(record.places),
        bare(record.place_iterations),
        bare(record.filled),
    )


@inlined
def count_crossings(target: Target, record: Record, count_flips: bool) -> int:
    """How many branching variables differ from the draw before."""
    if record.bit_count == 0:
        return 0
    call_write(target.functions[BRANCHES], target.workspace, address(record.new_bits))
    crossings = 0
    for k in range(record.bit_count):
        flipped = record.bits[k] ^ record.new_bits[k]
        crossings += flipped
        if count_flips:
            record.flips[k] += flipped
        record.bits[k] = record.new_bits[k]
    return crossings


@inlined
def write_draw(target: Target, record: Record, row: int) -> None:
    """Record the present position."""
    if record.keep_count > 0:
        call_write(target.functions[VALUES], target.workspace, address(record.values))
        for k in range(record.keep_count):
            record.draws[row * record.keep_count + k] = record.values[record.keep[k]]
    if record.keeps_positions:
        copy(record.positions, row * target.dimension, target.position, 0, target.dimension)
    if record.term_count > 0:
        place = address(record.terms) + 8 * row * record.term_count
        call_write(target.functions[TERMS], target.workspace, place)


@inlined
def write_statistics(
    target: Target, record: Record, outcome: Outcome, step: float, crossings: int, moved: float
) -> None:
    """Record how an iteration went, in the order of `chains.STATISTICS`."""
    place = record.filled[0] * STATISTIC_COUNT
    record.statistics[place] = outcome.acceptance
    record.statistics[place + 1] = outcome.energy
    record.statistics[place + 2] = step
    record.statistics[place + 3] = outcome.steps
    record.statistics[place + 4] = outcome.depth
    record.statistics[place + 5] = outcome.divergence
    record.statistics[place + 6] = change_of_scale(target) - outcome.potential
    record.statistics[place + 7] = crossings
    record.statistics[place + 8] = moved
    record.filled[0] += 1


@kernel
def write_place(target: Target, record: Record, place: Floats, iteration: int) -> None:
    """Record where a divergence was, while there is room."""
    row = record.filled[2]
    if row < record.place_count:
        copy(record.places, row * target.dimension, place, 0, target.dimension)
        record.place_iterations[row] = iteration
        record.filled[2] += 1


def new_record(density: Density, settings: Settings, first: int, iterations: int) -> Record:
    """Empty arrays for the iterations to come."""
    thin, warmup = settings.thin, settings.warmup
    rows = rows_until(first + iterations, warmup, thin) - rows_until(first, warmup, thin)
    keep = np.arange(density.value_count) if settings.keep is None else settings.keep
    places = min(PLACES_KEPT, 1 + 1_000_000 // max(density.dimension, 1))
    return Record(
        bit_count=density.branch_count,
        keep_count=len(keep),
        term_count=density.term_count if settings.keep_terms else 0,
        place_count=places,
        keeps_positions=settings.keep_positions,
        draws=np.empty((rows, len(keep))),
        keep=np.ascontiguousarray(keep, np.int64),
        values=np.empty(density.value_count),
        positions=np.empty((rows, density.dimension if settings.keep_positions else 0)),
        terms=np.empty((rows, density.term_count if settings.keep_terms else 0)),
        statistics=np.empty((iterations, len(STATISTICS))),
        bits=np.zeros(density.branch_count, np.uint8),
        new_bits=np.zeros(density.branch_count, np.uint8),
        flips=np.zeros(density.branch_count, np.int64),
        places=np.empty((places, density.dimension)),
        place_iterations=np.empty(places, np.int64),
        filled=np.zeros(3, np.int64),
    )


def rows_until(iteration: int, warmup: int, thin: int) -> int:
    """How many draws were recorded before an iteration."""
    return max(iteration - warmup, 0) // thin


def segment_of(record: Record, settings: Settings, first: int, state: State) -> Segment:
    """The record as a segment."""
    iterations = np.arange(first, state.iteration)
    since = iterations - settings.warmup
    places = int(record.filled[2])
    return Segment(
        first_iteration=first,
        draws=record.draws,
        positions=record.positions,
        terms=record.terms,
        recorded=iterations[(since >= 0) & (since % settings.thin == settings.thin - 1)],
        statistics=record.statistics,
        flips=record.flips,
        divergent_places=record.places[:places].copy(),
        divergent_iterations=record.place_iterations[:places].copy(),
        state=state,
    )
