"""A row of numbers for every scalar: moments, quantiles, and how well they are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.results import diagnostics
from lfppl.results.names import element_names

COLUMNS = ("mean", "sd", "q5", "q50", "q95", "ess_bulk", "ess_tail", "r_hat", "mcse_mean")
NUMBERS_AT_ONCE = 4_000_000


def statistics(draws: Mapping[str, NDArray[Any]]) -> dict[str, dict[str, float]]:
    """The statistics of each element of arrays of (chain, draw, *shape).

    >>> generator = np.random.default_rng(1)
    >>> table = statistics({"x": generator.normal(size=(2, 500, 1))})
    >>> list(table), abs(table["x[0]"]["mean"]) < 0.2
    (['x[0]'], True)
    """
    table: dict[str, dict[str, float]] = {}
    for name, array in draws.items():
        flat = np.ascontiguousarray(array.reshape(*array.shape[:2], -1), np.float64)
        columns = _columns(flat)
        for i, element in enumerate(element_names(name, array.shape[2:])):
            table[element] = {c: float(v[i]) for c, v in zip(COLUMNS, columns, strict=True)}
    return table


def _columns(flat: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """The columns for all elements, some elements at a time."""
    portion = max(1, NUMBERS_AT_ONCE // max(flat.shape[0] * flat.shape[1], 1))
    starts = range(0, flat.shape[2], portion)
    parts = [_portion(flat[:, :, start : start + portion]) for start in starts]
    return [np.concatenate(column) for column in zip(*parts, strict=True)] or [np.empty(0)] * 9


def _portion(draws: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    with np.errstate(all="ignore"):
        deviation = draws.std(axis=(0, 1), ddof=1) if draws.shape[0] * draws.shape[1] > 1 else None
        return [
            draws.mean(axis=(0, 1)),
            np.full(draws.shape[2], np.nan) if deviation is None else deviation,
            *np.quantile(draws, (0.05, 0.5, 0.95), axis=(0, 1)),
            diagnostics.ess_bulk(draws),
            diagnostics.ess_tail(draws),
            diagnostics.r_hat(draws),
            diagnostics.mcse_mean(draws),
        ]
