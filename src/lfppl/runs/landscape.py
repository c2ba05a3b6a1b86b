"""The density along one or two variables, and exactly where it jumps or a branch flips."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.errors import drawing
from lfppl.results.names import element_names
from lfppl.runs.ancestral import draw_prior
from lfppl.runs.evaluation import Evaluation, Point
from lfppl.runs.predict import variables
from lfppl.runs.subject import Subject

Floats = NDArray[np.float64]
Range = tuple[float, float]
Place = tuple[float, float]

PRIOR_DRAWS = 400
"""How many draws from the prior say where to look, if nothing else does."""
TAIL, STRETCH = 0.005, 0.15
"""Draws beyond these quantiles are left out of a range, which then is stretched on both sides."""
FAINTEST = 1e-3
"""An axis that nobody gave need not reach where a density is less than this part of its highest."""
COARSE = {1: 400, 2: 40}
"""Points along an axis for finding that out, by the number of axes."""
HALVINGS = 40
"""A jump is found up to the width of an interval times 2 ** -40."""
SMOOTH_AFTER = 6
"""A change that has halved as often without keeping half of its size is no jump."""
SMALLEST_JUMP = 1e-6

ELEMENT = re.compile(r"(.+)\[(\d+(?:,\d+)*)\]")


class Sample(NamedTuple):
    """The log density at a place, and the branching variables there as bytes."""

    log_density: float
    bits: bytes


class Axis(NamedTuple):
    """A scalar variable that is varied: its coordinate, and whether the density may jump in it."""

    name: str
    slot: int
    discontinuous: bool


@dataclass(frozen=True)
class Profile:
    """The log density along a variable; NaN stands between the two sides of a boundary."""

    name: str
    x: Floats
    log_density: Floats
    boundaries: tuple[float, ...]


@dataclass(frozen=True)
class Relief:
    """The log density over two variables, a row for each y; boundaries are straight pieces."""

    names: tuple[str, str]
    x: Floats
    y: Floats
    log_density: Floats
    boundaries: tuple[tuple[Place, Place], ...]


class Slice:
    """A model with all variables fixed at a point but those of the axes."""

    def __init__(self, evaluation: Evaluation, point: Point, names: Sequence[str]) -> None:
        self._evaluation = evaluation
        self._base = evaluation.coordinates(point)
        known = axes_of(evaluation, point)
        for name in names:
            if name not in known:
                raise drawing.unknown_axis(name, known)
        self.axes = [known[name] for name in names]
        self._slots = [axis.slot for axis in self.axes]

    def at(self, *values: float) -> Sample:
        """The density where the axes have these values."""
        self._base[self._slots] = values
        return Sample(*self._evaluation.sample(self._base))


def axes_of(evaluation: Evaluation, point: Point) -> dict[str, Axis]:
    """Every scalar of a model by its name: `tau`, `mu[0]`."""
    found = {}
    for block in evaluation.tables.variables:
        shape = np.shape(point[block.name])
        names = np.array(list(element_names(block.name, shape)), object).reshape(shape)
        here = np.ravel(names[tuple(block.indices.T)])
        for name, slot in zip(here, block.coordinates.ravel(), strict=True):
            found[str(name)] = Axis(str(name), int(slot), block.discontinuous)
    return found


# --- where to look -------------------------------------------------------------------------------


def prior_sample(model: Subject) -> dict[str, Floats]:
    """Draws of all variables from the prior: arrays of (draw, *shape)."""
    generator = np.random.default_rng(0)
    found = variables(model.trace, draw_prior(model.trace, generator, PRIOR_DRAWS))
    sampled = {block.name for block in model.trace.samples}
    return {name: array for name, array in found.items() if name in sampled}


def best_of(draws: Mapping[str, Floats], densities: Floats) -> dict[str, Floats]:
    """The draw of the highest density."""
    best = int(np.argmax(densities))
    return {name: array[best] for name, array in draws.items()}


def range_of(name: str, draws: Mapping[str, NDArray[Any]]) -> Range:
    """Where most draws of a scalar lie, and a bit more.

    >>> range_of("x", {"x": np.linspace(0.0, 1.0, 201)})
    (-0.1435..., 1.1435...)
    """
    match = ELEMENT.fullmatch(name)
    values = draws[name] if match is None or name in draws else _element(match, draws)
    low, high = (float(each) for each in np.quantile(values, (TAIL, 1 - TAIL)))
    extra = STRETCH * (high - low) or 1.0
    return low - extra, high + extra


def _element(match: re.Match[str], draws: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    index: Any = (slice(None), *map(int, match[2].split(",")))
    element: NDArray[Any] = draws[match[1]][index]
    return element


def zoomed(slice_: Slice, ends: Sequence[Range], free: Sequence[bool]) -> list[Range]:
    """The ranges of the free axes narrowed to where the density is not faint.

    >>> import lfppl
    >>> model = lfppl.compile("(let [x (sample (normal 0 1))] x)")
    >>> slice_ = Slice(model.evaluation, {"x": 0.0}, ["x"])
    >>> [[round(end, 1) for end in pair] for pair in zoomed(slice_, [(-100.0, 100.0)], [True])]
    [[-4.3, 4.3]]
    """
    grids = [np.linspace(*pair, COARSE[len(ends)]) for pair in ends]
    logs = np.array([slice_.at(*place).log_density for place in product(*grids)])
    shaped = logs.reshape([len(grid) for grid in grids])
    found = []
    for axis, (grid, pair, is_free) in enumerate(zip(grids, ends, free, strict=True)):
        others = tuple(other for other in range(len(grids)) if other != axis)
        found.append(_bright(grid, shaped.max(axis=others)) if is_free else pair)
    return found


def _bright(grid: Floats, logs: Floats) -> Range:
    """The part of a grid where the density is not faint, and a bit more."""
    if not np.isfinite(logs).any():
        return float(grid[0]), float(grid[-1])
    bright = np.flatnonzero(logs >= logs.max() + math.log(FAINTEST))
    extra = max(1, round(STRETCH * (bright[-1] - bright[0])))
    first, last = max(bright[0] - extra, 0), min(bright[-1] + extra, len(grid) - 1)
    return float(grid[first]), float(grid[last])


def checked(name: str, given: Any) -> Range:
    """A range that a person gave.

    >>> checked("x", [0, 2])
    (0.0, 2.0)
    """
    try:
        low, high = (float(each) for each in given)
    except (TypeError, ValueError):
        raise drawing.wrong_range(name, given) from None
    if not (np.isfinite([low, high]).all() and low < high):
        raise drawing.wrong_range(name, given)
    return low, high


# --- one variable --------------------------------------------------------------------------------


def profile(slice_: Slice, ends: Range, points: int) -> Profile:
    """The density along the only axis of a slice."""
    (axis,) = slice_.axes
    grid = np.linspace(*ends, points)
    samples = [slice_.at(x) for x in grid]
    xs, logs, boundaries = [grid[0]], [samples[0].log_density], []
    for (a, b), (left, right) in zip(pairwise(grid), pairwise(samples), strict=True):
        for x, before, after in jumps(slice_, (a,), (b,), left, right, axis.discontinuous):
            boundaries.append(x[0])
            xs += [x[0], np.nan, x[0]]
            logs += [before.log_density, np.nan, after.log_density]
        xs.append(b)
        logs.append(right.log_density)
    if not np.isfinite(logs).any():
        raise drawing.zero_everywhere([axis.name])
    return Profile(axis.name, np.array(xs), np.array(logs), tuple(boundaries))


Jump = tuple[tuple[float, ...], Sample, Sample]


def jumps(
    slice_: Slice,
    a: tuple[float, ...],
    b: tuple[float, ...],
    left: Sample,
    right: Sample,
    may_jump: bool,
) -> Iterator[Jump]:
    """The places between two points where a branch flips or the density jumps, in order."""
    for _ in range(len(left.bits) + 1):
        found = _first_jump(slice_, a, b, left, right, may_jump)
        if found is None:
            return
        yield found
        a, _, left = found


def _first_jump(
    slice_: Slice,
    a: tuple[float, ...],
    b: tuple[float, ...],
    left: Sample,
    right: Sample,
    may_jump: bool,
) -> Jump | None:
    """Halve an interval: towards the first flip, else to where the density changes the most."""
    flips, support = left.bits != right.bits, _is_edge(left, right)
    if not (flips or support or may_jump):
        return None
    size = abs(right.log_density - left.log_density)
    for halving in range(HALVINGS):
        middle = tuple((p + q) / 2 for p, q in zip(a, b, strict=True))
        here = slice_.at(*middle)
        if _is_left(left, here, right, flips, support):
            a, left = middle, here
        else:
            b, right = middle, here
        change = abs(right.log_density - left.log_density)
        if not (flips or support) and halving == SMOOTH_AFTER and not change > size / 2:
            return None
    if flips or support or change > SMALLEST_JUMP:
        return b, left, right
    return None


def _is_edge(left: Sample, right: Sample) -> bool:
    """Whether just one of two places is outside the support."""
    return math.isfinite(left.log_density) != math.isfinite(right.log_density)


def _is_left(left: Sample, here: Sample, right: Sample, flips: bool, support: bool) -> bool:
    """Whether the middle belongs to the left side of the jump that is looked for."""
    if flips:
        return here.bits == left.bits
    if support:
        return not _is_edge(left, here)
    return abs(here.log_density - left.log_density) < abs(right.log_density - here.log_density)


# --- two variables -------------------------------------------------------------------------------


def relief(slice_: Slice, x_ends: Range, y_ends: Range, points: int) -> Relief:
    """The density over the two axes of a slice."""
    x, y = np.linspace(*x_ends, points), np.linspace(*y_ends, points)
    samples = [[slice_.at(a, b) for a in x] for b in y]
    logs = np.array([[each.log_density for each in row] for row in samples])
    names = (slice_.axes[0].name, slice_.axes[1].name)
    if not np.isfinite(logs).any():
        raise drawing.zero_everywhere(names)
    return Relief(names, x, y, logs, tuple(_boundaries(slice_, x, y, samples)))


def _boundaries(
    slice_: Slice, x: Floats, y: Floats, samples: list[list[Sample]]
) -> Iterator[tuple[Place, Place]]:
    """Straight pieces from side to side of the cells of a grid."""
    crossed = _crossings(slice_, x, y, samples)
    for i, j in np.ndindex(len(y) - 1, len(x) - 1):
        sides = [("x", i, j), ("x", i + 1, j), ("y", i, j), ("y", i, j + 1)]
        places = [crossed[side] for side in sides if side in crossed]
        if len(places) == 4:  # two boundaries that cross: below to above, left to right
            yield from ((places[0], places[1]), (places[2], places[3]))
        elif len(places) == 3:
            a, b = (math.fsum(p[axis] for p in places) / 3 for axis in (0, 1))
            yield from ((place, (a, b)) for place in places)
        elif len(places) == 2:
            yield places[0], places[1]


def _crossings(
    slice_: Slice, x: Floats, y: Floats, samples: list[list[Sample]]
) -> dict[tuple[str, int, int], Place]:
    """The first boundary on every edge of the grid: to the right of a point, and above it."""
    along_x, along_y = (axis.discontinuous for axis in slice_.axes)
    found: dict[tuple[str, int, int], Place] = {}
    for i, j in np.ndindex(len(y), len(x)):
        ends = [("x", i, j + 1, along_x), ("y", i + 1, j, along_y)]
        for side, up, right, may_jump in ends:
            if up < len(y) and right < len(x):
                here, there = samples[i][j], samples[up][right]
                a, b = (float(x[j]), float(y[i])), (float(x[right]), float(y[up]))
                jump = _first_jump(slice_, a, b, here, there, may_jump)
                if jump is not None:
                    found[side, i, j] = (jump[0][0], jump[0][1])
    return found
