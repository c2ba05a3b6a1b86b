"""Reports: one page that asks for nothing, in a real browser; what is said where none is made."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lfppl
import reported
import run_models
from lfppl.cli import main
from lfppl.errors import ModelError
from lfppl.results import figures, report
from lfppl.results.choice import Choice

MOST_BYTES = 3_000_000


@pytest.fixture(scope="module")
def fits():
    return reported.fits()


@pytest.fixture(scope="module")
def pages(fits, tmp_path_factory):
    return reported.pages(tmp_path_factory.mktemp("reports"))


def test_the_parts_of_a_page_have_names_of_their_own(pages):
    page = pages["labels"].read_text("utf-8")
    names = re.findall(r'\bid="([^"]+)"', page)
    assert len(names) == len(set(names))
    assert set(re.findall(r'(?:url\(#|href="#)([^")]+)', page)) <= set(names)


@pytest.mark.parametrize("name", ["change-point", "labels"])
def test_a_page_is_small(pages, name):
    assert pages[name].stat().st_size < MOST_BYTES / 2


def test_it_is_said_what_is_left_out(pages, fits):
    page = pages["labels"].read_text("utf-8")
    scalars = sum(int(np.prod(a.shape[2:])) for a in fits["labels"].draws.values())
    assert scalars == 1003
    assert f"{scalars - report.MOST_ROWS} more scalars are not shown" in page
    assert f"{scalars - report.MOST_PANELS} more scalars are not shown" in page


def test_asked_for_variables_are_drawn(fits, tmp_path):
    fits["labels"].report(tmp_path / "a.html", variables=["low", "z[7]"])
    page = (tmp_path / "a.html").read_text("utf-8")
    rows = page[page.index('id="summary"') : page.index('id="model"')]
    assert re.findall(r'<th scope="row">(.*?)</th>', rows) == ["low", "z[7]"]
    assert ">z[7]</text>" in page
    assert ">high</text>" not in page[page.index('id="draws"') :]


@pytest.mark.parametrize("engine", ["mwg", "dhmc"])
def test_every_kind_of_engine_has_a_report(engine, tmp_path):
    model = lfppl.compile("(let [k (sample (poisson 3))] (observe (normal k 1) 2) k)")
    run_models.quick(model, engine=engine, chains=1).report(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text("utf-8")
    assert f"<dd>{engine}</dd>" in page
    assert "No branch of the model depends on a variable" in page


@pytest.mark.parametrize("draws", [1, 3, 8])
def test_few_draws_and_no_variables_have_a_report_too(draws):
    everything = report.render(run_models.quick(run_models.everything(), draws=draws, chains=1))
    assert 'id="draws"' in everything
    nothing = run_models.quick(lfppl.compile("(do (factor 1) nil)"), draws=draws, chains=1)
    page = report.render(nothing)
    assert "The model has no variables" in page
    assert 'id="draws"' not in page


def test_mean_and_interval_under_a_density_are_those_of_the_summary(fits):
    fit = fits["change-point"]
    (axes,) = figures.densities(fit, {"early": fit.draws["early"]}).axes
    row = fit.statistics["early"]
    assert axes.collections[0].get_offsets()[0][0] == pytest.approx(row["mean"], rel=1e-9)
    interval = axes.lines[1].get_xdata()
    assert (min(interval), max(interval)) == pytest.approx((row["q5"], row["q95"]), rel=5e-3)


def test_pairs_are_of_reals_where_there_are_two():
    generator = np.random.default_rng(1)
    reals = {name: generator.normal(size=(2, 9)) for name in "ab"}
    integers = {name: generator.integers(0, 5, size=(2, 9)) for name in "kl"}
    still = {"s": np.ones((2, 9))}
    assert list(figures.paired(Choice({**integers, **reals, **still}, 0), 4)) == ["a", "b"]
    assert list(figures.paired(Choice({**integers, "a": reals["a"]}, 0), 2)) == ["a", "k"]


def test_constants_have_a_bar_and_what_was_never_seen_is_left_out():
    model = lfppl.compile("(let [x (sample (normal 0 1))] 3)")
    page = report.render(run_models.quick(model, draws=20, chains=2))
    assert ">return</text>" in page
    assert figures.seen({"x": np.full((2, 3), np.nan), "y": np.ones((2, 3))}).keys() == {"y"}


# --- the command line ----------------------------------------------------------------------------


def run(tmp_path, *options):
    model = tmp_path / "m.lfppl"
    model.write_text("(let [x (sample (normal 0 1))] (factor (if (< x 0) -1 1)) x)", "utf-8")
    common = ["--draws", "40", "--warmup", "40", "--chains", "2", "--seed", "1", "--quiet"]
    return main(["sample", str(model), *common, *map(str, options)])


def test_the_command_line_writes_a_report(tmp_path, capsys):
    assert run(tmp_path, "--report", tmp_path / "a.html", "--show", "x") == 0
    page = (tmp_path / "a.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "<h1>m</h1>" in page
    assert "r_hat" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir() if "unfinished" in path.name] == []


def test_a_report_that_fails_after_all_does_not_lose_the_summary(tmp_path, capsys, monkeypatch):
    def failing(*_):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "replace", failing)
    assert run(tmp_path, "--report", tmp_path / "a.html") == 1
    said = capsys.readouterr()
    assert "r_hat" in said.out
    assert "No space left on device" in said.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--report", "no/such/a.html"), "there is no folder"),
        (("--report", "{}"), "it is a folder"),
        (("--report", "{}/a.html", "--show", "nu"), "there are no draws of `nu`"),
        (("--report", "{}/a.html", "--show", "x[3]"), "there are no draws of `x[3]`"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_drawn(
    tmp_path, capsys, monkeypatch, options, message
):
    monkeypatch.setattr(lfppl.Model, "sample", lambda *_, **__: pytest.fail("it was sampled"))
    assert run(tmp_path, *(option.format(tmp_path) for option in options)) == 1
    assert message in capsys.readouterr().err


def test_a_report_without_the_packages_for_it_is_refused_before_anything_is_drawn(tmp_path):
    (tmp_path / "m.lfppl").write_text("(sample (normal 0 1))", "utf-8")
    text = "import sys; sys.modules['arviz_plots'] = None; from lfppl.cli import main; "
    text += "sys.exit(main(['sample', 'm.lfppl', '--report', 'a.html']))"
    found = subprocess.run(
        [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True
    )
    assert found.returncode == 1
    assert "pip install 'lfppl[plots]'" in found.stderr
    assert not Path(tmp_path / "a.html").exists()


def test_a_page_that_cannot_be_written_leaves_nothing_behind(fits, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ModelError, match="cannot be written: No space left on device"):
        report.write(fits["change-point"], tmp_path / "a.html", ["tau"])
    assert list(tmp_path.iterdir()) == []
