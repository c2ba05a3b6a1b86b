"""Self-tuning in warm-up: the step by dual averaging, scales and speeds in windows as Stan does.

Three kinds of coordinates are told apart. A continuous one has a variance. A *wide* discontinuous
one ranges over many cells and has a speed, its standard deviation. A *narrow* one (a label, a small
count) has a stride of its own, a good part of a cell or of its support, whatever the step: the
speed is stride / step. Narrow coordinates bounce, so the U-turn test does not watch them.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.engines.chains import State
from lfppl.engines.native import Target, bare, kernel
from lfppl.engines.riders import as_seen

Floats = NDArray[np.float64]

# Places in the array `numbers` of a chain's state.
STEP, LOG_STEP_MEAN, ERROR_MEAN, ANCHOR, LENGTH, PROBE_TIME = range(6)
ENERGY_MEAN, ENERGY_SQUARE, AIM, LEAST_STEP = range(6, 10)
NUMBERS = 10
# Places in the array `counters`.
ITERATION, STEP_COUNT, WINDOW_COUNT, SEARCH, PROBE_COUNT, PROBE_STEPS = range(6)
SETTLED_COUNT, DIVERGED_COUNT, CROSSING_STEPS, RIDES_NOT = range(6, 10)
COUNTERS = 10

# Values of `counters[SEARCH]`: how the next call begins to look for a step, if at all.
AFAR, NEARBY = 1, 2

# Dual averaging (Hoffman and Gelman, 2014, section 3.2).
SHRINKAGE, STABILISER, DECAY = 0.05, 10.0, 0.75
BOLDNESS = 10.0
"""New steps are looked for around so many times the old one; once they are known, around it."""

FEW_SETTLED = 300
"""A window with fewer settled trajectories must have as many divergences as this many may."""
SETTLING = 25
"""Iterations of dual averaging after which a divergence tells of the target, not of the search."""
DIVERGENCES_BORNE = 0.01
"""With more of them in a window, the next aims at an acceptance nearer to 1. (Where a state of the
discrete variables makes others narrow, most trajectories may be accepted, and those not.)"""

WIDE_CELLS = 2.0
"""An integer that spreads over more cells than this is wide."""
FEW_CELLS = 10
"""A support of at most so many cells is narrow however the integer spreads."""
FILLED = 0.1
"""A bounded real is a label only if its deviation is above this part of its support. (A label
that is always on one half has 0.14, one on both has 0.29.)"""
MANY = 4
"""A bounded real is a label only if more than so many coordinates share its colour: labels do not
touch one another."""
HALF_SUPPORT = 0.5
"""The stride of a narrow real coordinate, as a part of its support."""
CROSSING, CROSSINGS, SHORT = 1.1, 6.6, 8
"""How many widths of its support a label of two cells strides in a trajectory, by its steps.

