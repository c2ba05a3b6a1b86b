"""Every primitive against fifty digits: its value, its derivatives, its behaviour at extremes."""

import inspect
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from lfppl.core.primitives import PRIMITIVES, STRUCTURAL, NumpyMath

m = NumpyMath()

REALS = (-700.0, -40.0, -3.0, -0.7, -1e-9, 1e-9, 0.4, 2.0, 35.0, 700.0)
MODERATE = (-30.0, -3.0, -0.7, -1e-9, 1e-9, 0.4, 2.0, 20.0)
ANGLES = (-9.0, -1.1, -1e-9, 0.4, 1.5, 20.0)
POSITIVES = (1e-300, 1e-20, 0.3, 1.0, 2.5, 40.0, 1e6, 1e300)
SHAPES = (1e-8, 0.1, 0.9, 1.7, 3.3, 50.0, 1e5)
TAILS = (-1e8, -3e4, -200.0, -50.1, -49.9, -10.0, -1.0, 0.0, 1.0, 7.0)
PAIRS = ((2.0, 3.0), (-2.5, 0.25), (1e-8, -7.0), (1e40, 1e-40))

POINTS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys("+-*/", PAIRS),
    "pow": ((2.0, 3.0), (0.3, -2.5), (1e-9, 0.5), (50.0, 12.5)),
    "neg": REALS,
    "exp": REALS,
    "log": POSITIVES,
    "log1p": (-0.999, -0.3, 1e-18, 0.5, 1e12),
    "expm1": (-30.0, -0.5, -1e-12, 1e-12, 3.0, 600.0),
    "sqrt": POSITIVES,
    "sin": ANGLES,
    "cos": ANGLES,
    "tan": ANGLES,
    "atan": (-1e8, *MODERATE),
    "sinh": REALS,
    "cosh": REALS,
    "tanh": (-15.0, -0.5, 1e-9, 0.5, 8.0),
    "sigmoid": (-700.0, -40.0, -1.0, 0.0, 1.0, 20.0),
    "softplus": REALS,
    "log-gamma": SHAPES,
    "digamma": SHAPES,
    "trigamma": SHAPES,
    "erf": (-3.0, -0.4, 1e-12, 0.7, 4.0),
    "ndtr": (-37.0, -5.0, -0.4, 0.0, 0.7, 6.0),
    "log-ndtr": TAILS,
    "log-i0": (-30.0, -0.6, 0.01, 1.0, 30.0, 5e3),
    "i1-over-i0": (-30.0, -0.6, 0.01, 1.0, 30.0, 5e3),
    "floor": (-1.5, 0.0, 0.5, 3.0, 1e12 + 0.5),
}
DIFFERENTIABLE = [p.name for p in PRIMITIVES.values() if not p.internal and not p.jumps]
RELATIVE = 2e-13
ABSOLUTE = 2e-15  # for values that pass through 0, and slopes made of 1 - y


def cases(names: Iterable[str]) -> list[Any]:
    return [
        pytest.param(name, np.atleast_1d(point).tolist(), id=f"{name}-{point}")
        for name in names
        for point in POINTS[name]
    ]


def partials(name: str, result: float, *arguments: float) -> Any:
    return m.run(PRIMITIVES[name].partials, result, *arguments)


def test_every_primitive_is_tested() -> None:
    assert set(POINTS) == set(PRIMITIVES)


@pytest.mark.parametrize(("name", "arguments"), cases(PRIMITIVES))
def test_value_is_right(name: str, arguments: list[float], precise: Any) -> None:
    exact = float(precise.run(lambda algebra, *values: algebra.apply(name, *values), *arguments))
    assert m.apply(name, *arguments) == pytest.approx(exact, rel=RELATIVE, abs=ABSOLUTE)


@pytest.mark.parametrize(("name", "arguments"), cases(DIFFERENTIABLE))
def test_partials_are_the_derivatives(name: str, arguments: list[float], slope: Any) -> None:
    for position, partial in enumerate(partials(name, m.apply(name, *arguments), *arguments)):
        exact = slope(lambda algebra, *v: algebra.apply(name, *v), arguments, position)
        assert partial == pytest.approx(exact, rel=3e-11, abs=ABSOLUTE)


@pytest.mark.parametrize("primitive", PRIMITIVES.values(), ids=lambda p: p.name)
def test_argument_counts_agree(primitive: Any) -> None:
    slopes = partials(primitive.name, 0.5, *[0.25] * primitive.arity)
    assert len(slopes) == primitive.arity
    assert len(inspect.signature(primitive.partials).parameters) == primitive.arity + 2


def test_only_floor_jumps_and_its_derivative_is_zero() -> None:
    assert [p.name for p in PRIMITIVES.values() if p.jumps] == ["floor"]
    assert PRIMITIVES["floor"].partials(m, 1.0, 1.5) == (None,)


def test_power_has_finite_partials_at_base_zero() -> None:
    assert partials("pow", 0.0, 0.0, 2.0) == (0.0, 0.0)


def test_power_zero_has_no_slope_in_its_base() -> None:
    assert partials("pow", 1.0, 0.0, 0.0)[0] == 0.0


def test_numbers_divide_without_an_exception() -> None:
    assert m.run(lambda algebra, x: 1.0 / x, 0) == np.inf


def test_names_of_methods_are_names_of_primitives() -> None:
    assert m.log_gamma(5.0) == pytest.approx(np.log(24.0))
    with pytest.raises(AttributeError):
        m.no_such_primitive(1.0)


def test_select_takes_any_number_as_its_condition() -> None:
    chosen = m.select(np.array([0.0, 1.0, -0.5]), np.array([np.nan, 1.0, 2.0]), 7.0)
    assert chosen.tolist() == [7.0, 1.0, 2.0]


@pytest.mark.parametrize("length", [3, 40])
def test_pick_takes_the_item_of_the_cell_and_clips(length: int) -> None:
    items = [10.0 * k for k in range(length)]
    picked = m.pick(np.array([-0.5, 0.0, 1.9, 2.0, 99.0]), items)
    assert picked.tolist() == [0.0, 0.0, 10.0, 20.0, items[-1]]


@pytest.mark.parametrize("length", [3, 40])
def test_pick_goes_row_by_row(length: int) -> None:
    items = [np.array([k, 100.0 + k]) for k in range(length)]
    assert m.pick(np.array([1.0, 2.0]), items).tolist() == [1.0, 102.0]


def test_pick_by_nan_is_nan() -> None:
    assert np.isnan(m.pick(np.nan, [1.0, 2.0]))
    assert m.pick(np.array([np.inf, -np.inf]), [1.0, 2.0]).tolist() == [2.0, 1.0]


def test_truth_values_are_zero_and_one() -> None:
    assert [float(m.both(a, b)) for a in (0.0, 1.0) for b in (0.0, 1.0)] == [0, 0, 0, 1]
    assert [float(m.either(a, b)) for a in (0.0, 1.0) for b in (0.0, 1.0)] == [0, 1, 1, 1]
    assert [float(m.negation(a)) for a in (0.0, 1.0)] == [1, 0]
    assert set(STRUCTURAL) == {"less", "select", "pick", "and", "or", "not"}


def test_reductions_of_vectors() -> None:
    items = [-1.0, 3.0, 2.0]
    assert (m.largest(items), m.smallest(items), m.sum(items)) == (3.0, -1.0, 4.0)


def test_log_sum_exp_does_not_overflow() -> None:
    assert m.log_sum_exp([1000.0, 1000.0]) == pytest.approx(1000.0 + np.log(2.0))
    assert m.log_sum_exp([-np.inf, -5.0]) == -5.0
