"""Every distribution against scipy and against fifty digits: values, extremes, derivatives."""

import math
from typing import Any

import numpy as np
import pytest

from distribution_grid import SCIPY
from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.contract import Constraint
from lfppl.core.distributions.density import log_density
from lfppl.core.primitives import NumpyMath

m = NumpyMath()

CATEGORIES = {"categorical", "categorical-logit"}
VECTORS = {"mvn", "dirichlet"}

EXTREMES: dict[str, list[tuple[tuple[float, ...], tuple[float, ...]]]] = {
    "normal": [((0, 1e-300), (0.0, 1e-290)), ((0, 1e300), (1e300, -3.0)), ((0, 1), (1e150,))],
    "student-t": [((1e-3, 0, 1), (1e9,)), ((1e8, 0, 1), (0.0, 3.0)), ((1e15, 0, 1e-200), (0.0,))],
    "cauchy": [((0, 1e-200), (0.0, 1e-100)), ((0, 1e200), (1e250, 1.0))],
    "laplace": [((0, 1e-300), (0.0, 1e-298)), ((0, 1), (1e200, -1e200, -800.0))],
    "logistic": [((0, 1), (1e200, -1e200, 800.0, -800.0)), ((0, 1e-10), (1e300, -1e300))],
    "lognormal": [((0, 1), (1e-307, 1e-300, 1e300)), ((1e3, 1e-3), (1e300,))],
    "half-normal": [((1e-300,), (0.0, 1e-300)), ((1e300,), (1e300,))],
    "half-cauchy": [((1e-200,), (0.0, 1e-100)), ((1e200,), (1e250,))],
    "exponential": [((1e-300,), (1e300, 0.0)), ((1e300,), (1e-300, 1.0))],
    "gamma": [((1, 2), (0.0,)), ((1e-10, 1e-10), (1e-300, 1.0)), ((1e4, 1e3), (10.0, 1e-300))],
    "inverse-gamma": [((2, 3), (1e-307, 1e300)), ((1e-10, 1e-10), (1e-300, 1.0))],
    "chi-squared": [((2,), (0.0,)), ((1e-10,), (1e-300, 1.0)), ((1e4,), (1e4,))],
    "weibull": [((1, 3), (0.0,)), ((0.1, 1e-200), (1e-300, 1.0)), ((50, 1), (1e-300, 1.0))],
    "pareto": [((1e-300, 2), (1e-300, 1e300)), ((1e300, 1e-5), (1e300,)), ((1, 1e8), (1.0,))],
    "uniform": [((0, 1e-300), (0.0, 1e-300)), ((-1e300, 1e300), (-1e300, 0.0, 1e300))],
    "beta": [((1, 1), (0.0, 1.0)), ((1e-9, 1e-9), (1e-300, 0.5)), ((1e3, 1e4), (0.1, 1e-300))],
    "triangular": [((0, 0, 1), (0.0,)), ((0, 1, 1), (1.0,)), ((0, 1e-300, 1), (1e-300, 1e-301))],
    "truncated-normal": [
        ((0, 1, 30, 31), (30.5,)),
        ((0, 1, -31, -30), (-30.5,)),
        ((0, 1, 30, math.inf), (30.5,)),
        ((0, 1e-3, -1, 1), (0.0,)),
        ((0, 1e6, 0.0, 1e-3), (1e-4,)),
        ((0, 1, -math.inf, math.inf), (0.5,)),
    ],
    "von-mises": [((0, 0), (1.0,)), ((0, 1e-9), (-math.pi, math.pi)), ((1, 1e4), (1.0, -2.0))],
    "bernoulli": [((1e-300,), (0.0, 1.0)), ((1 - 1e-16,), (0.0, 1.0))],
    "bernoulli-logit": [((800,), (0.0, 1.0)), ((-800,), (0.0, 1.0)), ((40,), (0.0, 1.0))],
    "binomial": [((10, 1e-300), (0.0, 10.0)), ((1e6, 0.5), (0.0, 5e5)), ((3, 1), (3.0,))],
    "binomial-logit": [((10, 800), (0.0, 10.0)), ((10, -800), (0.0, 10.0)), ((5, 40), (5.0,))],
    "negative-binomial": [((1e-300, 0.5), (0.0, 3.0)), ((2, 1e-300), (0.0, 9.0)), ((2, 1), (0.0,))],
    "poisson": [((0,), (0.0, 1.0)), ((1e-300,), (0.0, 3.0)), ((1e6,), (0.0, 1e6))],
    "poisson-log": [((-700,), (0.0, 3.0)), ((14,), (1e6,)), ((700,), (0.0,))],
    "geometric": [((1,), (0.0, 1.0)), ((1e-300,), (0.0, 1e9)), ((1 - 1e-16,), (3.0,))],
    "discrete-uniform": [((0, 1e15), (0.0, 1e15)), ((3, 3), (3.0,))],
    "beta-binomial": [((10, 1e-9, 1e-9), (0.0, 5.0, 10.0)), ((1e4, 1, 1), (0.0, 1e4))],
    "hypergeometric": [((0, 0, 0), (0.0,)), ((1e5, 5e4, 100), (0.0, 50.0, 100.0))],
}

