"""The gradient along integers of many values, against differences over whole cells."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import lfppl

SOURCES = {
    "binomial": """
        (let [n (sample (discrete-uniform 0 3000)) p (sample (beta 2 2))]
          (observe (binomial n p) 120) n)""",
    "counts": """
        (let [rate (sample (gamma 2 0.01)) k (for [i (range 3)] (sample (poisson rate)))]
          (doseq [i (range 3)] (observe (normal (sqrt (get k i)) 1) (get [14 15 16] i))) k)""",
    "negative binomial": """
        (let [n (sample (negative-binomial 5 0.02)) x (sample (normal 0 1))]
          (observe (normal (* 0.01 n) (exp x)) 2.4) n)""",
}


def evaluated(density, x):
    """U and its derivatives."""
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_int64)
    workspace, slope = density.workspace(), np.zeros(density.dimension)
    workspace[: density.dimension] = x
    u = kind(density.pointers.gradient)(workspace.ctypes.data, slope.ctypes.data)
    return u, slope


@pytest.mark.parametrize("name", SOURCES)
def test_slopes_along_integers_are_differences_over_cells(name):
    density = lfppl.compile(SOURCES[name]).density()
    assert len(density.followed) > 0
    generator = np.random.default_rng(3)
    for _ in range(10):
        x = np.zeros(density.dimension)
        x[density.continuous] = generator.normal(0, 0.5, len(density.continuous))
        x[density.followed] = generator.integers(180, 400, len(density.followed)) + 0.5
        _, slope = evaluated(density, x)
        for place in density.followed:
            ends = [x.copy(), x.copy()]
            ends[0][place] += 3
            ends[1][place] -= 3
            rise = evaluated(density, ends[0])[0] - evaluated(density, ends[1])[0]
            assert slope[place] == pytest.approx(rise / 6, rel=2e-3, abs=2e-4)


def test_few_values_are_not_followed():
    source = SOURCES["binomial"].replace("3000", "60").replace("120", "12")
    assert lfppl.compile(source).density().followed.tolist() == []
