"""Random variables are called after the binder that holds them, with an index per loop."""

from __future__ import annotations

import pytest

from lfppl.core import ast
from lfppl.core.desugar import desugar
from lfppl.core.desugar.walk import children
from lfppl.core.printer import print_core
from lfppl.source import Source
from lfppl.syntax import read_program, surface

DATA = {"q", "y", "n", "ys"}

D = "(sample (normal 0 1))"


def core(text: str) -> ast.Expression:
    return desugar(read_program(Source("test", text)), DATA)


def names(expression: ast.Expression) -> list[str]:
    """The sampled variables in program order, as `name[indices]`."""
    found, waiting = [], [expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Sample):
            indices = ",".join(str(index) for index in node.indices)
            found.append(node.name + (f"[{indices}]" if indices else ""))
        waiting.extend(reversed(children(node)))
    return found


NAMES = {
    f"(let [mu {D}] mu)": ["mu"],
    f"(def mu {D}) mu": ["mu"],
    f"(let [mu (let [s 2] {D})] mu)": ["mu"],
    f"(let [mu (let [s {D}] {D})] mu)": ["s", "mu"],
    f"(let [a {D} a {D}] a)": ["a", "a_2"],
    f"(let [y {D}] y)": ["y_2"],
    # vectors
    f"(let [w [{D} {D}]] w)": ["w[0]", "w[1]"],
    f"(let [w (vector [{D} {D}] [{D} {D}])] w)": ["w[0,0]", "w[0,1]", "w[1,0]", "w[1,1]"],
    f"(let [w [0 {D}]] w)": ["w_1"],
    f"(let [w [{D} [{D} {D}]]] w)": ["w_0", "w_1[0]", "w_1[1]"],
    f"(let [[a b] [{D} {D}]] a)": ["a", "b"],
    f"(let [[a b] (for [k (range 2)] {D})] a)": ["a_b[k]"],
    # loops
    f"(let [mu (for [k (range 3)] {D})] mu)": ["mu[k]"],
    f"(let [w (for [i (range 3) j (range 2)] {D})] w)": ["w[i,j]"],
    f"(let [w (for [i (range 3)] (for [j (range 2)] {D}))] w)": ["w[i,j]"],
    f"(let [w (for [i (range 3)] [{D} {D}])] w)": ["w[i,0]", "w[i,1]"],
    f"(let [w [(for [k (range 2)] {D}) (for [k (range 2)] {D})]] w)": ["w[0,k]", "w[1,k_2]"],
    f"(let [w [(for [k (range 2)] {D}) (for [k (range 3)] {D})]] w)": ["w_0[k]", "w_1[k_2]"],
    f"(let [w (for [i (range 3)] [{D} 0])] w)": ["w_0[i]"],
    f"(for [i (range n)] (let [z {D}] z))": ["z[i]"],
    f"(for [i (range n)] (for [j (range 2)] (let [z {D} v [{D} {D}]] z)))": [
        "z[i,j]",
        "v[i,j,0]",
        "v[i,j,1]",
    ],
    f"(let [x (map (fn [v] {D}) ys)] x)": ["x[i]"],
    f"(let [x (loop n [] (fn [t a] (conj a {D})))] x)": ["x[t]"],
    "(loop n 0 (fn [t s] (let [x (sample (normal s 1))] x)))": ["x[t]"],
    f"(loop n 0 (fn [t s] (reduce (fn [a b] (let [e {D}] (* a e))) s ys)))": ["e[t,i]"],
    # functions
    f"(defn draw [] {D}) (let [a (draw) b (draw)] a)": ["a", "b"],
    f"(defn f [] (let [mu {D}] (* 2 mu))) (let [a (f) b (f)] a)": ["mu", "mu_2"],
    "(defn f [mu] (* 2 mu)) (let [a (f (+ 1 2)) mu (sample (normal a 1))] mu)": ["mu"],
    # no holder
    f"\n  (+ 1 {D})": ["sample_2_8"],
    f"(let [x (+ 1 {D})] x)": ["sample_1_14"],
    f"(let [x (if (< q 0) {D} 2)] x)": ["sample_1_21"],
    f"(for [i (range 2)] (+ 1 {D}))": ["sample_1_25[i]"],
    f"(loop 2 0 (fn [i s] (+ (* 2 s) {D})))": ["sample_1_32[i]"],
    f"(let [w (repeat 3 {D})] w)": ["sample_1_19"],
    f"(abs {D})": ["sample_1_6"],
    f"(for [x (for [k (range 2)] {D})] x)": ["sample_1_28[k]"],
    f"(do {D} 1)": ["sample_1_5"],
    f"(let [_ {D}] 1)": ["sample_1_9"],
    D: ["sample_1_1"],
    f"(observe (normal {D} 1) y)": ["sample_1_18"],
}


@pytest.mark.parametrize("text", NAMES)
def test_variables_are_called_after_their_binders(text: str) -> None:
    assert names(core(text)) == NAMES[text]


@pytest.mark.parametrize("text", NAMES)
def test_names_survive_printing(text: str) -> None:
    program = core(text)
    assert names(core(print_core(program))) == NAMES[text]


def test_a_sample_without_a_holder_gets_one() -> None:
    assert print_core(core(f"(+ 1 {D})")) == (
        "(+ 1 (let [sample_1_6 (sample (normal 0 1))] sample_1_6))"
    )


def sampled(name: str) -> surface.Expression:
    arguments = (surface.Number(0.0), surface.Number(1.0))
    return surface.Sample(surface.Call(surface.Name("normal"), arguments), name)


def test_an_explicit_name_wins() -> None:
    binding = surface.Binding(surface.Name("x"), sampled("height"))
    let = surface.Let((binding,), (surface.Name("x"),))
    program = desugar(surface.Program((let,)))
    assert names(program) == ["height"]
    assert print_core(program) == ("(let [x (let [height (sample (normal 0 1))] height)] x)")


def test_an_explicit_name_equal_to_its_binder_needs_no_let() -> None:
    binding = surface.Binding(surface.Name("x"), sampled("x"))
    program = desugar(surface.Program((surface.Let((binding,), (surface.Name("x"),)),)))
    assert print_core(program) == "(let [x (sample (normal 0 1))] x)"


def test_equal_explicit_names_are_told_apart() -> None:
    vector = surface.VectorLiteral((sampled("a"), sampled("a")))
    assert names(desugar(surface.Program((vector,)))) == ["a", "a_2"]
