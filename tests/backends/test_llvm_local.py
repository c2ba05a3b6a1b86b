"""Updates in registers: sums, extremes, products with matrices, quadratic forms."""

from __future__ import annotations

import numpy as np
import pytest
from density_checks import check_moves, check_sweeps, check_values, compiled

import lfppl
from lfppl.backends.llvm.compile import generate
from lfppl.lir.tables import Model

SUMMED = """(let [x (for [i (range d)] (sample (uniform -6 6)))
      total (sum (map (fn [a] (exp (* 9 a))) x))]
  (if (> total 1000) (factor -1) (factor 0))
  (factor (- (log total)))
  total)"""

EXTREME = """(let [x (for [i (range d)] (sample (uniform -6 6)))
      low (reduce min x)
      high (reduce max (map abs x))]
  (if (> (- high low) 5) (factor (* 0.3 low)) (factor (* -0.2 high)))
  high)"""

POSSIBLE = """(let [x (for [i (range d)] (sample (uniform 0 4)))
      total (sum (map (fn [a] (if (< a 1) (- (log 0)) (* a a))) x))]
  (factor (if (> total 9) -1 -2))
  (if (< total 1000) (factor (- total)) (factor -3))
  total)"""

DENSE = """(let [x (for [i (range (count A))] (sample (uniform -6 6)))
      potential (sqrt (dot x (mat-mul A x)))]
  (if (> (reduce max (map abs x)) 3)
    (factor (- (- potential) 1))
    (factor (- potential)))
  x)"""

PRODUCT = """(let [x (for [i (range (count A))] (sample (uniform -3 3)))
      y (mat-mul A x)]
  (if (> (reduce max y) 1) (factor (- (sum y))) (factor (reduce min y)))
  x)"""


REGRESSION = """(let [on (for [j (range (count A))] (sample (bernoulli 0.3)))
      slope (for [j (range (count A))] (sample (normal 0 1)))
      noise (sample (half-normal 1))
      mean (mat-mul A (map * on slope))]
  (doseq [i (range (count A))] (observe (normal (get mean i) noise) (* 0.3 i)))
  noise)"""

BOUNDED = """(let [on (for [j (range (count A))] (sample (discrete-uniform -2 2)))
      mean (mat-mul A on)]
  (doseq [i (range (count A))] (observe (uniform (- (get mean i) 40) (+ (get mean i) 40)) 3.5))
  mean)"""


def model_of(source: str, size: int) -> Model:
    if "A" in source:
        root = np.random.default_rng(size).normal(size=(size, size))
        matrix = root @ root.T + np.eye(size)
        return lfppl.compile(source, {"A": matrix + matrix.T}).lir
    return lfppl.compile(source, {"d": size}).lir


def check(model: Model, width: int | None = None) -> None:
    generator, caller = np.random.default_rng(4), compiled(model, width)
    check_values(model, caller, generator)
    check_moves(model, caller, generator, 50)
    for _ in range(10):
        check_sweeps(model, caller, generator)


@pytest.mark.parametrize("source", [SUMMED, EXTREME, POSSIBLE, DENSE, REGRESSION, BOUNDED])
@pytest.mark.parametrize("size", [5, 9, 21])
def test_updates_in_registers_are_moves(source: str, size: int) -> None:
    model = model_of(source, size)
    assert "@local_0(" in generate(model).text
    check(model)


@pytest.mark.parametrize("width", [1, 2, 4])
@pytest.mark.parametrize("source", [EXTREME, DENSE, REGRESSION])
def test_narrow_vectors_update_the_same(source: str, width: int) -> None:
    check(model_of(source, 13), width)


def test_cones_that_read_a_whole_product_are_left_to_moves() -> None:
    model = model_of(PRODUCT, 9)
    assert "local_" not in generate(model).text
    check(model)


def test_a_sum_that_cancels_is_computed_again() -> None:
    model = model_of(SUMMED, 4)
    caller = compiled(model)
    x = np.array([-5.0, -5.0, 5.9, -5.0])
    caller.evaluate(x)
    p = np.array([0.0, 0.0, -1e9, 0.0])
    colour = next(k for k, c in enumerate(caller.density.colours) if 2 in c)
    change = caller.sweep(colour, 11.0, p, np.ones(4)).change
    after = caller.x.copy()
    assert after[2] == pytest.approx(-5.1)
    before = compiled(model)
    assert change == pytest.approx(before.evaluate(after) - before.evaluate(x), rel=1e-12)
    returned = caller.values()[-1]
    assert returned == pytest.approx(np.exp(9 * after).sum(), rel=1e-12)
