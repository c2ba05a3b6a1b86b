"""Mixtures of normals written by hand, with a SIMD loop over the labels."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from densities import assemble, table
from numba import carray, njit
from numpy.typing import NDArray

from lfppl.backends.density import Density

PAPER_DATA = np.array([-2.0, -2.5, -1.7, -1.9, -2.2, 1.5, 2.2, 3.0, 1.2, 2.8])


def mixture(
    data: NDArray[np.float64],
    weights: Sequence[float] = (0.5, 0.5),
    scales: Sequence[float] = (1.0, 1.0),
    prior_scale: float = 2.0,
) -> Density:
    """mu_k ~ normal(0, prior_scale), z_n ~ categorical(weights), y_n ~ normal(mu_z, scale_z).

    Coordinates: K means, N labels on [0, K). The workspace keeps each row's energy behind x.
    """
    data = np.ascontiguousarray(data, np.float64)
    n, count = len(data), len(weights)
    d = count + n
    y = table(data)
    logs = tuple(float(v) for v in np.log(scales) - np.log(np.array(weights) / np.sum(weights)))
    halves = tuple(0.5 / float(s) ** 2 for s in scales)
    prior = 0.5 / prior_scale**2
    size = d + n + 4
    constants = np.array([*logs, *halves])

    if count == 2:
        log0, log1 = logs
        half0, half1 = halves

        @njit(inline="always")
        def row(x, y, mus):
            right = x >= 1.0
            gap = y - (mus[1] if right else mus[0])
            return (log1 if right else log0) + (half1 if right else half0) * gap * gap

    else:

        @njit(inline="always")
        def row(x, y, mus):
            k = min(max(int(x), 0), count - 1)
            gap = y - mus[k]
            return constants[k] + constants[count + k] * gap * gap

    def evaluate(w):
        v, ys = carray(w, (size,)), y()
        total = 0.0
        mus = (v[0], v[1]) if count == 2 else v[:count]
        for k in range(count):
            total += prior * v[k] ** 2
        inside = True
        for i in range(n):
            x = v[count + i]
            inside = inside & (x >= 0.0) & (x < count)
            v[d + i] = row(x, ys[i], mus)
            total += v[d + i]
        return total if inside else math.inf

    def gradient_two(w, g):
        v, slopes, ys = carray(w, (size,)), carray(g, (d,)), y()
        m0, m1 = v[0], v[1]
        total = prior * (m0 * m0 + m1 * m1)
        outside = 0.0
        for i in range(n):
            x = v[2 + i]
            outside += 0.0 if (x >= 0.0) & (x < 2.0) else 1.0
            energy = row(x, ys[i], (m0, m1))
            v[d + i] = energy
            total += energy
        g0, g1 = 0.0, 0.0
        for i in range(n):
            # Products instead of conditional sums: only these become SIMD.
            right = 1.0 if v[2 + i] >= 1.0 else 0.0
            g0 -= (1.0 - right) * 2.0 * half0 * (ys[i] - m0)
            g1 -= right * 2.0 * half1 * (ys[i] - m1)
        for i in range(d):
            slopes[i] = 0.0
        slopes[0] = g0 + 2.0 * prior * m0
        slopes[1] = g1 + 2.0 * prior * m1
        return total if outside == 0.0 else math.inf

    def gradient_many(w, g):
        v, slopes, ys = carray(w, (size,)), carray(g, (d,)), y()
        total = 0.0
        for k in range(count):
            total += prior * v[k] ** 2
            slopes[k] = 2.0 * prior * v[k]
        inside = True
        for i in range(n):
            x = v[count + i]
            inside = inside & (x >= 0.0) & (x < count)
            v[d + i] = row(x, ys[i], v[:count])
            total += v[d + i]
            k = min(max(int(x), 0), count - 1)
            slopes[k] -= 2.0 * constants[count + k] * (ys[i] - v[k])
            slopes[count + i] = 0.0
        return total if inside else math.inf

    def move(w, b, value):
        v, ys = carray(w, (size,)), y()
        i = b - count
        v[size - 3], v[size - 2], v[size - 1] = b, v[b], v[d + i]
        v[b] = value
        if value < 0.0 or value >= count:
            v[d + i] = math.inf
        else:
            v[d + i] = row(value, ys[i], (v[0], v[1]) if count == 2 else v[:count])
        return v[d + i] - v[size - 1]

    def undo(w):
        v = carray(w, (size,))
        b = int(v[size - 3])
        v[b], v[d + b - count] = v[size - 2], v[size - 1]
        return 0

    def sweep(w, colour, eps, p, s, moved):
        v, p, s, ys = carray(w, (size,)), carray(p, (d,)), carray(s, (d,)), y()
        moved = carray(moved, (1,))
        mus = (v[0], v[1]) if count == 2 else v[:count]
        total, accepted = 0.0, 0
        for i in range(n):
            momentum, speed = p[count + i], s[count + i]
            sign = math.copysign(1.0, momentum)
            x = v[count + i] + eps * speed * sign
            energy = row(x, ys[i], mus)
            change = energy - v[d + i]
            yes = (x >= 0.0) & (x < count) & (speed * abs(momentum) > change)
            v[count + i] = x if yes else v[count + i]
            v[d + i] = energy if yes else v[d + i]
            p[count + i] = momentum - sign * change / speed if yes else -momentum
            total += change if yes else 0.0
            accepted += 1 if yes else 0
        moved[0] += accepted
        return total

    def branches(w, out):
        v, bits = carray(w, (size,)), carray(out, (n,))
        for i in range(n):
            bits[i] = v[count + i] < 1.0
        return 0

    def values(w, out):
        v, result = carray(w, (size,)), carray(out, (d,))
        for k in range(count):
            result[k] = v[k]
        for i in range(count, d):
            result[i] = np.floor(v[i])
        return 0

    def terms(w, out):
        v, result = carray(w, (size,)), carray(out, (n,))
        for i in range(n):
            result[i] = -v[d + i]
        return 0

    functions = {
        "evaluate": evaluate,
        "gradient": gradient_two if count == 2 else gradient_many,
        "move": move,
        "undo": undo,
        "sweep": sweep,
        "branches": branches,
        "values": values,
        "terms": terms,
    }
    labels = range(count, d)
    bounds = np.full(d, np.inf)
    lower, upper, cell = -bounds, bounds.copy(), bounds.copy()
    lower[count:], upper[count:], cell[count:] = 0.0, count, 1.0
    return assemble(
        functions,
        dimension=d,
        discontinuous=labels,
        colours=[labels],
        lower=lower,
        upper=upper,
        cell=cell,
        branch_count=n,
        term_count=n,
        workspace_size=size,
        data=(data, y, constants),
    )


def mixture_start(density: Density, components: int, seed: int = 0) -> NDArray[np.float64]:
    """Means from uniform(-2, 2), labels anywhere."""
    generator = np.random.default_rng(seed)
    x = generator.uniform(-2, 2, density.dimension)
    x[components:] = generator.uniform(0, components, density.dimension - components)
    return x
