"""The interpreter of Core: densities, bits, values."""

import math

import numpy as np
import pytest
from scipy import stats

from lfppl.core.ast import (
    Constant,
    Distribution,
    Expression,
    Fold,
    If,
    Let,
    Observe,
    Operation,
    Plate,
    Sample,
    Variable,
)
from lfppl.errors import CompilerBug
from lfppl.reference.interpreter import draw_prior, interpret, variables


def core(value: Expression | float | str | None) -> Expression:
    if isinstance(value, str):
        return Variable(value)
    return Constant(value) if value is None or isinstance(value, int | float) else value


def op(name: str, *arguments: Expression | float | str) -> Operation:
    return Operation(name, tuple(core(a) for a in arguments))


def dist(name: str, *arguments: Expression | float | str) -> Distribution:
    return Distribution(name, tuple(core(a) for a in arguments))


def let(*bindings: Expression | float | str) -> Expression:
    *pairs, body = bindings
    result = core(body)
    for i in reversed(range(0, len(pairs), 2)):
        result = Let(str(pairs[i]), core(pairs[i + 1]), result)
    return result


NORMAL = dist("normal", 0, 1)
X = Sample(NORMAL, "x", site=0)


def figure_1() -> Expression:
    below = op("-", "q", "x")
    one, zero = dist("normal", 1, 1), dist("normal", 0, 1)
    branch = If(below, Observe(one, core("y"), 1), Observe(zero, core("y"), 2), site=0)
    return let("x", Sample(dist("uniform", 0, 1), "x"), "_", branch, op("<", below, 0))


def test_figure_1_of_the_paper_has_the_density_of_the_branch_taken() -> None:
    for x, mean in ((0.7, 1.0), (0.2, 0.0)):
        meaning = interpret(figure_1(), {"q": 0.5, "y": 0.3}, {"x": x})
        assert meaning.log_density == pytest.approx(stats.norm.logpdf(0.3, mean, 1))
        assert meaning.bits == {(0, ()): mean == 1.0}
        assert meaning.returned == mean
        assert [t.active for t in meaning.terms] == [True, mean == 1.0, mean == 0.0]


def test_a_point_outside_the_support_has_density_zero() -> None:
    assert interpret(figure_1(), {"q": 0.5, "y": 0.3}, {"x": 1.5}).log_density == -math.inf


def test_a_sample_in_a_branch_counts_whichever_branch_is_taken() -> None:
    program = let("x", X, If(core("x"), Sample(NORMAL, "a"), Sample(NORMAL, "b"), site=0))
    meaning = interpret(program, {}, {"x": 1.0, "a": 2.0, "b": 3.0})
    assert meaning.returned == 3.0
    assert meaning.log_density == pytest.approx(stats.norm.logpdf([1.0, 2.0, 3.0]).sum())


def test_every_if_is_evaluated_and_observes_need_all_enclosing_tests() -> None:
    inner = If(op("-", "x", 2), Observe(NORMAL, core(1)), Observe(NORMAL, core(2)), site=1)
    program = let("x", X, If(core("x"), inner, core(0), site=0))
    meaning = interpret(program, {}, {"x": 1.0})
    assert meaning.bits == {(0, ()): False, (1, ()): True}
    assert [(t.kind, t.active) for t in meaning.terms] == [
        ("sample", True),
        ("observe", False),
        ("observe", False),
    ]
    assert meaning.log_density == pytest.approx(stats.norm.logpdf(1.0))


def test_nan_in_the_branch_not_taken_has_no_influence() -> None:
    bad = Observe(dist("normal", op("log", "x"), 1), op("/", "x", 0))
    program = let("x", X, If(core("x"), let("_", bad, op("log", "x")), core(7), site=0))
    meaning = interpret(program, {}, {"x": 1.0})
    assert meaning.returned == 7.0 and math.isfinite(meaning.log_density)
    program = let("x", X, If(op("-", "x"), core(7), op("log", op("-", "x")), site=0))
    assert interpret(program, {}, {"x": 1.0}).returned == 7.0