ROUNDINGS = 4.0
"""Allowed error, in roundings of the largest term that a formula adds (1e7 for a count of 1e6)."""


def density(name: str, x: Any, parameters: Any, **keywords: Any) -> Any:
    return log_density(m, FAMILIES[name], x, parameters, **keywords)


def test_every_family_is_tested() -> None:
    assert set(SCIPY) | CATEGORIES | VECTORS | {"factor"} == set(FAMILIES)
    assert set(EXTREMES) == set(SCIPY)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [(name, p) for name, (_, settings, _) in SCIPY.items() for p in settings],
)
def test_log_density_agrees_with_scipy(name: str, parameters: tuple[float, ...]) -> None:
    reference, _, points = SCIPY[name]
    frozen = reference(*parameters)
    with np.errstate(all="ignore"):
        logs = frozen.logpmf if FAMILIES[name].is_discrete else frozen.logpdf
        expected = np.array([float(logs(x)) for x in points])
    computed = density(name, np.array(points), parameters)
    np.testing.assert_allclose(computed, expected, rtol=1e-11, atol=1e-11)


def exact_density(precise: Any, name: str, x: Any, parameters: Any) -> float:
    return float(log_density(precise, FAMILIES[name], x, parameters))


EXTREME_CASES = [
    (name, parameters, x)
    for name, settings in EXTREMES.items()
    for parameters, points in settings
    for x in points
]


@pytest.mark.parametrize(("name", "parameters", "x"), EXTREME_CASES)
def test_log_density_is_precise_at_extremes(
    name: str, parameters: tuple[float, ...], x: float, precise: Any, sizes: Any
) -> None:
    expected = exact_density(precise, name, x, parameters)
    terms = log_density(sizes, FAMILIES[name], x, parameters).slopes
    tolerance = ROUNDINGS * np.finfo(float).eps * max(terms, 1.0)
    assert density(name, x, parameters) == pytest.approx(expected, rel=0.0, abs=tolerance)


@pytest.mark.parametrize("name", SCIPY)
def test_nan_is_never_taken_for_a_density_of_zero(name: str) -> None:
    _, settings, points = SCIPY[name]
    x, parameters = (
        next(x for x in points if np.isfinite(density(name, x, settings[1]))),
        settings[1],
    )
    for position in range(len(parameters)):
        broken = [*parameters[:position], np.nan, *parameters[position + 1 :]]
        assert np.isnan(density(name, x, broken)), FAMILIES[name].parameters[position].name


@pytest.mark.parametrize("name", [name for name in SCIPY if "bernoulli" not in name])
def test_nan_observed_is_nan(name: str) -> None:
    assert np.isnan(density(name, np.nan, SCIPY[name][1][1]))


# --- derivatives ---------------------------------------------------------------------------------

INTEGERS = (Constraint.COUNT, Constraint.INTEGER)
BORDERS = {"laplace": 0, "triangular": 1}  # the parameter at which the pieces meet


def derivative_cases() -> list[Any]:
    """All settings above at points where the density is differentiable, by argument."""
    settings = [(name, p, x) for name, (_, ps, xs) in SCIPY.items() for p in ps for x in xs]
    return [
        pytest.param(name, [x, *p], position, id=f"{name}-{p}-{x}-{position}")
        for name, p, x in [*settings, *EXTREME_CASES]
        for position in range(1 + len(p))
        if is_differentiable(name, [x, *p], position)
    ]


def is_differentiable(name: str, arguments: list[float], position: int) -> bool:
    family, (x, *parameters) = FAMILIES[name], arguments
    kinds = [None if family.is_discrete else Constraint.REAL]
    kinds += [parameter.constraint for parameter in family.parameters]
    if kinds[position] is None or kinds[position] in INTEGERS:
        return False
    if any(argument and not 1e-100 < abs(argument) < 1e100 for argument in arguments):
        return False
    if name in BORDERS and x == parameters[BORDERS[name]]:
        return False
    step = 1e-9 * abs(arguments[position]) or 1e-9
    sides = (
        [*arguments[:position], arguments[position] + step, *arguments[position + 1 :]],
        [
            *arguments[:position],
            arguments[position] - step,
            *arguments[position + 1 :],
        ],
    )
    return all(np.isfinite(density(name, side[0], side[1:])) for side in sides)


def derivative(dual: Any, name: str, arguments: list[float], position: int) -> float:
    numbers = [dual.number(argument) for argument in arguments]
    numbers[position].slopes = 1.0
    return float(log_density(dual, FAMILIES[name], numbers[0], numbers[1:]).slopes)


@pytest.mark.parametrize(("name", "arguments", "position"), derivative_cases())
def test_derivatives_are_right_in_value_and_parameters(
    name: str, arguments: list[float], position: int, dual: Any, slope: Any
) -> None:
    def formula(algebra: Any, x: Any, *parameters: Any) -> Any:
        return log_density(algebra, FAMILIES[name], x, parameters)

    expected = slope(formula, arguments, position)
    assert derivative(dual, name, arguments, position) == pytest.approx(expected, rel=1e-9)
