"""The truth of the Jolly-Seber model: a long run of slice sampling, one variable at a time.

The first day's chance of capture is summed out, since a slice sampler would creep along the ridge
of its product with the first count: given the count it is a beta variable. It shares nothing with
the systems that are compared: a density of 25 lines and Neal's slice sampler (2003, Annals of
Statistics 31) with stepping out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from peers.case import Floats, Truth

SWEEPS, DISCARDED = 400_000, 2_000
jitted: Callable[..., Any] = numba.njit(error_model="numpy")


@jitted
def log_density(x: Floats, u: Any, m: Any, z: Any, lost: Any, births: float, most: int) -> float:
    """Of p, phi and real numbers whose integer parts are the counts; the first p is summed out."""
    days = u.size
    total = 0.0
    for i in range(2 * days - 1):
        if not 0 < x[i] < 1:
            return -np.inf
    chi = 1.0
    for i in range(days - 1, -1, -1):
        p, count = x[i], math.floor(x[2 * days - 1 + i])
        left = count - u[i]
        if left < 0 or count > most:
            return -np.inf
        if i == 0:
            total -= math.log(count) + math.log(count + 1.0)
        else:
            total += math.lgamma(count + 1.0) - math.lgamma(left + 1.0)
            total += u[i] * math.log(p) + left * math.log1p(-p)
        if i == days - 1:
            continue
        phi, later = x[days + i], x[i + 1]
        variance = births * births + phi * (1 - phi) * left
        excess = math.floor(x[2 * days + i]) - phi * left
        total -= 0.5 * (math.log(variance) + excess * excess / variance)
        chi = 1 - phi * (1 - (1 - later) * chi)
        total += lost[i] * math.log(chi) + (z[i] + m[i]) * math.log(phi)
        total += z[i] * math.log1p(-later) + m[i] * math.log(later)
    return total


@jitted
def slice_sample(
    x: Floats, width: Floats, u: Any, m: Any, z: Any, lost: Any, births: float, most: int, n: int
) -> Any:
    """The state after each of n sweeps, counts rounded down."""
    np.random.seed(1)
    days = u.size
    kept = np.empty((n, x.size))
    now = log_density(x, u, m, z, lost, births, most)
    for sweep in range(n):
        for k in range(1, x.size):
            level = now + math.log(np.random.random())
            start = x[k]
            low = start - width[k] * np.random.random()
            high = low + width[k]
            x[k] = low
            while log_density(x, u, m, z, lost, births, most) > level:
                x[k] -= width[k]
            low = x[k]
            x[k] = high
            while log_density(x, u, m, z, lost, births, most) > level:
                x[k] += width[k]
            high = x[k]
            while True:
                x[k] = low + (high - low) * np.random.random()
                now = log_density(x, u, m, z, lost, births, most)
                if now > level:
                    break
                if x[k] < start:
                    low = x[k]
                else:
                    high = x[k]
        count = math.floor(x[2 * days - 1])
        x[0] = np.random.beta(u[0] + 1.0, count - u[0] + 1.0)
        kept[sweep] = x
        kept[sweep, 2 * days - 1 :] = np.floor(x[2 * days - 1 :])
    return kept


def truth() -> Truth:
    """Means and spreads of one long chain."""
    from peers.models.jolly_seber import DATA

    days: int = DATA["days"]
    names = ("u", "m", "z", "lost", "births", "most")
    start = np.concatenate([np.full(days, 0.3), np.full(days - 1, 0.7), DATA["u"] + 500.5])
    width = np.concatenate([np.full(2 * days - 1, 0.2), np.full(days, 300.0)])
    kept = slice_sample(start, width, *(DATA[name] for name in names), SWEEPS)[DISCARDED:]
    ordered = np.concatenate([kept[:, 2 * days - 1 :], kept[:, : 2 * days - 1]], axis=1)
    how = f"long run: {SWEEPS:,} sweeps of a slice sampler, the first chance summed out"
    return Truth(ordered.mean(axis=0), ordered.std(axis=0), how)
