"""Special functions of SciPy, imported when one is first computed: most models need none."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Special = Callable[..., Any]


def _late(name: str) -> Special:
    """A function of `scipy.special`, imported by its first call."""

    def function(*arguments: Any) -> Any:
        from scipy import special

        return getattr(special, name)(*arguments)

    function.__name__ = name
    return function


FEW = 20_000
"""So many numbers take Python less time than to import SciPy."""
LARGE = 1.0e300
"""Below it no logarithm of a factorial overflows."""


def gammaln(x: Any) -> Any:
    """The logarithm of |gamma(x)|: the factorials of data are a usual part of a density.

    >>> round(float(gammaln(5.0)), 12) == round(math.log(24.0), 12)
    True
    """
    values = np.asarray(x, np.float64)
    if values.size > FEW or not np.all((values > 0.0) & (values < LARGE)):
        return _gammaln(values)
    found = [math.lgamma(value) for value in values.ravel().tolist()]
    return np.array(found).reshape(values.shape)[()]


expit, erf, ndtr = _late("expit"), _late("erf"), _late("ndtr")
log_ndtr, ndtri_exp = _late("log_ndtr"), _late("ndtri_exp")
_gammaln, digamma, polygamma = _late("gammaln"), _late("digamma"), _late("polygamma")
i0e, i1e = _late("i0e"), _late("i1e")
