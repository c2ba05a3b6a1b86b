"""A program with data and what is known exactly of its posterior."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Draws = Mapping[str, Floats]
"""Arrays of (chain, draw, *shape) by name, as `Fit.draws`."""


@dataclass(frozen=True)
class Answer:
    """Exact posterior expectations, and how to take the same functions of draws.

    `measure` gives arrays of (chain, draw) by name; `expected` their exact means under the same
    names. `tolerance` is how far the numbers in `expected` may themselves be off.
    """

    source: str
    data: Mapping[str, Any]
    expected: Mapping[str, float]
    measure: Callable[[Draws], Mapping[str, Floats]]
    tolerance: float = 0.0
    draws: int = 4000
    options: Mapping[str, Any] = field(default_factory=dict)


def normal_log_density(x: Any, mean: Any, sd: Any) -> Any:
    return -0.5 * ((x - mean) / sd) ** 2 - np.log(sd) - 0.5 * np.log(2 * np.pi)


def normalised(log_weights: Floats) -> Floats:
    weights = np.exp(log_weights - log_weights.max())
    return weights / weights.sum()


def by_index(name: str, values: Floats) -> dict[str, Any]:
    """One entry for each element of a vector: `mu[0]`, `mu[1]`, ..."""
    return {f"{name}[{k}]": values[..., k] for k in range(values.shape[-1])}