It bounces to and fro as long as its momentum lasts. With a stride of half the support it is on the
other side after 2, 6, 10, ... steps, and back after 4, 8, ... (correlation 0.76). So it crosses
once in trajectories of 4 and 8 steps. In long ones it crosses six times: a stride within a cell
costs nothing, and what the others do meanwhile moves on between two attempts. (Spike and slab, 46
steps: 4,000 effective draws a second with half the support, 5,400 with two or eight crossings.)"""


class Memory(NamedTuple):
    """What warm-up learns and goes by: the arrays of `chains.State` with the same names."""

    centre: Floats
    deviation: Floats
    mean: Floats
    square: Floats
    ways: Floats
    numbers: Floats
    counters: NDArray[np.int64]


def memory_of(state: State) -> Memory:
    """The part of a state that warm-up changes."""
    return Memory(*(getattr(state, name) for name in Memory._fields))


@kernel
def bare_memory(memory: Memory) -> Any:
    """The same with bare pointers."""
    return Memory(
        bare(memory.centre),
        bare(memory.deviation),
        bare(memory.mean),
        bare(memory.square),
        bare(memory.ways),
        bare(memory.numbers),
        bare(memory.counters),
    )


class Schedule(NamedTuple):
    """Iterations of the warm-up: slow windows lie in [start, stop) and finish at `ends`."""

    start: int
    stop: int
    ends: tuple[int, ...]


def schedule(warmup: int) -> Schedule:
    """Stan's windows: fast, slow windows doubling in size, fast.

    >>> schedule(1000)
    Schedule(start=75, stop=950, ends=(100, 150, 250, 450, 950))
    >>> schedule(10)
    Schedule(start=10, stop=10, ends=())
    """
    if warmup < 20:
        return Schedule(warmup, warmup, ())
    start, last, size = 75, 50, 25
    if start + last + size > warmup:
        start, last = int(0.15 * warmup), int(0.1 * warmup)
        size = warmup - start - last
    stop, end, ends = warmup - last, start, []
    while end < stop:
        end += size
        size *= 2
        if end + size > stop:
            end = stop
        ends.append(end)
    return Schedule(start, stop, tuple(ends))


# --- the step ------------------------------------------------------------------------------------


@kernel
def restart_step(numbers: Floats, counters: NDArray[np.int64], boldness: float) -> None:
    """Begin dual averaging anew from the present step, towards steps so many times as large."""
    numbers[ANCHOR] = math.log(boldness * numbers[STEP])
    numbers[ERROR_MEAN] = 0.0
    numbers[LOG_STEP_MEAN] = math.log(numbers[STEP])
    counters[STEP_COUNT] = 0


@kernel
def adapt_step(numbers: Floats, counters: NDArray[np.int64], statistic: float, aim: float) -> None:
    """One step of dual averaging: the statistic should become `aim`."""
    counters[STEP_COUNT] += 1
    count = float(counters[STEP_COUNT])
    rate = 1.0 / (count + STABILISER)
    numbers[ERROR_MEAN] = (1.0 - rate) * numbers[ERROR_MEAN] + rate * (aim - statistic)
    log_step = numbers[ANCHOR] - numbers[ERROR_MEAN] * math.sqrt(count) / SHRINKAGE
    if numbers[LEAST_STEP] > 0.0:
        log_step = max(log_step, math.log(numbers[LEAST_STEP]))
    weight = count**-DECAY
    numbers[LOG_STEP_MEAN] = weight * log_step + (1.0 - weight) * numbers[LOG_STEP_MEAN]
    numbers[STEP] = math.exp(log_step)


@kernel
def count_divergence(counters: NDArray[np.int64], diverged: bool) -> None:
    """Note whether a trajectory diverged, once the step has settled."""
    if counters[STEP_COUNT] > SETTLING:
        counters[SETTLED_COUNT] += 1
        counters[DIVERGED_COUNT] += diverged


def diverges(counters: NDArray[np.int64], borne: float, few: int) -> bool:
    """Whether more than a part of the window's trajectories diverged, or of a few."""
    return bool(counters[DIVERGED_COUNT] > borne * max(counters[SETTLED_COUNT], few))


def raise_aim(numbers: Floats, counters: NDArray[np.int64]) -> None:
    """Halve the rejections aimed at if the window had too many divergences."""
    if diverges(counters, DIVERGENCES_BORNE, FEW_SETTLED):
        numbers[AIM] = 0.5 * (1.0 + numbers[AIM])
    counters[[SETTLED_COUNT, DIVERGED_COUNT]] = 0


# --- spreads -------------------------------------------------------------------------------------


@kernel
def observe_draw(memory: Memory, target: Target, energy: float) -> None:
    """Welford's update of the means and sums of squares of the coordinates and of U."""
    memory.counters[WINDOW_COUNT] += 1
    count = memory.counters[WINDOW_COUNT]
    for i in range(target.dimension):
        x = target.position[i]
        if target.rider_count > 0:
            x = as_seen(target, i, x)
        change = x - memory.mean[i]
        memory.mean[i] += change / count
        memory.square[i] += change * (x - memory.mean[i])
    change = energy - memory.numbers[ENERGY_MEAN]
    memory.numbers[ENERGY_MEAN] += change / count
    memory.numbers[ENERGY_SQUARE] += change * (energy - memory.numbers[ENERGY_MEAN])


