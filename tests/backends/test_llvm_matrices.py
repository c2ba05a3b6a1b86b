"""Quadratic forms and sums with sparse matrices: the native density agrees with NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from density_checks import check_gradient, check_moves, check_sweeps, check_values, compiled

import lfppl

SIZE = 30
FORM = """
(let [x (for [i (range (count A))] (sample (uniform -6 6)))
      form (dot x (mat-mul A x))]
  (factor (if (> (reduce max (map abs x)) 3) (- (- (* 0.1 form)) 1) (- (* 0.1 form))))
  x)
"""
WINDOWS = """
(let [x (for [i (range 20)] (sample (normal 0 1)))]
  (doseq [i (range 16)]
    (observe (normal (reduce + (for [j (range 2)] (* (get w j) (get x (+ i j))))) 1) 0))
  (doseq [i (range 16)]
    (observe (normal (reduce + (for [j (range 2)] (* (get w j) (get x (+ i (* 2 j)))))) 2) 0))
  x)
"""
BAND = np.eye(SIZE, k=1)
MATRICES = {
    "diagonal": np.diag(np.linspace(0.5, 2.0, SIZE)),
    "tridiagonal": 2 * np.eye(SIZE) + 0.7 * (BAND + BAND.T),
    "no diagonal": BAND + BAND.T,
    "not symmetric": 2 * np.eye(SIZE) + 0.7 * BAND,
    "some zeros on the diagonal": np.diag(np.arange(SIZE) % 3) + BAND + BAND.T,
}


@pytest.mark.parametrize("name", MATRICES)
def test_a_form_with_a_sparse_matrix_agrees(name: str) -> None:
    model = lfppl.compile(FORM, {"A": MATRICES[name]}).lir
    caller, generator = compiled(model), np.random.default_rng(9)
    check_values(model, caller, generator)
    check_gradient(model, caller, generator)
    check_moves(model, caller, generator, 40)
    check_sweeps(model, caller, generator)


def test_sums_over_different_windows_are_not_taken_for_one() -> None:
    model = lfppl.compile(WINDOWS, {"w": np.array([2.0, 3.0])})
    x = np.random.default_rng(0).normal(size=20)
    near, far = 2 * x[:16] + 3 * x[1:17], 2 * x[:16] + 3 * x[2:18]
    squares = (x**2).sum() + (near**2).sum() + (far**2 / 4).sum()
    constants = 52 * 0.5 * np.log(2 * np.pi) + 16 * np.log(2.0)
    assert model.log_density({"x": x}) == pytest.approx(-0.5 * squares - constants)
