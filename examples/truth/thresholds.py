"""Truths of models with thresholds: pieces on which the density is smooth, and quadrature."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr
from scipy.stats import beta, gamma, norm

from truth.known import (
    Data,
    Draws,
    Floats,
    Truth,
    averages,
    midpoints,
    normal_log_density,
    normalised,
    returned,
)


def figure_1(data: Data) -> Truth:
    """Two branches, two masses."""
    q, y = data["q"], data["y"]
    above, below = (1 - q) * norm.pdf(y, 1, 1), q * norm.pdf(y, 0, 1)
    expected = {"x is above q": above / (above + below)}
    return Truth("the masses of the two branches", expected, returned(*expected), draws=20_000)


def regression_threshold(data: Data) -> Truth:
    """The slopes integrated out, the noise by quadrature, in each piece of the threshold."""
    x, y = np.asarray(data["x"], float), np.asarray(data["y"], float)
    edges = np.unique(np.clip(np.concatenate([[-2.0], x, [2.0]]), -2, 2))
    middle, noise = (edges[1:] + edges[:-1]) / 2, midpoints(0.1, 2, 2000)
    log_weight, slopes = np.empty((len(middle), 2000)), np.empty((2, len(middle), 2000))
    for i, threshold in enumerate(middle):
        log_weight[i] = np.log(edges[i + 1] - edges[i]) - noise**2 / 2
        for k, chosen in enumerate((x < threshold, x >= threshold)):
            u, v = x[chosen], y[chosen]
            precision = 0.25 + u @ u / noise**2
            slopes[k, i] = u @ v / noise**2 / precision
            log_weight[i] -= 0.5 * (v @ v / noise**2 - precision * slopes[k, i] ** 2)
            log_weight[i] -= len(u) * np.log(noise) + 0.5 * np.log(precision)
    share = normalised(log_weight)
    names = ("threshold", "slope below", "slope above")
    expected = averages(names, share, middle[:, None], *slopes)
    how = "between two data the slopes are integrated out, and the noise by quadrature"
    return Truth(how, expected, returned(*names), error=0.01, draws=20_000)


def broken_line(data: Data) -> Truth:
    """Height and slopes integrated out; knee and noise on a fine grid."""
    x, y = np.asarray(data["x"], float), np.asarray(data["y"], float)
    knees, noise = midpoints(-2, 2, 1600), midpoints(0.1, 1.5, 300)
    log_weight, mean = np.empty((1600, 300)), np.empty((1600, 300, 3))
    for i, knee in enumerate(knees):
        beyond = x - knee
        design = np.stack([np.ones_like(x), np.minimum(beyond, 0), np.maximum(beyond, 0)], axis=1)
        precision = np.eye(3) / 4 + design.T @ design / noise[:, None, None] ** 2
        pull = design.T @ y / noise[:, None] ** 2
        mean[i] = np.linalg.solve(precision, pull[..., None])[..., 0]
        log_weight[i] = 0.5 * ((mean[i] * pull).sum(1) - np.linalg.slogdet(precision)[1])
        log_weight[i] -= 0.5 * (y @ y) / noise**2 + len(y) * np.log(noise) + noise**2 / 2
    share = normalised(log_weight)
    names = ("knee", "slope before", "slope after")
    expected = averages(names, share, knees[:, None], mean[..., 1], mean[..., 2])
    how = "height and slopes are integrated out, knee and noise by quadrature"
    return Truth(how, expected, returned(*names), error=0.02, draws=20_000)


def zero_one_loss(data: Data) -> Truth:
    """The loss depends on the direction alone: the sphere by quadrature, the length exactly."""
    x, y = np.asarray(data["X"], float), np.asarray(data["y"], float)
    height, angle = np.meshgrid(midpoints(-1, 1, 1000), midpoints(-np.pi, np.pi, 1500))
    around = np.sqrt(1 - height**2)
    direction = np.stack([height, around * np.cos(angle), around * np.sin(angle)])
    errors = sum((v * np.tensordot(u, direction, 1) < 0) * 1 for u, v in zip(x, y, strict=True))
    share = normalised(-np.asarray(errors, float))
    length = 2 * np.sqrt(2 / np.pi)  # the mean length of three standard normals
    names = ("beta[0]", "beta[1]", "beta[2]")
    expected = averages(names, share * length, *direction)
    expected["errors"] = float((share * errors).sum())

    def measure(draws: Draws) -> dict[str, Floats]:
        beta = draws["return"]
        found = {name: beta[..., k] for k, name in enumerate(names)}
        return found | {"errors": ((beta @ x.T) * y < 0).sum(-1) * 1.0}

    how = "the loss depends on the direction of beta alone, which is integrated over the sphere"
    return Truth(how, expected, measure, error=0.01, draws=20_000)


def ordered_probit(data: Data) -> Truth:
    """The utilities integrated out; slope and thresholds on a grid."""
    x, answers = np.asarray(data["x"], float), np.asarray(data["answers"], int)
    axes = midpoints(-4, 9, 130), midpoints(-6, 4, 100), midpoints(0, 12, 120)
    slope, cut, gap = np.meshgrid(*axes, indexing="ij")
    log_weight = -slope * slope / 8 - (cut + 1) ** 2 / 2 - gap
    for u, answer in zip(x, answers, strict=True):
        low, not_high = ndtr(cut - slope * u), ndtr(cut + gap - slope * u)
        right = (low, not_high - low, 1 - not_high)[answer]
        log_weight = log_weight + np.log(right + (1 - right) * np.exp(-3))
    names = ("slope", "first threshold", "second threshold")
    expected = averages(names, normalised(log_weight), slope, cut, cut + gap)
    how = "the utilities are integrated out exactly, slope and thresholds by quadrature"
    return Truth(how, expected, returned(*names), error=0.01, draws=20_000)


def thermostat(data: Data) -> Truth:
    """Heater, loss and start on a grid that is finest where the posterior is."""
    readings = np.asarray(data["readings"], float)
    axes = midpoints(1.1, 2.7, 120), midpoints(0.06, 0.14, 120), midpoints(17.4, 20.2, 100)
    heater, loss, start = np.meshgrid(*axes, indexing="ij")
    log_weight = gamma.logpdf(heater, 4, scale=0.5) + beta.logpdf(loss, 2, 10)
    log_weight = log_weight + normal_log_density(start, 19, 1)
    temperature, heating = start, np.ones_like(start)
    for reading in readings:
        heating = np.where(temperature < 18, 1, np.where(temperature > 21, 0, heating))
        temperature = temperature + heater * heating + loss * (10 - temperature)
        log_weight = log_weight + normal_log_density(reading, temperature, 0.3)
    names = ("heater", "loss")
    expected = averages(names, normalised(log_weight), heater, loss)
    how = "quadrature over heater, loss and start"
    settings = {"initial": {"heater": 1.7, "loss": 0.095, "start": 19}}
    return Truth(how, expected, returned(*names), error=0.03, draws=20_000, settings=settings)


def heavy_tail(data: Data) -> Truth:
    """exp(-sqrt(x'Ax)) as a mixture of normals, whose integrals over boxes are products."""
    a = np.asarray(data["A"], float)
    size, off = len(a), a[0, 1]
    inside, outside = _box(3.0, size, off, a[0, 0] - off), _box(6.0, size, off, a[0, 0] - off)
    shell = np.exp(-1) * (outside - inside)
    expected = {"outside the box": float(shell / (shell + inside))}

    def measure(draws: Draws) -> dict[str, Floats]:
        return {"outside the box": (abs(draws["return"]).max(-1) > 3) * 1.0}

    how = (
        "exp(-r) is a mixture of normals in r, and a normal with equal covariances is one of"
        " independent normals; two quadratures remain"
    )
    return Truth(how, expected, measure, error=0.002, draws=20_000)


def _box(half: float, size: int, off: float, rest: float) -> float:
    """The integral of exp(-sqrt(x'Ax)) over |x| < half, with A = off 11' + rest I.

    exp(-r) is the mean of exp(-r^2 / 4u) over u ~ gamma(1/2, 1), and exp(-c (sum x)^2) is the mean
    of exp(i z sqrt(2c) sum x) over z ~ normal(0, 1).
    """
    u = gamma.ppf(midpoints(0, 1, 4000), 0.5)[:, None, None]
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    x, dx = np.polynomial.legendre.leggauss(80)
    x, dx = half * x, half * dx
    scale = np.exp(-rest * x**2 / (4 * u)) * dx
    wave = np.cos(nodes[:, None] * np.sqrt(off / (2 * u)) * x)
    products = (scale * wave).sum(2) ** size
    return float((products @ weights).mean() / np.sqrt(2 * np.pi))
