"""Truths of models of censored and truncated readings, and of the smooth ones: quadrature."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.special import log_ndtr, ndtr

from truth.known import (
    Data,
    Floats,
    Truth,
    averages,
    midpoints,
    normal_log_density,
    normalised,
    returned,
)


def censored(data: Data) -> Truth:
    """Between two readings the density is smooth in the limit: a grid that meets the readings."""
    times = np.asarray(data["times"], float)
    edges = np.concatenate([[2.0], np.unique(times[(times > 2) & (times < 6)]), [6.0]])
    limits = np.concatenate([midpoints(a, b, 20) for a, b in pairwise(edges)])
    width = np.repeat(np.diff(edges) / 20, 20)
    mu, sd, limit = np.meshgrid(
        midpoints(-4, 16, 100), midpoints(0.02, 8, 100), limits, indexing="ij"
    )
    log_weight = -(mu**2) / 50 - sd**2 / 8 + np.log(width)
    for t in times:
        over = log_ndtr((mu - limit) / sd)
        log_weight = log_weight + np.where(t < limit, normal_log_density(t, mu, sd), over)
    expected = averages(("mu", "limit"), normalised(log_weight), mu, limit)
    how = "quadrature over mu, sd and the pieces of the limit between the readings"
    return Truth(how, expected, returned("mu", "limit"), error=0.03, draws=20_000)


def truncated(data: Data) -> Truth:
    """The limit lies below the least reading; quadrature over all three."""
    y = np.asarray(data["y"], float)
    least = y.min()
    mu, sd, limit = np.meshgrid(
        midpoints(-20, 9, 120), midpoints(1, 11, 100), midpoints(-2, least, 100), indexing="ij"
    )
    log_weight = -(mu**2) / 50 - sd**2 / 18 - limit**2 / 50
    recorded = ndtr((mu - limit) / sd) - ndtr((mu - 20) / sd)
    log_weight = log_weight - len(y) * np.log(recorded)
    log_weight = log_weight + sum(normal_log_density(reading, mu, sd) for reading in y)
    expected = averages(("mu", "limit"), normalised(log_weight), mu, limit)
    how = "quadrature over mu, sd and the limit below the least reading"
    return Truth(how, expected, returned("mu", "limit"), error=0.02, draws=60_000)


def regression(data: Data) -> Truth:
    """Quadrature over slope, intercept and scale."""
    x, y = np.asarray(data["x"], float), np.asarray(data["y"], float)
    slope, intercept, scale = np.meshgrid(
        midpoints(0.7, 2.1, 120), midpoints(0.1, 1.7, 120), midpoints(0.05, 1.6, 120), indexing="ij"
    )
    log_weight = -(slope**2 + intercept**2) / 50 - np.log1p(scale**2)
    for u, v in zip(x, y, strict=True):
        off = (v - intercept - slope * u) / scale
        log_weight = log_weight - 2.5 * np.log1p(off**2 / 4) - np.log(scale)
    names = ("slope", "intercept")
    expected = averages(names, normalised(log_weight), slope, intercept)
    how = "quadrature over slope, intercept and scale"
    return Truth(how, expected, returned(*names), error=0.01, draws=10_000)


def eight_schools(data: Data) -> Truth:
    """Given tau everything is normal; tau by quadrature."""
    y, s = np.asarray(data["y"], float), np.asarray(data["s"], float)
    tau = 5 * np.tan(midpoints(0, np.pi / 2, 20_000))[:, None]  # equal parts of the half-Cauchy
    variance = s**2 + tau**2
    precision = 1 / 25 + (1 / variance).sum(1)
    centre = (y / variance).sum(1) / precision
    log_weight = -0.5 * (np.log(variance) + y**2 / variance).sum(1)
    share = normalised(log_weight + 0.5 * (precision * centre**2 - np.log(precision)))
    kept: Floats = tau**2 / variance
    theta = share @ (kept * y + (1 - kept) * centre[:, None])
    names = [f"theta[{k}]" for k in range(len(y))]
    how = "given tau everything is normal, and tau is integrated by quadrature"
    expected = dict(zip(names, map(float, theta), strict=True))
    return Truth(how, expected, returned(*names), error=0.005, draws=10_000)
