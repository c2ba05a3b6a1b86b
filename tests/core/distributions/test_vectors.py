"""Distributions over vectors and categories against scipy, and their derivatives."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.density import log_density
from lfppl.core.distributions.vectors import decompose
from lfppl.core.primitives import NumpyMath

m = NumpyMath()
MVN, DIRICHLET = FAMILIES["mvn"], FAMILIES["dirichlet"]
CATEGORICAL, LOGIT = FAMILIES["categorical"], FAMILIES["categorical-logit"]


def covariance(size: int, seed: int) -> Any:
    roots = np.random.default_rng(seed).normal(size=(size, size))
    return roots @ roots.T + 0.1 * np.eye(size)


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_multivariate_normal_agrees_with_scipy(size: int) -> None:
    generator = np.random.default_rng(size)
    x, mean, matrix = generator.normal(size=size), generator.normal(size=size), covariance(size, 1)
    expected = stats.multivariate_normal(mean, matrix).logpdf(x)
    assert log_density(m, MVN, x, [mean, matrix]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 1e-20, 1e20, 1e200])
def test_multivariate_normal_with_tiny_and_huge_variances(scale: float) -> None:
    matrix = np.array([[2.0, 0.5], [0.5, 1.0]])
    unit = log_density(m, MVN, [0.3, 0.4], [[0.0, 0.0], matrix])
    x = np.sqrt(scale) * np.array([0.3, 0.4])
    value = log_density(m, MVN, x, [[0.0, 0.0], scale * matrix])
    assert value == pytest.approx(unit - np.log(scale), rel=1e-13)


@pytest.mark.parametrize("matrix", [[[1.0, 2.0], [2.0, 1.0]], [[0.0, 0.0], [0.0, 1.0]], [[-1.0]]])
def test_a_matrix_that_is_not_positive_definite_has_density_zero(matrix: Any) -> None:
    zeros = [0.0] * len(matrix)
    assert log_density(m, MVN, zeros, [zeros, matrix]) == -np.inf


def test_decomposition_gives_the_matrix_back() -> None:
    matrix = covariance(4, 2)
    lower, pivots = decompose(matrix)
    full = np.eye(4)
    for i, row in enumerate(lower):
        full[i, :i] = row
    np.testing.assert_allclose(full @ np.diag(pivots) @ full.T, matrix, rtol=1e-12)


@pytest.mark.parametrize(
    ("concentration", "x"),
    [([1.0, 1.0], [0.0, 1.0]), ([2.0, 0.5, 3.0], [0.2, 0.3, 0.5]), ([1e-3] * 3, [0.9, 0.09, 0.01])],
)
def test_dirichlet_agrees_with_scipy(concentration: list[float], x: list[float]) -> None:
    expected = stats.dirichlet(concentration).logpdf(x)
    assert log_density(m, DIRICHLET, x, [concentration]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("x", [[0.5, 0.6], [-0.1, 1.1], [0.2, 0.2]])
def test_dirichlet_is_zero_off_the_simplex(x: list[float]) -> None:
    assert log_density(m, DIRICHLET, x, [[2.0, 3.0]]) == -np.inf


def test_dirichlet_refuses_a_concentration_of_zero() -> None:
    assert log_density(m, DIRICHLET, [0.5, 0.5], [[2.0, 0.0]]) == -np.inf


def test_categorical_normalises_its_weights() -> None:
    values = log_density(m, CATEGORICAL, np.array([0.0, 1.0, 2.0]), [[1.0, 3.0, 0.0]])
    np.testing.assert_allclose(values, [np.log(0.25), np.log(0.75), -np.inf])


def test_categorical_logit_survives_huge_logits() -> None:
    values = log_density(m, LOGIT, np.array([0.0, 1.0, 2.0]), [[1e4, 1e4 - 1.0, -1e4]])
    np.testing.assert_allclose(values, np.array([0.0, -1.0, -2e4]) - np.log1p(np.exp(-1.0)))


@pytest.mark.parametrize("family", [CATEGORICAL, LOGIT])
def test_categories_outside_the_range_have_probability_zero(family: Any) -> None:
    assert (
        log_density(m, family, np.array([-1.0, 3.0]), [[1.0, 1.0, 1.0]]).tolist() == [-np.inf] * 2
    )


@pytest.mark.parametrize("weights", [[0.0, 0.0], [-1.0, 2.0]])
def test_weights_must_be_nonnegative_and_not_all_zero(weights: list[float]) -> None:
    assert log_density(m, CATEGORICAL, 0.0, [weights]) == -np.inf


def test_nan_among_the_weights_is_nan() -> None:
    assert np.isnan(log_density(m, CATEGORICAL, 0.0, [[1.0, np.nan]]))


def test_factor_adds_its_argument() -> None:
    assert log_density(m, FAMILIES["factor"], 0.0, [-3.5]) == -3.5
    assert FAMILIES["factor"].observed_only


CASES: list[tuple[str, Any, Any]] = [
    ("mvn", [0.3, -0.2, 1.0], [[0.1, 0.2, 0.3], covariance(3, 3).tolist()]),
    ("dirichlet", [0.2, 0.3, 0.5], [[2.0, 0.5, 1.0]]),
    ("categorical", 1.0, [[0.2, 3.0, 1.5]]),
    ("categorical-logit", 1.0, [[0.2, 3.0, 3.0]]),
]


def flat(value: Any) -> list[float]:
    return np.ravel(value).tolist()


def shaped(numbers: list[Any], like: Any) -> Any:
    """The numbers, taken from the front of the list, in the nesting of `like`."""
    return [shaped(numbers, item) for item in like] if isinstance(like, list) else numbers.pop(0)


@pytest.mark.parametrize(("name", "x", "parameters"), CASES)
def test_derivatives_in_every_element(
    name: str, x: Any, parameters: Any, dual: Any, slope: Any
) -> None:
    everything = [x, *parameters]
    arguments = [number for part in everything for number in flat(part)]

    def formula(algebra: Any, *numbers: Any) -> Any:
        first, *rest = shaped(list(numbers), everything)
        return log_density(algebra, FAMILIES[name], first, rest)

    discrete = FAMILIES[name].is_discrete
    for position in range(1 if discrete else 0, len(arguments)):
        numbers = [dual.number(argument) for argument in arguments]
        numbers[position].slopes = 1.0
        expected = slope(formula, arguments, position)
        assert float(formula(dual, *numbers).slopes) == pytest.approx(expected, rel=1e-9)
