"""How good draws are: effective sample size, R-hat, and the distance from the truth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from arviz_stats.base.array import array_stats

from peers.case import Case, Floats, Truth
from peers.record import Run

ess: Callable[..., Any] = array_stats.ess
rhat: Callable[..., Any] = array_stats.rhat

ENOUGH, CLOSE = 400.0, 1.01
"""A usable answer: this many effective draws and this R-hat of every quantity."""
SHORTEST, GROWTH = 50, 1.25


def effective(values: Floats) -> Floats:
    """The bulk effective sample size of every quantity; 0 where a chain never moved."""
    return each_quantity(values, partial(ess, chain_axis=0, draw_axis=1), 0.0)


def r_hats(values: Floats) -> Floats:
    """Rank-normalised R-hat of every quantity; infinite where a chain never moved."""
    return each_quantity(values, partial(rhat, chain_axis=0, draw_axis=1), np.inf)


def each_quantity(values: Floats, statistic: Callable[[Floats], Any], otherwise: float) -> Floats:
    """A statistic of every quantity, with what to say where all of its draws are the same."""
    out = np.full(values.shape[2], otherwise)
    for k in range(values.shape[2]):
        chains = values[:, :, k]
        if np.isfinite(chains).all() and np.ptp(chains) > 0:
            found = float(statistic(chains))
            out[k] = found if np.isfinite(found) else otherwise
    return out


def usable(values: Floats) -> bool:
    """Whether every quantity has enough effective draws and chains that agree."""
    return bool((effective(values) > ENOUGH).all() and (r_hats(values) < CLOSE).all())


def first_answer(values: Floats) -> float | None:
    """The share of the draws after which the answer is usable; None if it is not in the end.

    Found at lengths that grow by a quarter, so at most a quarter too late.
    """
    length, total = SHORTEST, int(values.shape[1])
    if not usable(values):
        return None
    while length < total:
        if usable(values[:, :length]):
            return length / total
        length = int(length * GROWTH) + 1
    return 1.0


def score(run: Run, case: Case, values: Floats, truth: Truth) -> Run:
    """Write the quality of the draws into the run."""
    sizes = effective(values)
    distance = np.abs(values.mean(axis=(0, 1)) - truth.mean) / truth.sd
    worst, furthest = int(sizes.argmin()), int(np.nan_to_num(distance, nan=np.inf).argmax())
    run.ess, run.ess_of = float(sizes[worst]), case.names[worst]
    run.r_hat = float(r_hats(values).max())
    run.error, run.error_of = float(distance[furthest]), case.names[furthest]
    run.error_z = float((distance * np.sqrt(np.maximum(sizes, 1.0))).max())
    return run
