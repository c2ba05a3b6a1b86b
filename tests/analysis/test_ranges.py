"""The numbers an expression takes lie in its range."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lfppl.analysis.intervals import Range
from lfppl.analysis.ranges import Ranges
from lfppl.core.desugar import desugar
from lfppl.core.primitives import NumpyMath
from lfppl.data import bind
from lfppl.source import Source
from lfppl.syntax import read_program
from lfppl.trace import Trace, trace
from lfppl.trace.graph import Graph, Node

LATENTS = {
    "a": ("(normal 0 2)", (-6.0, 6.0)),
    "b": ("(gamma 2 1)", (1e-6, 8.0)),
    "u": ("(uniform -0.5 2.5)", (-0.5, 2.5)),
    "v": ("(beta 2 2)", (1e-9, 1.0 - 1e-9)),
    "k": ("(discrete-uniform -1 3)", (-1.0, 3.0)),
}
UNARY = ("exp", "log", "sqrt", "log1p", "expm1", "sigmoid", "softplus", "sin", "cos", "tanh",
         "atan", "cosh", "erf", "ndtr", "floor", "neg")  # fmt: skip
BINARY = ("+", "-", "*", "/", "less", "and", "or")


def traced(text: str) -> Trace:
    core = desugar(read_program(Source("<test>", text)), bind({}))
    return trace(core, {})


def evaluate(node: Node, values: dict[int, NDArray[np.float64]]) -> NDArray[np.float64]:
    """The numbers of a node that is built of scalars, coordinates being given by block."""
    if node.operation == "coordinate":
        return values[node.payload]
    if node.is_static:
        return np.asarray(node.payload)
    arguments = [evaluate(argument, values) for argument in node.arguments]
    return np.asarray(NumpyMath().apply(node.operation, *arguments))


@st.composite
def expressions(draw: st.DrawFn) -> list[tuple[str, tuple[int, ...]]]:
    """Operations on what came before: the first five are the latent variables."""
    steps = []
    for position in range(len(LATENTS) + 2, len(LATENTS) + 2 + draw(st.integers(1, 7))):
        name = draw(st.sampled_from((*UNARY, *BINARY, "select", "not", "square")))
        arity = 1 if name in (*UNARY, "not", "square") else 3 if name == "select" else 2
        steps.append((name, tuple(draw(st.integers(0, position - 1)) for _ in range(arity))))
    return steps


def build(graph: Graph, steps: list[tuple[str, tuple[int, ...]]], nodes: list[Node]) -> list[Node]:
    nodes = [*nodes, graph.constant(1.5), graph.constant(-0.5)]
    for name, arguments in steps:
        parts = [nodes[i] for i in arguments]
        if name == "square":
            nodes.append(parts[0] * parts[0])
        elif name == "select":
            nodes.append(graph.select(graph.less(parts[0], 1.0), parts[1], parts[2]))
        elif name in ("and", "or", "not"):
            nodes.append(graph.apply(name, *(graph.less(part, 0.5) for part in parts)))
        else:
            nodes.append(graph.apply(name, *parts))
    return nodes


@settings(max_examples=300)
@given(steps=expressions(), seed=st.integers(0, 1000))
def test_values_lie_in_the_ranges_of_generated_expressions(
    steps: list[tuple[str, tuple[int, ...]]], seed: int
) -> None:
    bindings = " ".join(f"{name} (sample {family})" for name, (family, _) in LATENTS.items())
    program = traced(f"(let [{bindings}] 0)")
    leaves = [
        program.graph.floor(block.leaf) if block.family.is_discrete else block.leaf
        for block in program.samples
    ]
    generator = np.random.default_rng(seed)
    values = {}
    for block in program.samples:
        low, high = LATENTS[block.name][1]
        values[block.number] = generator.uniform(low, high, 50)
        values[block.number][:2] = low, high
    nodes = build(program.graph, steps, leaves)
    exact, floats = Ranges(program), Ranges(program, in_floats=True)
    for node in nodes:
        with np.errstate(all="ignore"):
            found = np.atleast_1d(evaluate(node, values))
        found = found[~np.isnan(found)]
        for r in (exact.of(node), floats.of(node)):
            slack = 1e-12 * max(1.0, *(abs(x) for x in r[:2] if math.isfinite(x)), 0.0)
            assert (found >= r.low - slack).all(), (node.operation, r)
            assert (found <= r.high + slack).all(), (node.operation, r)


@pytest.mark.parametrize(
    ("family", "expression", "expected"),
    [
        ("(uniform 0 2.5)", "(floor x)", Range(0.0, 2.0)),
        ("(discrete-uniform 1 4)", "x", Range(1.0, 4.0)),
        ("(discrete-uniform 0 49)", "(/ x 49)", Range(0.0, 1.0)),
        ("(normal 0 1)", "(* x x)", Range(0.0, math.inf)),
        ("(normal 0 1)", "(+ 1 (* x (* 2 x)))", Range(1.0, math.inf)),
        ("(uniform 1 2)", "(- (* x x) 1)", Range(0.0, 3.0, True)),
        ("(normal 0 1)", "(- (+ x 2) x)", Range(2.0, 2.0)),
        ("(uniform 500 1000)", "(exp x)", Range(math.exp(500), math.inf, True)),
        ("(beta 1 1)", "(- 1 x)", Range(0.0, 1.0, True)),
        ("(dirichlet [1 2])", "(sum x)", Range(0.0, math.inf, True)),
    ],
)
def test_range_of_an_expression(family: str, expression: str, expected: Range) -> None:
    program = traced(f"(let [x (sample {family})] {expression})")
    assert isinstance(program.returned, Node)
    found = Ranges(program).of(program.returned)
    assert found[:2] == pytest.approx(expected[:2])
    assert found.low != 0 or found.open_low <= expected.open_low


def test_what_cancels_in_numbers_may_not_cancel_in_floats() -> None:
    program = traced("(let [x (sample (normal 0 1))] (- (+ x 2) x))")
    assert isinstance(program.returned, Node)
    assert Ranges(program, in_floats=True).of(program.returned).low == -math.inf


def test_a_quadratic_form_of_a_positive_matrix_is_nonnegative() -> None:
    text = """(let [x (for [i (range 2)] (sample (normal 0 1)))]
                (dot x (mat-mul [[2 1] [1 3]] x)))"""
    program = traced(text)
    assert isinstance(program.returned, Node)
    assert Ranges(program).of(program.returned).low == 0.0
