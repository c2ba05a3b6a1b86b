"""The coordinates of a model as engines see them: which are continuous, colours, bounds, cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.density import Space
from lfppl.lir.tables import Model

Bounds = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def space_of(model: Model) -> Space:
    """What an engine must know of the coordinates, for every backend alike."""
    continuous = continuous_coordinates(model)
    lower, upper, cell = _bounds(model)
    return Space(
        dimension=model.dimension,
        continuous=continuous,
        discontinuous=np.delete(np.arange(model.dimension), continuous),
        colours=tuple(np.asarray(c, dtype=np.int64) for c in model.colours),
        lower=lower,
        upper=upper,
        cell=cell,
        branch_count=sum(len(p.sites) for p in model.predicates),
        value_count=sum(b.values.size for b in model.variables) + model.returned.addresses.size,
        term_count=sum(len(f.vertices) for f in model.factors),
    )


def continuous_coordinates(model: Model) -> NDArray[np.int64]:
    """The positions of the continuous coordinates, in order."""
    is_continuous = np.zeros(model.dimension, np.bool_)
    for block in model.variables:
        if not block.discontinuous:
            is_continuous[block.coordinates] = True
    return np.flatnonzero(is_continuous)


def _bounds(model: Model) -> Bounds:
    """The bounds of the discontinuous coordinates and the widths of their cells."""
    lower, upper = np.full(model.dimension, -np.inf), np.full(model.dimension, np.inf)
    cell = np.full(model.dimension, np.inf)
    for block in model.variables:
        if block.discontinuous:
            places = block.coordinates.ravel()
            lower[places], upper[places] = block.lower, block.upper
            cell[places] = 1.0 if block.discrete else block.upper - block.lower
    return lower, upper, cell
