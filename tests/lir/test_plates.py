"""Cones of plates, found by a look at the columns, are those of the search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from generate import REPEATABLE, Written, programs
from lfppl.compiler import compile
from lfppl.lir.colours import colour
from lfppl.lir.cones import RowIndex, find_pairs, shape_cones
from lfppl.lir.plates import plate_cones
from lfppl.lir.tables import Cones, Model
from lowered import built

MIXTURE = """(let [mu (for [i (range 3)] (sample (normal 0 3)))
                    z (for [y ys] (sample (categorical [0.2 0.5 0.3])))]
                (doseq [i (range (count ys))]
                  (observe (normal (get mu (get z i)) 1) (get ys i))) mu)"""
TWO_PLATES = """(let [z (for [y ys] (sample (bernoulli 0.4)))
                      u (for [y ys] (sample (uniform -1 1)))]
                  (doseq [i (range (count ys))]
                    (observe (normal (+ (exp (get z i)) (if (< (get u i) 0) 1 2)) 1) (get ys i)))
                  z)"""
NEIGHBOURS = """(let [z (for [y ys] (sample (bernoulli 0.4)))]
                  (doseq [i (range 1 (count ys))]
                    (observe (normal (+ (get z i) (get z (- i 1))) 1) (get ys i))) z)"""
SUM = """(let [z (for [y ys] (sample (bernoulli 0.4)))] (observe (normal (sum z) 1) (sum ys)) z)"""
BACKWARDS = """(let [z (for [y ys] (sample (bernoulli 0.4)))]
                 (doseq [i (range (count ys))]
                   (observe (normal (get z (- (count ys) 1 i)) 1) (get ys i))) z)"""
PART = """(let [z (for [y ys] (sample (bernoulli 0.4)))]
            (doseq [i (range 3)] (observe (normal (get z i) 1) (get ys i))) z)"""


def quick(model: Model):  # type: ignore[no-untyped-def]
    blocks = [b.coordinates.reshape(-1) for b in model.variables if b.discontinuous]
    index = RowIndex(model.nodes, model.schedule)
    return plate_cones(index, model.schedule, blocks)


def searched(model: Model) -> tuple[Cones, list[list[int]]]:
    blocks = [np.sort(b.coordinates.reshape(-1)) for b in model.variables if b.discontinuous]
    every = np.sort(np.concatenate(blocks)).astype(np.int64)
    index = RowIndex(model.nodes, model.schedule)
    pairs = find_pairs(index, every, model.size)
    colours = colour(pairs, [block.astype(np.int64) for block in blocks])
    return shape_cones(index, pairs, every), [c.tolist() for c in colours]


def told(cones: Cones) -> dict[int, list[tuple[object, ...]]]:
    """By coordinate: the steps of its cone, with what they read."""
    found = {}
    for coordinate, shape, place in zip(
        cones.coordinates, cones.shape_of, cones.place_in_shape, strict=True
    ):
        steps = cones.shapes[shape].steps
        assert cones.shapes[shape].members[place] == coordinate
        found[int(coordinate)] = [
            (step.node, int(step.rows[place]), step.reads, step.read_outputs) for step in steps
        ]
    return found


@pytest.mark.parametrize("text", [MIXTURE, TWO_PLATES])
@pytest.mark.parametrize("count", [1, 2, 7])
def test_plates_are_recognised_and_have_the_cones_of_the_search(text: str, count: int) -> None:
    model = built(text, {"ys": np.linspace(0, 1, count) ** 2})
    cones, colours = quick(model)
    expected, expected_colours = searched(model)
    assert told(cones) == told(expected)
    assert [c.tolist() for c in colours] == expected_colours
    assert all(shape.single for shape in cones.shapes)


@pytest.mark.parametrize("text", [NEIGHBOURS, SUM, BACKWARDS, PART])
def test_what_is_no_plate_is_left_to_the_search(text: str) -> None:
    assert quick(built(text, {"ys": np.linspace(0, 1, 7)})) is None


@settings(REPEATABLE, max_examples=40)
@given(programs())
def test_in_random_programs_both_ways_agree(written: Written) -> None:
    model = compile(*written).lir
    found = quick(model)
    if found is not None and len(model.cones.coordinates):
        expected, colours = searched(model)
        assert told(found[0]) == told(expected)
        assert [c.tolist() for c in found[1]] == colours
