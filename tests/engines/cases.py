"""Densities that can be sampled exactly: what the engines' draws are compared with."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from densities import PAPER_DATA, mixture, plain
from numba import njit
from numpy.typing import NDArray

from lfppl.backends.density import Density

Sampler = Callable[[np.random.Generator, int], NDArray[np.float64]]


@dataclass(frozen=True)
class Case:
    """A density and an exact sampler of its coordinates."""

    name: str
    density: Density
    sample: Sampler


def gaussian(scales: tuple[float, ...] = (0.01, 1.0, 100.0)) -> Case:
    """Independent normals of very different scales, all continuous."""
    precision = np.array(scales) ** -2.0
    d = len(scales)

    @njit
    def energy(x):
        total = 0.0
        for i in range(d):
            total += 0.5 * precision[i] * x[i] * x[i]
        return total

    @njit
    def slope(x, g):
        for i in range(d):
            g[i] = precision[i] * x[i]

    return Case(
        "gaussian",
        plain(energy, slope, dimension=d),
        lambda rng, n: rng.normal(size=(n, d)) * np.array(scales),
    )


def funnel(leaves: int = 3) -> Case:
    """Neal's funnel: v ~ normal(0, 3), x_i ~ normal(0, exp(v / 2))."""

    @njit
    def energy(x):
        total = x[0] * x[0] / 18.0
        for i in range(1, leaves + 1):
            total += 0.5 * x[0] + 0.5 * x[i] * x[i] * math.exp(-x[0])
        return total

    @njit
    def slope(x, g):
        g[0] = x[0] / 9.0
        for i in range(1, leaves + 1):
            g[0] += 0.5 - 0.5 * x[i] * x[i] * math.exp(-x[0])
            g[i] = x[i] * math.exp(-x[0])

    def sample(rng, n):
        v = rng.normal(0, 3, n)
        return np.column_stack([v, *(rng.normal(size=n) * np.exp(v / 2) for _ in range(leaves))])

    return Case("funnel", plain(energy, slope, dimension=leaves + 1), sample)


SCHOOL_EFFECTS = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
SCHOOL_ERRORS = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])


def eight_schools() -> Case:
    """Non-centred: mu ~ normal(0, 5), log tau of tau ~ half-cauchy(5), theta = mu + tau eta."""
    y, errors = SCHOOL_EFFECTS, SCHOOL_ERRORS

    @njit
    def energy(x):
        tau = math.exp(x[1])
        total = x[0] ** 2 / 50.0 + math.log1p((tau / 5.0) ** 2) - x[1]
        for i in range(8):
            gap = (y[i] - x[0] - tau * x[2 + i]) / errors[i]
            total += 0.5 * x[2 + i] ** 2 + 0.5 * gap * gap
        return total

    @njit
    def slope(x, g):
        tau = math.exp(x[1])
        g[0] = x[0] / 25.0
        g[1] = 2.0 * (tau / 5.0) ** 2 / (1.0 + (tau / 5.0) ** 2) - 1.0
        for i in range(8):
            pull = (y[i] - x[0] - tau * x[2 + i]) / errors[i] ** 2
            g[0] -= pull
            g[1] -= pull * tau * x[2 + i]
            g[2 + i] = x[2 + i] - tau * pull

    def sample(rng, n):
        grid = np.linspace(-14, 6, 40001)
        tau = np.exp(grid)[:, None]
        variance = tau**2 + errors**2
        precision = 1 / 25 + (1 / variance).sum(1)
        centre = (y / variance).sum(1) / precision
        log_density = (
            grid
            - np.log1p((tau[:, 0] / 5) ** 2)
            - 0.5 * np.log(precision)
            - 0.5 * np.log(variance).sum(1)
            - 0.5 * ((y**2 / variance).sum(1) - precision * centre**2)
        )
        weights = np.exp(log_density - log_density.max())
        pick = rng.choice(len(grid), size=n, p=weights / weights.sum())
        log_tau = grid[pick] + rng.uniform(-0.5, 0.5, n) * (grid[1] - grid[0])
        mu = rng.normal(centre[pick], precision[pick] ** -0.5)
        tau = np.exp(log_tau)[:, None]
        shrink = 1 / (1 + (tau / errors) ** 2)
        eta = shrink * (tau * (y - mu[:, None]) / errors**2) + rng.normal(size=(n, 8)) * shrink**0.5
        return np.column_stack([mu, log_tau, eta])

    return Case("eight_schools", plain(energy, slope, dimension=10), sample)


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


FOUR_WEIGHTS = (0.1, 0.2, 0.3, 0.4)
FOUR_SCALES = (0.5, 1.0, 0.7, 1.5)


def four_components(data: tuple[float, ...] = (-1.0, 0.4, 2.0)) -> Case:
    """A mixture of four components with unequal weights and scales; 64 vectors of labels."""
    y = np.array(data)
    n, prior_scale = len(y), 2.0
    labels = np.array(list(itertools.product(range(4), repeat=n)))
    weights, scales = np.array(FOUR_WEIGHTS), np.array(FOUR_SCALES)
    member = labels[:, :, None] == np.arange(4)
    precision = 1 / prior_scale**2 + (member / scales**2).sum(1)
    centre = (member * y[:, None] / scales**2).sum(1) / precision
    log_weight = (
        np.log(weights[labels] / scales[labels]).sum(1)
        - 0.5 * (y**2 / scales[labels] ** 2).sum(1)
        - 0.5 * np.log(precision).sum(1)
        + 0.5 * (precision * centre**2).sum(1)
    )
    mass = np.exp(log_weight - log_weight.max())

    def sample(rng, count):
        pick = rng.choice(len(labels), size=count, p=mass / mass.sum())
        mu = rng.normal(centre[pick], precision[pick] ** -0.5)
        return np.column_stack([mu, labels[pick] + rng.random((count, n))])

    return Case("four_components", mixture(y, FOUR_WEIGHTS, FOUR_SCALES, prior_scale), sample)


