"""A Python function with its data is a model like any other, and shows its own text."""

from __future__ import annotations

import inspect
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
import xarray
from arviz_base import convert_to_datatree
from points import points

import lfppl
from lfppl import factor, observe, sample
from lfppl.distributions import (
    Distribution,
    bernoulli,
    beta,
    categorical,
    dirichlet,
    half_normal,
    normal,
    poisson,
)

SCHOOLS = ["Ayr", "Bath", "Cork"]
SCORES = np.array([1.5, -0.3, 0.7, 2.2])
SCHOOL = np.array([0, 2, 1, 0])
QUICK: dict[str, Any] = {"draws": 30, "warmup": 30, "chains": 2, "seed": 1, "progress": False}


@lfppl.model
def schools(scores, school, names=("a", "b", "c")):
    """Scores of pupils by school."""
    tau = sample(half_normal(1))
    theta = sample(normal(0, tau), dims="school", coords={"school": names})
    share = sample(dirichlet([1, 1, 1]), shape=2, dims=("round", "school"))
    for i in range(len(scores)):
        late = sample(poisson(2))
        picked = sample(categorical(share[0]))
        observe(normal(theta[school[i]] + 0.1 * late + picked, 1), scores[i])
    return theta.mean()


@pytest.fixture(scope="module")
def model() -> lfppl.Model:
    return schools(SCORES, SCHOOL, SCHOOLS)


def test_a_call_gives_a_compiled_model(model: lfppl.Model) -> None:
    assert isinstance(model, lfppl.Model)
    assert model.sampled == {
        "tau": (),
        "theta": (3,),
        "share": (2, 3),
        "late": (4,),
        "picked": (4,),
    }
    assert list(model.discontinuous) == ["late", "picked"]


def test_its_density_and_gradient_are_there(model: lfppl.Model) -> None:
    for point in points(model, 3):
        value = model.log_density(point)
        slope = model.gradient(point)["theta"][1]
        moved = {**point, "theta": point["theta"] + [0, 1e-6, 0]}
        assert (model.log_density(moved) - value) / 1e-6 == pytest.approx(slope, rel=1e-4)
    assert model.density().value_count > 0
    assert model.density().dimension == model.lir.dimension
    assert model.branches(point) == {}


def test_explain_shows_lines_of_the_python_file(model: lfppl.Model) -> None:
    text = model.explain()
    assert "test_python_model.py:" in text
    assert "late = sample(poisson(2))" in text


def test_the_quadruple_of_a_small_model_is_there() -> None:
    @lfppl.model
    def small(y):
        x = sample(normal(0, 1))
        observe(normal(1 if x < 0 else 2, 1), y)

    assert len(small(0.5).quadruple().discontinuous) == 1


def test_named_dimensions_reach_the_tree(model: lfppl.Model) -> None:
    fit = model.sample(**QUICK)
    posterior = fit.tree["posterior"]
    assert posterior["theta"].dims == ("chain", "draw", "school")
    assert posterior["share"].dims == ("chain", "draw", "round", "school")
    assert posterior["school"].values.tolist() == SCHOOLS
    assert fit.tree["prior"]["theta"].sel(school="Bath").sizes["draw"] > 0


def test_the_tree_holds_the_python_source(model: lfppl.Model) -> None:
    attributes = model.sample(**QUICK).tree.attrs
    assert attributes["source_name"].endswith("test_python_model.py")
    assert attributes["source"] == Path(__file__).read_text("utf-8")


def test_a_run_is_resumed_without_the_function(model: lfppl.Model, tmp_path: Path) -> None:
    whole = model.sample(**QUICK, checkpoint=tmp_path / "run")
    sorted((tmp_path / "run").glob("chain-1-*.npz"))[-1].unlink()
    resumed = lfppl.resume(tmp_path / "run", progress=False)
    np.testing.assert_array_equal(resumed.draws["theta"], whole.draws["theta"])
    assert resumed.tree["posterior"]["theta"].dims == ("chain", "draw", "school")
    assert resumed.tree.attrs["source"] == whole.tree.attrs["source"]


def test_damaged_names_of_dimensions_are_refused(model: lfppl.Model, tmp_path: Path) -> None:
    model.sample(**QUICK, checkpoint=tmp_path / "run")
    header = json.loads((tmp_path / "run" / "run.json").read_text())
    (tmp_path / "run" / "run.json").write_text(json.dumps({**header, "dims": {"theta": 3}}))
    with pytest.raises(lfppl.ModelError, match="names of dimensions"):
        lfppl.resume(tmp_path / "run", progress=False)


def test_a_comment_makes_no_other_model(tmp_path: Path) -> None:
    text = (
        "import lfppl\nfrom lfppl.distributions import normal\n"
        "@lfppl.model\ndef shifted(y):\n"
        "    x = lfppl.sample(normal(0, 1))\n    lfppl.observe(normal(x, 1), y)\n"
    )
    found = []
    for number, comment in enumerate(("", "# about this model\n", "x = 3\n\n\n")):
        path = tmp_path / f"m{number}.py"
        path.write_text(comment + text)
        names: dict[str, Any] = {}
        exec(compile(path.read_text(), str(path), "exec"), names)  # noqa: S102
        found.append(names["shifted"](1.0).identity)
    assert len(set(found)) == 1
    assert names["shifted"](2.0).identity != found[0]


def test_a_variable_keeps_its_name_when_data_have_the_same() -> None:
    @lfppl.model
    def same(x, y, table):
        observe(normal(0, 1), x)
        x = sample(normal(0, 1))
        scale = sample(half_normal(1), name="y")
        observe(normal(x, scale), y + table["x"])

    model = same(np.ones(2), np.zeros(2), {"x": np.array([3.0, 4.0])})
    assert model.sampled == {"x": (), "y": ()}
    assert {"x_data", "constant"} <= model.data.keys()


