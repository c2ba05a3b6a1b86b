"""A model with type hints, checked by `mypy --strict` in `make lint` as a user's file would be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import lfppl
from lfppl import factor, observe, sample
from lfppl.distributions import categorical, gamma, normal

Floats = NDArray[np.float64]


def softplus(x: float) -> float:
    """Smooth maximum of x and 0."""
    return float(np.log1p(np.exp(x)))


@lfppl.model
def clusters(y: Floats, count: int = 3, scale: float = 1.0) -> Floats:
    """Readings in clusters."""
    mu: Floats = sample(normal(0, 5), shape=count, dims="cluster")
    precision: float = sample(gamma(2, 1))
    z = sample(categorical(np.ones(count)), shape=len(y))
    observe(normal(mu[z], scale / np.sqrt(precision)), y)
    factor(-softplus(mu[0]))
    return mu


def run() -> lfppl.Model:
    """The model with data; editors know its parameters and what it gives."""
    return clusters(np.array([0.1, 2.0]), count=2)


def wrong_calls() -> None:
    """What a type checker must see: strict mode would complain of a comment that is not needed."""
    clusters()  # type: ignore[call-arg]
    clusters(np.zeros(2), counts=2)  # type: ignore[call-arg]
    clusters("text")  # type: ignore[arg-type]
    sample(normal(0))  # type: ignore[call-arg]
    sample(normal(0, 1), size=3)  # type: ignore[call-arg]
    observe(normal(0, 1))  # type: ignore[call-arg]
    sample(3.0)  # type: ignore[arg-type]