def paper_mixture() -> Case:
    """The paper's mixture; its posterior by enumeration of 1,024 vectors of labels."""
    y = PAPER_DATA
    n, prior = len(y), 0.25
    labels = np.array(list(itertools.product(range(2), repeat=n)))
    member = labels[:, :, None] == np.arange(2)
    precision = prior + member.sum(1)
    total = (member * y[:, None]).sum(1)
    log_weight = (-0.5 * np.log(precision) + 0.5 * total**2 / precision).sum(1)
    mass = np.exp(log_weight - log_weight.max())

    def sample(rng, count):
        pick = rng.choice(len(labels), size=count, p=mass / mass.sum())
        mu = rng.normal(total[pick] / precision[pick], precision[pick] ** -0.5)
        return np.column_stack([mu, labels[pick] + rng.random((count, n))])

    return Case("paper_mixture", mixture(y), sample)


COUNTS = np.array([4, 5, 4, 1, 0, 4, 3, 4, 0, 6, 3, 3, 1, 0, 1, 0, 2, 1, 1, 0, 1, 0], float)


def change_point() -> Case:
    """Poisson counts with rate a before tau and b after; a, b ~ gamma(2, 1), tau uniform.

    Coordinates log a, log b, and tau on (0, T) in Γ: the count of year t is before tau where
    t < tau.
    """
    y, last = COUNTS, float(len(COUNTS))
    n = len(y)

    @njit
    def energy(x):
        if not (x[2] >= 0.0 and x[2] < last):
            return math.inf
        a, b = math.exp(x[0]), math.exp(x[1])
        total = a - 2.0 * x[0] + b - 2.0 * x[1]
        for t in range(n):
            total += a - y[t] * x[0] if t < x[2] else b - y[t] * x[1]
        return total

    @njit
    def slope(x, g):
        a, b = math.exp(x[0]), math.exp(x[1])
        g[0], g[1] = a - 2.0, b - 2.0
        for t in range(n):
            if t < x[2]:
                g[0] += a - y[t]
            else:
                g[1] += b - y[t]

    @njit
    def bits(x, out):
        for t in range(n):
            out[t] = t < x[2]

    counts = np.arange(1, n + 1)
    heads = np.cumsum(y)
    shapes = np.column_stack([2 + heads, 2 + y.sum() - heads])
    rates = np.column_stack([1 + counts, 1 + n - counts])
    log_weight = [
        sum(math.lgamma(s) - s * math.log(r) for s, r in zip(row, rate, strict=True))
        for row, rate in zip(shapes, rates, strict=True)
    ]
    mass = np.exp(np.array(log_weight) - max(log_weight))

    def sample(rng, count):
        pick = rng.choice(n, size=count, p=mass / mass.sum())
        levels = rng.gamma(shapes[pick]) / rates[pick]
        return np.column_stack([np.log(levels), pick + rng.random(count)])

    density = plain(
        energy,
        slope,
        dimension=3,
        discontinuous=[2],
        bits=bits,
        branch_count=n,
        lower=[-np.inf, -np.inf, 0.0],
        upper=[np.inf, np.inf, last],
        cell=[np.inf, np.inf, last],
    )
    return Case("change_point", density, sample)


def truncated() -> Case:
    """A normal cut off at -1/2 without a change of variables, beside an ordinary one; Γ empty."""

    @njit
    def energy(x):
        return 0.5 * (x[0] ** 2 + x[1] ** 2) if x[0] > -0.5 else math.inf

    @njit
    def slope(x, g):
        g[0], g[1] = x[0], x[1]

    def sample(rng, n):
        x = rng.normal(size=(8 * n, 2))
        return x[x[:, 0] > -0.5][:n]

    return Case("truncated", plain(energy, slope, dimension=2), sample)


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


SMOOTH = (gaussian, funnel, eight_schools, truncated)
JUMPING = (
    heavy_tail,
    table_posterior,
    four_components,
    paper_mixture,
    change_point,
    islands,
    stairs,
    switched_normal,
)


def correlated_gaussian(dimension: int = 20, correlation: float = 0.9) -> Case:
    """Equally correlated standard normals, all continuous."""
    d, r = dimension, correlation
    inner = 1.0 / (1.0 - r)
    common = -r / ((1.0 - r) * (1.0 - r + d * r))

    @njit
    def energy(x):
        total, square = 0.0, 0.0
        for i in range(d):
            total += x[i]
            square += x[i] * x[i]
        return 0.5 * (inner * square + common * total * total)

    @njit
    def slope(x, g):
        total = 0.0
        for i in range(d):
            total += x[i]
        for i in range(d):
            g[i] = inner * x[i] + common * total

    def sample(rng, n):
        shared = rng.normal(size=(n, 1)) * math.sqrt(r)
        return shared + rng.normal(size=(n, d)) * math.sqrt(1 - r)

    return Case("correlated_gaussian", plain(energy, slope, dimension=d), sample)
