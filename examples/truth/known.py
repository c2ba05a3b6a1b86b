"""What is known exactly of the posterior of an example, and a comparison of draws with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.results.diagnostics import mcse_mean

Floats = NDArray[np.float64]
Data = Mapping[str, Any]
Draws = Mapping[str, NDArray[Any]]
"""Arrays of (chain, draw, *shape) by name, as `Fit.draws`."""


@dataclass(frozen=True)
class Truth:
    """Exact posterior means by name, how they were found, and the same functions of draws.

    `error` bounds what the numbers in `expected` may themselves be off by, relative to the
    posterior standard deviation; `draws` is how many draws of each chain are compared with them,
    and `settings` are those of the engine that differ from the usual ones.
    """

    how: str
    expected: Mapping[str, float]
    measure: Callable[[Draws], Mapping[str, NDArray[Any]]]
    error: float = 0.0
    draws: int = 4000
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Comparison:
    """An exact mean, the mean of the draws, its standard error, and their standard deviation."""

    name: str
    exact: float
    estimate: float
    standard_error: float
    deviation: float
    allowance: float

    @property
    def z_score(self) -> float:
        """By how many standard errors the estimate is off, beyond the error of the truth."""
        off = max(abs(self.estimate - self.exact) - self.allowance, 0.0)
        return off / self.standard_error if off else 0.0


def compare(truth: Truth, draws: Draws) -> list[Comparison]:
    """The draws beside what is known."""
    found = truth.measure(draws)
    if found.keys() != truth.expected.keys():
        raise KeyError(f"measured {sorted(found)}, and known are {sorted(truth.expected)}")
    return [_compared(name, truth, np.asarray(found[name], float)) for name in truth.expected]


def _compared(name: str, truth: Truth, values: Floats) -> Comparison:
    error = float(mcse_mean(values[..., None])[0])
    mean, deviation = float(values.mean()), float(values.std())
    allowance = truth.error * deviation
    return Comparison(name, float(truth.expected[name]), mean, error, deviation, allowance)


# --- pieces of truths ----------------------------------------------------------------------------


def returned(*names: str) -> Callable[[Draws], Mapping[str, NDArray[Any]]]:
    """The numbers that a model returns, by these names."""

    def measure(draws: Draws) -> dict[str, NDArray[Any]]:
        value = draws["return"]
        if len(names) == 1:
            return {names[0]: value}
        return {name: value[..., k] for k, name in enumerate(names)}

    return measure


def normalised(log_weights: Floats) -> Floats:
    """Weights that add up to 1, from logarithms of what they are proportional to."""
    weights = np.exp(log_weights - log_weights.max())
    share: Floats = weights / weights.sum()
    return share


def normal_log_density(x: Any, mean: Any, sd: Any) -> Any:
    """The logarithm of the density of a normal distribution."""
    return -0.5 * ((x - mean) / sd) ** 2 - np.log(sd) - 0.5 * np.log(2 * np.pi)


def midpoints(low: float, high: float, count: int) -> Floats:
    """The middles of equal cells."""
    width = (high - low) / count
    found: Floats = low + width * np.arange(0.5, count)
    return found


def averages(names: Sequence[str], share: Floats, *values: Floats) -> dict[str, float]:
    """Means over cells with these probabilities."""
    return {n: float((share * v).sum()) for n, v in zip(names, values, strict=True)}
