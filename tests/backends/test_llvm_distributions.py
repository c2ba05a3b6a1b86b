"""Native code of every distribution at extremes: the value, the derivative in every argument."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from density_checks import compiled
from scipy.stats import cauchy

import lfppl
from algebras import DualMath
from distribution_grid import SCIPY
from lfppl.backends.llvm import CompiledDensity
from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.density import log_density
from lfppl.core.primitives import NumpyMath


def all_latent(name: str) -> CompiledDensity:
    """The density of `name` at latent x and parameters, each of which has a standard Cauchy prior.

    No variable is in Γ, so that there are derivatives in all of them.
    """
    names = ["x", *(f"p{k}" for k in range(len(FAMILIES[name].parameters)))]
    bindings = " ".join(f"{each} (sample (cauchy 0 1))" for each in names)
    model = lfppl.compile(f"(let [{bindings}] (observe ({name} {' '.join(names[1:])}) x) x)")
    return compiled(model.tables("empty"))


def dual_slope(name: str, point: list[float], k: int) -> float:
    """The derivative in argument k by dual numbers, which fifty digits vouch for."""
    algebra = DualMath()
    numbers = [algebra.number(value) for value in point]
    numbers[k].slopes = 1.0

    def formula(m: Any, x: Any, *parameters: Any) -> Any:
        return log_density(m, FAMILIES[name], x, parameters)

    return float(algebra.run(formula, *numbers).slopes)


@pytest.mark.parametrize("name", SCIPY)
def test_native_density_and_derivatives_at_extremes(name: str) -> None:
    _, parameters, xs = SCIPY[name]
    caller = all_latent(name)
    for point in ([x, *values] for values in parameters for x in xs):
        if not np.isfinite(point).all():
            continue
        with np.errstate(all="ignore"):
            value = log_density(NumpyMath(), FAMILIES[name], point[0], point[1:])
        prior = cauchy.logpdf(point).sum()
        u, slope = caller.gradient(np.array(point))
        np.testing.assert_allclose(-u, value + prior, rtol=1e-10, atol=1e-10, err_msg=str(point))
        if np.isfinite(value):
            first = 1 if FAMILIES[name].is_discrete else 0
            for k in range(first, len(point)):
                expected = dual_slope(name, point, k) - 2 * point[k] / (1 + point[k] ** 2)
                np.testing.assert_allclose(
                    -slope[k], expected, rtol=1e-7, atol=1e-9, err_msg=f"{point} {k}"
                )
