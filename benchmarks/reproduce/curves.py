"""Errors of running means against the number of draws, and their bands over independent runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PER_DECADE = 8


def checkpoints(last: int, first: int = 10) -> Integers:
    """Numbers of draws, evenly spaced on a logarithmic axis, the last one included.

    >>> checkpoints(30)
    array([10, 13, 18, 24, 30])
    """
    exponents = np.arange(np.log10(first), np.log10(last), 1 / PER_DECADE)
    return np.unique(np.append(np.rint(10**exponents), last).astype(np.int64))


class RunningMean:
    """The mean of rows that come in portions."""

    def __init__(self) -> None:
        self.total: Floats | float = 0.0
        self.count = 0

    def add(self, rows: Floats) -> Floats:
        """The mean of all rows so far, these included."""
        self.total = self.total + rows.sum(0)
        self.count += len(rows)
        return np.asarray(self.total / self.count)


def squared_error(means: Floats, exact: Iterable[float]) -> Floats:
    """The squared error of estimates, averaged over the quantities in the last axis.

    >>> squared_error(np.array([[1.0, 2.0], [3.0, 4.0]]), [0.0, 4.0])
    array([2.5, 4.5])
    """
    return np.asarray(((means - np.asarray(list(exact))) ** 2).mean(-1))


def worst_mean_absolute_error(means: Floats) -> Floats:
    """The largest absolute mean, where all means should be zero (the paper's WMAE).

    >>> worst_mean_absolute_error(np.array([[0.5, -2.0], [0.1, 0.0]]))
    array([2. , 0.1])
    """
    return np.asarray(np.abs(means).max(-1))


class Band(NamedTuple):
    """What is drawn of many runs: at each place the median, the 20 % and the 80 % quantile."""

    low: Floats
    median: Floats
    high: Floats


def band(curves: Floats) -> Band:
    """The band of curves, a row for each run."""
    return Band(*np.quantile(curves, (0.2, 0.5, 0.8), axis=0))
