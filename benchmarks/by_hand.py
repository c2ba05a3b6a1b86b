"""The densities of the benchmarks as a careful person writes them: Numba without fastmath, and JAX.

Every function returns U and writes the derivatives by the continuous coordinates, in the order of
the compiled model's coordinates.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

HALF_LOG_TAU = 0.5 * math.log(2 * math.pi)


@numba.njit(error_model="numpy")
def mixture(x: Floats, g: Floats, y: Floats) -> float:
    first, second = x[0], x[1]
    u = (first * first + second * second) / 8 + 2 * (math.log(2.0) + HALF_LOG_TAU)
    slope_first, slope_second = first / 4, second / 4
    constant = HALF_LOG_TAU + math.log(2.0)
    outside = False
    for i in range(y.size):
        label = math.floor(x[2 + i])
        outside |= label < 0 or label > 1
        residual = y[i] - (first if label < 1 else second)
        u += 0.5 * residual * residual + constant
        if label < 1:
            slope_first -= residual
        else:
            slope_second -= residual
    g[0], g[1] = slope_first, slope_second
    return math.inf if outside else u


@numba.njit(error_model="numpy")
def logistic(x: Floats, g: Floats, design: Floats, y: Floats) -> float:
    rows, columns = design.shape
    u = 0.0
    for j in range(columns):
        u += 0.5 * x[j] * x[j] + HALF_LOG_TAU
        g[j] = x[j]
    for i in range(rows):
        eta = 0.0
        for j in range(columns):
            eta += design[i, j] * x[j]
        small = math.exp(-abs(eta))
        u += math.log1p(small) + max(eta, 0.0) - y[i] * eta
        share = 1 / (1 + small) if eta >= 0 else small / (1 + small)
        for j in range(columns):
            g[j] += (share - y[i]) * design[i, j]
    return float(u)


@numba.njit(error_model="numpy")
def poisson(
    x: Floats,
    g: Floats,
    design: Floats,
    y: Floats,
    log_factorials: Floats,
    tau: int,
    jump: int,
    first: int,
) -> float:
    rows, columns = design.shape
    change = x[jump]
    u = 0.5 * change * change + HALF_LOG_TAU + math.log(rows)
    slope = change
    for j in range(columns):
        u += 0.5 * x[first + j] * x[first + j] + HALF_LOG_TAU
        g[first + j] = x[first + j]
    if x[tau] < 0 or x[tau] > rows:
        return np.inf
    for i in range(rows):
        eta = 0.0 if i < x[tau] else change
        for j in range(columns):
            eta += design[i, j] * x[first + j]
        rate = math.exp(eta)
        u += rate - y[i] * eta + log_factorials[i]
        if not i < x[tau]:
            slope += rate - y[i]
        for j in range(columns):
            g[first + j] += (rate - y[i]) * design[i, j]
    g[jump] = slope
    return float(u)


@numba.njit(error_model="numpy")
def heavy_tail(x: Floats, g: Floats, matrix: Floats) -> float:
    product = matrix @ x
    root = math.sqrt(np.dot(product, x))
    u = root + x.size * (HALF_LOG_TAU + math.log(10.0))
    for i in range(x.size):
        u += x[i] * x[i] / 200
        g[i] = product[i] / root + x[i] / 100
    return float(u)


@numba.njit(error_model="numpy")
def hierarchical(
    x: Floats, g: Floats, y: Floats, s: Floats, mean: int, log_scale: int, first: int
) -> float:
    centre, log_sd = x[mean], x[log_scale]
    sd = math.exp(log_sd)
    ratio = sd / 5
    u = centre * centre / 50 + HALF_LOG_TAU + math.log(5.0)
    u += math.log1p(ratio * ratio) + math.log(5.0) + math.log(math.pi / 2) - log_sd
    slope_centre, slope_scale = centre / 25, 2 * ratio * ratio / (1 + ratio * ratio) - 1
    inverse = 1 / sd
    for j in range(y.size):
        z = (x[first + j] - centre) * inverse
        error = (y[j] - x[first + j]) / s[j]
        u += 0.5 * (z * z + error * error) + log_sd + 2 * HALF_LOG_TAU + math.log(s[j])
        slope_centre -= z * inverse
        slope_scale += 1 - z * z
        g[first + j] = z * inverse - error / s[j]
    g[mean], g[log_scale] = slope_centre, slope_scale
    return float(u)


# --- JAX: functions of the continuous coordinates ------------------------------------------------


def jax_mixture(jnp: Any, c: Any, x: Any, y: Any) -> Any:
    labels = jnp.floor(x[2:])
    residual = y - jnp.where(labels < 1, c[0], c[1])
    return 0.125 * jnp.sum(c**2) + 0.5 * jnp.sum(residual**2)


def jax_logistic(jnp: Any, c: Any, x: Any, design: Any, y: Any) -> Any:
    eta = design @ c
    return 0.5 * jnp.sum(c**2) + jnp.sum(jnp.logaddexp(0.0, eta) - y * eta)


def jax_poisson(
    jnp: Any,
    c: Any,
    x: Any,
    design: Any,
    y: Any,
    log_factorials: Any,
    tau: int,
    jump: int,
    first: int,
) -> Any:
    full = jnp.concatenate([c[:tau], x[tau : tau + 1], c[tau:]])
    slopes = full[first : first + design.shape[1]]
    eta = design @ slopes + jnp.where(jnp.arange(len(y)) < x[tau], 0.0, full[jump])
    return 0.5 * jnp.sum(c**2) + jnp.sum(jnp.exp(eta) - y * eta + log_factorials)


def jax_heavy_tail(jnp: Any, c: Any, x: Any, matrix: Any) -> Any:
    return jnp.sqrt(c @ (matrix @ c)) + jnp.sum(c**2) / 200


def jax_hierarchical(
    jnp: Any, c: Any, x: Any, y: Any, s: Any, mean: int, log_scale: int, first: int
) -> Any:
    theta = c[first : first + len(y)]
    sd = jnp.exp(c[log_scale])
    prior = c[mean] ** 2 / 50 + jnp.log1p((sd / 5) ** 2) - c[log_scale]
    z, error = (theta - c[mean]) / sd, (y - theta) / s
    return prior + jnp.sum(0.5 * z**2 + c[log_scale] + 0.5 * error**2)
