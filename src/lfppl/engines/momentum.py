"""Momenta: Gaussian on the continuous coordinates, Laplace on the discontinuous ones.

`scale[i]` is the variance a_i of a continuous coordinate (its inverse mass) and the speed s_b of a
discontinuous one: K(p) = sum a_i p_i^2 / 2 + sum s_b |p_b| (paper, Algorithm 1, corrected).
`spread[i]` is the momentum's scale, 1 / sqrt(a_i) or 1 / s_b.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.engines.generator import CHUNK, draw_normal_pair, fill_laplace
from lfppl.engines.native import Target, bare, inlined, kernel, reduction


class Motion(NamedTuple):
    """What moves with a trajectory: momentum, gradient, scales, generator and scratch.

    `order` is the permutation of the colours; `moved` counts accepted coordinate updates, first of
    the colours with `steers` 0, then of those with 1.
    """

    momentum: NDArray[np.float64]
    gradient: NDArray[np.float64]
    scale: NDArray[np.float64]
    spread: NDArray[np.float64]
    generator: NDArray[np.uint64]
    order: NDArray[np.int64]
    steers: NDArray[np.int64]
    moved: NDArray[np.int64]
    words: NDArray[np.uint64]


def new_motion(
    target: Target,
    scale: NDArray[np.float64],
    generator: NDArray[np.uint64],
    steers: NDArray[np.int64] | None = None,
) -> Motion:
    """A motion at rest, with the scales given."""
    dimension = len(target.position)
    motion = Motion(
        momentum=np.zeros(dimension),
        gradient=np.zeros(dimension),
        scale=scale,
        spread=np.ones(dimension),
        generator=generator,
        order=np.arange(len(target.colour_starts) - 1),
        steers=np.zeros(target.colour_count, np.int64) if steers is None else steers,
        moved=np.zeros(2, np.int64),
        words=np.empty(CHUNK, np.uint64),
    )
    smooth, jumping = target.continuous, target.discontinuous
    motion.spread[smooth] = 1.0 / np.sqrt(scale[smooth])
    motion.spread[jumping] = 1.0 / scale[jumping]
    return motion


@kernel
def bare_motion(motion: Motion) -> Any:
    """The same with bare pointers."""
    return Motion(
        bare(motion.momentum),
        bare(motion.gradient),
        bare(motion.scale),
        bare(motion.spread),
        bare(motion.generator),
        bare(motion.order),
        bare(motion.steers),
        bare(motion.moved),
        bare(motion.words),
    )


@inlined
def refresh(target: Target, motion: Motion) -> None:
    """Draw a new momentum."""
    spare = 0.0
    for k in range(target.smooth_count):
        a = target.continuous[k]
        if k % 2 == 0:
            draw, spare = draw_normal_pair(motion.generator)
        else:
            draw = spare
        motion.momentum[a] = motion.spread[a] * draw
    for run in range(target.run_count):
        start, stop = target.runs[2 * run], target.runs[2 * run + 1]
        fill_laplace(motion.generator, motion.words, motion.momentum, motion.spread, start, stop)


@kernel
def heat_momentum(target: Target, motion: Motion, heat: float) -> None:
    """Make the momentum one of temperature `heat`: its law becomes exp(-K / heat)."""
    root = math.sqrt(heat)
    for k in range(target.smooth_count):
        motion.momentum[target.continuous[k]] *= root
    for k in range(target.jump_count):
        motion.momentum[target.discontinuous[k]] *= heat


@reduction
def kinetic(target: Target, motion: Motion) -> float:
    """The kinetic energy."""
    total = 0.0
    for k in range(target.smooth_count):
        a = target.continuous[k]
        total += 0.5 * motion.scale[a] * motion.momentum[a] ** 2
    for run in range(target.run_count):
        for b in range(target.runs[2 * run], target.runs[2 * run + 1]):
            total += motion.scale[b] * abs(motion.momentum[b])
    return total


@kernel
def standard_velocity(motion: Motion, coordinate: int, smooth: bool) -> float:
    """The velocity in units of the coordinate's scale: standard normal, or a sign."""
    if smooth:
        return motion.momentum[coordinate] / motion.spread[coordinate]  # type: ignore[no-any-return]
    return 1.0 if motion.momentum[coordinate] > 0.0 else -1.0
