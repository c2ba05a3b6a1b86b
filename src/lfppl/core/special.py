"""Special functions of SciPy, imported when one is first computed: most models need none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Special = Callable[..., Any]


def _late(name: str) -> Special:
    """A function of `scipy.special`, imported by its first call."""

    def function(*arguments: Any) -> Any:
        from scipy import special

        return getattr(special, name)(*arguments)

    function.__name__ = name
    return function


expit, erf, ndtr = _late("expit"), _late("erf"), _late("ndtr")
log_ndtr, ndtri_exp = _late("log_ndtr"), _late("ndtri_exp")
gammaln, digamma, polygamma = _late("gammaln"), _late("digamma"), _late("polygamma")
i0e, i1e = _late("i0e"), _late("i1e")
