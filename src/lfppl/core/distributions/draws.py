"""Random draws from a family that never fail: NaN where the parameters allow none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.core.distributions.contract import DistributionFamily
from lfppl.core.distributions.density import parameter_checks
from lfppl.core.primitives import NumpyMath


def draw(
    generator: np.random.Generator, family: DistributionFamily, parameters: Sequence[Any]
) -> NDArray[np.float64]:
    """One draw for each element of the parameters; NaN where they break a constraint.

    >>> from lfppl.core.distributions import FAMILIES
    >>> generator = np.random.default_rng(1)
    >>> np.isnan(draw(generator, FAMILIES["normal"], [np.zeros(3), np.array([1.0, -1.0, 2.0])]))
    array([False,  True, False])
    """
    arrays = [np.asarray(parameter, np.float64) for parameter in parameters]
    if any(parameter.constraint.is_vector for parameter in family.parameters):
        return _draw_whole(generator, family, arrays)
    wide = np.broadcast_arrays(*arrays)
    allowed = _allowed(family, wide)
    result = np.full(wide[0].shape, np.nan)
    result[allowed] = _attempt(generator, family, [array[allowed] for array in wide])
    return result


def _allowed(family: DistributionFamily, parameters: Sequence[Any]) -> Any:
    checks = NumpyMath().run(lambda m, *p: parameter_checks(m, family, p), *parameters)
    known = [~np.isnan(parameter) for parameter in parameters]
    return np.logical_and.reduce([*(check != 0.0 for check in checks), *known])


def _draw_whole(
    generator: np.random.Generator, family: DistributionFamily, parameters: Sequence[Any]
) -> NDArray[np.float64]:
    """The draw of a family with a vector among its parameters: allowed or not as a whole."""
    checks = NumpyMath().run(lambda m, *p: parameter_checks(m, family, p), *parameters)
    finite = all(np.all(np.isfinite(parameter)) for parameter in parameters)
    result = np.full(parameters[0].shape if family.is_vector else (), np.nan)
    if finite and all(np.all(check) for check in checks):
        result[...] = _attempt(generator, family, parameters)
    return result


def _attempt(
    generator: np.random.Generator, family: DistributionFamily, parameters: Sequence[Any]
) -> Any:
    """A draw, or NaN for parameters beyond what NumPy's generator takes (a rate of 1e19)."""
    try:
        return np.asarray(family.draw(generator, *parameters), np.float64)
    except (ValueError, OverflowError):
        return np.nan
