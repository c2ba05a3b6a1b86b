"""Riders: integers of many values that move with the continuous coordinates.

An integer that spreads over many cells feels their edges no more than a continuous coordinate
would. So it takes part in leapfrog steps, pushed by the gradient of U with the cells rubbed out:
any force that depends on the position alone makes steps that are reversible and keep the volume,
and the acceptance test compares the true densities. Coordinate by coordinate, ridges between counts
and chances (N p is known, N and p are not) are followed in small steps only.

A rider moves on the scale y that its bounds suggest: log((x - l) / (u - x)), log(x - l), or x
itself. U is then that of y, which adds -log dx/dy.
"""

from __future__ import annotations

import math

from lfppl.engines.momentum import Motion
from lfppl.engines.native import Target, kernel


@kernel
def on_scale(lower: float, upper: float, x: float) -> float:
    """The value on the scale of these bounds."""
    if math.isinf(lower):
        return x
    if math.isinf(upper):
        return math.log(x - lower)
    return math.log((x - lower) / (upper - x))


@kernel
def from_scale(lower: float, upper: float, y: float) -> float:
    """The inverse of `on_scale`."""
    if math.isinf(lower):
        return y
    if math.isinf(upper):
        return lower + math.exp(y)
    return lower + (upper - lower) / (1.0 + math.exp(-y))


@kernel
def stretch(lower: float, upper: float, x: float) -> tuple[float, float]:
    """dx/dy of `on_scale`, and the derivative of its logarithm by y."""
    if math.isinf(lower):
        return 1.0, 0.0
    above = x - lower
    if math.isinf(upper):
        return above, 1.0
    part = above / (upper - lower)
    return above * (1.0 - part), 1.0 - 2.0 * part


@kernel
def as_seen(target: Target, coordinate: int, x: float) -> float:
    """The value of a coordinate on the scale on which it moves."""
    if target.rides[coordinate] == 0:
        return x
    return on_scale(target.lower[coordinate], target.upper[coordinate], x)


@kernel
def drift_riders(target: Target, motion: Motion, time: float) -> None:
    """Y += time a p."""
    for k in range(target.rider_count):
        a = target.riders[k]
        lower, upper = target.lower[a], target.upper[a]
        y = on_scale(lower, upper, target.position[a])
        y += time * motion.scale[a] * motion.momentum[a]
        target.position[a] = from_scale(lower, upper, y)


@kernel
def stretch_of(target: Target, rider: int) -> tuple[float, float]:
    """The `stretch` at a rider's position."""
    return stretch(target.lower[rider], target.upper[rider], target.position[rider])


@kernel
def change_of_scale(target: Target) -> float:
    """What the riders' scales add to U: the sum of -log dx/dy."""
    total = 0.0
    for k in range(target.rider_count):
        total -= math.log(stretch_of(target, target.riders[k])[0])
    return total


@kernel
def pull_riders(target: Target, motion: Motion) -> None:
    """Turn the riders' derivatives by x into those by y."""
    for k in range(target.rider_count):
        a = target.riders[k]
        stretch, slope = stretch_of(target, a)
        motion.gradient[a] = motion.gradient[a] * stretch - slope