def regularised_variance(square: Floats, count: int, prior: Floats) -> Floats:
    """The variance, shrunk a little towards a small prior value as Stan does."""
    variance = square / max(count - 1, 1)
    return (count * variance + 5.0e-3 * prior) / (count + 5.0)


# --- coordinates of three kinds ------------------------------------------------------------------


def support_width(target: Target) -> Floats:
    """The distance of the bounds."""
    return target.upper - target.lower


def integer_cells(target: Target) -> NDArray[np.bool_]:
    """Which coordinates are embedded integers: their cells are smaller than their support."""
    return np.isfinite(target.cell) & (target.cell < 0.999 * support_width(target))


def few_cells(target: Target) -> NDArray[np.bool_]:
    """Which coordinates are embedded integers with few possible values."""
    few = support_width(target) <= FEW_CELLS * target.cell
    return integer_cells(target) & few


def crowded(target: Target) -> NDArray[np.bool_]:
    """Which coordinates share their colour with many."""
    result = np.zeros(target.dimension, np.bool_)
    starts = target.colour_starts
    for colour in np.flatnonzero(np.diff(starts) > MANY):
        result[target.colour_members[starts[colour] : starts[colour + 1]]] = True
    return result


def steering_colours(target: Target, narrow: NDArray[np.bool_]) -> NDArray[np.int64]:
    """1 for the colours with wide coordinates, whose moves tell how good the step is, else 0."""
    starts, members = target.colour_starts, target.colour_members
    colours = range(target.colour_count)
    wide = [not narrow[members[starts[k] : starts[k + 1]]].all() for k in colours]
    return np.array(wide, np.int64)


def narrow_coordinates(target: Target, deviation: Floats) -> NDArray[np.bool_]:
    """Which discontinuous coordinates are labels rather than ranges, given their deviations."""
    width = support_width(target)
    integer = integer_cells(target)
    small = few_cells(target) | (integer & (deviation < WIDE_CELLS * target.cell))
    filled = ~integer & np.isfinite(width) & (deviation > FILLED * width) & crowded(target)
    narrow = np.zeros(len(width), np.bool_)
    narrow[target.discontinuous] = (small | filled)[target.discontinuous]
    return narrow


def two_cells(target: Target) -> NDArray[np.bool_]:
    """Which coordinates are embedded integers with two possible values."""
    width = support_width(target)
    return integer_cells(target) & np.isclose(width, 2.0 * target.cell)


def crossing_steps(length: float) -> int:
    """A number of steps near a length after which labels of two cells are on the other side.

    >>> [crossing_steps(length) for length in (0.5, 2.9, 3.1, 5.0, 20.0)]
    [2, 2, 4, 6, 18]
    """
    if length < 5.0:
        return 4 if length > 3.0 else 2
    return 2 + 4 * round((length - 2.0) / 4.0)


def strides(target: Target, steps: int = 2) -> Floats:
    """The stride of each coordinate were it narrow, in trajectories of so many steps.

    A cell, or half the support; less for two cells, which should be crossed once.
    """
    width = support_width(target)
    half = np.where(np.isfinite(width), HALF_SUPPORT * width, 1.0)
    whole = np.where(integer_cells(target), np.minimum(target.cell, half), half)
    once = steps % 4 != 2 and steps <= SHORT
    crossing = min(HALF_SUPPORT, (CROSSING if once else CROSSINGS) / steps)
    return np.where(two_cells(target), crossing * width, whole)


def longest_stride(target: Target, narrow: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Over how many cells at most a narrow integer strides: all but one of a small support."""
    width = support_width(target)
    small = narrow & few_cells(target)
    longest = np.ones(len(width), np.int64)
    longest[small] = np.rint(width[small] / target.cell[small]) - 1
    return longest.clip(1)


def initial_deviation(target: Target) -> Floats:
    """Deviations before anything was seen: half of a uniform's where there are bounds, else one.

    Of integers at least a cell.
    """
    width = support_width(target)
    uniform = np.where(np.isfinite(width), 0.15 * width, 1.0)
    return np.where(integer_cells(target), np.maximum(uniform, target.cell), uniform)
