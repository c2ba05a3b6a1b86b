"""Γ is sound: no numerical search finds a jump of the density in a variable outside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import lfppl
from corpus import PROGRAMS, Case, compiled, examples, written
from generate import REPEATABLE, Written, points, programs
from jumps import jumps

SEED = 20180612


def found_outside(model: lfppl.Model, count: int, steps: int) -> list[Any]:
    """The jumps found from a few points in variables that are not in the model's Γ."""
    fixed = set(model.discontinuous)
    if fixed >= set(model.sampled):
        return []
    starts = points(model.core, model.data, SEED, count)
    return [j for start in starts for j in jumps(model.core, model.data, start, fixed, steps)]


@pytest.mark.parametrize("case", written() + examples(), ids=lambda case: case.id)
def test_no_jump_outside_the_discontinuous_variables(case: Case) -> None:
    assert found_outside(compiled(case), count=2, steps=12) == []


@settings(REPEATABLE, max_examples=100)
@given(programs())
def test_no_jump_outside_the_discontinuous_variables_of_random_programs(
    program: Written,
) -> None:
    assert found_outside(lfppl.compile(*program), count=1, steps=8) == []


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("(let [x (sample (normal 0 1))] (if (< x 0.3) (observe (normal 0 1) 1) 0) x)", 0.3),
        ("(let [t (sample (exponential 1))] (observe (uniform 0 t) 0.5) t)", 0.5),
        ("(let [x (sample (normal 0 1))] (observe (gamma 1 1) (- x 0.2)) x)", 0.2),
    ],
)
def test_the_search_finds_a_jump_where_there_is_one(text: str, position: float) -> None:
    model = lfppl.compile(text)
    (name,) = model.sampled
    start = {name: np.float64(1.0)}
    (jump,) = jumps(model.core, model.data, start)
    found = np.exp(jump.position) if name == "t" else jump.position
    assert jump.name == name
    assert found == pytest.approx(position, abs=1e-9)


@pytest.mark.parametrize(
    "name", ["if-one", "if-two", "if-three", "if-nested", "chain", "change-point", "edge-bernoulli"]
)
def test_the_search_finds_jumps_inside_the_discontinuous_variables(name: str) -> None:
    model = compiled(Case(PROGRAMS / "good" / f"{name}.lfppl"))
    starts = points(model.core, model.data, SEED, count=3)
    found = [j.name for start in starts for j in jumps(model.core, model.data, start)]
    assert set(found) <= set(model.discontinuous)
    assert found


def test_the_search_sees_no_jump_in_kinks_and_steep_edges() -> None:
    text = """(let [x (sample (laplace 0 1))]
                (observe (gamma 1.1 1) (+ x 2))
                (observe (triangular -3 0 3) x)
                x)"""
    model = lfppl.compile(text)
    assert jumps(model.core, model.data, {"x": np.float64(0.4)}) == []


def test_an_observed_uniform_jumps_in_its_latent_edge() -> None:
    model = lfppl.compile("(let [t (sample (gamma 2 1))] (observe (uniform 0 t) 0.5) t)")
    assert set(model.discontinuous) == {"t"}


def test_a_uniform_that_no_predicate_reads_is_continuous() -> None:
    model = lfppl.compile("(let [u (sample (uniform 0 1))] (observe (normal u 1) 0.3) u)")
    assert set(model.sampled) == {"u"}
    assert model.discontinuous == {}


def test_random_categorical_weights_stay_continuous() -> None:
    text = """(let [w (sample (dirichlet [1 1 1]))
                    z (for [i (range 4)] (sample (categorical w)))]
                (doseq [k z] (observe (normal k 1) 0.5))
                w)"""
    assert set(lfppl.compile(text).discontinuous) == {"z"}
