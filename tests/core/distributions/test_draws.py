"""Draws follow the densities; false alarms have probability below 1e-6 in each test."""

from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.density import log_density
from lfppl.core.distributions.draws import draw
from lfppl.core.primitives import NumpyMath
from lfppl.errors import CompilerBug

m = NumpyMath()

SIZE = 20_000
FALSE_ALARM = 1e-6

CONTINUOUS: dict[str, tuple[tuple[float, ...], Any]] = {
    "normal": ((1, 2), stats.norm(1, 2)),
    "student-t": ((3, 1, 2), stats.t(3, 1, 2)),
    "cauchy": ((1, 2), stats.cauchy(1, 2)),
    "laplace": ((1, 2), stats.laplace(1, 2)),
    "logistic": ((1, 2), stats.logistic(1, 2)),
    "lognormal": ((0.5, 0.7), stats.lognorm(0.7, scale=np.exp(0.5))),
    "half-normal": ((2,), stats.halfnorm(scale=2)),
    "half-cauchy": ((2,), stats.halfcauchy(scale=2)),
    "exponential": ((4,), stats.expon(scale=0.25)),
    "gamma": ((2, 3), stats.gamma(2, scale=1 / 3)),
    "inverse-gamma": ((2, 3), stats.invgamma(2, scale=3)),
    "chi-squared": ((3,), stats.chi2(3)),
    "weibull": ((1.5, 2), stats.weibull_min(1.5, scale=2)),
    "pareto": ((0.5, 2), stats.pareto(2, scale=0.5)),
    "uniform": ((-1, 3), stats.uniform(-1, 4)),
    "beta": ((2, 3), stats.beta(2, 3)),
    "triangular": ((-1, 0.5, 3), stats.triang(1.5 / 4, -1, 4)),
    "truncated-normal": ((1, 2, -1, 3), stats.truncnorm(-1, 1, 1, 2)),
    "von-mises": ((0, 2), stats.vonmises_line(2)),
}

DISCRETE: dict[str, tuple[Any, ...]] = {
    "bernoulli": (0.3,),
    "bernoulli-logit": (-1.0,),
    "binomial": (9.0, 0.3),
    "binomial-logit": (9.0, -1.0),
    "negative-binomial": (2.5, 0.4),
    "poisson": (4.0,),
    "poisson-log": (1.0,),
    "geometric": (0.3,),
    "discrete-uniform": (-2.0, 5.0),
    "beta-binomial": (9.0, 0.7, 2.0),
    "hypergeometric": (20.0, 7.0, 12.0),
}


def generator() -> np.random.Generator:
    return np.random.default_rng(20261118)


def many(name: str, parameters: tuple[float, ...]) -> Any:
    wide = [np.full(SIZE, float(parameter)) for parameter in parameters]
    return draw(generator(), FAMILIES[name], wide)


def assert_frequencies(values: Any, probabilities: Any) -> None:
    """A chi-squared test; cells with fewer than ten expected values are joined."""
    counts = np.bincount(values.astype(int), minlength=len(probabilities)).astype(float)
    small = SIZE * probabilities < 10
    expected = np.append(SIZE * probabilities[~small], SIZE * (1 - probabilities[~small].sum()))
    observed = np.append(counts[~small], counts[small].sum())
    used = expected > 1e-6
    statistic = ((observed[used] - expected[used]) ** 2 / expected[used]).sum()
    assert stats.chi2(used.sum() - 1).sf(statistic) > FALSE_ALARM


def test_every_family_is_tested() -> None:
    others = {"mvn", "dirichlet", "categorical", "categorical-logit", "factor"}
    assert set(CONTINUOUS) | set(DISCRETE) | others == set(FAMILIES)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous_draws_follow_the_distribution(name: str) -> None:
    parameters, reference = CONTINUOUS[name]
    values = many(name, parameters)
    assert values.dtype == np.float64
    assert stats.kstest(values, reference.cdf).pvalue > FALSE_ALARM


@pytest.mark.parametrize("name", DISCRETE)
def test_discrete_draws_follow_the_probabilities(name: str) -> None:
    values = many(name, DISCRETE[name])
    lowest = -2.0 if name == "discrete-uniform" else 0.0
    support = lowest + np.arange(60.0)
    assert_frequencies(
        values - lowest, np.exp(log_density(m, FAMILIES[name], support, DISCRETE[name]))
    )


@pytest.mark.parametrize("name", ["categorical", "categorical-logit"])
def test_categories_follow_the_probabilities(name: str) -> None:
    family, parameter, source = FAMILIES[name], [0.0, 1.0, 0.5, 2.5], generator()
    values = np.array([draw(source, family, [parameter]) for _ in range(SIZE)])
    assert_frequencies(values, np.exp(log_density(m, family, np.arange(4.0), [parameter])))


