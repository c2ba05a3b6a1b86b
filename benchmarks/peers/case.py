"""What a benchmark case is: data, quantities to estimate, and a version for every system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Draws = Mapping[str, NDArray[Any]]
"""Arrays of (chain, draw, *shape) by the name of a variable."""

Data = Mapping[str, Any]


class Truth(NamedTuple):
    """Posterior means and standard deviations of the quantities, and how they were found."""

    mean: Floats
    sd: Floats
    how: str


@dataclass(frozen=True)
class Version:
    """A model as the documentation of one system would write it.

    `by_hand` is true where a person marginalised the discrete variables, or changed the model so
    that the system can run it; `build` is a source text or a function of the data. A slow version
    has shorter runs.
    """

    build: Any
    by_hand: bool = False
    draws: int = 1000
    warmup: int = 1000
    note: str = ""


@dataclass(frozen=True)
class Case:
    """A posterior that every system estimates.

    `quantities` makes an array of (chain, draw, quantity) from the draws of the variables `keep`;
    it must not depend on how labels are numbered. `without` says why a system has no version.
    """

    name: str
    data: Data
    keep: tuple[str, ...]
    names: tuple[str, ...]
    quantities: Callable[[Draws], Floats]
    truth: Callable[[], Truth]
    versions: Mapping[str, Version]
    without: Mapping[str, str] = field(default_factory=dict)
    smooth: bool = False


def columns(*parts: NDArray[Any]) -> Floats:
    """Arrays of (chain, draw) or (chain, draw, n), side by side.

    >>> columns(np.zeros((4, 10)), np.zeros((4, 10, 3))).shape
    (4, 10, 4)
    """
    wide = [part[..., None] if part.ndim == 2 else part for part in parts]
    return np.concatenate(wide, axis=2).astype(np.float64)


def weighted(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Means and standard deviations of the rows of `values`, each with a weight.

    >>> weighted(np.array([[1.0], [3.0]]), np.array([1.0, 1.0]))
    (array([2.]), array([1.]))
    """
    share = weights / weights.sum()
    mean = share @ values
    return mean, np.sqrt(share @ (values - mean) ** 2)
