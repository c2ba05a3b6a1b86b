"""One step of the mixed integrator: leapfrog and coordinate-wise (paper, Algorithms 1 and 2).

Half a kick and half a drift of the continuous coordinates A, the coordinate updates of the
discontinuous ones colour by colour in a random order, half a drift, half a kick. The paper's
misprints are put right: energy is conserved for any speed, and the first force of a step is taken
at the discontinuous coordinates as they stand before it.
"""

from __future__ import annotations

import math

from lfppl.engines.generator import shuffle
from lfppl.engines.momentum import Motion
from lfppl.engines.native import (
    EVALUATE,
    GRADIENT,
    SWEEP,
    Target,
    address,
    call_evaluate,
    call_gradient,
    call_sweep,
    inlined,
)
from lfppl.engines.riders import change_of_scale, drift_riders, pull_riders


@inlined
def potential(target: Target, motion: Motion) -> float:
    """U from scratch at the position, and its gradient where there are continuous coordinates."""
    if target.smooth_count == 0:
        return call_evaluate(target.functions[EVALUATE], target.workspace)  # type: ignore[no-any-return]
    u = call_gradient(target.functions[GRADIENT], target.workspace, address(motion.gradient))
    if target.rider_count > 0:
        pull_riders(target, motion)
        u += change_of_scale(target)
    return u  # type: ignore[no-any-return]


@inlined
def kick(target: Target, motion: Motion, time: float) -> None:
    """p_A -= time dU/dx_A."""
    for k in range(target.smooth_count):
        a = target.continuous[k]
        motion.momentum[a] -= time * motion.gradient[a]


@inlined
def drift(target: Target, motion: Motion, time: float) -> None:
    """x_A += time a p_A."""
    for k in range(target.smooth_count):
        a = target.continuous[k]
        if target.rider_count == 0 or target.rides[a] == 0:
            target.position[a] += time * motion.scale[a] * motion.momentum[a]
    if target.rider_count > 0:
        drift_riders(target, motion, time)


@inlined
def jump(target: Target, motion: Motion, time: float) -> None:
    """The coordinate updates of all discontinuous coordinates, colours in the order given."""
    for k in range(target.colour_count):
        place = motion.order[k]
        call_sweep(
            target.functions[SWEEP],
            target.workspace,
            target.colours[place],
            time,
            address(motion.momentum),
            address(motion.scale),
            address(motion.moved) + 8 * motion.steers[place],
        )


@inlined
def mixed_step(target: Target, motion: Motion, time: float) -> float:
    """One step with a fresh random order of the colours; returns U at its end."""
    if target.colour_count > 1:
        shuffle(motion.generator, motion.order, target.colour_count)
    return ordered_step(target, motion, time)


@inlined
def ordered_step(target: Target, motion: Motion, time: float) -> float:
    """One step with the colours as ordered, backwards where `time` is negative; U at its end.

    The gradient must belong to the position. Where U is not finite (within the step, or at its
    end) the trajectory has left the support and must be given up.
    """
    if target.smooth_count == 0:
        jump(target, motion, time)
        return potential(target, motion)
    kick(target, motion, 0.5 * time)
    if target.jump_count == 0:
        drift(target, motion, time)
    else:
        drift(target, motion, 0.5 * time)
        between = call_evaluate(target.functions[EVALUATE], target.workspace)
        if not math.isfinite(between):
            return between  # type: ignore[no-any-return]
        jump(target, motion, time)
        drift(target, motion, 0.5 * time)
    energy = potential(target, motion)
    kick(target, motion, 0.5 * time)
    return energy
