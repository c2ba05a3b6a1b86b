"""The LIR printed as text, dot and JSON says what the tables hold."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from lfppl.lir.kernel_text import kernel_lines
from lfppl.lir.printer import dot, ranges, text, to_json
from lfppl.lir.tables import Instruction, Kernel, Run


def section(printed, title):
    """The lines below a title, without their indent of two."""
    lines = printed.splitlines()
    start = lines.index(title) + 1
    rest = [i for i in range(start, len(lines)) if not lines[i].startswith(" ")]
    return [line[2:] for line in lines[start : min(rest, default=len(lines))]]


def test_the_summary_counts_everything(mixture):
    assert text(mixture).splitlines()[0] == (
        "model: 5 coordinates (2 continuous, 3 discontinuous), 4 nodes, 14 values, 1 colour"
    )


def test_variables_show_their_places_classes_and_reasons(mixture):
    assert section(text(mixture), "variables") == [
        "mu[0..1] ~ normal  x[0..1] -> v[0..1]  continuous",
        "z[0..2] ~ bernoulli  x[2..4] -> v[5..7]  discontinuous, floor  from 0 to 2",
        "  because z takes integer values (embedding, mixture.lfppl:3:21)",
    ]


def test_kernels_are_formulas(mixture):
    assert section(text(mixture), "nodes") == [
        "n0  3 rows -> v[5..7]  map",
        "  out = floor(v[2+r])",
        "n1  2 rows -> v[8..9]  map",
        "  t4 = v[r] - 0",
        "  out = t4 * t4 * -0.5 - 0.9189385332046727",
        "n2  3 rows -> v[10..15]  map",
        "  c2 = v[1]",
        "  c3 = data [1, -0.5, 2]",
        "  t8 = c3 - [v[0], c2][v[5+r]]",
        "  out[0] = t8 * t8 * -0.5 - 0.9189385332046727",
        "  out[1] = v[5+r] < 0.5",
        "n3  3 rows -> v[16..18]  map",
        "  out = if(v[5+r] < 0.5, -0.35667494393873245, -1.2039728043259361)",
    ]


def test_the_rest_of_a_mixture_is_listed(mixture):
    printed = text(mixture)
    assert section(printed, "schedule") == ["n0[0..2] n1[0..1] n2[0..1] n2[2] n3[0..2]"]
    assert section(printed, "vertices")[2] == "2  observe normal at mixture.lfppl:4:21  from 0, 1"
    assert section(printed, "factors")[1] == "n2.0 adds to vertex 2"
    assert section(printed, "predicates") == ["n2.1 is the `if` at mixture.lfppl:4:7"]
    assert section(printed, "returned") == ["3: v[0,5], constant [4.5]"]
    assert section(printed, "cones") == [
        "3 coordinates x[2..4], one row each: n0[0..2] n2[0..2] n3[0..2]"
    ]
    assert section(printed, "colours") == ["0  3 coordinates x[2..4]"]


def test_reductions_and_weighted_sums_are_shown(reduction, linear):
    printed = text(reduction("max"))
    assert "n1  3 rows -> v[6..8]  max of 3,0,2 values each" in printed
    assert "of v[3..5,5,3]" in printed
    assert "weighted sums, dense 3 x 3" in text(linear(False))
    assert "weighted sums, sparse 3 x 3 with 5 weights" in text(linear(True))


def test_lines_stay_within_a_hundred_columns(mixture):
    runs = tuple(Run(0, 0, 1) for _ in range(5000))
    printed = text(replace(mixture, schedule=runs))
    assert max(map(len, printed.splitlines())) <= 100
    assert "... 4,976 more" in printed


@pytest.mark.parametrize(
    ("instructions", "formula"),
    [
        ([("-", (0, 1)), ("-", (2, 3))], "c - (a - b)"),
        ([("-", (0, 1)), ("-", (3, 2))], "a - b - c"),
        ([("+", (0, 1)), ("+", (2, 3))], "c + a + b"),
        ([("+", (0, 1)), ("*", (3, 2))], "(a + b) * c"),
        ([("*", (0, 1)), ("/", (2, 3))], "c / (a * b)"),
        ([("neg", (0,)), ("neg", (3,))], "-(-a)"),
        ([("+", (0, 1)), ("neg", (3,))], "-(a + b)"),
        ([("less", (0, 1)), ("and", (3, 2))], "a < b and c"),
        ([("less", (0, 1)), ("select", (3, 0, 1))], "if(a < b, a, b)"),
        ([("pow", (0, 1)), ("exp", (3,))], "exp(pow(a, b))"),
    ],
)
def test_formulas_have_the_brackets_they_need(instructions, formula):
    code = Kernel(3, tuple(Instruction(o, a) for o, a in instructions), (4,))
    assert kernel_lines(code, ["a", "b", "c"]) == [f"out = {formula}"]


def test_a_negative_number_is_bracketed_where_it_is_negated():
    code = Kernel(1, (Instruction("neg", (0,)),), (1,))
    assert kernel_lines(code, ["-2"]) == ["out = -(-2)"]


def test_long_chains_are_cut_into_named_parts():
    code = Kernel(1, tuple(Instruction("exp", (i,)) for i in range(2000)), (2000,))
    lines = kernel_lines(code, ["x"])
    assert max(map(len, lines)) < 100
    assert lines[0].startswith("t")


def test_what_is_used_twice_is_named_once():
    code = Kernel(
        1, tuple(Instruction("+", (i, i)) for i in range(200)), (200,)
    )  # a tree would be of size 2 ** 200
    assert sum(map(len, kernel_lines(code, ["x"]))) < 10_000


def test_ranges_are_short():
    assert ranges(np.array([1, 2, 3, 7, 9, 10])) == "1..3,7,9..10"
    assert ranges(np.array([4, 4, 4])) == "4"
    assert ranges(np.zeros(0)) == ""
    assert ranges(np.arange(0, 1000, 2)).endswith("... 476 more")


def test_dot_shows_vertices_arcs_and_ifs(mixture):
    graph = dot(replace(mixture, branch_arcs=((1, 2),)))
    assert 'v0 [label="mu\\nsample normal\\n1:29", shape=ellipse];' in graph
    assert re.search(r"v1 \[label=.z.*peripheries=2\];", graph)
    assert re.search(r"v2 \[label=.observe.*style=filled", graph)
    assert "v0 -> v2;" in graph
    assert "v1 -> v2 [style=dashed];" in graph
    assert 'p7 [label="if\\n4:7", shape=diamond];' in graph
    assert "v1 -> p7 [style=dashed];" in graph
    assert "v0 -> p7" not in graph


def test_dot_quotes_names(mixture):
    vertices = tuple(replace(v, name='a"b\\') for v in mixture.vertices)
    assert 'label="a\\"b\\\\\\nsample' in dot(replace(mixture, vertices=vertices))


def test_json_holds_every_table(mixture, reduction, linear):
    data = json.loads(json.dumps(to_json(mixture), allow_nan=False))
    assert data["kind"] == "Model"
    assert data["variables"][0]["lower"] == "-Infinity"
    assert data["variables"][1]["coordinates"] == [[2], [3], [4]]
    assert data["nodes"][0]["kernel"]["instructions"] == [{"operation": "floor", "arguments": [0]}]
    assert data["nodes"][0]["columns"] == [{"kind": "Affine", "start": 2, "stride": 1}]
    assert data["branch_spans"] == {"7": "mixture.lfppl:4:7"}
    assert json.loads(json.dumps(to_json(linear(True)), allow_nan=False))["nodes"][0]["weights"][
        "shape"
    ] == [3, 3]
    assert to_json(linear(False))["cones"]["shapes"][0]["steps"][0]["rows"] == {
        "start": 0,
        "stop": 2,
    }


def test_json_tells_nodes_apart(mixture, reduction, linear):
    kinds = [to_json(m)["nodes"][0 if m is mixture else -2] for m in (mixture, reduction("max"))]
    assert [node["kind"] for node in kinds] == ["Map", "Reduce"]
    assert kinds[1]["reduction"] == "max"
    assert to_json(linear(True))["nodes"][0]["kind"] == "Linear"
