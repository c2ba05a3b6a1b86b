"""Interpreter, quadruple and LIR give every program the same meaning (DESIGN 8)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import lfppl
from agreement import Meanings, sampler_disagreements
from corpus import Case, compiled, examples, written
from generate import REPEATABLE, Written, points, programs
from lfppl.compiler import lower

SEED = 20180612
RANDOM_PROGRAMS = 720
"""Hypothesis repeats itself now and then: well over 500 of them are different."""

SMALL_ENOUGH = 0.9
"""The least share of random programs that the quadruple must take part in."""


@pytest.mark.parametrize("case", written() + examples(), ids=lambda case: case.id)
def test_all_meanings_of_a_program_agree(case: Case) -> None:
    model = compiled(case)
    meanings = Meanings.of(model.core, model.data)
    for point in points(model.core, model.data, SEED, count=4):
        assert list(meanings.disagreements(point)) == [], point


@pytest.mark.parametrize("case", written() + examples(), ids=lambda case: case.id)
def test_the_sampler_sees_the_density_with_its_jacobian(case: Case) -> None:
    model = compiled(case)
    for seed, point in enumerate(points(model.core, model.data, SEED, count=3)):
        assert list(sampler_disagreements(model, point, seed)) == []


@settings(REPEATABLE, max_examples=150)
@given(programs())
def test_the_sampler_sees_the_density_of_random_programs(program: Written) -> None:
    model = lfppl.compile(*program)
    for seed, point in enumerate(points(model.core, model.data, SEED, count=2)):
        assert list(sampler_disagreements(model, point, seed)) == []


def test_all_meanings_of_random_programs_agree() -> None:
    texts: set[str] = set()
    with_quadruple = 0

    @settings(REPEATABLE, max_examples=RANDOM_PROGRAMS)
    @given(programs())
    def agree(program: Written) -> None:
        nonlocal with_quadruple
        if program.text in texts:
            return
        core, data = lower(program.text, program.data)
        meanings = Meanings.of(core, data)
        for point in points(core, data, SEED, count=3):
            assert list(meanings.disagreements(point)) == [], point
        texts.add(program.text)
        with_quadruple += meanings.quadruple is not None

    agree()
    assert len(texts) >= 500
    assert with_quadruple >= SMALL_ENOUGH * len(texts)
