"""Programs survive being printed and read, and being written as JSON and read."""

import math
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lfppl.source import Source
from lfppl.syntax import read_program
from lfppl.syntax.atoms import is_name
from lfppl.syntax.json_form import program_from_json, program_to_json, read_json, write_json
from lfppl.syntax.layout import WIDTH
from lfppl.syntax.patterns import RESERVED
from lfppl.syntax.printer import print_expression, print_program
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
    Program,
    Sample,
    Text,
    Truth,
    VectorLiteral,
    VectorPattern,
)

IDS = st.one_of(
    st.sampled_from(["x", "mu", "y-1", "+", "->", "x'", "normal", "cond", "do", "β"]),
    st.text("abcXYZ019*+!-_?<>=./%|é'", min_size=1, max_size=30).filter(is_name),
).filter(lambda id: id not in RESERVED and id != "recur")
NAMES = IDS.map(Name)
PATTERNS = st.recursive(
    NAMES,
    lambda inner: st.builds(
        VectorPattern, st.lists(inner, max_size=3).map(tuple), st.none() | NAMES
    ),
    max_leaves=4,
)
NUMBERS = st.one_of(st.integers(-(10**20), 10**20).map(float), st.floats(allow_nan=False))
TEXTS = st.text(max_size=10)
LEAVES = st.one_of(
    NUMBERS.map(Number),
    st.just(Number(math.nan)),
    TEXTS.map(Text),
    st.booleans().map(Truth),
    st.just(Nil()),
    NAMES,
)


def many(inner, least=0):
    return st.lists(inner, min_size=least, max_size=3).map(tuple)


def extended(inner):
    bindings = st.builds(Binding, PATTERNS, inner)
    functions = st.builds(Function, many(PATTERNS), many(inner, 1), st.none() | IDS)
    callees = st.one_of(NAMES, functions, st.builds(Call, NAMES, many(inner)))
    return st.one_of(
        st.builds(VectorLiteral, many(inner)),
        st.builds(Let, many(bindings), many(inner, 1)),
        st.builds(If, inner, inner, st.none() | inner),
        functions,
        st.builds(Define, NAMES, inner),
        st.builds(lambda f, n: Define(Name(n), Function(f.parameters, f.body, n)), functions, IDS),
        st.builds(For, many(bindings, 1), many(inner, 1), st.booleans()),
        st.builds(Loop, inner.filter(lambda e: type(e) is not VectorLiteral), inner, inner),
        st.builds(Loop, NAMES, inner, inner, many(inner)),
        st.builds(Sample, inner, st.none() | TEXTS),
        st.builds(Observe, inner, inner),
        st.builds(Call, callees, many(inner)),
    )


EXPRESSIONS = st.recursive(LEAVES, extended, max_leaves=15)
PROGRAMS = many(EXPRESSIONS, 1).map(Program)


@settings(max_examples=200, deadline=None)
@given(PROGRAMS)
def test_a_printed_program_reads_back_equal(program):
    assert read_program(Source("m", print_program(program))) == program


@settings(max_examples=200, deadline=None)
@given(PROGRAMS)
def test_a_program_written_as_json_reads_back_equal(program):
    assert read_json(Source("m.json", write_json(program))) == program


@settings(max_examples=50, deadline=None)
@given(PROGRAMS)
def test_json_keeps_the_spans_of_a_text(program):
    read = read_program(Source("m", print_program(program)))
    again = program_from_json(program_to_json(read))
    assert again == read
    assert again.span.text == read.span.text
    assert [e.span.text for e in again.expressions] == [e.span.text for e in read.expressions]


DEEP = [
    "(let [x " * 990 + "1" + "] x)" * 990,
    "(f " * 1990 + ")" * 1990,
    "[" * 1990 + "]" * 1990,
    "(if a " * 1900 + "1" + ")" * 1900,
]


@pytest.mark.parametrize("text", DEEP, ids=["let", "call", "vector", "if"])
def test_the_deepest_programs_survive_both_ways(text):
    program = read_program(Source("m", text))
    printed = print_program(program)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(50_000)  # for the comparison, which recurses
    try:
        assert read_program(Source("m", printed)) == program
        assert read_json(Source("m", write_json(program))) == program
    finally:
        sys.setrecursionlimit(before)


def test_printed_lines_keep_to_the_width():
    numbers = " ".join(str(i / 7) for i in range(100))
    text = f"(let [x [{numbers}] y (f (g {'a ' * 60}) (h {'b ' * 60}))] (if (< x y) x y))"
    lines = print_program(read_program(Source("m", text))).splitlines()
    assert max(map(len, lines)) <= WIDTH + 4  # closing brackets may hang over


def test_a_program_is_broken_as_people_break_it():
    text = """
    (defn step [i acc ys] (let [[a b & r] ys z (sample (categorical [0.2 0.3 0.5]))
    mean (if (< z 1) (get mus 0) (get mus 1))] (observe (normal mean 1) (get ys i)) (conj acc z)))
    """
    assert print_program(read_program(Source("m", text))) == (
        "(defn step [i acc ys]\n"
        "  (let [[a b & r] ys\n"
        "        z (sample (categorical [0.2 0.3 0.5]))\n"
        "        mean (if (< z 1) (get mus 0) (get mus 1))]\n"
        "    (observe (normal mean 1) (get ys i))\n"
        "    (conj acc z)))\n"
    )


def test_an_expression_prints_on_one_line_where_it_fits():
    assert print_expression(Observe(Call(Name("normal"), (Number(0.0), Number(0.1))), Nil())) == (
        "(observe (normal 0 0.1) nil)"
    )
