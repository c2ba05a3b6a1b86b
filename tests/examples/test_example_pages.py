"""The pages of the examples show the models, data and exact means that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from _examples import page

from lfppl import load_data
from truth import TRUTHS

PAGES = Path(__file__).parents[2] / "docs" / "examples"


def test_every_example_has_its_page_and_its_figure():
    assert {path.stem for path in PAGES.glob("*.md")} == {*page.EXAMPLES, "index"}
    assert {path.stem for path in PAGES.glob("*.svg")} == {*page.EXAMPLES}


def test_the_index_lists_all_with_what_they_jump_in():
    assert (PAGES / "index.md").read_text("utf-8") == page.index()


@pytest.mark.parametrize("name", page.EXAMPLES)
def test_a_page_shows_the_model_as_it_is(name):
    shown = (PAGES / f"{name}.md").read_text("utf-8")
    assert shown.startswith(page.model_sections(name))
    assert page.PROSE[name].found in shown


@pytest.mark.parametrize("name", page.EXAMPLES)
def test_a_page_shows_the_exact_means(name):
    truth = TRUTHS[name](load_data(page.EXAMPLES[name].files[2]))
    shown = (PAGES / f"{name}.md").read_text("utf-8")
    assert page.known_section(truth) in shown
    rows = re.findall(r"^\| ([^|`]+) \| (-?\d[\d.e-]*) \| ", shown, re.MULTILINE)
    assert [row for row, _ in rows] == list(truth.expected)
    exact = [float(number) for _, number in rows]
    assert exact == pytest.approx(list(truth.expected.values()), rel=1e-3)
