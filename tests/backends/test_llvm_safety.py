"""Branches not taken, infinities, NaN, threads, and machines without vector functions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from density_checks import check_gradient, check_values, compiled, single_update
from hand_built import assemble, block, factor, make_map, mixture, normal_log_density

import lfppl
from lfppl.backends.llvm import compile_density, diagnose, emit_llvm, functions
from lfppl.errors import ModelError
from lfppl.lir.evaluate import evaluate
from lfppl.lir.tables import Affine, Model, Table


def one_variable(formula: Callable[[Any, Any], Any], rows: int = 1) -> Model:
    """The density exp(formula(x)) of continuous coordinates, one row each."""
    node = make_map([Affine(0, 1)], rows, rows, lambda m, x: [formula(m, x)])
    return assemble(rows, 2 * rows, [block("x", range(rows))], [node], [factor(0, 0, rows)])


def forked(m: Any, x: Any) -> Any:
    inner = m.select(m.less(x, 1.0), x, m.log(x - 1.0) / (x - 1.0))
    return m.select(m.less(x, 0.0), -x, inner)


def chosen(m: Any, x: Any) -> Any:
    return m.pick(m.select(m.less(x, 0.0), 0.0, 1.0), [2.0 * x, m.log(x)])


def shared(m: Any, x: Any) -> Any:
    return m.select(m.less(x, 0.0), 0.0, m.log(x)) + m.select(m.less(0.0, x), 0.0, x)


def twice(m: Any, x: Any) -> Any:
    """A term with an infinite slope that both of two branches share, neither being taken."""
    infinite = m.select(x, x * -np.inf, 0.0)
    first = m.select(m.less(-5.0, x), x, infinite)
    return first + m.select(m.less(x, 5.0), 2.0 * x, infinite)


POISONS: dict[str, tuple[Any, dict[float, float]]] = {
    "log of a negative": (
        lambda m, x: m.select(m.less(x, 0.0), 0.0, m.log(x)),
        {-1.0: 0.0, 0.5: 2.0},
    ),
    "root at zero": (
        lambda m, x: m.select(m.less(0.0, x), m.sqrt(x), x),
        {0.0: 1.0, -1.0: 1.0, 0.25: 1.0},
    ),
    "zero times infinity": (
        lambda m, x: m.select(m.less(x, 1.0), 3.0 * x, m.exp(1e4 * x) * (1.0 / (x - x))),
        {0.0: 3.0, 0.5: 3.0, -1.0: 3.0},
    ),
    "nested": (forked, {-1.0: -1.0, 0.5: 1.0, 2.0: 1.0, 0.0: 1.0}),
    "picked": (chosen, {-1.0: 2.0, 0.5: 2.0}),
    "shared beyond the branch": (shared, {-1.0: 1.0, 0.5: 2.0}),
    "shared by branches": (twice, {-1.0: 3.0, 0.5: 3.0}),
}


@pytest.mark.parametrize("name", POISONS)
@pytest.mark.parametrize("rows", [1, 11])
def test_a_branch_not_taken_never_poisons_the_gradient(name: str, rows: int) -> None:
    formula, slopes = POISONS[name]
    caller = compiled(one_variable(formula, rows))
    for x, expected in slopes.items():
        u, slope = caller.gradient(np.full(rows, x))
        assert np.isfinite(u)
        np.testing.assert_allclose(-slope, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("rows", [1, 11])
def test_a_branch_not_taken_never_poisons_the_node_before(rows: int) -> None:
    first = make_map([Affine(0, 1)], rows, rows, lambda m, x: [x * -np.inf])
    second = make_map(
        [Affine(0, 1), Affine(rows, 1)],
        rows,
        2 * rows,
        lambda m, x, y: [m.select(m.less(x, 9.0), 2.0 * x, y)],
    )
    variables, nodes = [block("x", range(rows))], [first, second]
    model = assemble(rows, 3 * rows, variables, nodes, [factor(1, 0, rows)])
    _, slope = compiled(model).gradient(np.full(rows, 0.5))
    assert np.all(slope == -2)


def test_a_density_of_zero_leaves_the_other_derivatives_alone() -> None:
    formula: Callable[[Any, Any], Any] = lambda m, x: m.select(m.less(0.0, x), -x, -np.inf)  # noqa: E731
    u, slope = compiled(one_variable(formula, 9)).gradient(np.array([1.0] * 8 + [-1.0]))
    assert u == np.inf
    assert np.all(slope[:8] == 1) and slope[8] == 0


def test_a_row_that_stays_impossible_changes_nothing() -> None:
    caller = compiled(mixture(np.arange(4.0)))
    x = np.array([0.0, 1.0, -5.0, 0.5, 1.5, 0.5])
    assert caller.evaluate(x) == np.inf
    assert np.isfinite(caller.move(3, 1.5))
    assert caller.move(2, 0.5) == -np.inf
    assert np.isfinite(caller.evaluate())
    assert caller.move(4, 9.0) == np.inf


@pytest.mark.parametrize("points", [1, 7, 8, 9, 64, 1003])
@pytest.mark.parametrize("components", [2, 3, 9])
def test_mixtures_of_any_size(points: int, components: int) -> None:
    model = mixture(np.random.default_rng(0).normal(size=points), components)
    caller, generator = compiled(model), np.random.default_rng(1)
    check_values(model, caller, generator)
    check_gradient(model, caller, generator)


def test_ten_thousand_random_moves_are_undone_bitwise() -> None:
    source = """(let [mu (for [k (range 3)] (sample (normal 0 2)))
                      n (sample (poisson 3))
                      z (for [i (range (count y))] (sample (categorical [0.2 0.5 0.3])))
                      x (for [j (range (count A))] (sample (uniform -4 4)))]
      (doseq [i (range (count y))]
        (observe (normal (+ (get mu (get z i)) (* 0.1 n)) 1) (get y i)))
      (if (> (reduce max (map abs x)) 3) (factor -1) (factor (- (sqrt (dot x (mat-mul A x))))))
      mu)"""
    generator = np.random.default_rng(5)
    root = generator.normal(size=(300, 300))
    data = {"y": generator.normal(size=20), "A": root @ root.T / 300 + np.eye(300)}
    model = lfppl.compile(source, data).lir
    caller = compiled(model)
    x = generator.uniform(0.1, 0.9, size=model.dimension)
    caller.evaluate(x)
    for _ in range(10_000):
        before = caller.workspace.tobytes() if generator.uniform() < 0.02 else None
        head = caller.workspace[: model.size].tobytes()
        b = int(generator.choice(caller.density.discontinuous))
        change = caller.move(b, caller.x[b] + generator.normal())
        if np.isinf(change) or generator.uniform() < 0.7:
            caller.undo()
            assert caller.workspace[: model.size].tobytes() == head
        assert before is None or len(before) == caller.workspace.nbytes
    moved = caller.workspace[: model.size].copy()
    caller.evaluate()
    np.testing.assert_allclose(moved, caller.workspace[: model.size], rtol=1e-9, atol=1e-9)


def test_threads_with_their_own_workspaces_do_not_disturb_one_another() -> None:
    model = lfppl.compile(
        Path(__file__).parents[2] / "examples" / "mixture.lfppl",
        {"y": np.random.default_rng(0).normal(size=200)},
    ).lir
    density = compile_density(model)
    results: dict[int, Any] = {}

    def work(seed: int) -> None:
        from lfppl.backends.llvm import CompiledDensity

        caller, generator = CompiledDensity(density), np.random.default_rng(seed)
        x = np.concatenate([generator.normal(size=2), generator.uniform(0, 2, size=200)])
        p, s = generator.laplace(size=202), np.ones(202)
        u = caller.evaluate(x)
        for _ in range(300):
            u += caller.sweep(0, 0.2, p, s).change
            u -= caller.gradient()[0] - caller.evaluate()
        results[seed] = (u, caller.evaluate(), caller.x.copy(), p)

    threads = [threading.Thread(target=work, args=(seed % 3,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(3):
        found = results[seed]
        np.testing.assert_allclose(found[0], found[1], rtol=1e-9)
        work(seed)
        assert np.array_equal(results[seed][2], found[2]) and np.array_equal(
            results[seed][3], found[3]
        )


def test_without_vector_functions_lanes_are_computed_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def formula(m: Any, x: Any) -> Any:
        waves = m.sin(x) + m.cos(x) * m.tan(0.3 * x) + m.atan(x) + m.erf(x)
        return (
            waves
            - m.log1p(m.exp(x))
            + m.expm1(-x * x)
            + m.tanh(x)
            - m.softplus(x)
            + m.sinh(0.1 * x)
        )

    model = one_variable(formula, 13)
    generator = np.random.default_rng(3)
    with_vectors = compiled(model)
    monkeypatch.setattr(functions, "_from_libmvec", lambda operation, width: None)
    functions.lookup.cache_clear()
    without = compiled(model)
    functions.lookup.cache_clear()
    check_values(model, without, generator)
    check_gradient(model, without, generator)
    check_gradient(model, with_vectors, generator)
    assert "lfppl_exp_" not in emit_llvm(model) or "lfppl_exp(" not in emit_llvm(model)


SPECIAL = (
    "log-gamma",
    "digamma",
    "ndtr",
    "log-ndtr",
    "log-i0",
    "sigmoid",
    "softplus",
    "erf",
    "pow",
)


@pytest.mark.parametrize("name", SPECIAL)
def test_special_functions_and_their_derivatives(name: str) -> None:
    def formula(m: Any, x: Any) -> Any:
        positive = m.exp(x) + 0.3
        return m.apply(name, positive, 1.7) if name == "pow" else m.apply(name, positive)

    model = one_variable(formula, 11)
    caller, generator = compiled(model), np.random.default_rng(2)
    check_values(model, caller, generator)
    check_gradient(model, caller, generator)


def test_nan_is_named_with_its_vertex_and_place() -> None:
    source = "(let [x (sample (normal 0 1))]\n  (observe (normal (log (- x 9)) 1) 0.5)\n  x)"
    model = lfppl.compile(source).lir
    caller = compiled(model)
    assert np.isnan(caller.evaluate(np.array([0.0])))
    error = diagnose(model, caller.density, caller.workspace)
    assert isinstance(error, ModelError) and error.code == "not-a-number"
    assert error.span is not None and error.span.line == 2


def test_data_beyond_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from lfppl.backends.llvm import compile as compiling

    monkeypatch.setattr(compiling, "_available_memory", lambda: 100)
    with pytest.raises(ModelError, match="the model needs"):
        compile_density(mixture(np.arange(50.0)))


def test_a_processor_that_llvm_does_not_know_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    from lfppl.backends.llvm import machine

    class Unknown:
        @staticmethod
        def from_default_triple() -> None:
            raise RuntimeError("no target for this triple")

    monkeypatch.setattr(machine.llvm, "Target", Unknown)
    with pytest.raises(ModelError, match="no target for this triple") as caught:
        machine.target_machine()
    assert "x86-64 or AArch64" in str(caught.value)


def test_a_missing_function_is_named() -> None:
    with pytest.raises(ModelError, match="`airy` was not found"):
        functions.lookup("airy", 1)


def test_costly_functions_of_the_data_are_computed_once() -> None:
    y = np.arange(1.0, 9.0)
    node = make_map(
        [Affine(0, 0), Table(y)],
        8,
        1,
        lambda m, x, d: [normal_log_density(m, d, x, 1.0) - m.log_gamma(d)],
    )
    model = assemble(1, 9, [block("x", [0])], [node], [factor(0, 0, 8)])
    assert "log_gamma" not in emit_llvm(model)
    check_values(model, compiled(model), np.random.default_rng(0))


def test_a_sweep_of_one_is_one_move() -> None:
    model = mixture(np.array([0.3]))
    caller, other = compiled(model), compiled(model)
    x, p, s = np.array([0.0, 1.0, 0.5]), np.array([0.0, 0.0, 2.0]), np.ones(3)
    q = p.copy()
    caller.evaluate(x)
    other.evaluate(x)
    moved = caller.sweep(0, 1.0, p, s).moved
    assert moved == single_update(other, 2, 1.0, q, s)
    assert np.array_equal(caller.x, other.x) and np.array_equal(p, q)


@pytest.mark.parametrize("width", [1, 8])
def test_comparisons_are_not_moved_by_shortcuts_of_rounding(width: int) -> None:
    divisors = np.arange(1.0, 400.0)

    def formula(m: Any, k: Any, d: Any, tenth: Any) -> list[Any]:
        quotient = m.less(d / d * (k / k), 1.0)
        share = m.less((d * k) / (k * 49.0) * 49.0 / d, 1.0)
        fused = m.less(0.1 * d * k - tenth, 0.0)
        return [quotient + 2.0 * share + 4.0 * fused]

    columns = [Affine(0, 0), Table(divisors), Table(0.1 * divisors * 49.0)]
    node = make_map(columns, len(divisors), 1, formula)
    model = assemble(1, 400, [block("k", [0])], [node], [factor(0, 0, len(divisors))])
    check = compiled(model, width)
    check.evaluate(np.array([49.0]))
    assert np.array_equal(check.terms(), evaluate(model, np.array([49.0])).terms)


@pytest.mark.parametrize("points", [1_000, 100_000])
def test_memory_stays_within_four_times_data_and_variables(points: int) -> None:
    model = mixture(np.random.default_rng(0).normal(size=points))
    density = compile_density(model)
    tables: Any = density.keep_alive
    kept = {id(table): table.nbytes for table in tables[1]}
    needed = 8 * density.workspace_size + sum(kept.values())
    assert needed <= 4 * 8 * (points + model.dimension)


@pytest.mark.parametrize("library", ["libm", "scipy"])
def test_log_gamma_of_libm_and_of_scipy_are_one_function(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = one_variable(lambda m, x: m.log_gamma(m.exp(x)) + m.log_gamma(x), 13)
    if library == "scipy":
        monkeypatch.setattr(functions, "_library", lambda name: None)
    functions.lookup.cache_clear()
    found = functions.lookup("log-gamma", 8)
    assert found.further == (functions.DISPATCHED if library == "scipy" else functions.SIGN)
    native = compiled(model)
    functions.lookup.cache_clear()
    check_values(model, native, np.random.default_rng(3))
    check_gradient(model, native, np.random.default_rng(4))
