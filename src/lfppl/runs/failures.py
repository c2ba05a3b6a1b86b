"""Why a chain could not go on: the statement whose density is not a number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis.gamma import Gamma
from lfppl.backends.llvm import CompiledDensity, diagnose
from lfppl.errors import ModelError
from lfppl.runs.subject import Subject


def explained(
    model: Subject, gamma: Gamma, position: NDArray[np.float64], otherwise: ModelError
) -> ModelError:
    """The error that names the statement that is NaN at a position; `otherwise` if none is."""
    density = model.density(gamma)
    compiled = CompiledDensity(density)
    if np.isnan(compiled.evaluate(position)):
        return diagnose(model.tables(gamma), density, compiled.workspace)
    return otherwise
