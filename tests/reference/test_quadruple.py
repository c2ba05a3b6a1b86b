"""The seven rules: the paper's compilation example step by step, and the shape of each rule."""

from collections.abc import Callable

import numpy as np
import pytest

from lfppl.core import ast
from lfppl.errors import ModelError
from lfppl.reference.evaluate import branch_bits, density
from lfppl.reference.notation import latex, text
from lfppl.reference.quadruple import quadruple, rule_let, translate

Core = Callable[[str], ast.Expression]

SAMPLE = "(sample (uniform 0 1))"
BRANCH = "(if (< (- q x) 0) (observe (normal 1 1) y) (observe (normal 0 1) y))"
RETURNED = "(< (- q x) 0)"
INNER = f"(let [x_ {BRANCH}] {RETURNED})"
DATA = frozenset({"q", "y"})


@pytest.fixture
def written(core: Core) -> Callable[[str], str]:
    """The translation of a part of the program of figure 1, as text."""
    return lambda part: text(translate(core(part), DATA))


# --- section 5.3 of the paper, (i) to (vii) ------------------------------------------------------


def named_z(sample: ast.Expression) -> ast.Sample:
    assert isinstance(sample, ast.Sample)
    return ast.Sample(sample.distribution, "z", site=sample.site)


def test_step_ii_the_sample_rule(core: Core, written: Callable[[str], str]) -> None:
    assert written("0") == "Δ = ∅\nΓ = ∅\nD = {(1, 1)}\nF = {(1, 1, 0)}"
    assert written("1") == "Δ = ∅\nΓ = ∅\nD = {(1, 1)}\nF = {(1, 1, 1)}"
    assert text(translate(named_z(core(SAMPLE)), DATA)) == (
        "Δ = {z}\nΓ = ∅\nD = {(1[z >= 0]·1[1 - z >= 0], U(z; 0, 1))}\nF = {(1, 1, z)}"
    )


def test_step_iv_the_predicate(written: Callable[[str], str]) -> None:
    assert written("(- q x)") == "Δ = {x}\nΓ = ∅\nD = {(1, 1)}\nF = {(1, 1, q - x)}"


def test_step_iv_the_observe_rule(written: Callable[[str], str]) -> None:
    assert written("(observe (normal 1 1) y)") == (
        "Δ = ∅\nΓ = ∅\nD = {(1, 1)}\nF = {(1, N(y; 1, 1), 0)}"
    )
    assert written("(observe (normal 0 1) y)") == (
        "Δ = ∅\nΓ = ∅\nD = {(1, 1)}\nF = {(1, N(y; 0, 1), 0)}"
    )


def test_step_iv_the_if_rule(written: Callable[[str], str]) -> None:
    assert written(BRANCH) == (
        "Δ = {x}\nΓ = {x}\nD = {(1, 1)}\n"
        "F = {(1[q - x < 0], N(y; 1, 1), 0),\n"
        "     (1[q - x >= 0], N(y; 0, 1), 0)}"
    )


def test_step_v_the_returned_comparison(written: Callable[[str], str]) -> None:
    assert written(RETURNED) == "Δ = {x}\nΓ = ∅\nD = {(1, 1)}\nF = {(1, 1, q - x < 0)}"


def test_steps_iii_and_vi_the_inner_let(written: Callable[[str], str]) -> None:
    assert written(INNER) == (
        "Δ = {x}\nΓ = {x}\n"
        "D = {(1[q - x < 0], 1),\n"
        "     (1[q - x >= 0], 1)}\n"
        "F = {(1[q - x < 0], N(y; 1, 1), q - x < 0),\n"
        "     (1[q - x >= 0], N(y; 0, 1), q - x < 0)}"
    )


OUTER = (
    "Δ = {z}\nΓ = {z}\n"
    "D = {(1[z >= 0]·1[1 - z >= 0]·1[q - z < 0], U(z; 0, 1)),\n"
    "     (1[z >= 0]·1[1 - z >= 0]·1[q - z >= 0], U(z; 0, 1))}\n"
    "F = {(1[q - z < 0], N(y; 1, 1), q - z < 0),\n"
    "     (1[q - z >= 0], N(y; 0, 1), q - z < 0)}"
)


def test_steps_i_and_vii_the_outer_let(core: Core) -> None:
    first, body = named_z(core(SAMPLE)), core(INNER)
    assert text(quadruple(ast.Let("x", first, body), DATA)) == OUTER
    parts = translate(first, DATA), translate(body, DATA)
    assert text(rule_let(ast.Let("x", first, body), DATA, *parts)) == OUTER


