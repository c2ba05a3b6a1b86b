"""Marked sources: what is marked, that the text stays whole, and that nothing in it is markup."""

from html.parser import HTMLParser

import numpy as np
import pytest

import lfppl
import run_models
from lfppl import observe, sample
from lfppl.display.source import MOST_LINES, functions_with, marks_of, source_of
from lfppl.distributions import categorical, normal, uniform
from lfppl.source import Source


class Reader(HTMLParser):
    """The text of a page, the texts of its marks with their titles, and whether tags match."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.code = ""
        self.marks: list[dict[str, str]] = []
        self.active: list[dict[str, str]] = []
        self.hidden = 0

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.open.append(tag if given.get("class") != "lf-bubble" else "bubble")
        if tag == "mark":
            self.active.append(
                {"kind": given["class"], "title": given.get("title", ""), "text": ""}
            )
            self.marks.append(self.active[-1])

    def handle_endtag(self, tag):
        assert self.open.pop().replace("bubble", "span") == tag
        if tag == "mark":
            self.active.pop()

    def handle_data(self, data):
        if "code" in self.open and "bubble" not in self.open:
            self.code += data
            for mark in self.active:
                mark["text"] += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


@lfppl.model
def states(readings):
    shift = sample(normal(0, 1))
    edge = sample(uniform(-1, 1))
    state = 0
    for t in range(len(readings)):
        state = sample(categorical([[0.9, 0.1], [0.2, 0.8]][state]))
        centre = shift if edge < 0 else 2 * shift
        observe(normal(state + centre, 1), readings[t])
    return state


@pytest.mark.parametrize("name", run_models.NAMES)
@pytest.mark.parametrize("bubbles", [False, True])
def test_the_text_of_the_source_stays_as_it_is(name, bubbles):
    model = run_models.example(name)
    assert read(source_of(model, bubbles=bubbles)).code == model.source.text


def test_the_name_the_sample_and_the_cause_are_marked_with_the_reason():
    found = {m["kind"]: m for m in read(source_of(run_models.example("change-point"))).marks}
    assert found["lf-name"]["text"] == "tau"
    assert found["lf-drawn"]["text"].startswith("(sample (uniform 0 ")
    assert found["lf-cause"]["text"] == "(< t tau)"
    assert found["lf-drawn"]["title"] == "tau is discontinuous: the `if` depends on it (line 7)"
    assert found["lf-cause"]["title"] == "tau jumps: the `if` depends on it"


@pytest.mark.parametrize("name", run_models.NAMES)
def test_exactly_the_discontinuous_variables_are_named(name):
    model = run_models.example(name)
    said = {
        w.split(" is disc")[0] for m in read(source_of(model)).marks for w in m["title"].split("\n")
    }
    assert {each for each in said if " jumps" not in each} == set(model.discontinuous)


def test_of_python_the_function_is_shown_with_its_decorator():
    model = states([0.1, 0.5])
    page = read(source_of(model))
    assert page.code.startswith("@lfppl.model\ndef states(readings):")
    assert page.code.rstrip().endswith("return state")
    names = {mark["text"] for mark in page.marks if mark["kind"] == "lf-name"}
    assert names == {"edge", "state"}
    assert [m["text"] for m in page.marks if m["kind"] == "lf-cause"] == ["edge"]


def test_what_looks_like_markup_is_text():
    comment = '; </code></pre><script>alert("1 & 2")</script>'
    text = f"{comment}\n(let [x<b> (sample (normal 0 1))] (if (< x<b> 0) 1 2))"
    model = lfppl.compile(text)
    for page in (source_of(model), source_of(model, bubbles=True), model._repr_html_()):
        assert "<script" not in page
        assert "<b>" not in page
    assert read(source_of(model)).code == text
    assert "x<b> is discontinuous" in read(source_of(model)).marks[0]["title"]


def test_a_program_that_is_a_tree_is_printed():
    model = lfppl.compile(lfppl.compile("(let [x (sample (normal 0 1))] (if (< x 0) 1 2))").program)
    plain = lfppl.compile(lfppl.compiler._parsed(model.source))
    assert "(let [x (sample (normal 0 1))]" in read(source_of(plain)).code


def test_of_a_long_source_the_lines_around_marks_are_shown():
    filler = "\n".join(f"; line {i}" for i in range(1000))
    text = f"{filler}\n(let [x (sample (normal 0 1))]\n{filler}\n(if (< x 0) 1 2))"
    page = source_of(lfppl.compile(text))
    code = read(page).code
    assert code.count("\n") < 40 < MOST_LINES
    assert "(let [x (sample" in code
    assert "(if (< x 0) 1 2)" in code
    assert "⋮" in page


def test_only_functions_with_wanted_lines_are_shown():
    first = "import a\n\n@d\ndef f(x):\n    return x\n\n\n"
    text = f"{first}if a:\n    def g():\n        pass\n\ndef h():\n    pass\n"
    source = Source("m.py", text)
    assert functions_with(source, [5, 10]) == [(3, 5), (9, 10)]
    assert functions_with(source, [12]) == [(12, 13)]


def test_marks_that_cover_the_same_place_say_everything():
    text = """(let [a (sample (normal 0 1)) b (sample (normal 0 1))]
                (if (< a b) (observe (normal 0 1) 1) (observe (normal 1 2) 1)))"""
    (marks,) = marks_of(lfppl.compile(text).lir).values()
    causes = [mark for mark in marks if mark.kind == "cause"]
    assert [mark.words for mark in causes] == [
        ["a jumps: the `if` depends on it", "b jumps: the `if` depends on it"]
    ]


def test_a_python_model_without_data_shows_its_function_and_asks_for_them():
    page = states._repr_html_()
    assert "def states(readings):" in read(page).code
    assert "Call it with its data: <code>states(readings)</code>" in page
    assert states(np.zeros(3))._repr_html_().count("<tr>") == 1 + 3
