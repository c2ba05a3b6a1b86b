"""Mistakes in the use of the language are refused where they stand, with what to do."""

from __future__ import annotations

import pytest

from lfppl.core.desugar import desugar
from lfppl.errors import ModelError
from lfppl.source import Source
from lfppl.syntax import read_program

DATA = {"q", "ys", "heights"}

MISTAKES = {
    # program: (code, the text the caret stands under, part of the message)
    "(+ 1 yy)": ("unknown-name", "yy", "pass it as data"),
    "(+ 1 hieghts)": ("unknown-name", "hieghts", "did you mean `heights`?"),
    "(nrmal 0 1)": ("unknown-function", "nrmal", "did you mean `normal`?"),
    "(let [speed 1] (sped 2))": ("unknown-function", "sped", "did you mean `speed`?"),
    "(get ys)": ("wrong-arity", "(get ys)", "write (get vector index)"),
    "(exp 1 2)": ("wrong-arity", "(exp 1 2)", "`exp` takes 1 argument, not 2"),
    "(range)": ("wrong-arity", "(range)", "`range` takes 1 to 3 arguments, not 0"),
    "(-)": ("wrong-arity", "(-)", "`-` takes at least 1 argument, not 0"),
    "(< 1)": ("wrong-arity", "(< 1)", "at least 2 arguments"),
    "(if (not 1 2) 1 2)": ("wrong-arity", "(not 1 2)", "write (not test)"),
    "(map inc)": ("wrong-arity", "(map inc)", "write (map function vector ...)"),
    "(sample (normal 0))": ("wrong-arity", "(normal 0)", "write (normal mean sd)"),
    "(observe (factor 1 2) 0)": ("wrong-arity", "(factor 1 2)", "takes 1 argument, not 2"),
    "(defn f [a b] a) (f 1)": ("wrong-arity", "(f 1)", "its parameters are [a b]"),
    "(map (fn [a b] a) ys)": ("wrong-arity", "(map (fn [a b] a) ys)", "takes 2 arguments, not 1"),
    '(+ 1 "a")': ("text-as-value", '"a"', "where a number belongs"),
    "(+ 1 nil)": ("nil-as-number", "nil", "nil stands where a number belongs"),
    "(+ 1 (doseq [x ys] x))": ("nil-as-number", "(doseq [x ys] x)", "doseq"),
    "(+ 1 (normal 0 1))": ("distribution-as-number", "(normal 0 1)", "(sample ...)"),
    "(if (normal 0 1) 2 3)": ("distribution-as-number", "(normal 0 1)", "(sample ...)"),
    "(let [d (normal 0 1)] (* d 2))": ("distribution-as-number", "d", "(sample ...)"),
    "(normal 0 (exponential 1))": ("distribution-as-number", "(exponential 1)", "(sample ...)"),
    "(do (normal 0 1) 3)": ("unused-distribution", "(normal 0 1)", "neither sampled"),
    "normal": ("function-as-value", "normal", "write (normal mean sd)"),
    "(+ 1 sqrt)": ("function-as-value", "sqrt", "call it: (sqrt ...)"),
    "(let [f (fn [x] x)] f)": ("function-as-value", "f", "the function `f`"),
    "(+ 1 (fn [x] x))": ("function-as-value", "(fn [x] x)", "a function stands"),
    "(let [x 1] (map x ys))": ("not-a-function", "x", "`x` is not a function"),
    "(map zzz ys)": ("unknown-function", "zzz", "(defn zzz"),
    "(loop 3 0 5)": ("not-a-function", "5", "this value is not a function"),
    "((get ys 0) 1)": ("not-a-function", "(get ys 0)", "this value is not a function"),
    "(let [x 1] (x))": ("not-a-function", "(x)", "write x without parentheses"),
    "(sample 3)": ("no-distribution", "3", "sample without a distribution"),
    "(sample [1 2])": ("no-distribution", "[1 2]", "sample without a distribution"),
    "(observe 3 (normal 0 1))": ("no-distribution", "3", "observe without a distribution"),
    "(let [x (sample (normal 0 1))] (observe x 3))": (
        "no-distribution",
        "x",
        "the distribution comes first",
    ),
    "(sample (factor 1))": ("factor-outside-observe", "(factor 1)", "no distribution"),
    "(cond 1 2 3)": ("clauses-in-pairs", "3", ":else"),
    "(case q 0 1 1 2)": ("case-without-default", "(case q 0 1 1 2)", "default"),
    "(case q ys 1 2)": ("case-of-expression", "ys", "`cond`"),
    "(-> q 3)": ("cannot-thread", "3", "(-> x f (g y) ...)"),
    "(let [[a b] [1 2 3]] a)": ("wrong-pattern-length", "[a b]", "2 names for 3 values"),
    "(let [[a b] +] a)": ("function-destructured", "[a b]", "no elements"),
    "(range 0 10 q)": ("step-not-constant", "q", "constant other than 0"),
    "(range 0 10 0)": ("step-not-constant", "0", "constant other than 0"),
    "(plate i 3)": ("bad-binding", "i", "(plate [index count] e)"),
    "(fold [i 3] [x] 3)": ("bad-binding", "[x]", "[accumulator initial]"),
    "(apply sqrt ys)": ("cannot-apply", "(apply sqrt ys)", "reduce"),
}


def refusal(text: str) -> ModelError:
    with pytest.raises(ModelError) as caught:
        desugar(read_program(Source("test", text)), DATA)
    return caught.value


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_refused_at_its_place(text: str) -> None:
    code, place, part = MISTAKES[text]
    error = refusal(text)
    assert error.span is not None
    assert (error.code, error.span.text) == (code, place)
    assert part in str(error)


@pytest.mark.parametrize(
    ("text", "cycle"),
    [
        ("(defn f [x] (+ 1 (f (- x 1)))) (f 1)", "f -> f"),
        ("(defn f [x] (g x)) (defn g [x] (h x)) (defn h [x] (f x)) (f 1)", "f -> g -> h -> f"),
        ("(let [w (fn [x] (x x))] (w w))", "w -> w"),
        ("(defn f [x] (map (fn [y] (f y)) x)) (f ys)", "f -> fn -> f"),
    ],
)
def test_recursion_is_refused_with_its_cycle(text: str, cycle: str) -> None:
    assert cycle in str(refusal(text))


def test_a_message_says_where_what_why_and_what_to_do() -> None:
    assert str(refusal("(let [mu 1]\n  (sample (gausian mu 1)))")) == (
        "test:2:12: error[unknown-function]: there is no function or distribution `gausian`\n"
        "  2 |   (sample (gausian mu 1)))\n"
        "    |            ^ not known\n"
        "  help: did you mean `normal`?"
    )
