"""A density together with an exact sampler of its coordinates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.density import Density

Sampler = Callable[[np.random.Generator, int], NDArray[np.float64]]


@dataclass(frozen=True)
class Case:
    """A density and an exact sampler of its coordinates."""

    name: str
    density: Density
    sample: Sampler
