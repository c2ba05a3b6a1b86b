"""Theorem 2 is claimed where it holds and refused with a place where not; zeros are told."""

from __future__ import annotations

import pytest

import lfppl


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("(let [x (sample (normal 0 1))] (observe (normal (log x) 1) 0) x)", "(log x)"),
        ("(let [x (sample (normal 0 1))] (observe (normal (sqrt x) 1) 0) x)", "(sqrt x)"),
        ("(let [x (sample (normal 0 1))] (observe (normal (pow x 0.5) 1) 0) x)", "(pow x 0.5)"),
        (
            """(let [xs (for [i (range 2)] (sample (normal 0 1)))
                     zs (for [j (range 3)] (sample (bernoulli 0.5)))]
                 (for [z zs] (observe (normal (+ 1 (log (get xs z))) 1) 0)) xs)""",
            "(log (get xs z))",
        ),
    ],
)
def test_what_is_not_defined_everywhere_is_refused_with_its_place(text: str, place: str) -> None:
    guarantee = lfppl.compile(text).analysis.guarantee
    assert not guarantee.holds
    assert guarantee.span is not None
    assert guarantee.span.text == place


@pytest.mark.parametrize(
    "text",
    [
        "(let [x (sample (gamma 2 1))] (observe (normal (+ (log x) (sqrt x)) 1) 0) x)",
        "(let [x (sample (normal 0 1))] (observe (normal (log (+ 1 (* x x))) 1) 0) x)",
        "(let [x (sample (normal 0 1))] (observe (normal (pow x 2) 1) 0) x)",
        "(let [x (sample (normal 0 1))] (observe (normal (/ 1 x) 1) 0) x)",
        "(let [x (sample (normal 0 1))] (observe (normal 0 1) 0) (log x))",
        "(let [x (sample (normal 0 1))] (observe (normal (abs x) 1) 0) x)",
        """(let [x (for [i (range 2)] (sample (normal 0 1)))]
             (factor (- (sqrt (dot x (mat-mul [[2 1] [1 3]] x))))) x)""",
    ],
)
def test_what_is_defined_everywhere_holds(text: str) -> None:
    assert lfppl.compile(text).analysis.guarantee.holds


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(let [t (sample (gamma 2 1))] (observe (uniform 0 t) 0.5) t)", "outside the support"),
        ("(let [x (sample (normal 0 1))] (observe (normal 0 x) 1) x)", "may leave its range"),
        ("(let [a (sample (normal 0 1))] (observe (uniform a 1) 0.5) a)", "contradict each other"),
    ],
)
def test_statements_that_may_have_no_density_are_told(text: str, words: str) -> None:
    (reason, *_) = lfppl.compile(text).analysis.zero_density
    assert words in reason.text
    assert reason.span.text.startswith("(observe")


def test_a_density_that_is_never_zero_is_said_to_be_so() -> None:
    text = "(let [s (sample (gamma 2 1))] (observe (normal 0 s) 1) s)"
    assert lfppl.compile(text).analysis.zero_density == ()
