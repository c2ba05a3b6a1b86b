"""DHMC for one model, written and tuned by hand: what the engines are measured against.

The mixture of two normals of the paper with N points. Sampler and model are one Numba function; the
labels are one loop that LLVM turns into SIMD; the Laplace momenta come from the engines' own vector
generator. Step and number of steps are found by trying them all, which no user would do.
"""

from __future__ import annotations

import math
import time
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lfppl.engines.generator import (
    CHUNK,
    draw_normal_pair,
    draw_uniform,
    fill_laplace,
    new_generator,
)

Floats = NDArray[np.float64]
FAST = {"reassoc", "nsz", "contract", "arcp"}
STEPS = (2, 3, 4, 5)
SIZES = (0.6, 0.8, 1.0, 1.2)


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def _forces(z: Floats, y: Floats, m0: float, m1: float) -> tuple[float, float, float]:
    energy, g0, g1 = 0.125 * (m0 * m0 + m1 * m1), 0.25 * m0, 0.25 * m1
    for i in range(z.size):
        right = 1.0 if z[i] >= 1.0 else 0.0
        gap = y[i] - (m1 if z[i] >= 1.0 else m0)
        energy += 0.5 * gap * gap
        g0 -= (1.0 - right) * gap
        g1 -= right * gap
    return energy, g0, g1


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def _sweep(z: Floats, p: Floats, y: Floats, m0: float, m1: float, stride: float) -> None:
    for i in range(z.size):
        sign = math.copysign(1.0, p[i])
        x = z[i] + stride * sign
        gap = y[i] - (m1 if z[i] >= 1.0 else m0)
        new_gap = y[i] - (m1 if x >= 1.0 else m0)
        change = 0.5 * (new_gap * new_gap - gap * gap)
        yes = (x >= 0.0) & (x < 2.0) & (abs(p[i]) > change)
        z[i] = x if yes else z[i]
        p[i] = p[i] - sign * change if yes else -p[i]


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def _size(p: Floats) -> float:
    total = 0.0
    for i in range(p.size):
        total += abs(p[i])
    return total


@njit(nogil=True, error_model="numpy")
def _sample(y: Floats, z: Floats, step: float, steps: int, draws: int, state: Any) -> Floats:
    """The means of `draws` trajectories."""
    n = y.size
    ones, p, old, words = np.ones(n), np.empty(n), np.empty(n), np.empty(CHUNK, np.uint64)
    out = np.empty((draws, 2))
    m0, m1 = -1.0, 1.0
    energy, g0, g1 = _forces(z, y, m0, m1)
    for row in range(draws):
        fill_laplace(state, words, p, ones, 0, n)
        p0, p1 = draw_normal_pair(state)
        jitter = 1.0 - 0.2 * draw_uniform(state)
        e = step * jitter
        old[:] = z
        start, s0, s1, h0, h1 = energy, m0, m1, g0, g1
        before = energy + 0.5 * (p0 * p0 + p1 * p1) + _size(p)
        for _ in range(steps):
            p0, p1 = p0 - 0.5 * e * g0, p1 - 0.5 * e * g1
            m0, m1 = m0 + 0.5 * e * p0, m1 + 0.5 * e * p1
            _sweep(z, p, y, m0, m1, 0.9 * jitter)
            m0, m1 = m0 + 0.5 * e * p0, m1 + 0.5 * e * p1
            energy, g0, g1 = _forces(z, y, m0, m1)
            p0, p1 = p0 - 0.5 * e * g0, p1 - 0.5 * e * g1
        after = energy + 0.5 * (p0 * p0 + p1 * p1) + _size(p)
        if draw_uniform(state) >= math.exp(min(0.0, before - after)):
            z[:] = old
            energy, m0, m1, g0, g1 = start, s0, s1, h0, h1
        out[row, 0], out[row, 1] = m0, m1
    return out


class Tuned(NamedTuple):
    """The best of all settings tried: its draws of the means and the seconds they took."""

    steps: int
    size: float
    draws: Floats
    seconds: float


def run(y: Floats, size: float, steps: int, draws: int, seed: int = 1) -> Tuned:
    """Draws with one setting, after a warm-up."""
    state = new_generator(np.random.SeedSequence(seed))
    z = np.random.default_rng(seed).uniform(0.0, 2.0, len(y))
    step = size / math.sqrt(len(y) / 2)
    _sample(y, z, step, steps, max(draws // 4, 500), state)
    begin = time.process_time()
    means = _sample(y, z, step, steps, draws, state)
    return Tuned(steps, size, means, time.process_time() - begin)


def tuned(y: Floats, draws: int, worth: Any) -> Tuned:
    """The setting with the highest `worth(draws, seconds)`."""
    tried = [run(y, size, steps, draws // 4) for size in SIZES for steps in STEPS]
    best = max(tried, key=lambda one: worth(one.draws, one.seconds))
    return run(y, best.size, best.steps, draws)
