"""The density in JAX agrees with the NumPy evaluator and with native code.

The primitives agree one by one; programs put them together.
"""

from __future__ import annotations

from collections.abc import Iterator

import jax
import numpy as np
import pytest
from density_checks import compiled, random_point, supported_point

from corpus import Case, examples, written
from corpus import compiled as program
from lfppl.backends.jax import batch_density_of
from lfppl.backends.jax.primitives import MATH, STRUCTURAL, VALUES
from lfppl.core.primitives import PRIMITIVES, NumpyMath
from lfppl.core.primitives import STRUCTURAL as NUMPY_STRUCTURAL
from lfppl.lir.evaluate import evaluate
from lowered import built

CASES = [case for case in examples() + written() if case.path.parent.name != "good"][::3]
GRID = np.array([-60.0, -3.5, -1.0, -0.3, 0.0, 1e-9, 0.4, 1.0, 2.5, 7.0, 150.0])


def product(a, b):
    return MATH.apply("*", a, b)


@pytest.fixture(autouse=True)
def _wide_numbers() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def test_every_operation_has_a_value_in_jax():
    assert VALUES.keys() == PRIMITIVES.keys()
    assert STRUCTURAL.keys() == NUMPY_STRUCTURAL.keys()


@pytest.mark.parametrize("name", sorted(VALUES))
def test_primitives_have_the_values_of_numpy(name: str):
    grids = np.meshgrid(*[GRID] * PRIMITIVES[name].arity)
    expected = NumpyMath().apply(name, *grids)
    known = np.isfinite(expected)
    np.testing.assert_allclose(
        np.asarray(MATH.apply(name, *grids))[known], expected[known], rtol=2e-11, atol=1e-13
    )


@pytest.mark.parametrize(
    ("formula", "point"),
    [
        (lambda x: MATH.select(MATH.less(x, 0.0), 0.0, MATH.log(x)), -1.0),
        (lambda x: MATH.select(MATH.less(0.0, x), MATH.sqrt(x), 1.0), 0.0),
        (lambda x: MATH.select(MATH.less(x, 1.0), x, product(x, MATH.log(x))), 0.0),
    ],
)
def test_a_branch_not_taken_does_not_poison_the_gradient(formula, point):
    assert np.isfinite(formula(point))
    assert np.isfinite(jax.grad(formula)(point))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_programs_agree(case: Case):
    check_agreement(program(case).lir)


RAGGED = """
(let [k 3
      x (for [i (range 6)] (sample (normal 0 2)))
      low (min (get x 0) (get x 1) (get x 2) (get x 3))
      w (mat-mul A x)
      n (sample (poisson 3))]
  (factor (if (< (max (get w 0) (get w 1)) 1) -1 low))
  (for [i (range 6)] (observe (normal (if (< (get x i) n) (get w 0) 2) 1) 0.5)))
"""


def test_reductions_and_matrices_agree():
    matrix = np.random.default_rng(3).normal(size=(2, 6))
    check_agreement(built(RAGGED, {"A": matrix}))


def check_agreement(model) -> None:
    """Value, bits, terms, values, gradient, and the sweep of every colour."""
    density, caller, generator = batch_density_of(model), compiled(model), np.random.default_rng(7)
    everything = jax.jit(
        lambda x: (density.gradient(x), density.branches(x), density.values(x), density.terms(x))
    )
    x = random_point(model, generator)
    (u, _, _), bits, values, terms = everything(x)
    expected = evaluate(model, x)
    np.testing.assert_allclose(u, -expected.log_density, rtol=1e-10, atol=1e-12)
    assert list(map(bool, bits)) == list(expected.bits.values())
    np.testing.assert_allclose(terms, expected.terms, rtol=1e-9, atol=1e-10)
    caller.evaluate(x)
    np.testing.assert_allclose(values, caller.values(), rtol=1e-9, atol=1e-12)
    start = supported_point(model, generator)
    if start is not None:
        (_, slope, numbers), *_ = everything(start)
        np.testing.assert_allclose(slope, caller.gradient(start)[1], rtol=1e-8, atol=1e-9)
        check_sweeps(model, density, caller, numbers, generator)


def check_sweeps(model, density, caller, numbers, generator) -> None:
    """Every colour after the other, from where the one before has come to."""
    sweep = jax.jit(density.sweep)
    for colour in range(len(density.colours)):
        p, s = generator.laplace(size=(2, model.dimension)) * 1.0
        s = 0.5 + np.abs(s)
        momenta = p.copy()
        caller.evaluate(np.array(numbers[: model.dimension]))
        expected = caller.sweep(colour, 0.4, momenta, s)
        found = sweep(colour, numbers, 0.4, p, s)
        numbers = found.numbers
        assert int(found.moved) == expected.moved
        np.testing.assert_allclose(numbers[: model.dimension], caller.x, rtol=1e-12)
        np.testing.assert_allclose(found.momentum, momenta, rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(found.change, expected.change, rtol=1e-8, atol=1e-8)
