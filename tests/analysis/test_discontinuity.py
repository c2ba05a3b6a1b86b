"""Γ of unusual programs: what jumps is in it, with a reason and a place; what does not is not."""

from __future__ import annotations

import numpy as np
import pytest

import lfppl
from generate import points
from jumps import jumps
from lfppl.analysis.discontinuity import JUMPS, live_nodes
from lfppl.analysis.marks import Spreading
from lfppl.trace import trace

SEED = 20180612

IN_GAMMA = {
    "floor of a choice between outer variables": (
        """(let [xs (for [i (range 2)] (sample (normal 0 1)))
                 zs (for [j (range 3)] (sample (bernoulli 0.5)))]
             (for [z zs] (observe (normal (+ 1 (floor (get xs z))) 1) 0)) xs)""",
        {"xs", "zs"},
    ),
    "comparison of a choice between outer variables": (
        """(let [xs (for [i (range 2)] (sample (normal 0 1)))
                 zs (for [j (range 3)] (sample (bernoulli 0.5)))]
             (for [z zs] (observe (normal (+ 1 (< (get xs z) 0.3)) 1) 0)) xs)""",
        {"xs", "zs"},
    ),
    "index repeated for the rows of an inner loop": (
        """(let [us (for [i (range 3)] (sample (uniform 0 2)))]
             (for [i (range 3)]
               (let [row (get [[1 2 3 4] [5 4 3 2]] (get us (- 2 i)))]
                 (doseq [v row] (observe (normal v 1) 0))))
             us)""",
        {"us"},
    ),
    "index of an index": (
        """(let [xs (for [i (range 3)] (sample (uniform 0 3)))]
             (observe (normal (get [3 1 2] (get [2 0 1] (get xs 0))) 1) 1) xs)""",
        {"xs"},
    ),
    "index into distributions": (
        """(let [u (sample (uniform 0 3))]
             (observe (get [(normal 0 1) (laplace 1 2) (normal 5 1)] u) 0) u)""",
        {"u"},
    ),
    "comparison as a number": (
        """(let [x (sample (normal 0 2)) y (sample (normal 0 1))]
             (observe (normal (* 3 (< x (+ y 0.1))) 1) 0) x)""",
        {"x", "y"},
    ),
    "edge under a guard": (
        """(let [x (sample (normal 0 2)) t (sample (gamma 2 1))]
             (if (< x 0.1) (observe (uniform 0 t) 0.5) 0) x)""",
        {"x", "t"},
    ),
    "real number observed as a count": (
        "(let [x (sample (gamma 2 1))] (observe (poisson 3) x) x)",
        {"x"},
    ),
    "real number observed as a category": (
        "(let [x (sample (uniform 0 3))] (observe (categorical [1 2 3]) x) x)",
        {"x"},
    ),
    "probability that may leave its range": (
        "(let [p (sample (normal 0.5 1))] (observe (bernoulli p) 1) p)",
        {"p"},
    ),
    "probability by the floor of a real": (
        "(let [u (sample (uniform 0 2.5))] (observe (bernoulli (/ (floor u) 1.5)) 1) u)",
        {"u"},
    ),
    "simplex in a predicate": (
        """(let [w (sample (dirichlet [1 1 2]))]
             (if (< (get w 0) 0.3) (observe (normal 0 1) 1) 0) w)""",
        {"w"},
    ),
    "observed simplex with edges": (
        """(let [u (sample (normal 0.5 1))] (observe (dirichlet [1 1]) [u (- 1 u)]) u)""",
        {"u"},
    ),
    "factor with a select": (
        """(let [x (sample (normal 0 1)) y (sample (normal 0 1))]
             (factor (if (< (* x y) 0.1) 1 0)) x)""",
        {"x", "y"},
    ),
    "sampled variable under another support": (
        "(let [x (sample (normal 0 1))] (observe (beta 1 1) x) x)",
        {"x"},
    ),
    "edges of edges": (
        """(let [a (sample (uniform 0 1)) b (sample (uniform 0 a)) c (sample (uniform 0 b))]
             (if (< c 0.1) (observe (normal 0 1) 1) 0) c)""",
        {"a", "b", "c"},
    ),
    "reciprocal that tells its two sides apart": (
        """(let [x (sample (normal 0 1))]
             (observe (normal (atan (/ 1 (- x 0.123))) 1) 0.3) x)""",
        {"x"},
    ),
    "tangent that tells its two sides apart": (
        "(let [x (sample (normal 0 1))] (observe (normal (sigmoid (tan (* 2 x))) 1) 0.3) x)",
        {"x"},
    ),
    "negative power that tells its two sides apart": (
        """(let [x (sample (normal 0 1))]
             (observe (normal (atan (pow (- x 0.123) -1)) 1) 0.3) x)""",
        {"x"},
    ),
    "weight by a reciprocal": (
        "(let [x (sample (normal 0 1))] (factor (- (tanh (/ 1 (- x 0.123))))) x)",
        {"x"},
    ),
    "standard deviation at the mean": (
        "(let [s (sample (normal 1 1))] (observe (normal 0 s) 0) s)",
        {"s"},
    ),
    "bounds of a truncated normal": (
        "(let [m (sample (normal 0 1))] (observe (truncated-normal m 1 m 2) 0.6) m)",
        {"m"},
    ),
    "rounding": (
        "(let [x (sample (normal 0 2))] (observe (normal (round x) 0.5) 1) x)",
        {"x"},
    ),
}

