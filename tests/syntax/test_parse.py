"""The parser: every special form becomes its node, every malformed one its own message."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lfppl.errors import ModelError
from lfppl.source import Source
from lfppl.syntax import read_program
from lfppl.syntax.surface import (
    Binding,
    Call,
    Define,
    For,
    Function,
    If,
    Let,
    Loop,
    Name,
    Nil,
    Number,
    Observe,
    Sample,
    VectorLiteral,
    VectorPattern,
)

A, B, C, X = (Name(id) for id in "abcx")
ONE = Number(1.0)


def parse(text):
    (expression,) = read_program(Source("m", text)).expressions
    return expression


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("(let [x 1 a x] a b)", Let((Binding(X, ONE), Binding(A, X)), (A, B))),
        ("(let [] x)", Let((), (X,))),
        (
            "(let [[a [b & c]] x] c)",
            Let((Binding(VectorPattern((A, VectorPattern((B,), C))), X),), (C,)),
        ),
        ("(let [[& c] x] c)", Let((Binding(VectorPattern((), C), X),), (C,))),
        ("(if a b)", If(A, B)),
        ("(if a b c)", If(A, B, C)),
        ("(fn [x [a b]] a b)", Function((X, VectorPattern((A, B))), (A, B))),
        ("(fn x [] a)", Function((), (A,), "x")),
        ("(def x 1)", Define(X, ONE)),
        ("(defn x [a] a)", Define(X, Function((A,), (A,), "x"))),
        ('(defn x "what it does" [a] a)', Define(X, Function((A,), (A,), "x"))),
        ("(for [x a] b c)", For((Binding(X, A),), (B, C))),
        ("(doseq [x a] b)", For((Binding(X, A),), (B,), collect=False)),
        ("(loop 1 a b)", Loop(ONE, A, B)),
        ("(loop a [] b c x)", Loop(A, VectorLiteral(()), B, (C, X))),
        ("(sample a)", Sample(A)),
        ('(sample "x" a)', Sample(A, "x")),
        ("(observe a b)", Observe(A, B)),
        ("[a 1 nil]", VectorLiteral((A, ONE, Nil()))),
        ("(a b)", Call(A, (B,))),
        ("((fn [x] x) a)", Call(Function((X,), (X,)), (A,))),
        ("(when a b)", Call(Name("when"), (A, B))),
        ("(if-not a b)", Call(Name("if-not"), (A, B))),
        ("(cond a b :else c)", parse("(cond a b true c)")),
    ],
)
def test_forms_become_their_nodes(text, node):
    assert parse(text) == node


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("()", "empty-call", 1),
        ("(1 2)", "not-callable", 2),
        ("([1 2] 0)", "not-callable", 2),
        ('("f" 0)', "not-callable", 2),
        ("(nil)", "not-callable", 2),
        ("(recur 1)", "recur", 2),
        ("(let)", "let-without-vector", 2),
        ("(let x 1)", "let-without-vector", 6),
        ("(let [x] x)", "odd-bindings", 7),
        ("(let [x 1 y] x)", "odd-bindings", 11),
        ("(let [x 1])", "missing-body", 1),
        ("(let [1 x] x)", "not-a-name", 7),
        ("(let [(f) x] x)", "not-a-name", 7),
        ("(let [[a 1] x] x)", "not-a-name", 10),
        ("(let [if 1] 1)", "reserved-name", 7),
        ("(let [[a &] x] x)", "misplaced-ampersand", 10),
        ("(let [[& a b] x] x)", "misplaced-ampersand", 8),
        ("(let [& x] x)", "misplaced-ampersand", 7),
        ("(if)", "if-arguments", 2),
        ("(if a)", "if-arguments", 2),
        ("(if a b c d)", "if-arguments", 11),
        ("(fn)", "function-without-parameters", 2),
        ("(fn f)", "function-without-parameters", 2),
        ("(fn x 1)", "function-without-parameters", 7),
        ("(fn ([a] a) ([a b] b))", "overloaded-function", 5),
        ("(fn [a & b] a)", "variadic-function", 8),
        ("(fn [a])", "missing-body", 1),
        ("(fn [2] a)", "not-a-name", 6),
        ("(fn let [a] a)", "reserved-name", 5),
        ("(def)", "definition-without-name", 2),
        ("(def 1 2)", "definition-without-name", 6),
        ("(def x)", "def-arguments", 2),
        ("(def x 1 2)", "def-arguments", 10),
        ("(def sample 1)", "reserved-name", 6),
        ("(defn [a] a)", "definition-without-name", 7),
        ("(defn f a)", "function-without-parameters", 9),
        ("(defn f [a])", "missing-body", 1),
        ("(for)", "for-without-bindings", 2),
        ("(for x 1)", "for-without-bindings", 6),
        ("(doseq [] 1)", "for-without-bindings", 8),
        ("(for [x] 1)", "odd-bindings", 7),
        ("(for [x a])", "missing-body", 1),
        ("(loop)", "loop-arguments", 2),
        ("(loop 3 1)", "loop-arguments", 2),
        ("(loop [i 0] (recur 1))", "clojure-loop", 7),
        ("(sample)", "sample-arguments", 2),
        ("(sample a b)", "sample-arguments", 11),
        ("(observe a)", "observe-arguments", 2),
        ("(observe a b c)", "observe-arguments", 14),
    ],
)
def test_malformed_forms_have_their_own_message_and_caret(text, code, column):
    with pytest.raises(ModelError) as caught:
        parse(text)
    assert (caught.value.code, caught.value.span.column) == (code, column)


def test_the_refusal_of_clojures_loop_shows_how_loops_are_written():
    with pytest.raises(ModelError, match=r"\(loop n initial step\)"):
        parse("(loop [i 0] i)")


def test_spans_cover_the_text_of_their_nodes():
    program = read_program(Source("m", "a\n(let [[x & r] (f 1)]\n  x)"))
    let = program.expressions[1]
    assert program.span.text == "a\n(let [[x & r] (f 1)]\n  x)"
    assert let.span.text == "(let [[x & r] (f 1)]\n  x)"
    assert let.bindings[0].span.text == "[x & r] (f 1)"
    assert let.bindings[0].pattern.rest.span.text == "r"
    assert let.body[0].span.line == 3


@pytest.mark.parametrize(
    ("opening", "inside", "closing"),
    [
        ("(let [x 1] ", "x", ")"),
        ("(let [x ", "1", "] x)"),
        ("(if a ", "1", ")"),
        ("[", "", "]"),
        ("(fn [a] ", "a", ")"),
        ("(f ", "a", ")"),
    ],
)
def test_a_thousand_nested_forms_are_parsed(opening, inside, closing):
    assert read_program(Source("m", opening * 1000 + inside + closing * 1000)).expressions


def test_a_deeply_nested_pattern_is_parsed():
    assert parse("(let [" + "[" * 1000 + "a" + "]" * 1000 + " x] a)").bindings


@pytest.mark.parametrize("text", ["", "  \n", "; only a comment", "#_(a)"])
def test_a_program_without_expressions_is_refused(text):
    with pytest.raises(ModelError) as caught:
        read_program(Source("m", text))
    assert caught.value.code == "empty-program"


WORDS = ["let", "if", "fn", "def", "defn", "for", "loop", "sample", "observe", "x", "&", "1", '"s"']
TREES = st.recursive(
    st.sampled_from(WORDS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5).map(lambda items: f"({' '.join(items)})"),
        st.lists(inner, max_size=4).map(lambda items: f"[{' '.join(items)}]"),
    ),
    max_leaves=15,
)


@settings(max_examples=300, deadline=None)
@given(TREES)
def test_any_balanced_text_is_parsed_or_refused_with_a_caret(text):
    try:
        program = read_program(Source("m", text))
    except ModelError as error:
        assert error.span is not None
    else:
        assert program.expressions
