"""The formulas that switch between expressions agree with fifty digits on both sides."""

from typing import Any

import mpmath
import numpy as np
import pytest

from lfppl.core.distributions import formulas
from lfppl.core.distributions.bounded import log_normal_mass
from lfppl.core.primitives import NumpyMath

m = NumpyMath()


@pytest.mark.parametrize("x", [1e-9, 0.5, 3.0, 999.0, 1001.0, 1e6, 1e12])
def test_half_step_of_log_gamma(x: float) -> None:
    with mpmath.workdps(50):
        exact = float(mpmath.loggamma(mpmath.mpf(x) + 0.5) - mpmath.loggamma(x))
    rounding = 4e-16 * max(abs(float(m.log_gamma(min(x, 1000.0)))), 1.0)
    value = m.run(formulas.log_gamma_half_step, x)
    assert value == pytest.approx(exact, rel=0.0, abs=2.0 * rounding)


@pytest.mark.parametrize("x", [-1e-300, -1e-12, -0.5, -0.69, -0.7, -3.0, -60.0, -800.0])
def test_log_one_minus_exp(x: float) -> None:
    with mpmath.workdps(50):
        exact = float(mpmath.log(-mpmath.expm1(x)))
    assert m.run(formulas.log_one_minus_exp, x) == pytest.approx(exact, rel=1e-15, abs=0.0)


def exact_log_mass(a: float, b: float) -> float:
    with mpmath.workdps(400):
        left, right = (a, b) if a + b <= 0 else (-b, -a)
        return float(mpmath.log(mpmath.ncdf(right) - mpmath.ncdf(left)))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (-1.0, 1.0),
        (0.0, 0.0099),
        (0.0, 0.0101),
        (0.3, 0.3 + 1e-7),
        (-1e-12, 2e-12),
        (5.0, 5.001),
        (5.0, 5.002),
        (-30.0, -29.9999),
        (40.0, 41.0),
        (-41.0, -40.0),
        (-9.0, 40.0),
        (-2.0, 1e6),
    ],
)
def test_normal_mass_of_an_interval(a: float, b: float) -> None:
    exact = exact_log_mass(a, b)
    roundings = max(abs(exact), 1.0) * np.finfo(float).eps
    # A subtraction of nearly equal logarithms costs up to 1 / 0.01 of these roundings.
    assert m.run(log_normal_mass, a, b) == pytest.approx(exact, rel=0.0, abs=200.0 * roundings)


def test_normal_mass_of_half_lines_and_the_whole_line() -> None:
    mass = [m.run(log_normal_mass, a, b) for a, b in [(-np.inf, 0), (0, np.inf), (-np.inf, np.inf)]]
    np.testing.assert_allclose(np.exp(mass), [0.5, 0.5, 1.0])


@pytest.mark.parametrize("formula", [formulas.count_times_log, formulas.times_log])
def test_nothing_times_the_log_of_nothing_is_nothing(formula: Any) -> None:
    assert m.run(formula, 0.0, 0.0) == 0.0
    assert m.run(formula, 2.0, 0.0) == -np.inf
    assert m.run(formula, -0.5, 0.0) == (np.inf)
    assert m.run(formula, 2.0, np.e) == pytest.approx(2.0)


def test_minus_magnitude() -> None:
    assert m.run(formulas.minus_magnitude, np.array([-2.0, 0.0, 3.0])).tolist() == [-2, 0, -3]


@pytest.mark.parametrize(
    ("n", "k", "ways"), [(0, 0, 1), (5, 2, 10), (10, 10, 1), (40, 20, 137846528820)]
)
def test_choose(n: int, k: int, ways: int) -> None:
    assert m.run(formulas.log_choose, n, k) == pytest.approx(np.log(ways), abs=1e-13)