def test_plates_and_folds_track_their_indices() -> None:
    row = Plate("j", core(3), Sample(dist("normal", "i", 1), "w", ("i", "j")))
    values = np.arange(6.0).reshape(2, 3)
    meaning = interpret(Plate("i", core(2), row), {}, {"w": values})
    assert meaning.returned == values.tolist()
    assert meaning.variables["w", (1, 2)] == 5.0
    assert [t.indices for t in meaning.terms][:2] == [(0, 0), (0, 1)]
    step = If(op("-", "s", 2), op("+", "s", "i"), core("s"), site=4)
    meaning = interpret(Fold("i", core(4), "s", core(1), step), {}, {})
    assert meaning.returned == 2.0
    assert meaning.bits == {(4, (i,)): bit for i, bit in enumerate((True, True, False, False))}


def test_scalar_distributions_broadcast_over_vectors() -> None:
    y = np.array([0.5, -1.0, 2.0])
    program = let(
        "m",
        Sample(dist("normal", op("repeat", 3, 0), 1), "m"),
        Observe(dist("normal", "m", 2), core("y")),
    )
    m = np.array([0.1, 0.2, 0.3])
    meaning = interpret(program, {"y": y}, {"m": m})
    expected = stats.norm.logpdf(m).sum() + stats.norm.logpdf(y, m, 2).sum()
    assert meaning.log_density == pytest.approx(expected)
    assert len(meaning.terms) == 2 and variables(program, {"y": y}) == {"m": (3,)}


def test_labels_under_one_vector_of_weights_broadcast() -> None:
    program = Observe(dist("categorical", "p"), core("k"))
    data = {"p": np.array([1.0, 3.0]), "k": np.array([0.0, 1.0, 1.0])}
    assert interpret(program, data, {}).log_density == pytest.approx(math.log(9 / 64))


def test_a_latent_index_takes_the_element_at_its_floor_and_is_clipped() -> None:
    for k, expected in ((0.5, 10.0), (1.0, 20.0), (1.9, 20.0), (-3.0, 10.0), (9.0, 20.0)):
        program = op("get", op("vector", 10, 20), "x")
        assert interpret(program, {"x": k}, {}).returned == expected


def test_a_vector_may_hold_distributions_of_different_families() -> None:
    family = op("get", op("vector", NORMAL, dist("cauchy", 0, 1)), "k")
    program = let("k", Sample(dist("bernoulli", 0.25), "k"), Observe(family, core(2)))
    expected = math.log(0.25) + stats.cauchy.logpdf(2.0)
    assert interpret(program, {}, {"k": 1.5}).log_density == pytest.approx(expected)


def test_a_distribution_may_be_selected_by_an_if() -> None:
    family = If(core("x"), NORMAL, dist("laplace", 0, 1), site=0)
    program = let("x", X, Sample(family, "z"))
    meaning = interpret(program, {}, {"x": 1.0, "z": 2.0})
    expected = stats.norm.logpdf(1.0) + stats.laplace.logpdf(2.0)
    assert meaning.log_density == pytest.approx(expected)


def test_a_discrete_sample_is_the_floor_of_its_coordinate() -> None:
    program = Sample(dist("poisson", 3), "k")
    meaning = interpret(program, {}, {"k": 2.75})
    assert meaning.returned == 2.0 and meaning.variables["k", ()] == 2.0
    assert meaning.log_density == pytest.approx(stats.poisson.logpmf(2, 3))


def test_vector_families_are_one_variable() -> None:
    cov = np.array([[2.0, 0.5], [0.5, 1.0]])
    program = let("z", Sample(dist("mvn", op("vector", 0, 1), "S"), "z"), op("get", "z", 1))
    meaning = interpret(program, {"S": cov}, {"z": [0.3, 0.4]})
    expected = stats.multivariate_normal.logpdf([0.3, 0.4], [0, 1], cov)
    assert meaning.log_density == pytest.approx(expected) and meaning.returned == 0.4
    assert variables(program, {"S": cov}) == {"z": (2,)}