def test_the_density_of_the_example_is_the_one_printed(core: Core) -> None:
    result = quadruple(ast.Let("x", named_z(core(SAMPLE)), core(INNER)), DATA)
    data = {"q": 0.5, "y": 0.3}
    for z, mean in ((0.7, 1.0), (0.2, 0.0)):
        expected = -0.5 * np.log(2 * np.pi) - 0.5 * (0.3 - mean) ** 2
        assert density(result, {"z": z}, data) == pytest.approx(expected)
        assert branch_bits(result, {"z": z}, data) == {0: mean == 1.0}
    assert density(result, {"z": 1.5}, data) == -np.inf


def test_the_example_as_latex(core: Core) -> None:
    result = latex(quadruple(ast.Let("x", named_z(core(SAMPLE)), core(INNER)), DATA))
    assert result.startswith("\\begin{align*}\n\\Delta &= \\{z\\} \\\\\n\\Gamma &= \\{z\\} \\\\\n")
    assert r"\left(\mathbf{1}[q - z < 0], \mathcal{N}(y;\, 1, 1), q - z < 0\right)" in result
    assert result.count("{") == result.count("}")
    assert result.count(r"\left(") == result.count(r"\right)") == 4


# --- the rules on their own ----------------------------------------------------------------------


def test_gamma_follows_lets_to_the_sampled_variables(core: Core) -> None:
    program = core(
        "(let [a (sample (normal 0 1))] (let [b (sample (normal a 1))] (let [c (* b 2)]"
        " (if (< c 0) (observe (normal 0 1) 1) 0))))"
    )
    result = quadruple(program)
    assert [v.name for v in result.sampled] == ["a", "b"]
    assert [v.name for v in result.discontinuous] == ["b"]


def test_gamma_of_the_paper_ignores_the_edges_of_a_density(core: Core) -> None:
    result = quadruple(core("(let [t (sample (normal 0 1))] (observe (uniform 0 t) 0.5))"))
    assert result.discontinuous == ()


def test_products_run_over_all_combinations(core: Core) -> None:
    result = translate(core("(+ (if (< a 0) 1 2) (if (< b 0) 10 20))"), frozenset("ab"))
    assert len(result.observed_terms) == 4 and len(result.prior_terms) == 1


def test_a_distribution_that_an_if_chooses_keeps_both_densities(core: Core) -> None:
    program = "(let [d (if (< q 0) (normal 0 1) (cauchy 0 2))] (let [z (sample d)] z))"
    assert "D = {(1[q < 0], N(z; 0, 1)),\n     (1[q >= 0], Cauchy(z; 0, 2))}" in text(
        quadruple(core(program), {"q"})
    )


def test_an_integer_variable_lives_on_unit_cells(core: Core) -> None:
    result = quadruple(core("(let [k (sample (bernoulli 0.3))] (* k 2))"))
    assert density(result, {"k": 1.0}) == density(result, {"k": 1.75}) == pytest.approx(np.log(0.3))
    assert "floor(k)·2" in text(result)


def test_a_name_bound_by_let_is_not_the_sampled_variable_of_that_name(core: Core) -> None:
    one = core("(sample (normal 0 1))")
    assert isinstance(one, ast.Sample)
    x = ast.Sample(one.distribution, "x")
    program = ast.Let("y", x, ast.Let("x", ast.Constant(5.0), core("(+ x y)")))
    assert "F = {(1, 1, 5 + x)}" in text(quadruple(program))


def test_too_many_terms_are_refused_with_their_number(core: Core) -> None:
    ifs = " ".join(f"(if (< x{i} 0) 1 2)" for i in range(15))
    names = {f"x{i}" for i in range(15)}
    with pytest.raises(ModelError, match=r"needs at least 32,768 terms.*\n.*--emit lir"):
        quadruple(core(f"(vector {ifs})"), names)


def test_the_number_of_terms_is_known_before_any_is_written(core: Core) -> None:
    ifs = "(if (< q 0) 1 2) " * 2000
    with pytest.raises(ModelError, match=r"needs at least 10\^602 terms"):
        quadruple(core(f"(vector {ifs})"), {"q"})


def test_a_chain_of_shared_values_stays_small(core: Core) -> None:
    program: ast.Expression = ast.Variable("x400")
    for i in reversed(range(400)):
        twice = ast.Operation("+", (ast.Variable(f"x{i}"), ast.Variable(f"x{i}")))
        half = ast.Operation("*", (twice, ast.Constant(0.5)))
        program = ast.Let(f"x{i + 1}", half, program)
    observed = ast.Observe(core("(normal 0 1)"), program)  # type: ignore[arg-type]
    result = quadruple(ast.Let("x0", core("(sample (normal 0 1))"), observed))
    name = result.sampled[0].name
    assert density(result, {name: 1.0}) == pytest.approx(-np.log(2 * np.pi) - 1.0)
