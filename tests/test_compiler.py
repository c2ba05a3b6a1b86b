"""`lfppl.compile`: what it takes, what a model tells, and how mistakes are raised."""

import dataclasses
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import lfppl
from lfppl import compiler
from lfppl.source import Source
from lfppl.syntax import read_program

EXAMPLES = Path(__file__).parents[1] / "examples"
FIGURE_1 = EXAMPLES / "figure-1.lfppl"
FIGURE_1_DATA = {"q": 0.4, "y": 0.7}


def test_a_model_is_compiled_from_text_path_and_tree():
    text = FIGURE_1.read_text()
    tree = read_program(Source("figure", text))
    models = [lfppl.compile(s, FIGURE_1_DATA) for s in (text, FIGURE_1, str(FIGURE_1), tree)]
    assert all(model.core == models[0].core for model in models)


def test_text_that_ends_like_a_path_is_still_text():
    assert lfppl.compile("(let [m.lfppl 1]\n m.lfppl)\n;m.lfppl").sampled == {}


def test_a_path_that_is_not_there_is_not_read_as_text():
    with pytest.raises(lfppl.LfpplError, match=r"there is no file none\.lfppl"):
        lfppl.compile("none.lfppl")


@pytest.mark.parametrize("source", [3, None, b"1", ["1"]])
def test_what_is_no_source_is_a_type_error(source):
    with pytest.raises(TypeError, match="a path, a program's text or its tree"):
        lfppl.compile(source)


def test_sampled_variables_have_their_shapes():
    model = lfppl.compile(EXAMPLES / "mixture.lfppl", {"y": np.zeros(7)})
    assert model.sampled == {"mu": (2,), "z": (7,)}


def test_discontinuous_variables_have_their_reasons():
    model = lfppl.compile(FIGURE_1, FIGURE_1_DATA)
    assert list(model.discontinuous) == ["x"]
    reason = model.discontinuous["x"][0]
    assert reason.kind == "predicate"
    assert reason.span.line == 4


def test_an_embedded_variable_is_discontinuous_and_its_weights_are_not():
    model = lfppl.compile(
        "(let [p (sample (dirichlet [1 1])) k (sample (categorical p))]"
        " (observe (normal (get [0 1] k) 1) 2) k)"
    )
    assert list(model.discontinuous) == ["k"]
    assert model.discontinuous["k"][0].kind == "embedding"


def test_the_edge_of_an_observed_uniform_is_a_jump():
    model = lfppl.compile("(let [t (sample (exponential 1))] (observe (uniform 0 t) 0.5) t)")
    assert [reason.kind for reason in model.discontinuous["t"]] == ["edge"]


def test_explain_is_what_check_prints(capsys, monkeypatch):
    from lfppl.cli import main

    monkeypatch.setenv("COLUMNS", "80")
    data = EXAMPLES / "figure-1.json"
    main(["check", str(FIGURE_1), "--data", str(data)])
    assert capsys.readouterr().out == lfppl.compile(FIGURE_1, FIGURE_1_DATA).explain() + "\n"


def test_the_quadruple_has_the_variables_of_the_paper():
    quadruple = lfppl.compile(FIGURE_1, FIGURE_1_DATA).quadruple()
    assert [variable.name for variable in quadruple.sampled] == ["x"]
    assert [variable.name for variable in quadruple.discontinuous] == ["x"]


def test_a_model_keeps_its_data_as_they_were_bound():
    model = lfppl.compile("(observe (normal 0 1) y)", {"y": [1, 2]})
    np.testing.assert_array_equal(model.data["y"], [1.0, 2.0])


def test_a_model_cannot_be_changed():
    model = lfppl.compile("(sample (normal 0 1))")
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.core = None


def test_the_representation_of_a_model_is_short():
    model = lfppl.compile(EXAMPLES / "mixture.lfppl", {"y": np.zeros(10_000)})
    assert repr(model) == "<lfppl.Model of mu, z>"


def test_data_that_the_program_does_not_read_are_refused():
    with pytest.raises(lfppl.LfpplError, match="does not read the datum `sigma`"):
        lfppl.compile("(sample (normal 0 1))", {"sigma": 1.0})


def test_a_mistake_shows_its_place_and_a_caret():
    with pytest.raises(lfppl.LfpplError) as raised:
        lfppl.compile("(let [x 1]\n  (+ x z))")
    lines = str(raised.value).splitlines()
    assert lines[0].startswith("<text>:2:8: error[")
    assert lines[1] == "  2 |   (+ x z))"
    assert lines[2].startswith("    |        ^ ")


def test_the_whole_pipeline_is_one_short_function():
    body = Path(compiler.__file__).read_text().split("def compile(")[1].split("\ndef ")[0]
    assert len(body.splitlines()) <= 20


def test_the_public_names_are_few_and_all_exist():
    assert len(lfppl.__all__) <= 10
    assert all(getattr(lfppl, name) is not None for name in lfppl.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        lfppl.nothing  # noqa: B018


def test_deep_nesting_below_the_limit_compiles_to_every_form():
    deep = "(+ 1 " * 900 + "x" + ")" * 900
    model = lfppl.compile(f"(let [x (sample (normal 0 1))] (observe (normal {deep} 1) 900) x)")
    assert model.log_density({"x": 0.0}) == pytest.approx(-np.log(2 * np.pi))
    assert model.tables("everything").dimension == 1


def test_compiling_leaves_the_recursion_limit_as_it_was():
    before = sys.getrecursionlimit()
    with ThreadPoolExecutor(8) as pool:
        texts = [f"(let [x (sample (normal {i} 1))] x)" for i in range(40)]
        assert len(list(pool.map(lfppl.compile, texts))) == 40
    assert sys.getrecursionlimit() == before
