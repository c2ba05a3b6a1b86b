"""Numerical search for jumps of a program's density along its coordinates (DESIGN 8).

A variable outside Γ moves in the coordinate that a sampler would give it: its place inside its
support, so that edges which depend on other variables move along with them. A jump is a change of
the density that stays as the interval around it shrinks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from lfppl.core import ast
from lfppl.core.distributions.contract import DistributionFamily
from lfppl.core.primitives import NumpyMath
from lfppl.reference.families import Chosen, elements, family_of
from lfppl.reference.interpreter import FromPoint, Indices, Supplier, run

Key: TypeAlias = tuple[str, Indices]
Element: TypeAlias = tuple[str, Indices, int]
Coordinates: TypeAlias = dict[Key, list[float]]
Profile: TypeAlias = Callable[[float], float]

REACH = 3.0
"""How far from a point the search goes in each direction."""

COARSE, FINE = 1e-5, 1e-12
"""The widths of the two intervals around a suspect that are compared."""

LASTS = 0.6
"""A change that keeps this part of itself from the coarse to the fine interval is a jump."""

VISIBLE = 1e-4
"""The smallest jump looked for, relative to the largest density on the line."""


PER_VARIABLE = 3
"""How many elements of a variable are searched: the first, the last, and one between them."""


class Jump(NamedTuple):
    """A jump that was found: in which coordinate, where, and the densities on its two sides."""

    name: str
    indices: Indices
    position: float
    before: float
    after: float


# --- coordinates ---------------------------------------------------------------------------------


def _bounds(family: DistributionFamily, parameters: tuple[Any, ...]) -> tuple[float, float]:
    lower, upper = family.support.lower, family.support.upper
    low = -np.inf if lower is None else float(lower(NumpyMath(), *parameters))
    high = np.inf if upper is None else float(upper(NumpyMath(), *parameters))
    return low, high


def place(u: float, low: float, high: float) -> float:
    """The natural value at the unbounded coordinate u of an interval.

    >>> place(0.0, 2.0, 4.0), place(0.0, 2.0, float("inf")), place(0.5, -float("inf"), float("inf"))
    (3.0, 3.0, 0.5)
    """
    with np.errstate(all="ignore"):
        if np.isfinite(low) and np.isfinite(high):
            return float(low + (high - low) / (1.0 + np.exp(-u)))
        if np.isfinite(low):
            return float(low + np.exp(u))
        return float(high - np.exp(u)) if np.isfinite(high) else u


def coordinate(x: float, low: float, high: float) -> float:
    """The inverse of `place`.

    >>> round(coordinate(place(0.7, 2.0, 4.0), 2.0, 4.0), 12)
    0.7
    """
    with np.errstate(all="ignore"):
        if np.isfinite(low) and np.isfinite(high):
            return float(np.log(x - low) - np.log(high - x))
        if np.isfinite(low):
            return float(np.log(x - low))
        return float(np.log(high - x)) if np.isfinite(high) else x


def _broken(sticks: list[float]) -> list[float]:
    """A point of the simplex from the logits of its breaks."""
    rest, parts = 1.0, []
    for u in sticks:
        parts.append(rest * place(u, 0.0, 1.0))
        rest -= parts[-1]
    return [*parts, rest]


def _breaks(parts: list[float]) -> list[float]:
    rest, sticks = 1.0, []
    for part in parts[:-1]:
        sticks.append(coordinate(part / rest, 0.0, 1.0))
        rest -= part
    return sticks


class Moving(Supplier):
    """Natural values from coordinates, of the variables outside Γ; the others stay where they are.

    Without coordinates it takes the natural values of a point and notes the coordinates.
    """

    def __init__(self, point: Mapping[str, Any], fixed: Collection[str]) -> None:
        self.natural = FromPoint(point)
        self.fixed = fixed
        self.coordinates: Coordinates = {}

    def supply(self, name: str, indices: Indices, distribution: Chosen) -> Any:
        """The natural value of a variable."""
        if name in self.fixed or family_of(distribution.family).is_discrete:
            return self.natural.supply(name, indices, distribution)
        if (name, indices) not in self.coordinates:
            value = self.natural.supply(name, indices, distribution)
            self.coordinates[name, indices] = self.inward(distribution, value)
        return self.outward(distribution, self.coordinates[name, indices])

    def inward(self, distribution: Chosen, value: Any) -> list[float]:
        """The coordinates of a natural value."""
        family = family_of(distribution.family)
        if family.support.kind == "simplex":
            return _breaks(value)
        if family.support.kind == "vector":
            return list(np.ravel(value))
        pieces = elements(family, distribution.parameters, value)
        return [coordinate(x, *_bounds(family, parameters)) for x, parameters in pieces]

    def outward(self, distribution: Chosen, us: list[float]) -> Any:
        """The natural value at coordinates."""
        family = family_of(distribution.family)
        if family.support.kind == "simplex":
            return _broken(us)
        if family.support.kind == "vector":
            return list(us)
        pieces = list(elements(family, distribution.parameters, us if len(us) > 1 else us[0]))
        found = [place(u, *_bounds(family, parameters)) for u, parameters in pieces]
        return found if len(us) > 1 else found[0]


@dataclass
class Line:
    """The log density of a program along one coordinate of one variable."""

    density: Callable[[Coordinates], float]
    coordinates: Coordinates
    element: Element

    @property
    def start(self) -> float:
        """Where the point itself is."""
        name, indices, i = self.element
        return self.coordinates[name, indices][i]

    def __call__(self, u: float) -> float:
        name, indices, i = self.element
        moved = list(self.coordinates[name, indices])
        moved[i] = u
        return self.density({**self.coordinates, (name, indices): moved})


# --- the search ----------------------------------------------------------------------------------


def lines(
    core: ast.Expression, data: Mapping[str, Any], point: Mapping[str, Any], fixed: Collection[str]
) -> Iterator[Line]:
    """Lines through the point: a few coordinates of every variable that is not fixed."""

    def density(coordinates: Coordinates) -> float:
        supplier = Moving(point, fixed)
        supplier.coordinates = dict(coordinates)
        found = run(core, data, supplier).log_density
        return -np.inf if np.isnan(found) else found

    start = Moving(point, fixed)
    run(core, data, start)
    elements: dict[str, list[Element]] = {}
    for (name, indices), us in start.coordinates.items():
        elements.setdefault(name, []).extend((name, indices, i) for i in range(len(us)))
    for of_one in elements.values():
        for k in np.unique(np.linspace(0, len(of_one) - 1, PER_VARIABLE).astype(int)):
            yield Line(density, start.coordinates, of_one[k])


def narrowed(
    line: Callable[[float], float], a: float, b: float, width: float
) -> tuple[float, float]:
    """The interval of at most that width in [a, b] where the density changes most, by bisection."""
    below, above = line(a), line(b)
    while b - a > width:
        middle = 0.5 * (a + b)
        between = line(middle)
        if abs(np.exp(between) - np.exp(below)) > abs(np.exp(above) - np.exp(between)):
            b, above = middle, between
        else:
            a, below = middle, between
        if abs(np.exp(above) - np.exp(below)) < VISIBLE:
            break
    return a, b


def jump_between(line: Profile, a: float, b: float) -> tuple[float, float] | None:
    """The ends of a tiny interval in [a, b] over which the density jumps.

    >>> found = jump_between(lambda u: 0.0 if u < 0.3 else -1.0, 0.0, 1.0)
    >>> found is not None and abs(found[0] - 0.3) < 1e-9
    True
    >>> jump_between(lambda u: -abs(u - 0.3), 0.0, 1.0)
    """

    def change(a: float, b: float) -> float:
        return float(abs(np.exp(line(b)) - np.exp(line(a))))

    a, b = narrowed(line, a, b, COARSE)
    coarse = change(a, b)
    if coarse < VISIBLE:
        return None
    a, b = narrowed(line, a, b, FINE * max(1.0, abs(a)))
    return (a, b) if change(a, b) > max(LASTS * coarse, VISIBLE) else None


def jumps(
    core: ast.Expression,
    data: Mapping[str, Any],
    point: Mapping[str, Any],
    fixed: Collection[str] = (),
    steps: int = 24,
) -> list[Jump]:
    """The jumps found along all coordinates of the variables that are not fixed, from a point."""
    return [jump for line in lines(core, data, point, fixed) for jump in jumps_on(line, steps)]


def jumps_on(line: Line, steps: int) -> Iterator[Jump]:
    """The jumps along one line, the density being relative to its largest value there."""
    name, indices, _ = line.element
    grid = line.start + np.linspace(-REACH, REACH, steps + 1)
    top = max(map(line, grid))
    if not np.isfinite(top):
        return

    def relative(u: float) -> float:
        return min(line(u) - top, 3.0)

    for a, b in pairwise(grid):
        found = jump_between(relative, float(a), float(b))
        if found is not None:
            yield Jump(name, indices, found[0], relative(found[0]), relative(found[1]))