def test_factor_adds_any_real_number() -> None:
    assert interpret(Observe(dist("factor", 2.5), core(None)), {}, {}).log_density == 2.5


def test_a_zero_density_stays_zero_beside_nan() -> None:
    nan, outside = (
        Observe(dist("factor", op("log", -1)), core(0)),
        Observe(dist("uniform", 0, 1), core(3)),
    )
    assert interpret(let("_", nan, outside), {}, {}).log_density == -math.inf


def test_parameters_outside_their_constraint_give_density_zero() -> None:
    for bad in (dist("normal", 0, -1), dist("gamma", 0, 1), dist("uniform", 1, 0)):
        assert interpret(Observe(bad, core(0.5)), {}, {}).log_density == -math.inf


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (op("-", op("+", "x", 3), 2), 6.0),
        (op("/", op("*", "x", 4), 2), 10.0),
        (op("-", "x"), -5.0),
        (op("+", "v", "x"), [6.0, 7.0]),
        (op("*", "A", "v"), [[1.0, 2.0], [6.0, 8.0]]),
        (op("mat-mul", "A", "v"), [5.0, 11.0]),
        (op("mat-mul", "A", "A"), [[7.0, 10.0], [15.0, 22.0]]),
        (op("transpose", "A"), [[1.0, 3.0], [2.0, 4.0]]),
        (op("flatten", "A"), [1.0, 2.0, 3.0, 4.0]),
        (op("dot", "v", "v"), 5.0),
        (op("sum", "v"), 3.0),
        (op("sum", op("vector")), 0.0),
        (op("count", "v"), 2.0),
        (op("put", "v", 0, 9), [9.0, 2.0]),
        (op("concat", "v", None, op("vector", 7)), [1.0, 2.0, 7.0]),
        (op("range", 1, 4), [1.0, 2.0, 3.0]),
        (op("repeat", 2, "v"), [[1.0, 2.0], [1.0, 2.0]]),
        (op("subvec", op("range", 0, 5), 1, 3), [1.0, 2.0]),
        (op("largest", "v"), 2.0),
        (op("smallest", "v"), 1.0),
        (op("log-sum-exp", op("vector", 1000, 1000)), 1000 + math.log(2)),
        (op("<", "x", 5), 0.0),
        (op("/", 1, 0), math.inf),
    ],
)
def test_operations_have_the_values_of_arithmetic(
    program: Expression, expected: float | list[float]
) -> None:
    data = {"x": 5, "v": np.array([1, 2]), "A": np.array([[1.0, 2.0], [3.0, 4.0]])}
    assert interpret(program, data, {}).returned == expected


def test_draws_from_the_prior_are_points_of_positive_density() -> None:
    weights = Sample(dist("dirichlet", op("repeat", 3, 1)), "w")
    label = Sample(dist("categorical", "w"), "z", ("i",))
    program = let("w", weights, "s", Sample(dist("gamma", 2, 1), "s"), Plate("i", core(4), label))
    generator = np.random.default_rng(7)
    for _ in range(20):
        point = draw_prior(program, {}, generator)
        assert {name: v.shape for name, v in point.items()} == variables(program, {})
        assert np.all(point["z"] == np.floor(point["z"]))
        assert math.isfinite(interpret(program, {}, point).log_density)


def test_two_ifs_with_one_site_are_a_bug() -> None:
    one = If(core(1), core(1), core(2), site=0)
    with pytest.raises(CompilerBug, match="share the site 0"):
        interpret(op("+", one, one), {}, {})


def test_long_chains_and_deep_nests_are_walked() -> None:
    chain: Expression = core("x")
    for _ in range(3000):
        chain = op("+", chain, 1)
    assert interpret(chain, {"x": 0.0}, {}).returned == 3000.0
    pairs = [part for i in range(3000) for part in (f"x{i + 1}", op("+", f"x{i}", 1))]
    assert interpret(let(*pairs, "x3000"), {"x0": 0.0}, {}).returned == 3000.0
