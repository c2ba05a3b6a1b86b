"""Sweeps in every situation: rows that are computed again, points that are impossible, NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from density_checks import (
    check_gradient,
    check_moves,
    check_sweeps,
    check_values,
    compiled,
    single_update,
)
from hand_built import assemble, block, factor, make_map
from hypothesis import given
from hypothesis import strategies as st

import lfppl
from lfppl.backends.llvm.compile import generate
from lfppl.backends.llvm.stages import Stage
from lfppl.backends.llvm.tape import Tape, evaluate_operation
from lfppl.backends.llvm.updates import changes, quick_changes
from lfppl.lir.tables import Affine, Model, Table

WEIGHTS = [(0.5, 0.5), (0.3, 0.7), (0.2, 0.3, 0.5), (0.1, 0.1, 0.1, 0.2, 0.2, 0.1, 0.2)]


SCALES = ["1", "(+ 1 (* 0.5 (get z n)))"]
"""With the first, moves compute a term again, since it is cheap; with the second it is kept."""


def mixture(weights: tuple[float, ...], scale: str = SCALES[0], count: int = 21) -> Model:
    numbers = " ".join(map(str, weights))
    source = f"""(let [mu (for [k (range {len(weights)})] (sample (normal 0 2)))
      z (for [n (range (count y))] (sample (categorical [{numbers}])))]
  (doseq [n (range (count y))]
    (observe (normal (get mu (get z n)) {scale}) (get y n)))
  mu)"""
    y = np.random.default_rng(0).normal(size=count)
    return lfppl.compile(source, {"y": y.tolist()}).lir


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("width", [1, None])
def test_labels_of_any_number_and_weight(
    weights: tuple[float, ...], scale: str, width: int | None
) -> None:
    generator, model = np.random.default_rng(1), mixture(weights, scale)
    caller = compiled(model, width)
    check_values(model, caller, generator)
    check_moves(model, caller, generator, 20)
    for _ in range(5):
        check_sweeps(model, caller, generator)


SMOOTH = """(let [x (for [i (range d)] (sample (normal 0 2)))
      y (for [i (range d)] (* (get x i) (get x i)))]
  (factor (- (sqrt (sum y))))
  (factor (- (reduce max x)))
  y)"""


@pytest.mark.parametrize("count", range(4, 24))
def test_any_number_of_rows(count: int) -> None:
    generator = np.random.default_rng(3)
    for model in (mixture((0.3, 0.7), count=count), lfppl.compile(SMOOTH, {"d": count}).lir):
        caller = compiled(model)
        check_values(model, caller, generator)
        check_gradient(model, caller, generator)
        check_sweeps(model, caller, generator)


def test_cheap_terms_are_computed_again_and_costly_ones_kept() -> None:
    assert generate(mixture((0.2, 0.8))).layout.recomputed
    assert not generate(mixture((0.2, 0.8), SCALES[1])).layout.recomputed


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("scale", SCALES)
def test_a_sweep_of_an_impossible_point_is_its_moves(
    weights: tuple[float, ...], scale: str
) -> None:
    generator, model, k = np.random.default_rng(2), mixture(weights, scale), len(weights)
    caller, single = compiled(model), compiled(model)
    for _ in range(20):
        x = generator.uniform(-0.7, k + 0.7, size=model.dimension)
        x[k] = -0.1
        p, s = generator.laplace(size=len(x)), generator.uniform(0.5, 2, size=len(x))
        momenta = p.copy()
        assert caller.evaluate(x) == single.evaluate(x) == np.inf
        swept = caller.sweep(0, 0.8, p, s)
        moved = sum(single_update(single, b, 0.8, momenta, s) for b in range(k, len(x)))
        assert moved == swept.moved > 0
        np.testing.assert_allclose(caller.x, single.x, rtol=1e-12)
        np.testing.assert_allclose(p, momenta, rtol=1e-8, atol=1e-9)


def test_a_nan_reaches_the_change_and_moves_nothing() -> None:
    model = mixture((0.2, 0.3, 0.5))
    caller = compiled(model)
    x = np.full(model.dimension, 1.5)
    x[1] = np.nan
    caller.evaluate(x)
    p = np.ones(len(x))
    swept = caller.sweep(0, 0.1, p, np.ones(len(x)))
    assert np.isnan(swept.change) and swept.moved == 0
    assert np.array_equal(caller.x, x, equal_nan=True) and np.all(p[3:] == -1.0)


def test_a_momentum_of_zero_moves_nothing() -> None:
    model = mixture((0.2, 0.3, 0.5))
    caller = compiled(model)
    x = np.random.default_rng(0).uniform(0, 3, model.dimension)
    for zero in (0.0, -0.0):
        caller.evaluate(x)
        swept = caller.sweep(0, 0.5, np.full(len(x), zero), np.ones(len(x)))
        assert swept.moved == 0 and swept.change == 0.0 and np.array_equal(caller.x, x)


NEAR_WHOLE = np.array(
    [v for c in (-1.0, 0.0, 1.0, 2.0, 5.0) for v in (np.nextafter(c, -9), c, np.nextafter(c, 9))]
    + [-np.inf, np.inf, -0.0, 2.0**60]
)


def test_comparisons_of_whole_numbers_need_no_rounding() -> None:
    def formula(m: Any, k: Any, d: Any) -> list[Any]:
        whole = m.floor(d + k)
        tests = [m.less(whole, 1.0), m.less(1.0, whole), m.less(1.5, whole), m.less(whole, 1.5)]
        tests += [m.less(1.0 - whole, 0.0), m.less(2.0**60, whole), m.less(whole, np.inf)]
        tests += [m.pick(whole, [3.0, 4.0, 5.0]) / 8.0]
        return [sum(2.0**i * test for i, test in enumerate(tests))]

    count = len(NEAR_WHOLE)
    node = make_map([Affine(0, 0), Table(NEAR_WHOLE)], count, 1, formula)
    model = assemble(1, count + 1, [block("k", [0])], [node], [factor(0, 0, count)])
    caller = compiled(model)
    caller.evaluate(np.zeros(1))
    whole = np.floor(NEAR_WHOLE)
    tests = [whole < 1, whole > 1, whole > 1.5, whole < 1.5, whole > 1, whole > 2.0**60]
    tests += [whole < np.inf, np.choose(np.clip(whole, 0, 2).astype(int), [3.0, 4.0, 5.0]) / 8]
    np.testing.assert_array_equal(caller.terms(), sum(2.0**i * t for i, t in enumerate(tests)))


FINITE = st.floats(-1e3, 1e3)
ANY = st.one_of(FINITE, st.sampled_from([np.inf, -np.inf, np.nan]))


@given(st.lists(st.tuples(ANY, ANY, st.booleans(), st.booleans()), min_size=1, max_size=3))
def test_quick_changes_are_the_careful_ones(rows: list[tuple[float, float, bool, bool]]) -> None:
    tape = Tape()
    inputs: dict[int, float] = {}
    pairs = []
    for new, old, may, might in rows:
        leaves = [tape.leaf(("x", len(inputs), i), Stage.ROW) for i in range(4)]
        inputs |= dict(zip((v.index for v in leaves), (new, old, may, might), strict=True))
        a, b, now, before = leaves
        guarded = [tape.select(test, 3.0 * x - 2.0, -np.inf) for test, x in ((now, a), (before, b))]
        pairs.append((guarded[0], guarded[1]))
    quick, careful = quick_changes(tape, pairs), changes(tape, pairs)
    with np.errstate(all="ignore"):
        found, expected = (numeric(tape, v.index, inputs) for v in (quick, careful))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9)


def numeric(tape: Tape, index: int, inputs: dict[int, float]) -> float:
    """The value of a register by NumPy."""
    if index in inputs:
        return float(inputs[index])
    if tape.operations[index] == "const":
        return float(tape.payloads[index])
    arguments = [np.float64(numeric(tape, i, inputs)) for i in tape.arguments[index]]
    return float(evaluate_operation(tape.operations[index], *arguments))
