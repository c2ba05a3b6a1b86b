"""The shape of desugared programs: tests, plates, functions, binders, sites, spans, size."""

from __future__ import annotations

import pytest

from lfppl.core import ast
from lfppl.core.desugar import desugar
from lfppl.core.desugar.walk import children
from lfppl.core.printer import print_core
from lfppl.errors import ModelError
from lfppl.source import Source
from lfppl.syntax import read_program, surface

DATA = {"q", "y", "n", "ys", "xs"}


def core(text: str) -> ast.Expression:
    return desugar(read_program(Source("test", text)), DATA)


def nodes(expression: ast.Expression) -> list[ast.Expression]:
    found, waiting = [], [expression]
    while waiting:
        found.append(waiting.pop())
        waiting.extend(reversed(children(found[-1])))
    return found


SHAPES = {
    # tests
    "(if (< q 0) 1 2)": "(if (< q 0) 1 2)",
    "(if (< (- q y) 0) 1 2)": "(if (< (- q y) 0) 1 2)",
    "(if (< q y) 1 2)": "(if (< (- q y) 0) 1 2)",
    "(if (> q y) 1 2)": "(if (< (- y q) 0) 1 2)",
    "(if (> q 0) 1 2)": "(if (< (- q) 0) 1 2)",
    "(if (<= q y) 1 2)": "(if (< (- y q) 0) 2 1)",
    "(if (>= q y) 1 2)": "(if (< (- q y) 0) 2 1)",
    "(if q 1 2)": "(if (< (- 0.5 q) 0) 1 2)",
    "(if (and (< q 0) (< y 0)) 1 2)": "(if (< (if (< q 0) (if (< y 0) -1 1) 1) 0) 1 2)",
    "(if (or (< q 0) (< y 0)) 1 2)": "(if (< (if (< q 0) -1 (if (< y 0) -1 1)) 0) 1 2)",
    "(if (not (< q 0)) 1 2)": "(if (< q 0) 2 1)",
    "(when (< q 0) (observe (normal 0 1) y))": "(if (< q 0) (observe (normal 0 1) y) 0)",
    "(when (< q 0) y)": "(if (< q 0) y nil)",
    # comparisons as values
    "(< q y)": "(< q y)",
    "(> q y)": "(< y q)",
    "(<= q y)": "(if (< (- y q) 0) 0 1)",
    # arithmetic
    "(- (+ q 3) 2)": "(- (+ q 3) 2)",
    "(+ 1 2 3)": "(+ 1 2 3)",
    "(/ q)": "(/ 1 q)",
    "(abs q)": "(if (< q 0) (- q) q)",
    "(max q (+ y 1))": "(let [x (+ y 1)] (if (< (- q x) 0) x q))",
    # reductions stay cheap
    "(reduce + ys)": "(sum ys)",
    "(reduce max ys)": "(largest ys)",
    "(min ys)": "(smallest ys)",
    "(reduce + 0 (map (fn [x] (* x x)) ys))": (
        "(sum (plate [i (count ys)] (let [x (get ys i)] (* x x))))"
    ),
    # loops
    "(for [i (range n)] (get ys i))": "(plate [i n] (get ys i))",
    "(map + (range n) ys)": "(plate [i (smallest (vector n (count ys)))] (+ i (get ys i)))",
    "(loop n 0 (fn [i a] (* (+ a i) 2)))": "(fold [i n] [a 0] (* (+ a i) 2))",
    "(loop n [] (fn [i a] (conj a (* i 2))))": "(plate [i n] (* i 2))",
    "(loop n ys (fn [i a] (conj a i)))": "(concat ys (plate [i n] i))",
    "(loop n 0 (fn [i a] (+ a i)))": "(sum (plate [i n] i))",
    "(loop n nil (fn [i _] (observe (normal 0 1) i)))": (
        "(let [_ (plate [i n] (observe (normal 0 1) i))] 0)"
    ),
    "(loop n 3 (fn [k a] (let [o (observe (normal 0 1) k)] a)))": (
        "(let [_ (plate [k n] (let [o (observe (normal 0 1) k)] 0))] 3)"
    ),
    "(plate [i n] i)": "(plate [i n] i)",
    "(fold [i n] [a 0] (conj a i))": "(fold [i n] [a 0] (concat a (vector i)))",
    # distributions
    "(observe (flip 0.5) 1)": "(observe (bernoulli 0.5) 1)",
    "(observe (uniform-continuous 0 1) y)": "(observe (uniform 0 1) y)",
    "(observe (discrete [1 2]) y)": "(observe (categorical (vector 1 2)) y)",
    "(observe (factor q) _)": "(observe (factor q) 0)",
    "(observe (if (< q 0) (normal 0 1) (normal 1 1)) y)": (
        "(observe (if (< q 0) (normal 0 1) (normal 1 1)) y)"
    ),
}


@pytest.mark.parametrize("text", SHAPES)
def test_sugar_desugars_to_its_core(text: str) -> None:
    assert " ".join(print_core(core(text)).split()) == SHAPES[text]


