"""Densities without discontinuous coordinates, with exact samplers."""

from __future__ import annotations

import math

import numpy as np
from densities import plain
from numba import njit

from cases.case import Case


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
