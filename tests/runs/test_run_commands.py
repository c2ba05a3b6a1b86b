"""`lfppl sample`, `resume`, `summary` and `predict`."""

import json

import numpy as np
import pytest
import xarray

import run_models
from lfppl import cli

MIXTURE = [run_models.EXAMPLES / "mixture.lfppl", "--data", run_models.EXAMPLES / "mixture.json"]
SHORT = ["--draws", 60, "--warmup", 60, "--chains", 2, "--seed", 3]


@pytest.fixture
def lfppl(capsys):
    def call(*arguments):
        try:
            status = cli.main([str(argument) for argument in arguments])
        except SystemExit as exit_:
            status = exit_.code
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return call


@pytest.fixture
def expected():
    return run_models.quick(run_models.example("mixture"))


def test_sample_prints_a_table_with_a_row_for_every_scalar(lfppl):
    status, out, err = lfppl("sample", *MIXTURE, *SHORT)
    assert status == 0
    assert out.splitlines()[0].split()[:3] == ["mean", "sd", "q5"]
    for name in ("mu[0]", "mu[1]", "z[9]", "return[0]"):
        assert f"\n{name} " in out
    assert "120 draws in 2 chains by dhmc, seed 3" in out
    assert "warning: " in out
    assert "chain 0: 120/120" in err


def test_sample_prints_one_json_object(lfppl, expected):
    status, out, err = lfppl("sample", *MIXTURE, *SHORT, "--json", "--quiet")
    assert (status, err) == (0, "")
    report = json.loads(out)
    keys = {"variables", "timing", "engine", "divergences", "crossings", "discontinuous"}
    assert keys <= report.keys()
    mean = report["variables"]["mu[0]"]["mean"]
    assert mean == pytest.approx(expected.draws["mu"][..., 0].mean(), rel=1e-12)


def test_sample_writes_the_fit(lfppl, tmp_path, expected):
    out = tmp_path / "fit.nc"
    assert lfppl("sample", *MIXTURE, *SHORT, "--quiet", "--out", out)[0] == 0
    with xarray.open_datatree(out, engine="h5netcdf") as tree:
        np.testing.assert_array_equal(tree["posterior"]["mu"], expected.draws["mu"])


@pytest.mark.parametrize("engine", ["dhmc", "mwg", "nuts"])
def test_every_engine_can_be_chosen(lfppl, engine):
    out = lfppl("sample", *MIXTURE, *SHORT, "--engine", engine, "--json", "--quiet")[1]
    assert json.loads(out)["engine"] == engine


def test_only_what_is_kept_is_shown(lfppl):
    out = lfppl("sample", *MIXTURE, *SHORT, "--keep", "mu", "--thin", 2, "--json", "--quiet")[1]
    report = json.loads(out)
    assert set(report["variables"]) == {"mu[0]", "mu[1]"}
    assert report["draws"] == [30, 30]


def test_resume_continues_a_checkpoint(lfppl, tmp_path):
    path = tmp_path / "run"
    arguments = ["--json", "--quiet"]
    first = lfppl("sample", *MIXTURE, *SHORT, *arguments, "--checkpoint", path)[1]
    for file in sorted(path.glob("chain-1-*"))[1:]:
        file.unlink()
    status, second, _ = lfppl("resume", path, *arguments)
    assert status == 0
    assert json.loads(second)["variables"] == json.loads(first)["variables"]


def test_summary_shows_a_saved_fit(lfppl, tmp_path):
    out = tmp_path / "fit.nc"
    report = lfppl("sample", *MIXTURE, *SHORT, "--out", out, "--json", "--quiet")[1]
    status, shown, _ = lfppl("summary", out, "--json")
    assert status == 0
    assert json.loads(shown)["variables"] == json.loads(report)["variables"]
    text = lfppl("summary", out)[1]
    assert "mu[0]" in text
    assert "warning: " in text


def test_predict_draws_data_from_the_prior_and_from_a_fit(lfppl, tmp_path):
    fit, predicted = tmp_path / "fit.nc", tmp_path / "predicted.nc"
    prior = lfppl("predict", *MIXTURE, "--prior", "--draws", 50, "--seed", 1, "--json")[1]
    assert {"mu[0]", "z[3]", "y[9]"} <= json.loads(prior)["variables"].keys()
    lfppl("sample", *MIXTURE, *SHORT, "--out", fit, "--quiet")
    status, shown, _ = lfppl("predict", *MIXTURE, "--posterior", fit, "--out", predicted)
    assert status == 0
    assert shown.splitlines()[1].startswith("y[0]")
    with xarray.open_datatree(predicted, engine="h5netcdf") as tree:
        assert tree["posterior_predictive"]["y"].shape == (2, 60, 10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sample", *MIXTURE, "--out", "/no/such/fit.nc"], "there is no folder /no/such"),
        (["sample", *MIXTURE, "--out", "/"], "it is a folder"),
        (["sample", *MIXTURE, "--draws", "0"], "`draws` must be a whole number, at least 1"),
        (["sample", *MIXTURE, "--keep", "nu", "--quiet"], "`keep` names `nu`"),
        (["resume", "/no/such/run"], "there is no checkpoint at /no/such/run"),
        (["summary", "/no/such/fit.nc"], "is not a saved fit: there is no such file"),
        (["summary", MIXTURE[0]], "is not a saved fit"),
        (["predict", *MIXTURE, "--posterior", MIXTURE[0]], "is not a saved fit"),
    ],
)
def test_mistakes_are_status_1_and_one_message(lfppl, arguments, message):
    status, out, err = lfppl(*arguments)
    assert (status, out) == (1, "")
    assert message in err
    assert "Traceback" not in err


def test_a_fit_of_another_model_is_refused(lfppl, tmp_path):
    fit = tmp_path / "fit.nc"
    other = run_models.EXAMPLES / "regression.lfppl"
    data = run_models.EXAMPLES / "regression.json"
    lfppl("sample", *MIXTURE, *SHORT, "--out", fit, "--quiet")
    status, _, err = lfppl("predict", other, "--data", data, "--posterior", fit)
    assert status == 1
    assert "has no draws of `slope` that fit the model" in err


def test_a_fit_that_cannot_be_written_is_saved_elsewhere(lfppl, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    out = tmp_path / "fit.nc"
    monkeypatch.setattr("lfppl.runs.saving.check_place", lambda path: out.mkdir())
    status, _, err = lfppl("sample", *MIXTURE, *SHORT, "--out", out, "--quiet")
    assert status == 1
    assert "the fit was saved as" in err
    assert len(list(tmp_path.glob("lfppl-*/fit.nc"))) == 1


@pytest.mark.parametrize("arguments", [["predict", *MIXTURE], ["resume"], ["sample"], ["summary"]])
def test_a_wrong_command_line_is_status_2(lfppl, arguments):
    assert lfppl(*arguments)[0] == 2
