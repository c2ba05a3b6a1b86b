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
    diverges,
)
from lfppl.engines.chains import State
from lfppl.engines.native import plain
from lfppl.engines.riders import from_scale, on_scale, stretch

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
    stumbled = bool(state.riding.any()) and diverges(state.counters, BORNE, ENOUGH)
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
    for k in places:
        bounds = float(density.lower[k]), float(density.upper[k])
        centre = float(state.centre[k])
        if riding:
            state.centre[k] = plain(on_scale)(*bounds, centre)
            state.deviation[k] /= plain(stretch)(*bounds, centre)[0]
            state.scale[k] = state.deviation[k] ** 2
        else:
            state.centre[k] = plain(from_scale)(*bounds, centre)
            state.deviation[k] *= plain(stretch)(*bounds, float(state.centre[k]))[0]
            state.scale[k] = state.deviation[k]
    state.riding[places] = riding
