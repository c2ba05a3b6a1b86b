"""Steps of the integrator called from Python, with the order of the colours in hand."""

from __future__ import annotations

import numpy as np
from numba import njit

from lfppl.backends.density import Density
from lfppl.engines.generator import new_generator
from lfppl.engines.integrators import ordered_step, potential
from lfppl.engines.momentum import bare_motion, kinetic, new_motion, refresh
from lfppl.engines.native import bare_target, target_of


@njit(error_model="numpy")
def _walk(target, motion, time, orders):
    target, motion = bare_target(target), bare_motion(motion)
    u = potential(target, motion)
    for i in range(orders.shape[0]):
        for k in range(orders.shape[1]):
            motion.order[k] = orders[i, k]
        u = ordered_step(target, motion, time)
    return u


@njit(error_model="numpy")
def _energy(target, motion):
    target, motion = bare_target(target), bare_motion(motion)
    return potential(target, motion) + kinetic(target, motion)


@njit(error_model="numpy")
def _refresh(target, motion):
    refresh(bare_target(target), bare_motion(motion))


class Walker:
    """A density with a position and a momentum, to be moved step by step."""

    def __init__(self, density: Density, position, scale, seed: int = 0, riders=()) -> None:
        riding = np.isin(np.arange(density.dimension), riders)
        self.target = target_of(density, density.workspace(), riding)
        self.keep = density
        generator = new_generator(np.random.SeedSequence(seed))
        self.motion = new_motion(self.target, np.array(scale, float), generator)
        self.target.position[:] = position
        _refresh(self.target, self.motion)

    @property
    def position(self):
        return self.target.position

    @property
    def momentum(self):
        return self.motion.momentum

    def orders(self, steps: int, seed: int = 0):
        """Random orders of the colours, one per step."""
        rng = np.random.default_rng(seed)
        colours = self.target.colour_count
        return np.array([rng.permutation(colours) for _ in range(steps)]).reshape(steps, colours)

    def walk(self, time: float, orders) -> float:
        return _walk(self.target, self.motion, time, np.ascontiguousarray(orders, np.int64))

    def energy(self) -> float:
        return _energy(self.target, self.motion)

    def refresh(self) -> None:
        _refresh(self.target, self.motion)
