"""Core prints as text that reads back to the same Core."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from lfppl.core import ast
from lfppl.core.desugar import desugar
from lfppl.core.desugar.walk import children
from lfppl.core.printer import print_core
from lfppl.errors import ModelError
from lfppl.source import Source
from lfppl.syntax import read_program
from lfppl.syntax.surface import (
    Binding,
    Call,
    Expression,
    For,
    Function,
    If,
    Let,
    Loop,
    Name,
    Nil,
    Number,
    Observe,
    Program,
    Sample,
    Truth,
    VectorLiteral,
    VectorPattern,
)

DATA = {"q", "ys"}


def read(text: str) -> ast.Expression:
    return desugar(read_program(Source("test", text)), DATA)


def sites(expression: ast.Expression) -> list[tuple[Any, ...]]:
    """What equality of nodes leaves out: the numbers of the sites."""
    found, waiting = [], [expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If | ast.Sample | ast.Observe):
            found.append((type(node), node.site))
        waiting.extend(reversed(children(node)))
    return found


def assert_reads_back(core: ast.Expression) -> None:
    text = print_core(core)
    again = read(text)
    assert again == core
    assert sites(again) == sites(core)
    assert print_core(again) == text


PROGRAMS = [
    "(let [x (sample (uniform 0 1))] (if (< (- q x) 0) (observe (normal 1 1) q) 0) (< (- q x) 0))",
    "[1 -2.5 1e300 1e-9 1/3 ##Inf ##-Inf true false nil]",
    "(- (- (- q) 1) (- 2 3) (/ 1 2 q) (/ (/ 1 2) (/ 3 4)))",
    "(let [a 1] (let [a (+ a 1)] (let [a_2 (+ a 1)] [a a_2])))",
    "(let [sum 1 plate 2 count 3] (plate [fold sum] (+ fold plate count)))",
    "(plate [i 3] (fold [j i] [x 0] (+ x (* i j))))",
    "(let [w (for [i (range 2)] [(sample (normal 0 1)) (sample (normal 1 1))])] w)",
    "(let [w [0 (sample (normal 0 1)) [(sample (normal 0 1))]]] w)",
    "(defn f [x] (sample (normal x 1))) (map f (map f ys))",
    "(loop 3 [1] (fn [i a] (conj a (sample (poisson 2)))))",
    "(observe (get [(normal 0 1) (normal 1 1)] (sample (bernoulli 0.5))) q)",
    "(factor (log q))",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_a_program_reads_back(text: str) -> None:
    assert_reads_back(read(text))


def test_long_programs_are_broken_into_lines() -> None:
    text = "(let [x (sample (normal 0 1)) y 2] (observe (normal x y) q) (if (< x 0) [x y 3] ys))"
    assert print_core(read(text)) == (
        "(let [x (sample (normal 0 1)) y 2 _ (observe (normal x y) q)]\n"
        "  (if (< x 0) (vector x y 3) ys))"
    )


# --- random programs: surface trees in which few names are bound again and again ---------------


NAMES = ("a", "b", "a_2", "sum", "_")
ATOMS = st.one_of(
    st.floats(allow_nan=False, width=16).map(Number),
    st.integers(-3, 3).map(lambda n: Number(float(n))),
    st.booleans().map(Truth),
    st.sampled_from(["a", "b", "a_2", "q", "ys"]).map(Name),
)


def call(name: str, *arguments: Expression) -> Call:
    return Call(Name(name), arguments)


def one(name: str, inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return inner.map(lambda e: call(name, e))


def bound(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Binding]:
    pattern = st.one_of(
        st.sampled_from(NAMES).map(Name),
        st.lists(st.sampled_from(NAMES).map(Name), min_size=1, max_size=2).map(
            lambda names: VectorPattern(tuple(names), rest=Name("b"))
        ),
    )
    return st.builds(Binding, pattern, inner)


def step(inner: st.SearchStrategy[Expression], count: int) -> st.SearchStrategy[Expression]:
    names = st.lists(st.sampled_from(NAMES).map(Name), min_size=count, max_size=count)
    body = st.one_of(inner, inner.map(lambda e: call("conj", Name("b"), e)))
    return st.builds(lambda p, b: Function(tuple(p), (b,)), names, body)


def compound(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    bodies = st.lists(inner, min_size=1, max_size=2).map(tuple)
    normal = st.builds(lambda a, b: call("normal", a, b), inner, inner)
    comparison = st.sampled_from(["<", ">", "<=", ">=", "=", "not="])
    test = st.builds(lambda f, a, b: call(f, a, b), comparison, inner, inner)
    tests = st.one_of(
        test,
        inner,
        test.map(lambda t: call("not", t)),
        st.builds(lambda f, s, t: call(f, s, t), st.sampled_from(["and", "or"]), test, test),
    )
    two = st.sampled_from(
        ["+", "-", "*", "/", "pow", "max", "mod", "get", "concat", "conj", "take"]
    )
    several = st.lists(bound(inner), min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(lambda f, a, b: call(f, a, b), two, inner, inner),
        st.sampled_from(
            ["-", "abs", "count", "last", "rest", "sum", "range", "do", "round"]
        ).flatmap(lambda f: one(f, inner)),
        st.lists(inner, max_size=3).map(lambda items: VectorLiteral(tuple(items))),
        st.builds(If, tests, inner, st.one_of(inner, st.none())),
        st.builds(Let, several, bodies),
        st.builds(For, several, bodies, st.booleans()),
        st.builds(Loop, inner, st.one_of(inner, st.just(Nil())), step(inner, 2)),
        st.builds(lambda f, v: call("map", f, v), step(inner, 1), inner),
        st.builds(lambda f, i, v: call("reduce", f, i, v), step(inner, 2), inner, inner),
        st.builds(lambda f, v: Call(f, (v,)), step(inner, 1), inner),
        normal.map(Sample),
        st.builds(Observe, normal, inner),
        tests,
        st.builds(lambda t, a, b: call("cond", t, a, Truth(True), b), tests, inner, inner),
    )


EXPRESSIONS = st.recursive(ATOMS, compound, max_leaves=12)


@settings(max_examples=200)
@given(EXPRESSIONS)
def test_random_programs_read_back(expression: Expression) -> None:
    bindings = tuple(Binding(Name(name), Number(1.0)) for name in ("a", "b", "a_2"))
    try:
        core = desugar(Program((Let(bindings, (expression,)),)), DATA)
    except ModelError:  # such as nil + 1: no program to print
        reject()
    assert_reads_back(core)
