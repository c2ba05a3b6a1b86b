"""Mixtures and a change point, whose posteriors are enumerated."""

from __future__ import annotations

import itertools
import math

import numpy as np
from densities import plain
from mixtures import PAPER_DATA, mixture
from numba import njit

from cases.case import Case

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
