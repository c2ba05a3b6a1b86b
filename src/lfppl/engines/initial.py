"""Where a chain starts: a point of positive density."""

from __future__ import annotations

import ctypes

import numpy as np

from lfppl.backends.density import Density
from lfppl.engines.chains import Floats
from lfppl.errors.engine import no_initial_point

ATTEMPTS = 100
RADIUS = 2.0
"""Continuous coordinates start in (-RADIUS, RADIUS), where transforms are well behaved (Stan's
choice)."""

_EVALUATE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)
_GRADIENT = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p)


def initial_position(
    density: Density, prior: Floats, seeds: np.random.SeedSequence, attempts: int = ATTEMPTS
) -> Floats:
    """A random point of positive density with a finite gradient.

    The discontinuous coordinates of attempt i are those of `prior[i]` (rows are used in turn), the
    continuous ones are uniform on (-2, 2).
    """
    generator = np.random.default_rng(seeds)
    workspace = density.workspace()
    prior = np.atleast_2d(prior)
    position = np.zeros(density.dimension)
    for attempt in range(attempts):
        position = np.array(prior[attempt % len(prior)], np.float64)
        position[density.continuous] = generator.uniform(-RADIUS, RADIUS, len(density.continuous))
        if is_possible(density, workspace, position):
            return position
    raise no_initial_point(position, attempts)


def is_possible(density: Density, workspace: Floats, position: Floats) -> bool:
    """Whether a chain can start here: the density is positive and its gradient finite."""
    gradient = np.zeros(density.dimension)
    workspace[: density.dimension] = position
    if not np.isfinite(_EVALUATE(density.pointers.evaluate)(workspace.ctypes.data)):
        return False
    _GRADIENT(density.pointers.gradient)(workspace.ctypes.data, gradient.ctypes.data)
    return bool(np.isfinite(gradient[density.continuous]).all())
