"""Every good program compiles to exactly the variables and the discontinuities that it has."""

from __future__ import annotations

import pytest

from corpus import PROGRAMS, Case, compiled, examples, written
from lfppl.core.distributions import FAMILIES

PAPER = {"figure-1", "figure-1-desugared", "mixture-10", "heavy-tail", "mixture-any"}


@pytest.mark.parametrize("case", written(), ids=lambda case: case.id)
def test_sampled_and_discontinuous_variables_are_as_expected(case: Case) -> None:
    model, expected = compiled(case), case.expected
    sampled = {name: list(shape) for name, shape in model.sampled.items()}
    assert sampled == expected["sampled"]
    assert sorted(model.discontinuous) == sorted(expected["discontinuous"])


@pytest.mark.parametrize("case", written(), ids=lambda case: case.id)
def test_every_discontinuous_variable_has_a_reason_in_the_source(case: Case) -> None:
    for name, reasons in compiled(case).discontinuous.items():
        assert reasons, name
        assert all(reason.span.source.text and reason.text for reason in reasons)


@pytest.mark.parametrize("case", examples(), ids=lambda case: case.id)
def test_every_example_compiles(case: Case) -> None:
    assert case.path.with_suffix(".json").exists()
    assert case.path.read_text().startswith(";")
    assert compiled(case).sampled


def test_every_program_of_the_paper_is_here() -> None:
    assert {path.stem for path in (PROGRAMS / "paper").glob("*.lfppl")} == PAPER


def test_every_distribution_is_sampled_or_observed_in_a_good_program() -> None:
    text = "\n".join(case.path.read_text() for case in written())
    assert [name for name in FAMILIES if f"({name} " not in text] == []
