"""Random points of a model: draws from its prior."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import lfppl
from lfppl.runs.predictor import Predictions

Point = dict[str, NDArray[np.float64]]


def points(model: lfppl.Model, count: int, seed: int = 1) -> Iterator[Point]:
    """Draws of all sampled variables by name."""
    drawn, _ = Predictions(model, seed).prior(count)
    for row in range(count):
        yield {name: np.asarray(drawn[name][row], np.float64) for name in model.sampled}
