"""Who rides: which integers move with the continuous coordinates, decided as windows end."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.density import Density
from lfppl.engines.adaptation import (
    AIM,
    DIVERGED_COUNT,
    LEAST_STEP,
    LOG_STEP_MEAN,
    RIDES_NOT,
    SETTLED_COUNT,
)
from lfppl.engines.chains import Floats, State

RIDING_CELLS = 8.0
"""An integer rides once its deviation is above so many cells: what the cells then add to the error
of the energy, about a tenth of a deviation each, rejects little."""

BORNE = 0.05
"""The part of trajectories that may diverge while integers ride."""
SMALLER = 8.0
"""How much smaller than without riders the step may become. (Where cells are steep, they reject a
part of the trajectories whatever the step is, and dual averaging would make it vanish.)"""
ENOUGH = 100
"""Draws of a window from which spreads are trusted, and divergences held against riders."""


def choose_riders(density: Density, state: State, seen: int, aim: float) -> None:
    """Let integers that spread over many cells ride, unless that was tried and went wrong.

    `seen` draws have told how wide they spread. Whole colours ride, so that no sweep meets a rider.
    The acceptance aimed at goes back to `aim`: cells cost some of it whatever the step is.
    """
    settled, diverged = state.counters[[SETTLED_COUNT, DIVERGED_COUNT]]
    stumbled = bool(state.riding.any()) and diverged > BORNE * max(settled, ENOUGH)
    if stumbled:
        state.counters[RIDES_NOT] = 1
        state.numbers[LEAST_STEP] = 0.0
        _change_scale(density, state, np.flatnonzero(state.riding), riding=False)
    elif seen >= ENOUGH and not state.counters[RIDES_NOT]:
        wide = np.zeros(len(state.riding), np.bool_)
        wide[density.followed] = (state.deviation > RIDING_CELLS * density.cell)[density.followed]
        wide |= state.riding
        able = [colour for colour in density.colours if wide[colour].all()]
        new = [place for colour in able for place in colour if not state.riding[place]]
        if new:
            state.numbers[LEAST_STEP] = math.exp(state.numbers[LOG_STEP_MEAN]) / SMALLER
        _change_scale(density, state, np.array(new, np.int64), riding=True)
    if stumbled or state.riding.any():
        state.numbers[AIM] = min(state.numbers[AIM], aim)
        state.counters[[SETTLED_COUNT, DIVERGED_COUNT]] = 0


def _change_scale(density: Density, state: State, places: NDArray[np.int64], riding: bool) -> None:
    """Bring what was learned in line with the scale on which coordinates will move."""
    lower, upper = density.lower[places], density.upper[places]
    if riding:
        centre = state.centre[places]
        state.deviation[places] /= stretch(lower, upper, centre)
        state.centre[places] = on_scale(lower, upper, centre)
        state.scale[places] = state.deviation[places] ** 2
    else:
        centre = from_scale(lower, upper, state.centre[places])
        state.deviation[places] *= stretch(lower, upper, centre)
        state.centre[places] = centre
        state.scale[places] = state.deviation[places]
    state.riding[places] = riding


def on_scale(lower: Floats, upper: Floats, x: Floats) -> Floats:
    """The scale on which riders move (module `riders`), for arrays.

    >>> on_scale(np.zeros(2), np.array([np.inf, 8.0]), np.array([1.0, 4.0])).tolist()
    [0.0, 0.0]
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        above = np.log(x - lower)
        both = above - np.log(upper - x)
    return np.where(np.isinf(lower), x, np.where(np.isinf(upper), above, both))


def from_scale(lower: Floats, upper: Floats, y: Floats) -> Floats:
    """The inverse of `on_scale`.

    >>> from_scale(np.zeros(2), np.array([np.inf, 8.0]), np.zeros(2)).tolist()
    [1.0, 4.0]
    """
    with np.errstate(invalid="ignore", over="ignore"):
        above = lower + np.exp(y)
        both = lower + (upper - lower) / (1.0 + np.exp(-y))
    return np.where(np.isinf(lower), y, np.where(np.isinf(upper), above, both))


def stretch(lower: Floats, upper: Floats, x: Floats) -> Floats:
    """dx/dy of `on_scale`.

    >>> stretch(np.zeros(2), np.array([np.inf, 8.0]), np.array([1.0, 4.0])).tolist()
    [1.0, 2.0]
    """
    with np.errstate(invalid="ignore"):
        both = (x - lower) * (upper - x) / (upper - lower)
    return np.where(np.isinf(lower), 1.0, np.where(np.isinf(upper), x - lower, both))
