"""Trajectories of the mixed integrator: of a fixed number of steps, and until a U-turn.

Both leave the position at the next draw with U and its gradient from scratch there, and tell how
the trajectory went. Energies are computed anew at every state that may become the draw.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.engines.generator import draw_uniform, next_word
from lfppl.engines.integrators import mixed_step, potential
from lfppl.engines.momentum import Motion, kinetic, standard_velocity
from lfppl.engines.native import Target, bare, copy, inlined, kernel

DIVERGENCE = 1000.0
"""An energy error beyond this is a divergence (Stan's value)."""
MAX_DEPTH = 10


class Outcome(NamedTuple):
    """How a trajectory went.

    `divergence` is 0 where there was none, 1 where the energy error grew beyond bounds or the
    support was left, 2 where U was NaN. `energy` is H at the start of the trajectory.
    """

    potential: float
    energy: float
    acceptance: float
    steps: int
    depth: int
    divergence: int


class Scratch(NamedTuple):
    """Arrays of the trajectory rules, one set per running chain.

    `edge_*` hold the two ends of a tree, `chosen` and `candidate` its draws, `place` where the last
    divergence was. `watched` are the coordinates of the U-turn test, the first `watched_smooth` of
    them continuous. `sums`, `firsts` and `lasts` are its standard velocities, level by level.
    """

    watched_count: int
    watched_smooth: int
    edge_position: NDArray[np.float64]
    edge_momentum: NDArray[np.float64]
    edge_gradient: NDArray[np.float64]
    chosen: NDArray[np.float64]
    candidate: NDArray[np.float64]
    place: NDArray[np.float64]
    watched: NDArray[np.int64]
    sums: NDArray[np.float64]
    firsts: NDArray[np.float64]
    lasts: NDArray[np.float64]


def new_scratch(dimension: int, watched: NDArray[np.int64], watched_smooth: int) -> Scratch:
    """Scratch arrays for a density of this dimension."""
    levels = (MAX_DEPTH + 2) * len(watched)
    return Scratch(
        watched_count=len(watched),
        watched_smooth=watched_smooth,
        edge_position=np.empty(2 * dimension),
        edge_momentum=np.empty(2 * dimension),
        edge_gradient=np.empty(2 * dimension),
        chosen=np.empty(dimension),
        candidate=np.empty(dimension),
        place=np.empty(dimension),
        watched=watched,
        sums=np.empty(levels),
        firsts=np.empty(levels),
        lasts=np.empty(levels),
    )


@kernel
def bare_scratch(scratch: Scratch) -> Any:
    """The same with bare pointers."""
    return Scratch(
        scratch.watched_count,
        scratch.watched_smooth,
        bare(scratch.edge_position),
        bare(scratch.edge_momentum),
        bare(scratch.edge_gradient),
        bare(scratch.chosen),
        bare(scratch.candidate),
        bare(scratch.place),
        bare(scratch.watched),
        bare(scratch.sums),
        bare(scratch.firsts),
        bare(scratch.lasts),
    )


@inlined
def divergence_kind(change: float) -> int:
    """0 for a bearable change of energy, 1 for a divergence, 2 for NaN."""
    if math.isnan(change):
        return 2
    return 1 if change > DIVERGENCE else 0


# --- a fixed number of steps ---------------------------------------------------------------------


@inlined
def accepts(generator: NDArray[np.uint64], acceptance: float) -> bool:
    """True with this probability."""
    return draw_uniform(generator) < acceptance


@inlined
def fixed_trajectory(
    target: Target,
    motion: Motion,
    scratch: Scratch,
    start: float,
    time: float,
    steps: int,
    heat: float,
) -> Outcome:
    """`steps` steps, then the Metropolis test (paper, Algorithm 2, its test put right).

    The target is exp(-U / heat). On the way only U is looked at: the kinetic energy is not
    negative, so that H has grown beyond bounds wherever U has.
    """
    copy(scratch.chosen, 0, target.position, 0, target.dimension)
    before = start + kinetic(target, motion)
    now, done, kind = start, 0, 0
    while done < steps and kind == 0:
        now = mixed_step(target, motion, time)
        kind = divergence_kind((now - before) / heat)
        done += 1
    change = (now + kinetic(target, motion) - before) / heat
    if kind == 0:
        kind = divergence_kind(change)
    acceptance = 0.0 if kind else min(1.0, math.exp(-change))
    if kind:
        copy(scratch.place, 0, target.position, 0, target.dimension)
    if not accepts(motion.generator, acceptance):
        copy(target.position, 0, scratch.chosen, 0, target.dimension)
        now = potential(target, motion)
    return Outcome(now, before, acceptance, done, 0, kind)


# --- until a U-turn ------------------------------------------------------------------------------


@kernel
def log_add(a: float, b: float) -> float:
    """log(exp(a) + exp(b))."""
    high, low = max(a, b), min(a, b)
    if low == -math.inf:
        return high
    return high + math.log1p(math.exp(low - high))


@kernel
def merge(scratch: Scratch, left: int, right: int) -> bool:
    """Join the stretch at level `right` to the one at `left`, into `right`; whether it turned.

    The test is Betancourt's (2017), in standard velocities. Besides the whole, it is made from each
    half to the nearest state of the other, so that a stretch as long as a period is noticed. It
    reads the same in both directions.
    """
    sums, firsts, lasts = scratch.sums, scratch.firsts, scratch.lasts
    whole_first, whole_last = 0.0, 0.0
    near_first, near_last = 0.0, 0.0
    far_first, far_last = 0.0, 0.0
    for k in range(scratch.watched_count):
        i, j = left * scratch.watched_count + k, right * scratch.watched_count + k
        whole = sums[i] + sums[j]
        near = sums[i] + firsts[j]
        far = lasts[i] + sums[j]
        whole_first += whole * firsts[i]
        whole_last += whole * lasts[j]
        near_first += near * firsts[i]
        near_last += near * firsts[j]
        far_first += far * lasts[i]
        far_last += far * lasts[j]
        sums[j] = whole
        firsts[j] = firsts[i]
    whole_ok = whole_first > 0.0 and whole_last > 0.0
    near_ok = near_first > 0.0 and near_last > 0.0
    far_ok = far_first > 0.0 and far_last > 0.0
    return not (whole_ok and near_ok and far_ok)


@kernel
def set_leaf(motion: Motion, scratch: Scratch, level: int) -> None:
    """Put the present state alone at a level."""
    for k in range(scratch.watched_count):
        u = standard_velocity(motion, scratch.watched[k], k < scratch.watched_smooth)
        place = level * scratch.watched_count + k
        scratch.sums[place] = u
        scratch.firsts[place] = u
        scratch.lasts[place] = u


@kernel
def copy_level(scratch: Scratch, source: int, destination: int) -> None:
    """Copy the stretch of one level to another."""
    count = scratch.watched_count
    copy(scratch.sums, destination * count, scratch.sums, source * count, count)
    copy(scratch.firsts, destination * count, scratch.firsts, source * count, count)
    copy(scratch.lasts, destination * count, scratch.lasts, source * count, count)


@kernel
def save_edge(target: Target, motion: Motion, scratch: Scratch, side: int) -> None:
    """Keep the present state as one end of the tree."""
    count = target.dimension
    copy(scratch.edge_position, side * count, target.position, 0, count)
    copy(scratch.edge_momentum, side * count, motion.momentum, 0, count)
    copy(scratch.edge_gradient, side * count, motion.gradient, 0, count)


@kernel
def load_edge(target: Target, motion: Motion, scratch: Scratch, side: int) -> None:
    """Go to one end of the tree."""
    count = target.dimension
    copy(target.position, 0, scratch.edge_position, side * count, count)
    copy(motion.momentum, 0, scratch.edge_momentum, side * count, count)
    copy(motion.gradient, 0, scratch.edge_gradient, side * count, count)
    if target.smooth_count == 0:
        potential(target, motion)


@kernel
def grow(
    target: Target,
    motion: Motion,
    scratch: Scratch,
    before: float,
    time: float,
    leaves: int,
    heat: float,
) -> tuple[float, float, int, int, bool]:
    """Append `leaves` states in the direction of `time`, a power of two of them.

    Returns their log weight, the sum of acceptances, the steps made, the kind of divergence, and
    whether they contain a U-turn. `candidate` is a draw from them by weight, and their stretch
    stands at level log2(leaves).
    """
    weight, acceptance = -math.inf, 0.0
    for leaf in range(leaves):
        now = mixed_step(target, motion, time)
        change = (now + kinetic(target, motion) - before) / heat
        kind = divergence_kind(change)
        if kind:
            copy(scratch.place, 0, target.position, 0, target.dimension)
            return weight, acceptance, leaf + 1, kind, True
        acceptance += min(1.0, math.exp(-change))
        weight = log_add(weight, -change)
        if math.log(draw_uniform(motion.generator)) < -change - weight:
            copy(scratch.candidate, 0, target.position, 0, target.dimension)
        level = 0
        while (leaf >> level) & 1:
            level += 1
        set_leaf(motion, scratch, level)
        turned = False
        for below in range(level):
            turned = merge(scratch, below, level) or turned
        if turned:
            return weight, acceptance, leaf + 1, 0, True
    return weight, acceptance, leaves, 0, False


@kernel
def no_u_turn_trajectory(
    target: Target,
    motion: Motion,
    scratch: Scratch,
    start: float,
    time: float,
    max_depth: int,
    heat: float,
) -> Outcome:
    """A tree doubled until it turns back (Hoffman and Gelman, 2014; Betancourt, 2017).

    The target is exp(-U / heat).
    The mixed integrator draws a fresh permutation for every edge; reversal maps permutations to
    equally likely ones, so the trajectory's law seen from any of its states is the same.
    """
    before = start + kinetic(target, motion)
    whole = MAX_DEPTH + 1
    set_leaf(motion, scratch, whole)
    save_edge(target, motion, scratch, 0)
    save_edge(target, motion, scratch, 1)
    copy(scratch.chosen, 0, target.position, 0, target.dimension)
    weight, acceptance, steps, depth, kind, here = 0.0, 0.0, 0, 0, 0, 0
    turned = False
    while depth < max_depth and not turned:
        side = int(next_word(motion.generator) >> np.uint64(63))
        if depth > 0 and side != here:
            load_edge(target, motion, scratch, side)
        here = side
        signed = time if side else -time
        more, sum_acceptance, made, kind, failed = grow(
            target, motion, scratch, before, signed, 1 << depth, heat
        )
        acceptance += sum_acceptance
        steps += made
        if failed:
            break
        save_edge(target, motion, scratch, side)
        if math.log(draw_uniform(motion.generator)) < more - weight:
            copy(scratch.chosen, 0, scratch.candidate, 0, target.dimension)
        weight = log_add(weight, more)
        turned = extend(scratch, whole, depth, side)
        depth += 1
    copy(target.position, 0, scratch.chosen, 0, target.dimension)
    now = potential(target, motion)
    return Outcome(now, before, acceptance / max(steps, 1), steps, depth, kind)


@kernel
def extend(scratch: Scratch, whole: int, level: int, side: int) -> bool:
    """Join the new stretch at `level` to the tree on one side; whether the tree turned."""
    if side == 1:
        turned = merge(scratch, whole, level)
        copy_level(scratch, level, whole)
        return turned
    for k in range(scratch.watched_count):
        place = level * scratch.watched_count + k
        first = scratch.firsts[place]
        scratch.firsts[place] = scratch.lasts[place]
        scratch.lasts[place] = first
    return merge(scratch, level, whole)