@pytest.mark.parametrize("name", DISCRETE)
def test_probabilities_sum_to_one(name: str) -> None:
    support = np.arange(-10.0, 400.0)
    total = np.exp(log_density(m, FAMILIES[name], support, DISCRETE[name])).sum()
    assert total == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_densities_integrate_to_the_mass_of_a_cell(name: str) -> None:
    parameters, reference = CONTINUOUS[name]
    low, high = reference.ppf(0.3), reference.ppf(0.45)
    mass, _ = integrate.quad(
        lambda x: float(np.exp(log_density(m, FAMILIES[name], x, parameters))), low, high
    )
    assert mass == pytest.approx(0.15, abs=1e-9)


@pytest.mark.parametrize(("low", "high"), [(30.0, 31.0), (-31.0, -30.0), (30.0, np.inf)])
def test_truncated_normal_draws_far_in_a_tail(low: float, high: float) -> None:
    values = many("truncated-normal", (0.0, 1.0, low, high))
    assert ((low <= values) & (values <= high)).all()
    near = min(abs(low), abs(high))  # the excess over 30 is almost exponential with rate 30
    excess = near * (np.abs(values) - near)
    assert excess.mean() == pytest.approx(1.0 - 1.0 / near**2, abs=6.0 / np.sqrt(SIZE))


def test_von_mises_draws_stay_on_the_circle() -> None:
    values = many("von-mises", (3.0, 1.0))
    assert (np.abs(values) <= np.pi).all()
    turned = np.mod(values - 3.0 + np.pi, 2.0 * np.pi) - np.pi
    assert stats.kstest(turned, stats.vonmises_line(1.0).cdf).pvalue > FALSE_ALARM


def test_multivariate_normal_draws() -> None:
    mean, covariance = np.array([1.0, -2.0]), np.array([[2.0, 0.8], [0.8, 1.0]])
    source = generator()
    values = np.array([draw(source, FAMILIES["mvn"], [mean, covariance]) for _ in range(SIZE)])
    across = np.array([1.0, -1.5])
    spread = np.sqrt(across @ covariance @ across)
    reference = stats.norm(across @ mean, spread)
    assert stats.kstest(values @ across, reference.cdf).pvalue > FALSE_ALARM


def test_dirichlet_draws() -> None:
    source = generator()
    values = np.array([draw(source, FAMILIES["dirichlet"], [[1.0, 2.0, 0.5]]) for _ in range(SIZE)])
    np.testing.assert_allclose(values.sum(axis=1), 1.0)
    for position, (a, b) in enumerate([(1.0, 2.5), (2.0, 1.5), (0.5, 3.0)]):
        assert stats.kstest(values[:, position], stats.beta(a, b).cdf).pvalue > FALSE_ALARM


@pytest.mark.parametrize("name", [*CONTINUOUS, *DISCRETE])
def test_a_draw_of_numbers_is_a_number(name: str) -> None:
    parameters = CONTINUOUS[name][0] if name in CONTINUOUS else DISCRETE[name]
    value = draw(generator(), FAMILIES[name], parameters)
    assert value.shape == ()
    assert np.isfinite(value)


@pytest.mark.parametrize("name", [*CONTINUOUS, *DISCRETE])
def test_parameters_broadcast(name: str) -> None:
    parameters = CONTINUOUS[name][0] if name in CONTINUOUS else DISCRETE[name]
    first, *rest = parameters
    assert draw(generator(), FAMILIES[name], [np.full((2, 3), first), *rest]).shape == (2, 3)


@pytest.mark.parametrize("name", [*CONTINUOUS, *DISCRETE])
def test_a_broken_parameter_gives_nan_and_no_exception(name: str) -> None:
    parameters = CONTINUOUS[name][0] if name in CONTINUOUS else DISCRETE[name]
    for position in range(len(parameters)):
        broken = [*parameters[:position], np.nan, *parameters[position + 1 :]]
        assert np.isnan(draw(generator(), FAMILIES[name], broken))


def test_only_the_broken_elements_are_nan() -> None:
    values = draw(generator(), FAMILIES["poisson"], [np.array([1.0, -1.0, 1e30, 2.0])])
    assert np.isnan(values).tolist() == [False, True, False, False]


def test_broken_vectors_give_nan() -> None:
    assert np.isnan(draw(generator(), FAMILIES["categorical"], [[-1.0, 2.0]]))
    assert np.isnan(draw(generator(), FAMILIES["mvn"], [[0.0, 0.0], -np.eye(2)])).all()
    assert np.isnan(draw(generator(), FAMILIES["dirichlet"], [[1.0, np.nan]])).all()


def test_a_factor_cannot_be_drawn() -> None:
    with pytest.raises(CompilerBug, match="observed only"):
        draw(generator(), FAMILIES["factor"], [0.0])
