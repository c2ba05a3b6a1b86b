"""Colours: labels make one, a chain two, coordinates in conflict one each."""

from __future__ import annotations

import numpy as np
import pytest

from lfppl.lir.colours import colour
from lfppl.lir.cones import Pairs
from lowered import built

LABELS = """(let [mu (for [i (range 2)] (sample (normal 0 3)))]
              (for [y ys]
                (let [z (sample (bernoulli 0.4))] (observe (normal (get mu z) 1) y)))
              mu)"""


def sizes(text: str, data: dict[str, object] | None = None) -> list[int]:
    return sorted(len(members) for members in built(text, data).colours)


@pytest.mark.parametrize("count", [10, 500])
def test_labels_of_a_mixture_are_one_colour(count: int) -> None:
    assert sizes(LABELS, {"ys": np.linspace(0, 1, count)}) == [count]


def test_states_of_a_chain_are_two_colours() -> None:
    text = """(loop 20 0 (fn [i z]
                (let [z (sample (bernoulli (if (< z 1) 0.3 0.8)))]
                  (observe (normal z 1) 0.5) z)))"""
    assert sizes(text) == [10, 10]


def test_coordinates_that_all_change_one_row_have_a_colour_each() -> None:
    text = """(let [zs (for [i (range 6)] (sample (bernoulli 0.5)))]
                (observe (normal (sum zs) 1) 2) zs)"""
    assert sizes(text) == [1] * 6


def test_different_variables_do_not_share_a_colour() -> None:
    text = """(let [a (sample (bernoulli 0.5)) b (sample (poisson 3))]
                (observe (normal a 1) 1) (observe (normal b 1) 1) a)"""
    assert sizes(text) == [1, 1]


def test_no_discontinuous_variable_means_no_colour() -> None:
    assert sizes("(let [x (sample (normal 0 1))] (observe (normal x 1) 1) x)") == []


def test_irregular_conflicts_are_coloured_greedily() -> None:
    generator = np.random.default_rng(20180612)
    conflicts = [generator.choice(30, 2, replace=False) for _ in range(40)]
    who, rows = np.concatenate(conflicts), np.repeat(np.arange(40), 2)
    order = np.argsort(who, kind="stable")
    found = colour(Pairs(who[order], rows[order]), [np.arange(30)])
    of = {int(b): k for k, members in enumerate(found) for b in members}
    assert len(of) == 30
    assert all(of[int(a)] != of[int(b)] for a, b in conflicts)
    assert len(found) <= 5
