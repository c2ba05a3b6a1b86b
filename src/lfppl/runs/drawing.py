"""Random draws from a family for many parameters at once, vectors and matrices among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.core.distributions.contract import Constraint, DistributionFamily
from lfppl.core.distributions.density import parameter_checks
from lfppl.core.distributions.draws import draw
from lfppl.core.primitives import NumpyMath

Floats = NDArray[np.float64]


def draw_many(
    generator: np.random.Generator, family: DistributionFamily, parameters: Sequence[Floats]
) -> Floats:
    """One draw for each element of the parameters; NaN where they allow none.

    Vectors and matrices stand along the last axes of their parameter; so does a vector drawn.

    >>> from lfppl.core.distributions import FAMILIES
    >>> generator = np.random.default_rng(1)
    >>> weights = np.tile([0.0, 1.0, 0.0], (5, 1))
    >>> draw_many(generator, FAMILIES["categorical"], [weights]).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    if not any(parameter.constraint.is_vector for parameter in family.parameters):
        return draw(generator, family, parameters)
    shape = np.broadcast_shapes(*(_batch(p, family, i) for i, p in enumerate(parameters)))
    flat = [_flattened(p, family, i, shape) for i, p in enumerate(parameters)]
    allowed = _allowed(family, flat)
    size = (len(allowed), *flat[0].shape[1:2]) if family.is_vector else (len(allowed),)
    result = np.full(size, np.nan)
    if allowed.any():
        drawing = _DRAWS.get(family.name, family.draw)
        result[allowed] = drawing(generator, *(array[allowed] for array in flat))
    return result.reshape(*shape, *size[1:])


def _rank(family: DistributionFamily, position: int) -> int:
    constraint = family.parameters[position].constraint
    return 2 if constraint is Constraint.COVARIANCE else int(constraint.is_vector)


def _batch(parameter: Floats, family: DistributionFamily, position: int) -> tuple[int, ...]:
    return parameter.shape[: parameter.ndim - _rank(family, position)]


def _flattened(
    parameter: Floats, family: DistributionFamily, position: int, shape: tuple[int, ...]
) -> Floats:
    own = parameter.shape[parameter.ndim - _rank(family, position) :]
    return np.broadcast_to(parameter, (*shape, *own)).reshape(-1, *own)


def _allowed(family: DistributionFamily, parameters: Sequence[Floats]) -> NDArray[np.bool_]:
    """Which elements have finite parameters that keep their constraints."""
    allowed = np.logical_and.reduce([np.isfinite(p).reshape(len(p), -1).all(1) for p in parameters])
    nested = [_nested(parameter) for parameter in parameters]
    for check in NumpyMath().run(lambda m, *p: parameter_checks(m, family, p), *nested):
        allowed = allowed & (np.asarray(check) != 0.0)
    return np.asarray(allowed)


def _nested(array: Floats) -> Any:
    """A vector or matrix for each element as (nested) lists of arrays, as formulas take them."""
    if array.ndim == 1:
        return array
    return [_nested(array[:, k]) for k in range(array.shape[1])]


def _draw_normals(generator: np.random.Generator, mean: Floats, covariance: Floats) -> Floats:
    noise = generator.standard_normal(mean.shape)
    factors = np.linalg.cholesky(covariance)
    return np.asarray(mean + np.einsum("nij,nj->ni", factors, noise))


def _draw_probabilities(generator: np.random.Generator, concentration: Floats) -> Floats:
    """Dirichlet draws from gammas on the log scale: small concentrations do not become 0/0."""
    boosted = generator.standard_gamma(concentration + 1.0)
    logs = np.log(boosted) + np.log(generator.random(concentration.shape)) / concentration
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


_DRAWS: dict[str, Callable[..., Any]] = {"mvn": _draw_normals, "dirichlet": _draw_probabilities}
"""The families whose own draw takes one vector at a time."""
