"""How far discontinuous coordinates stride: labels by cells, wide ones now and then in leaps.

The speeds of a trajectory may be drawn at random, whatever the position is: any draw of them gives
a kernel that leaves the target as it is.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.engines import adaptation as tuning
from lfppl.engines.adaptation import STEP
from lfppl.engines.chains import Floats, State
from lfppl.engines.generator import draw_below, draw_uniform
from lfppl.engines.momentum import Motion
from lfppl.engines.native import Target, bare, inlined, kernel

LEAP_SHARE = 0.125
"""The part of trajectories in which wide coordinates leap: their way over a gap in the support,
which strides of the width of an island never cross."""
HOT_LEAP_SHARE = 0.5
"""The same while a chain is hot, when leaps succeed."""
BLUR = 0.6
"""Probes stride between 1 - BLUR and 1 times the widest stride."""
LONGEST_LEAP = 4
"""Leaps are 2, 4, ... 2**LONGEST_LEAP times the ordinary stride: powers of two, so that the speeds
are restored exactly."""


class Labels(NamedTuple):
    """Narrow coordinates with their strides and over how many cells they may stride; wide ones.

    `widest` are the strides in trajectories of two steps.
    """

    label_count: int
    most: int
    coordinates: NDArray[np.int64]
    stride: Floats
    widest: Floats
    longest: NDArray[np.int64]
    wide_count: int
    wide: NDArray[np.int64]


def labels_of(target: Target, state: State, steps: int = 2) -> Labels:
    """Narrow and wide coordinates as the native loop wants them, for trajectories of `steps`."""
    coordinates = np.flatnonzero(state.narrow)
    longest = tuning.longest_stride(target, state.narrow)[coordinates]
    most = math.lcm(*set(longest.tolist()))
    wide = target.discontinuous[~state.narrow[target.discontinuous]]
    stride = tuning.strides(target, steps)[coordinates]
    widest = tuning.strides(target)[coordinates]
    return Labels(len(coordinates), most, coordinates, stride, widest, longest, len(wide), wide)


@kernel
def bare_labels(labels: Labels) -> Any:
    """The same with bare pointers."""
    return Labels(
        labels.label_count,
        labels.most,
        bare(labels.coordinates),
        bare(labels.stride),
        bare(labels.widest),
        bare(labels.longest),
        labels.wide_count,
        bare(labels.wide),
    )


@inlined
def set_speed(motion: Motion, coordinate: int, speed: float) -> None:
    """Give a discontinuous coordinate a speed."""
    motion.scale[coordinate] = speed
    motion.spread[coordinate] = 1.0 / speed


@inlined
def stride_labels(
    target: Target, motion: Motion, labels: Labels, numbers: Floats, always: bool, fresh: bool
) -> None:
    """Set the speeds of narrow coordinates: over 1, 2, ... cells, drawn anew where `fresh`."""
    if labels.most == 1 and not always:
        return
    cells = draw_below(motion.generator, labels.most) if fresh and labels.most > 1 else 0
    step = numbers[STEP]
    for k in range(labels.label_count):
        b = labels.coordinates[k]
        count = 1 + (cells % labels.longest[k])
        set_speed(motion, b, labels.stride[k] * count / step)


@kernel
def blur_strides(motion: Motion, labels: Labels, step: float) -> None:
    """Draw the stride of labels of two cells anew, so that U keeps no echo of their bouncing.

    A probe must hear what lengths do to the other coordinates; the stride follows the length.
    """
    part = 1.0 - BLUR * draw_uniform(motion.generator)
    for k in range(labels.label_count):
        b = labels.coordinates[k]
        if labels.longest[k] == 1:
            set_speed(motion, b, labels.widest[k] * part / step)


@inlined
def draw_leap(labels: Labels, generator: NDArray[np.uint64], share: float) -> float:
    """How many times their ordinary speed wide coordinates take in the next trajectory."""
    if labels.wide_count == 0 or draw_uniform(generator) >= share:
        return 1.0
    return 2.0 ** (1 + draw_below(generator, LONGEST_LEAP))


@inlined
def change_speeds(motion: Motion, labels: Labels, factor: float) -> None:
    """Multiply the speeds of wide coordinates by a power of two."""
    if factor == 1.0:
        return
    for k in range(labels.wide_count):
        b = labels.wide[k]
        motion.scale[b] *= factor
        motion.spread[b] /= factor


def scale_labels(target: Target, state: State, steps: int = 2) -> None:
    """Bring the speeds of narrow coordinates in line with the step and the number of steps."""
    narrow = np.flatnonzero(state.narrow)
    state.scale[narrow] = tuning.strides(target, steps)[narrow] / state.numbers[STEP]
