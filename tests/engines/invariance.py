"""Does a kernel leave a distribution as it is? Independent replicates, exact false-alarm rates.

Many chains start at exact draws, run a few iterations with fixed settings, and stop. If the kernel
is right their last positions are independent exact draws, and a two-sample test against fresh exact
draws has precisely the false-alarm rate it states, however slowly the kernel mixes.
"""

from __future__ import annotations

import ctypes

import numpy as np
from cases import Case
from numpy.typing import NDArray
from scipy.stats import ks_2samp

from lfppl.engines.chains import Settings

FALSE_ALARM = 1.0e-5
"""The chance that a right kernel fails one call of `smallest_p_value`, over all its features."""


def last_positions(
    engine,
    case: Case,
    *,
    step: float,
    scale=None,
    replicates: int = 4000,
    iterations: int = 4,
    steps: int | None = 5,
    seed: int = 11,
) -> NDArray[np.float64]:
    """Where `replicates` chains from exact draws stand after some iterations.

    `scale` sets variances and speeds by hand and treats no coordinate as a label.
    """
    seeds = np.random.SeedSequence(seed)
    starts = case.sample(np.random.default_rng(seeds.spawn(1)[0]), replicates)
    settings = Settings(
        warmup=0, step_size=step, steps=steps, keep=np.arange(0), max_depth=4, thin=10**6
    )
    workspace = case.density.workspace()
    ends = np.empty_like(starts)
    for i, seed_sequence in enumerate(seeds.spawn(replicates)):
        state = engine.initial_state(case.density, starts[i], settings, seed_sequence)
        if scale is not None:
            state.scale[:] = scale
            state.narrow[:] = False
        segment = engine.advance(case.density, workspace, state, settings, iterations)
        ends[i] = segment.state.position
    return ends


def energies(case: Case, positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """U at each position."""
    evaluate = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(case.density.pointers.evaluate)
    workspace = case.density.workspace()
    result = np.empty(len(positions))
    for i, position in enumerate(positions):
        workspace[: case.density.dimension] = position
        result[i] = evaluate(workspace.ctypes.data)
    return result


def features(case: Case, positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coordinates, products of neighbours, and U."""
    products = positions[:, 1:] * positions[:, :-1]
    return np.column_stack([positions, products, energies(case, positions)])


def smallest_p_value(case: Case, ends: NDArray[np.float64], seed: int = 12) -> float:
    """The smallest of the two-sample tests of all features, times their number (Bonferroni)."""
    exact = features(case, case.sample(np.random.default_rng(seed), 4 * len(ends)))
    found = features(case, ends)
    values = [ks_2samp(found[:, k], exact[:, k]).pvalue for k in range(found.shape[1])]
    return float(min(values)) * len(values)
