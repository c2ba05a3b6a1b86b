"""The model of the figures, and a trajectory over its density; the thermostat."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from figures.integrator import energy, step
from numpy.typing import NDArray

import lfppl
from lfppl.backends.llvm import CompiledDensity

Floats = NDArray[np.float64]

MODEL = Path(__file__).parent / "steps.lfppl"
LIMIT = Path(__file__).parent / "limit.lfppl"
EXAMPLES = Path(__file__).parents[2] / "examples"
WALLS = (-1.0, 1.0)
"""Where the model's `if`s are."""
START, MOMENTUM = (-2.6, 1.2), (0.9, 0.6)
TIME, STEPS = 0.08, 104


class Trajectory(NamedTuple):
    """Positions, and for each step whether x moved, U and K."""

    positions: Floats
    moved: NDArray[np.bool_]
    potential: Floats
    kinetic: Floats


def model() -> Any:
    """The compiled model."""
    return lfppl.compile(MODEL)


def limit_model() -> Any:
    """The model that docs/compiler.md follows down, with its data."""
    return lfppl.compile(LIMIT, lfppl.load_data(LIMIT.with_suffix(".json")))


def trajectory() -> Trajectory:
    """The trajectory of the figures, step by step."""
    density = CompiledDensity(model().density())
    smooth, rough = density.density.continuous, density.density.discontinuous
    density.x[:], p = START, np.array(MOMENTUM)
    positions, moved = [density.x.copy()], []
    energies = [energy(density, p, smooth, rough)]
    for _ in range(STEPS):
        moved.append(step(density, p, smooth, rough, TIME))
        positions.append(density.x.copy())
        energies.append(energy(density, p, smooth, rough))
    potential, kinetic = np.array(energies).T
    return Trajectory(np.array(positions), np.array(moved), potential, kinetic)


def crossings(path: Trajectory) -> NDArray[np.int64]:
    """The steps in which x went over a wall."""
    side = np.searchsorted(WALLS, path.positions[:, 0])
    return np.flatnonzero(np.diff(side))


def reflections(path: Trajectory) -> NDArray[np.int64]:
    """The steps in which x stayed and turned round."""
    return np.flatnonzero(~path.moved)


def log_density(x: Floats, y: Floats) -> Floats:
    """The model's log density on a grid of x (columns) and y (rows)."""
    compiled = model()
    rows = [[compiled.log_density({"x": a, "y": b}) for a in x] for b in y]
    return np.array(rows)


# --- the thermostat ------------------------------------------------------------------------------


def thermostat() -> Any:
    """The example in which a heater is switched by the temperature, with its data."""
    data = lfppl.load_data(EXAMPLES / "thermostat.json")
    return lfppl.compile(EXAMPLES / "thermostat.lfppl", data)


def draws(engine: str) -> Floats:
    """4,000 draws of the temperature at the start, by an engine with its default settings."""
    fit = thermostat().sample(engine=engine, seed=1, progress=False)
    return fit.draws["start"].ravel()


def exact_start(start: Floats) -> Floats:
    """The exact density of the temperature at the start, by quadrature over the other two."""
    density = CompiledDensity(thermostat().density())
    heater, loss = np.linspace(1.1, 2.6, 41), np.linspace(0.07, 0.13, 41)
    points = np.array(np.meshgrid(start, heater, loss, indexing="ij")).reshape(3, -1)
    potential = np.array([density.evaluate(np.array([h, q, t])) for t, h, q in points.T])
    weight = np.exp(potential.min() - potential).reshape(len(start), -1).sum(axis=1)
    return weight / np.trapezoid(weight, start)
