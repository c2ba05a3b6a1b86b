"""How long a fixed trajectory should be: what probing trajectories tell.

A probe starts at a draw of the warm-up and is followed for many steps. After l steps the
coordinates z, standardised, have come some way from where they began, counted as if the trajectory
stopped there and made its Metropolis test: the autocorrelation of draws l steps apart is
r(l) = 1 - E[(z(l) - z(0))^2] / (2 var z), and so for |z|. A chain has about (1 - r) / (1 + r)
independent draws per draw. The length with most of them per square root of its steps is taken: per
step would be greedy, since r sees the fast directions and the slow one must not be starved. (ChEES,
of Hoffman, Radul and Sountsov, 2021, climbs a related criterion; the no-U-turn rule stops when the
many fast directions have turned, however slow the slow one is.)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.engines.integrators import mixed_step, potential
from lfppl.engines.momentum import Motion, kinetic, refresh
from lfppl.engines.native import Target, copy, kernel
from lfppl.engines.trajectories import Scratch, divergence_kind

LONGEST_PROBE = 256
FIRST_PROBE = 32
WAYS = 2 * (LONGEST_PROBE + 1)
PROBE_SHARE = 0.25
"""Probes are made in this part of the iterations of a window."""
SPREAD_OF_SIZE = 1.0 - 2.0 / math.pi
"""The variance of |z| for a normal z of variance 1."""
WEIGHT_OF_MEANS = 0.5
"""How much the efficiency for means counts, against that for spreads."""
MOST_EFFICIENT = 3.0
"""Beyond this antithetic draws gain nothing that matters."""
STEPS_BETWEEN = 1.0
"""The cost of a draw besides its steps: the refresh of momenta, the draw itself."""


@kernel
def listen(
    target: Target,
    scratch: Scratch,
    centre: Any,
    deviation: Any,
    ways: Any,
    step: int,
    acceptance: float,
) -> None:
    """Add the squared ways of z and |z| from the start (`scratch.chosen`) to a step of a probe."""
    first, second = 0.0, 0.0
    for k in range(scratch.watched_count):
        i = scratch.watched[k]
        begin = (scratch.chosen[i] - centre[i]) / deviation[i]
        now = (target.position[i] - centre[i]) / deviation[i]
        first += (now - begin) ** 2
        second += (abs(now) - abs(begin)) ** 2
    ways[2 * step] += acceptance * first
    ways[2 * step + 1] += acceptance * second


@kernel
def probe(
    target: Target,
    motion: Motion,
    scratch: Scratch,
    centre: Any,
    deviation: Any,
    ways: Any,
    start: float,
    time: float,
    steps: int,
) -> None:
    """Follow a trajectory with a fresh momentum and listen; the position stays as it was."""
    refresh(target, motion)
    copy(scratch.chosen, 0, target.position, 0, target.dimension)
    before = start + kinetic(target, motion)
    acceptance, kind = 1.0, 0
    for done in range(1, steps + 1):
        if kind == 0:
            change = mixed_step(target, motion, time) + kinetic(target, motion) - before
            kind = divergence_kind(change)
            acceptance = 0.0 if kind else min(1.0, math.exp(-change))
        listen(target, scratch, centre, deviation, ways, done, acceptance)
    copy(target.position, 0, scratch.chosen, 0, target.dimension)
    potential(target, motion)


def best_steps(ways: NDArray[np.float64], variance: float, longest: int) -> int:
    """The number of steps to take; `variance` is what the ways would be, halved, of fresh draws.

    >>> angle = 0.5 * np.arange(13)
    >>> r1, r2 = np.cos(angle), np.cos(angle) ** 2
    >>> ways = 2 * np.column_stack([1 - r1, SPREAD_OF_SIZE * (1 - r2)])
    >>> best_steps(ways.ravel(), 1.0, 12)
    4
    """
    table = ways.reshape(-1, 2)[1 : longest + 1]
    ratios = 1.0 - table / (2.0 * variance * np.array([1.0, SPREAD_OF_SIZE]))
    ratios = np.clip(ratios, -0.99, 0.999)
    efficiency = np.minimum((1.0 - ratios) / (1.0 + ratios), MOST_EFFICIENT)
    worth = efficiency[:, 0] ** WEIGHT_OF_MEANS * efficiency[:, 1] ** (1.0 - WEIGHT_OF_MEANS)
    steps = np.arange(1, longest + 1)
    return int(steps[np.argmax(worth / np.sqrt(steps + STEPS_BETWEEN))])