OUT_OF_GAMMA = {
    "probability within its range": (
        "(let [p (sample (beta 2 2))] (observe (bernoulli p) 1) p)",
        "p",
    ),
    "quotient in a normal's mean": (
        "(let [x (sample (normal 0 1))] (observe (normal (/ 1 (- x 0.123)) 1) 0.3) x)",
        "x",
    ),
    "division by what is positive": (
        """(let [x (sample (normal 0 1))]
             (observe (normal (atan (/ 1 (+ 1 (* x x)))) 1) 0.3) x)""",
        "x",
    ),
    "random edge of a sampled variable": (
        """(let [s (sample (gamma 2 1)) x (sample (pareto s 2))]
             (observe (normal x 1) 2) x)""",
        "s x",
    ),
    "edges that move along": (
        "(let [a (sample (normal 0 1)) u (sample (uniform a (+ a 2)))] (observe (normal u 1) 0) u)",
        "a u",
    ),
    "edges that move along in a loop": (
        """(let [a (sample (normal 0 1)) b (+ a 2)
                 us (for [i (range 3)] (sample (uniform a b)))]
             (observe (normal (sum us) 1) 0) us)""",
        "a us",
    ),
    "bounds that a branch moves": (
        """(let [x (sample (normal 0 1)) u (sample (uniform 0 (if (< x 0) 1 2)))]
             (observe (normal u 1) 1) u)""",
        "u",
    ),
    "standard deviation away from the mean": (
        "(let [s (sample (normal 1 1))] (observe (normal 0 s) 0.7) s)",
        "s",
    ),
    "parameters of a label": (
        """(let [a (sample (normal 0 1)) k (sample (bernoulli (sigmoid a)))]
             (observe (normal k 1) 1) a)""",
        "a",
    ),
    "the other factor of a product with a comparison": (
        """(let [x (sample (normal 0 1)) y (sample (normal 0 1))]
             (observe (normal (mat-mul [[1 2] [3 4]] [(< x 0.2) y]) 1) [1 1]) x)""",
        "y",
    ),
    "largest of a long vector": (
        """(let [xs (for [i (range 40)] (sample (normal 0 1)))]
             (observe (normal (reduce max 0 xs) 1) 1) xs)""",
        "xs",
    ),
}


def jumps_outside(model: lfppl.Model) -> list[object]:
    fixed = set(model.discontinuous)
    if fixed >= set(model.sampled):
        return []
    starts = points(model.core, model.data, SEED, 3)
    return [j for start in starts for j in jumps(model.core, model.data, start, fixed, 16)]


@pytest.mark.parametrize("name", IN_GAMMA)
def test_what_jumps_is_discontinuous(name: str) -> None:
    text, expected = IN_GAMMA[name]
    model = lfppl.compile(text)
    assert set(model.discontinuous) >= expected
    assert jumps_outside(model) == []


@pytest.mark.parametrize("name", OUT_OF_GAMMA)
def test_what_does_not_jump_stays_continuous(name: str) -> None:
    text, continuous = OUT_OF_GAMMA[name]
    model = lfppl.compile(text)
    assert not set(model.discontinuous) & set(continuous.split())
    assert jumps_outside(model) == []


@pytest.mark.parametrize("text", [text for text, _ in IN_GAMMA.values()], ids=list(IN_GAMMA))
def test_every_jumping_operation_that_the_density_reads_is_seen(text: str) -> None:
    model = lfppl.compile(text)
    graph = trace(model.core, model.data)
    missed = []
    discontinuous = set(model.discontinuous)
    spreading = Spreading(lambda leaf, mark: missed.append(graph.samples[leaf.payload].name))
    for number in live_nodes(graph):
        node = graph.graph.nodes[number]
        if node.operation in JUMPS:
            spreading.add(node.arguments[0] if node.operation == "pick" else node, 0)
    spreading.run()
    assert set(missed) <= discontinuous


