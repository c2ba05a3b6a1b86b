"""How long a fixed trajectory should be: what probing trajectories tell.

A probe starts at a draw of the warm-up and is followed for many steps. After l steps the
coordinates z, standardised, have come some way from where they began, counted as if the trajectory
stopped there and made its Metropolis test: the autocorrelation of draws l steps apart is
r(l) = 1 - E[(z(l) - z(0))^2] / (2 var z), and so for |z|. A chain has about (1 - r) / (1 + r)
independent draws per draw; what counts is their harmonic mean over z, |z| and U, so that none of
them is forgotten. The length with most of them per power of its steps is taken: per step would be
greedy, since r sees the fast directions and the slow one must not be starved. (ChEES, of Hoffman,
Radul and Sountsov, 2021, climbs a related criterion; the no-U-turn rule stops when the many fast
directions have turned, however slow the slow one is.)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lfppl.engines.adaptation import Memory
from lfppl.engines.integrators import mixed_step, potential
from lfppl.engines.momentum import Motion, kinetic, refresh
from lfppl.engines.native import Target, copy, kernel
from lfppl.engines.riders import as_seen
from lfppl.engines.trajectories import Scratch, divergence_kind

LONGEST_PROBE = 256
FIRST_PROBE = 32
ASPECTS = 3
"""What is listened to: z, |z|, and U."""
WEIGHTS = np.array([0.41, 0.13, 0.33])
"""How much the three count.

People read three effective sizes: of the bulk, of the tails and of U. A tail's indicator splits by
Hermite's polynomials into 0.22 of z, 0.40 of what goes as |z| does, and higher ones that any
trajectory forgets; a third each of the three gives these weights.
"""
WAYS = ASPECTS * (LONGEST_PROBE + 1)
PROBE_SHARE = 0.25
"""Probes are made in this part of the iterations of a window."""
SPREAD_OF_SIZE = 1.0 - 2.0 / math.pi
"""The variance of |z| for a normal z of variance 1."""
MOST_EFFICIENT = 3.0
"""Beyond this antithetic draws gain nothing that matters."""
GREED = 0.4
"""The power. 3/4 gains up to a third where no direction is slow, but stays at two steps of a normal
of 20 coordinates with correlations 0.9, where 30 are ten times better; 1/2 does so in one chain of
24."""
STEPS_BETWEEN = 1.0
"""The cost of a draw besides its steps: the refresh of momenta, the draw itself."""


@kernel
def listen(
    target: Target, scratch: Scratch, memory: Memory, step: int, acceptance: float, energy: float
) -> None:
    """Add the squared ways from the start (`scratch.chosen`) to a step of a probe.

    `energy` is the change of U.
    """
    first, second = 0.0, 0.0
    for k in range(scratch.watched_count):
        i = scratch.watched[k]
        start, end = scratch.chosen[i], target.position[i]
        if target.rider_count > 0:
            start, end = as_seen(target, i, start), as_seen(target, i, end)
        begin = (start - memory.centre[i]) / memory.deviation[i]
        now = (end - memory.centre[i]) / memory.deviation[i]
        first += (now - begin) ** 2
        second += (abs(now) - abs(begin)) ** 2
    if acceptance > 0.0:  # a trajectory that diverged may be anywhere
        memory.ways[ASPECTS * step] += acceptance * first
        memory.ways[ASPECTS * step + 1] += acceptance * second
        memory.ways[ASPECTS * step + 2] += acceptance * energy**2


@kernel
def probe(
    target: Target,
    motion: Motion,
    scratch: Scratch,
    memory: Memory,
    start: float,
    time: float,
    steps: int,
) -> None:
    """Follow a trajectory with a fresh momentum and listen; the position stays as it was."""
    refresh(target, motion)
    copy(scratch.chosen, 0, target.position, 0, target.dimension)
    before = start + kinetic(target, motion)
    acceptance, kind, now = 1.0, 0, start
    for done in range(1, steps + 1):
        if kind == 0:
            now = mixed_step(target, motion, time)
            change = now + kinetic(target, motion) - before
            kind = divergence_kind(change)
            acceptance = 0.0 if kind else min(1.0, math.exp(-change))
        listen(target, scratch, memory, done, acceptance, now - start)
    copy(target.position, 0, scratch.chosen, 0, target.dimension)
    potential(target, motion)


def best_steps(ways: NDArray[np.float64], fresh: NDArray[np.float64], longest: int) -> int:
    """The number of steps to take; `fresh` is what the ways would be of fresh draws.

    >>> angle = 0.5 * np.arange(13)
    >>> r1, r2 = np.cos(angle), np.cos(angle) ** 2
    >>> ways = 2 * np.column_stack([1 - r1, 1 - r2, 1 - r2])
    >>> best_steps(ways.ravel(), np.full(3, 2.0), 12)
    4
    """
    table = ways.reshape(-1, ASPECTS)[1 : longest + 1]
    ratios = np.clip(1.0 - table / fresh, -0.99, 0.999)
    back = np.minimum(ratios[:, :1], 0.0) ** 2  # after two draws everything is where it was
    ratios[:, 1:] = np.maximum(ratios[:, 1:], back)
    efficiency = np.minimum((1.0 - ratios) / (1.0 + ratios), MOST_EFFICIENT)
    worth = 1.0 / ((1.0 / efficiency) @ WEIGHTS)
    steps = np.arange(1, longest + 1)
    return int(steps[np.argmax(worth / (steps + STEPS_BETWEEN) ** GREED)])
