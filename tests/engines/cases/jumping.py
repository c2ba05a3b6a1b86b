"""Small densities with jumps: tables, islands, stairs, the heavy tail."""

from __future__ import annotations

import itertools
import math

import numpy as np
from densities import plain
from numba import njit
from numpy.typing import NDArray

from cases.case import Case


def heavy_tail(dimension: int = 3, **options) -> Case:
    """The paper's second density with A = I: exp(-|x|), lower outside a cube, all in Γ."""
    d = dimension

    @njit
    def energy(x):
        largest, square = 0.0, 0.0
        for i in range(d):
            largest = max(largest, abs(x[i]))
            square += x[i] * x[i]
        if largest > 6.0:
            return math.inf
        return math.sqrt(square) + (1.0 if largest > 3.0 else 0.0)

    @njit
    def bits(x, out):
        largest = 0.0
        for i in range(d):
            largest = max(largest, abs(x[i]))
        out[0] = largest < 3.0

    def sample(rng, n):
        found: list[NDArray[np.float64]] = []
        while sum(map(len, found)) < n:
            way = rng.normal(size=(4 * n, d))
            way /= np.linalg.norm(way, axis=1, keepdims=True)
            x = way * rng.gamma(d, size=(4 * n, 1))
            largest = np.abs(x).max(1)
            keep = (largest <= 3) | ((largest <= 6) & (rng.random(4 * n) < np.exp(-1)))
            found.append(x[keep])
        return np.concatenate(found)[:n]

    density = plain(
        energy,
        dimension=d,
        discontinuous=range(d),
        bits=bits,
        branch_count=1,
        lower=-6.0,
        upper=6.0,
        cell=12.0,
        **options,
    )
    return Case("heavy_tail", density, sample)


def table_posterior(
    sizes: tuple[int, ...] = (4, 5), seed: int = 7, coupled: float = 2.0, **options
) -> Case:
    """Integers with any joint probabilities, strongly coupled and unequal; every one in Γ."""
    rng = np.random.default_rng(seed)
    log_table = coupled * rng.normal(size=sizes)
    flat = np.ascontiguousarray(log_table.ravel())
    d = len(sizes)
    strides = np.array([math.prod(sizes[i + 1 :]) for i in range(d)])
    limits = np.array(sizes, float)

    @njit
    def energy(x):
        place = 0
        for i in range(d):
            if not (x[i] >= 0.0 and x[i] < limits[i]):
                return math.inf
            place += int(x[i]) * strides[i]
        return -flat[place]

    @njit
    def bits(x, out):
        out[0] = x[0] < 2.0

    weights = np.exp(flat - flat.max())
    states = np.array(list(itertools.product(*(range(k) for k in sizes))), float)

    def sample(rng, n):
        pick = rng.choice(len(states), size=n, p=weights / weights.sum())
        return states[pick] + rng.random((n, d))

    density = plain(
        energy,
        dimension=d,
        discontinuous=range(d),
        floors=range(d),
        bits=bits,
        branch_count=1,
        lower=0.0,
        upper=limits,
        cell=1.0,
        **options,
    )
    return Case("table", density, sample)


def switched_normal(**options) -> Case:
    """Two coupled integers with unequal joint probabilities choose mean and width of a normal."""
    rng = np.random.default_rng(3)
    log_mass, centre = 1.5 * rng.normal(size=(3, 4)), 2.0 * rng.normal(size=12)
    width = np.exp(0.5 * rng.normal(size=12))
    return switched("switched_normal", log_mass, centre, width, **options)


def latch(**options) -> Case:
    """Two bits, the first only if the second: what comes first decides, and how stiff it gets."""
    log_mass = np.array([[0.0, 0.0], [-np.inf, 0.0]])
    return switched("latch", log_mass, np.zeros(4), np.array([1.0, 1.0, 1.0, 0.2]), **options)


def switched(name, log_mass, centre, width, **options) -> Case:
    """Two integers with any joint probabilities, and a normal whose mean and width they choose."""
    flat = np.ascontiguousarray(log_mass.ravel())
    first, second = log_mass.shape

    @njit
    def place(x):
        return int(x[1]) * second + int(x[2])

    @njit
    def energy(x):
        if not (0.0 <= x[1] < first and 0.0 <= x[2] < second):
            return math.inf
        k = place(x)
        if flat[k] == -math.inf:
            return math.inf
        return -flat[k] + math.log(width[k]) + 0.5 * ((x[0] - centre[k]) / width[k]) ** 2

    @njit
    def slope(x, g):
        k = place(x)
        g[0] = (x[0] - centre[k]) / width[k] ** 2

    @njit
    def bits(x, out):
        out[0] = x[1] < 1.0

    mass = np.exp(flat - flat.max())

    def sample(rng, n):
        k = rng.choice(len(flat), size=n, p=mass / mass.sum())
        cells = np.column_stack([k // second, k % second]) + rng.random((n, 2))
        return np.column_stack([rng.normal(centre[k], width[k]), cells])

    density = plain(
        energy,
        slope,
        dimension=3,
        discontinuous=[1, 2],
        floors=[1, 2],
        bits=bits,
        branch_count=1,
        lower=[-np.inf, 0.0, 0.0],
        upper=[np.inf, first, second],
        cell=[np.inf, 1.0, 1.0],
        **options,
    )
    return Case(name, density, sample)


def islands() -> Case:
    """Support on two islands of unequal mass in a coordinate of Γ, which shifts a normal mean."""

    @njit
    def energy(x):
        if 0.0 <= x[1] < 1.0:
            return 0.5 * (x[0] - 1.0) ** 2
        if 1.5 <= x[1] < 2.0:
            return 0.5 * (x[0] + 1.0) ** 2 - 1.0
        return math.inf

    @njit
    def slope(x, g):
        g[0] = x[0] - 1.0 if x[1] < 1.0 else x[0] + 1.0

    @njit
    def bits(x, out):
        out[0] = x[1] < 1.0

    def sample(rng, n):
        second = rng.random(n) < 0.5 * math.e / (1 + 0.5 * math.e)
        place = np.where(second, 1.5 + 0.5 * rng.random(n), rng.random(n))
        return np.column_stack([rng.normal(np.where(second, -1, 1)), place])

    density = plain(
        energy,
        slope,
        dimension=2,
        discontinuous=[1],
        bits=bits,
        branch_count=1,
        lower=[-np.inf, 0.0],
        upper=[np.inf, 2.0],
        cell=[np.inf, 2.0],
    )
    return Case("islands", density, sample)


def stairs() -> Case:
    """An unbounded Γ coordinate with a jump at 0.3, coupled with a continuous one."""

    @njit
    def energy(x):
        step = 1.5 if x[1] > 0.3 else 0.0
        return 0.5 * x[1] ** 2 + step + 0.5 * (x[0] - x[1]) ** 2

    @njit
    def slope(x, g):
        g[0] = x[0] - x[1]

    @njit
    def bits(x, out):
        out[0] = x[1] <= 0.3

    def sample(rng, n):
        x = rng.normal(size=12 * n)
        keep = (x <= 0.3) | (rng.random(12 * n) < math.exp(-1.5))
        b = x[keep][:n]
        return np.column_stack([rng.normal(b), b])

    density = plain(energy, slope, dimension=2, discontinuous=[1], bits=bits, branch_count=1)
    return Case("stairs", density, sample)