@lfppl.model
def centred(y):
    mu = sample(normal(0, 1))
    observe(normal(mu, 1), y)


@pytest.mark.parametrize(
    "data",
    [
        [1.0, 2.0],
        (1, 2),
        range(1, 3),
        np.array([1, 2], np.int8),
        np.array([1.0, 2.0], np.float32),
        np.array([1, 2], object),
        pandas.Series([1.0, 2.0]),
        pandas.Series([1, 2], dtype="Int64"),
        xarray.DataArray([1.0, 2.0]),
        [Fraction(1), Fraction(2)],
        np.ma.array([1.0, 2.0], mask=[False, False]),
    ],
)
def test_data_may_be_any_kind_of_numbers(data: Any) -> None:
    expected = centred(np.array([1.0, 2.0])).log_density({"mu": 0.3})
    assert centred(data).log_density({"mu": 0.3}) == expected


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (np.array([1j, 2.0]), "an array of complex numbers stands where a number"),
        (np.array(["2020-01-01"], "datetime64[D]"), "an array of dates stands where a number"),
        (np.ma.array([1.0, 2.0], mask=[False, True]), "`y[1]` is missing"),
        (pandas.Series([1.0, None]), "`y[1]` is missing"),
        (pandas.Series(["a", "b"]), "its elements are texts"),
        ([1.0, None], "its elements are a number and None"),
        ([[1.0], [2.0, 3.0]], "its elements are of unequal shapes"),
        ({1.0, 2.0}, "an object of type set"),
        (10**400, "too large for double precision"),
        (None, "not None"),
        ("text", "not a text"),
    ],
)
def test_other_data_are_refused_where_they_are_used(data: Any, says: str) -> None:
    with pytest.raises(lfppl.ModelError) as caught:
        centred(data)
    assert says in str(caught.value)
    assert "observe(normal(mu, 1), y)" in str(caught.value)


def test_letters_of_a_text_are_gone_through() -> None:
    @lfppl.model
    def coin(flips):
        p = sample(beta(1, 1))
        for flip in flips:
            observe(bernoulli(p), flip == "H")

    assert coin("HTH").log_density({"p": 0.3}) == coin(["H", "T", "H"]).log_density({"p": 0.3})


# --- the function itself -------------------------------------------------------------------------


def test_the_decorated_function_keeps_its_signature_text_and_name() -> None:
    assert str(inspect.signature(schools)) == "(scores, school, names)"
    assert schools.__name__ == "schools"
    assert schools.__doc__ == "Scores of pupils by school."
    assert schools.source.startswith("def schools(scores, school")
    assert repr(schools) == "<lfppl model schools(scores, school, names): call it with its data>"


@pytest.mark.parametrize("function", [sample, observe, factor, normal, dirichlet])
def test_what_models_call_has_a_signature_and_a_docstring(function: Any) -> None:
    assert function.__doc__
    assert inspect.signature(function).parameters


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: sample(Distribution()), "sample"),
        (lambda: observe(Distribution(), 1.0), "observe"),
        (lambda: factor(1.0), "factor"),
        (lambda: normal(0, 1), "normal"),
        (lambda: dirichlet([1, 1]), "dirichlet"),
    ],
)
def test_calling_them_outside_a_model_says_so(call: Any, name: str) -> None:
    with pytest.raises(lfppl.ModelError, match=f"`{name}` was called outside a model"):
        call()


def test_a_model_with_type_hints_works() -> None:
    import typed

    assert typed.run().sampled == {"mu": (2,), "precision": (), "z": (2,)}
    assert typed.run().dims == {"mu": ("cluster",)}


def test_every_distribution_of_the_language_has_a_function() -> None:
    from lfppl import distributions
    from lfppl.core.distributions import FAMILIES

    names = {name.replace("-", "_") for name in FAMILIES} - {"factor"}
    assert names <= set(distributions.__all__)
    assert Distribution.__doc__


# --- errors while it runs ------------------------------------------------------------------------


def test_a_density_that_is_nan_is_shown_in_the_python_file() -> None:
    @lfppl.model
    def wrong(y):
        x = sample(normal(0, 1))
        observe(normal(np.log(-1 - x * x), 1), y)

    with pytest.raises(lfppl.ModelError) as caught:
        wrong(1.0).sample(**QUICK)
    assert "test_python_model.py:" in str(caught.value)
    assert "observe(normal(np.log(-1 - x * x), 1), y)" in str(caught.value)
    assert "^" in str(caught.value)


def test_a_density_that_is_zero_everywhere_is_shown_in_the_python_file() -> None:
    @lfppl.model
    def impossible(y):
        x = sample(normal(0, 1))
        observe(poisson(np.exp(x)), y)

    with pytest.raises(lfppl.ModelError) as caught:
        impossible(-1).sample(**QUICK)
    assert "test_python_model.py:" in str(caught.value)
    assert "observe(poisson(np.exp(x)), y)" in str(caught.value)


def test_the_tree_is_one_that_arviz_takes(model: lfppl.Model) -> None:
    tree = convert_to_datatree(model.sample(**QUICK).tree)
    assert "posterior" in tree.children


def test_who_forgets_the_data_is_told_to_call_the_model() -> None:
    function = lfppl.model(forgetful)
    assert not hasattr(function, "sample")
    with pytest.raises(AttributeError, match=r"with its data first, forgetful\(y\)\.sample"):
        function.sample(seed=1)
    with pytest.raises(AttributeError, match=r"has no attribute `smaple`$"):
        function.smaple()


def forgetful(y: float) -> None:
    mu = sample(normal(0, 1))
    observe(normal(mu, 1), y)
