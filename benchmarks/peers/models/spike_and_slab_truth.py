"""The truth of the spike-and-slab regression: every subset of its columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from scipy.special import logsumexp

from peers.case import Floats, Truth

jitted: Callable[..., Any] = numba.njit(error_model="numpy")


@jitted
def every_subset(gram: Floats, cross: Floats, noise: float, log_odds: float) -> Any:
    """Sums over all subsets of columns: weight, coefficients and their squares, with one noise.

    Columns enter and leave in the order of a Gray code, by sweeps of the precision matrix.
    """
    p = cross.size
    # The matrix [1 + G/s², c/s²; c'/s², 0]: swept columns hold covariance, mean and the exponent.
    a = np.zeros((p + 1, p + 1))
    a[:p, :p] = gram / noise**2
    a[:p, p] = a[p, :p] = cross / noise**2
    for j in range(p):
        a[j, j] += 1.0
    inside = np.zeros(p, np.bool_)
    log_determinant, size, top = 0.0, 0, -np.inf
    total, first, second = 0.0, np.zeros(p), np.zeros(p)
    for step in range(2**p):
        log_weight = size * log_odds - 0.5 * log_determinant - 0.5 * a[p, p]
        if log_weight > top:
            scale = np.exp(top - log_weight)
            total, first, second, top = total * scale, first * scale, second * scale, log_weight
        weight = np.exp(log_weight - top)
        total += weight
        for j in range(p):
            if inside[j]:
                first[j] += weight * a[j, p]
                second[j] += weight * (a[j, p] ** 2 - a[j, j])
        k = 0
        while k < p and (step + 1) >> k & 1 == 0:
            k += 1
        if k == p:
            break
        pivot = a[k, k]
        log_determinant += np.log(abs(pivot))
        size += -1 if inside[k] else 1
        # Out and in again differ in sign only.
        sign = -1.0 if inside[k] else 1.0
        row = a[k].copy()
        for i in range(p + 1):
            for j in range(p + 1):
                if i != k and j != k:
                    a[i, j] -= row[i] * row[j] / pivot
        for i in range(p + 1):
            if i != k:
                a[i, k] = a[k, i] = sign * row[i] / pivot
        a[k, k] = -1 / pivot
        inside[k] = not inside[k]
    return top + np.log(total), first / total, second / total


def truth(design: Floats, y: Floats, chance: float) -> Truth:
    """All 2²⁰ subsets of columns, slopes integrated, on a grid of the noise."""
    log_odds = np.log(chance / (1 - chance))
    gram, cross = design.T @ design, design.T @ y
    grid = np.linspace(0.65, 1.5, 35)
    log_weights, firsts, seconds = [], [], []
    for noise in grid:
        log_sum, first, second = every_subset(gram, cross, noise, log_odds)
        prior = -0.5 * noise**2 - len(y) * np.log(noise) - 0.5 * (y @ y) / noise**2
        log_weights.append(log_sum + prior)
        firsts.append(np.concatenate([[noise], first]))
        seconds.append(np.concatenate([[noise**2], second]))
    weights = np.exp(np.array(log_weights) - logsumexp(log_weights))
    mean, square = weights @ np.array(firsts), weights @ np.array(seconds)
    return Truth(mean, np.sqrt(square - mean**2), "exact: all 2^20 subsets, noise by quadrature")
