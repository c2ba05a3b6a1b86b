"""The changes of variables of lir/coordinates.py in NumPy, there and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lfppl.core.distributions.constraints import LEAST_POSITIVE
from lfppl.core.distributions.contract import DistributionFamily
from lfppl.core.primitives import NumpyMath

Floats = NDArray[np.float64]
Bounds = tuple[Floats | None, Floats | None]


def bounds_of(family: DistributionFamily, parameters: list[Floats]) -> Bounds:
    """The edges of a scalar family's support at some parameters; None where there is none."""
    if family.support.kind != "interval":
        return None, None
    math, (lower, upper) = NumpyMath(), (family.support.lower, family.support.upper)
    low = None if lower is None else np.asarray(math.run(lower, *parameters))
    high = None if upper is None else np.asarray(math.run(upper, *parameters))
    return low, high


def natural(transform: str, states: Floats, bounds: Bounds) -> Floats:
    """Natural values from coordinates.

    >>> natural("interval", np.zeros(1), (np.array(2.0), np.array(4.0))).tolist()
    [3.0]
    """
    low, high = bounds
    if transform == "simplex":
        return _pieces(states)
    if transform == "interval" and low is not None and high is not None:
        return np.asarray(low + (high - low) * _expit(states))
    if transform == "log":
        with np.errstate(over="ignore"):
            distance = np.maximum(np.exp(states), LEAST_POSITIVE)
        return np.asarray(low + distance if high is None else high - distance)
    return np.floor(states) if transform == "floor" else states


def coordinate(transform: str, values: Floats, bounds: Bounds) -> Floats:
    """Coordinates from natural values; not finite outside the support and at its edges.

    >>> coordinate("log", np.array([1.0]), (np.array(0.0), None)).tolist()
    [0.0]
    """
    low, high = bounds
    with np.errstate(all="ignore"):
        if transform == "simplex":
            return _broken(values)
        if transform == "interval" and low is not None and high is not None:
            return np.asarray(_logit((values - low) / (high - low)))
        if transform == "log":
            distance = high - values if high is not None else values - np.asarray(low)
            return np.asarray(np.log(distance))
    return np.floor(values) + 0.5 if transform == "floor" else values


def _pieces(states: Floats) -> Floats:
    """Stick breaking along the last axis, 0 being the centre."""
    count = states.shape[-1] + 1
    shares = _expit(states - np.log(np.arange(count - 1, 0, -1)))
    left = np.cumprod(1.0 - shares, axis=-1)
    first = np.ones((*states.shape[:-1], 1))
    pieces = np.concatenate([shares, first], -1) * np.concatenate([first, left], -1)
    return np.asarray(pieces)


def _broken(values: Floats) -> Floats:
    """The states whose pieces are these."""
    count = values.shape[-1]
    total = values.sum(axis=-1, keepdims=True)
    before = np.cumsum(values, axis=-1) - values
    shares = values[..., :-1] / (total - before[..., :-1])
    return np.asarray(_logit(shares) + np.log(np.arange(count - 1, 0, -1)))


def _expit(x: Floats) -> Floats:
    """1 / (1 + exp(-x)), to the last digits where it is small too."""
    return np.asarray(np.exp(-np.logaddexp(0.0, -x)))


def _logit(share: Floats) -> Floats:
    return np.asarray(np.log(share) - np.log1p(-share))
