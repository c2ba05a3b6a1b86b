"""One step of discontinuous HMC in plain Python, as docs/dhmc.md explains it."""

from __future__ import annotations

import numpy as np


def jump(density, p, b, time):
    """Refract into the next place if the momentum can pay for it, else reflect."""
    x = density.x
    change = density.move(b, x[b] + time * np.sign(p[b]))
    if abs(p[b]) > change:
        p[b] -= np.sign(p[b]) * change
        return True
    density.undo()
    p[b] = -p[b]
    return False


def step(density, p, continuous, discontinuous, time):
    """Half a leapfrog step, the jumps, the other half."""
    x = density.x
    p[continuous] -= 0.5 * time * density.gradient()[1][continuous]
    x[continuous] += 0.5 * time * p[continuous]
    density.evaluate()
    moved = [jump(density, p, b, time) for b in discontinuous]
    x[continuous] += 0.5 * time * p[continuous]
    p[continuous] -= 0.5 * time * density.gradient()[1][continuous]
    return all(moved)


def energy(density, p, continuous, discontinuous):
    """Potential and kinetic energy."""
    kinetic = 0.5 * np.sum(p[continuous] ** 2) + np.sum(np.abs(p[discontinuous]))
    return density.evaluate(), kinetic