def test_a_loop_that_only_gathers_is_a_plate_with_named_samples() -> None:
    text = """(loop n [] (fn [i acc] (let [z (sample (bernoulli 0.5))]
                (observe (normal z 1) (get ys i)) (conj acc z))))"""
    plate = core(text)
    assert isinstance(plate, ast.Plate) and isinstance(plate.body, ast.Let)
    draw = plate.body.value
    assert isinstance(draw, ast.Sample) and (draw.name, draw.indices) == ("z", ("i",))


def test_no_branch_body_is_repeated() -> None:
    text = """(if (or (and (< q 0) (not (= y 1))) (< y q)) (sample (normal 0 1))
                (observe (normal 0 1) y))"""
    kinds = [type(node) for node in nodes(core(text))]
    assert kinds.count(ast.Sample) == 1 and kinds.count(ast.Observe) == 1


@pytest.mark.parametrize(
    "form",
    ["max", "min", "abs", "sign", "square", "mod", "quot", "rem", "=", "mean", "last", "case"],
)
def test_an_argument_that_is_a_sample_is_drawn_once(form: str) -> None:
    others = {"mod": " 2", "quot": " 2", "rem": " 2", "max": " 2 3", "min": " 2", "=": " 1"}
    argument = "(sample (normal 0 1))"
    if form in ("mean", "last"):
        argument = f"[{argument}]"
    text = f"({form} {argument}{others.get(form, '')}{' 0 1 1 2 3' if form == 'case' else ''})"
    assert sum(isinstance(node, ast.Sample) for node in nodes(core(text))) == 1


def test_binders_are_unique_and_keep_their_names() -> None:
    text = "(let [x 1 x (+ x 1) f (fn [x] (let [x (* x 2)] x)) q q] (+ (f x) (f (+ x 1))))"
    program = core(text)
    binders = [node.name for node in nodes(program) if isinstance(node, ast.Let)]
    assert binders[:3] == ["x", "x_2", "q_2"]
    assert len(set(binders)) == len(binders)


def test_functions_see_the_names_of_their_definition() -> None:
    text = "(let [a 1 f (fn [] a) a 2] (f))"
    assert print_core(core(text)).endswith("a)")


def test_sites_are_numbered_in_program_order() -> None:
    text = """(let [a (if (< q 0) (sample (normal 0 1)) 1) b (sample (normal 0 1))]
                (observe (normal a 1) (if (< b 0) 1 2)) (if (< a 0) (observe (normal 0 1) b) 0))"""
    program = nodes(core(text))
    for kind, count in ((ast.If, 3), (ast.Sample, 2), (ast.Observe, 2)):
        found = [node.site for node in program if isinstance(node, kind)]
        assert found == list(range(count))


def test_nodes_carry_the_spans_of_their_forms() -> None:
    text = "(let [x (+ 1 q)] (if (< x 0) (observe (normal x 1) y) (abs x)))"
    program = core(text)
    texts = {type(node).__name__: node.span.text for node in reversed(nodes(program))}
    assert texts["Observe"] == "(observe (normal x 1) y)"
    assert texts["Distribution"] == "(normal x 1)"
    assert texts["If"] == "(if (< x 0) (observe (normal x 1) y) (abs x))"
    assert texts["Let"] == "x (+ 1 q)"
    assert texts["Operation"] == "(+ 1 q)"
    assert all(node.span.text for node in nodes(program))


MANY = 1_000


@pytest.mark.parametrize(
    "text",
    [
        "(let [x0 q " + " ".join(f"x{i + 1} (+ x{i} 1)" for i in range(MANY)) + f"] x{MANY})",
        "".join(f"(let [x{i} {i}] " for i in range(MANY)) + "1" + ")" * MANY,
        "(let [x " * (MANY // 2) + "1" + "] x)" * (MANY // 2),
        "(+ 1 " * MANY + "1" + ")" * MANY,
        "(abs " * MANY + "q" + ")" * MANY,
        "(if (< q 0) 1 " * MANY + "1" + ")" * MANY,
        "(do " * MANY + "1" + ")" * MANY,
        "(+ " + "q " * MANY + ")",
        "(-> q " + "(+ 1) " * MANY + ")",
    ],
    ids=["bindings", "lets", "values", "sums", "abs", "ifs", "dos", "wide", "arrow"],
)
def test_deep_programs_desugar_and_read_back(text: str) -> None:
    printed = print_core(core(text))
    assert print_core(core(printed)) == printed


def test_an_exponential_expansion_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lfppl.core.desugar.context.SIZE_LIMIT", 1_000)
    chain = "".join(f"(defn f{i + 1} [x] (+ (f{i} x) (f{i} x)))" for i in range(12))
    with pytest.raises(ModelError) as caught:
        core(f"(defn f0 [x] x){chain}(f12 1)")
    assert caught.value.code == "expansion-too-large"


def test_function_calls_nested_too_deep_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lfppl.core.desugar.functions.DEPTH_LIMIT", 20)
    chain = "".join(f"(defn f{i + 1} [x] (f{i} x))" for i in range(30))
    with pytest.raises(ModelError) as caught:
        core(f"(defn f0 [x] x){chain}(f30 1)")
    assert caught.value.code == "expansion-too-deep"


def test_an_empty_program_is_refused() -> None:
    with pytest.raises(ModelError) as caught:
        desugar(surface.Program(()))
    assert caught.value.code == "empty-program"