@pytest.mark.parametrize(
    ("text", "kind", "under", "words"),
    [
        ("(let [x (sample (normal 0 1))] (if (< x 1) (observe (normal 0 1) 1) 0) x)",
         "predicate", "(< x 1)", "the `if` depends on it"),
        ("(let [k (sample (poisson 3))] (observe (normal k 1) 1) k)",
         "embedding", "(sample (poisson 3))", "its values are integers (`poisson`)"),
        ("(let [t (sample (gamma 2 1))] (observe (uniform 0 t) 0.5) t)",
         "edge", "(observe (uniform 0 t) 0.5)", "an edge of `uniform` depends on it"),
        ("(let [p (sample (normal 0 1))] (observe (bernoulli p) 1) p)",
         "edge", "(observe (bernoulli p) 1)", "`bernoulli` allows only some values of `p`"),
        ("(let [u (sample (uniform 0 2))] (observe (normal (get [1 2] u) 1) 1) u)",
         "predicate", "(get [1 2] u)", "an index is taken from it"),
        ("(let [x (sample (normal 0 1))] (observe (normal (floor x) 1) 1) x)",
         "predicate", "(floor x)", "`floor` jumps here"),
        ("(let [x (sample (normal 0 1))] (observe (normal (* 2 (< x 0)) 1) 1) x)",
         "predicate", "(< x 0)", "a comparison is used as a number here"),
        ("(let [x (sample (normal 0 1))] (observe (normal (exp (/ 1 x)) 1) 1) x)",
         "edge", "(/ 1 x)", "`/` may jump to infinity here"),
        ("(let [x (sample (gamma 2 1))] (observe (poisson 3) x) x)",
         "embedding", "(observe (poisson 3) x)", "`poisson` takes the integer part of it"),
    ],
)  # fmt: skip
def test_a_reason_says_what_and_where(text: str, kind: str, under: str, words: str) -> None:
    ((_, reasons),) = lfppl.compile(text).discontinuous.items()
    assert (reasons[0].kind, reasons[0].span.text, reasons[0].text) == (kind, under, words)


def test_only_the_element_in_a_predicate_is_discontinuous() -> None:
    text = """(let [mu (for [i (range 3)] (sample (normal 0 1)))]
                (if (< (get mu 1) 0) (observe (normal 0 1) 1) 0) mu)"""
    (marks,) = lfppl.compile(text).analysis.discontinuity.by_block
    assert (marks >= 0).tolist() == [False, True, False]


def test_edges_reach_further_when_more_rows_are_found_later() -> None:
    text = """(let [t (for [i (range 2)] (sample (gamma 2 1)))
                    a (for [i (range 2)] (sample (uniform 0 (get t i))))
                    b (sample (uniform 0 (get a 1)))]
                (if (< (get a 0) 0.4) (observe (normal 0 1) 1) 0)
                (if (< b 0.2) (observe (normal 0 1) 1) 0)
                b)"""
    found = lfppl.compile(text).analysis.discontinuity
    assert [(marks >= 0).all() for marks in found.by_block] == [True, True, True]


def test_a_dead_jump_is_no_jump() -> None:
    text = "(let [x (sample (normal 0 1))] (observe (normal x 1) 1) [(floor x) (< x 0)])"
    assert lfppl.compile(text).discontinuous == {}


def test_a_long_chain_of_edges_is_found_in_one_pass() -> None:
    chain = " ".join(f"x{i} (sample (uniform 0 x{i - 1}))" for i in range(1, 300))
    text = f"(let [x0 (sample (gamma 2 1)) {chain}] (if (< x299 0.1) (observe (normal 0 1) 1) 0))"
    assert len(lfppl.compile(text).discontinuous) == 300


def test_marks_of_rows_stay_apart_in_products_with_matrices() -> None:
    text = """(let [xs (for [i (range 3)] (sample (normal 0 1)))
                    ys (mat-mul [[1 0 2] [0 3 0]] xs)]
                (if (< (get ys 0) 0.3) (observe (normal (get ys 1) 1) 1) 0) xs)"""
    (marks,) = lfppl.compile(text).analysis.discontinuity.by_block
    assert {0, 2} <= set(np.flatnonzero(marks >= 0).tolist())


def test_an_if_of_the_returned_value_alone_makes_no_jump() -> None:
    """It is in Γ, as an `if` predicate depends on it; engines need not care."""
    model = lfppl.compile(
        """
        (let [x (sample (normal 0 1)) y (sample (uniform 0 2)) z (sample (normal 0 1))
              n (sample (poisson 2))]
          (observe (normal (if (< z n) x y) 1) 0.5)
          (if (< x y) (max x z) n))
        """
    )
    assert set(model.discontinuous) == {"x", "y", "z", "n"}
    assert "returned value" in model.discontinuous["y"][0].text
    assert model.discontinuous["z"][0].text == "the `if` depends on it"
    jumping = model.tables("jumping")
    assert {v.name for v in jumping.variables if v.discontinuous} == {"z", "n"}
    assert model.density("jumping").branch_count == model.density().branch_count


def test_without_such_an_if_the_tables_are_the_same() -> None:
    model = lfppl.compile("(let [x (sample (normal 0 1))] (observe (normal (if (< x 0) 1 2) 1) 0))")
    assert model.tables("jumping") is model.lir
    assert model.density("jumping") is model.density()
