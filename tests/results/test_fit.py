"""A fit: its arrays, its tree as ArviZ reads it, files, and JSON."""

import json
import subprocess
import sys

import numpy as np
import pytest
import xarray

import lfppl
import run_models
from lfppl.errors import ModelError

arviz_stats = pytest.importorskip("arviz_stats")


@pytest.fixture(scope="module")
def fit():
    return run_models.quick(run_models.example("mixture"), draws=400, warmup=300, chains=3)


@pytest.fixture(scope="module")
def everything():
    return run_models.quick(run_models.everything(), draws=100, warmup=200)


def test_variables_have_their_names_shapes_and_kinds(everything):
    shapes = {name: array.shape[2:] for name, array in everything.draws.items()}
    assert shapes == {
        "scale": (),
        "share": (),
        "weights": (3,),
        "centre": (2,),
        "low": (),
        "edge": (),
        "count": (),
        "kind": (3,),
        "level": (3,),
        "return": (2,),
    }
    integers = {name for name, array in everything.draws.items() if array.dtype == np.int64}
    assert integers == {"count", "kind"}
    assert set(np.unique(everything.draws["kind"])) <= {0, 1, 2}
    np.testing.assert_allclose(everything.draws["weights"].sum(axis=-1), 1.0, rtol=1e-12)


def test_the_return_value_belongs_to_its_draw(everything):
    draws = everything.draws
    expected = draws["level"].sum(axis=-1)
    np.testing.assert_allclose(draws["return"][..., 0], expected, rtol=1e-12)
    np.testing.assert_array_equal(draws["return"][..., 1], draws["count"] + draws["kind"][..., 0])


def test_the_tree_has_the_groups_of_arviz(fit):
    assert set(fit.tree.children) == {
        "posterior",
        "sample_stats",
        "log_likelihood",
        "observed_data",
        "prior",
        "prior_predictive",
        "posterior_predictive",
    }
    assert fit.tree["posterior"]["z"].dtype == np.int64
    assert fit.tree["prior"]["z"].dtype == np.int64
    assert fit.tree["posterior"]["mu"].dims == ("chain", "draw", "mu_dim_0")
    assert fit.tree["sample_stats"]["diverging"].dtype == bool
    known = {"lp", "energy", "step_size", "n_steps", "tree_depth", "acceptance_rate"}
    assert known <= set(fit.tree["sample_stats"].data_vars)
    np.testing.assert_array_equal(fit.tree["observed_data"]["y"], fit.observations[0].observed)


@pytest.mark.filterwarnings("ignore:Estimated shape parameter")
def test_arviz_computes_loo_and_the_same_summary(fit):
    loo = arviz_stats.loo(fit.tree)
    assert loo.n_data_points == 10
    assert np.isfinite(loo.elpd)
    theirs = arviz_stats.summary(fit.tree, var_names=["mu"], round_to="none")
    for name in ("mu[0]", "mu[1]"):
        assert fit.summary().loc[name, "mean"] == pytest.approx(float(theirs.loc[name, "mean"]))
        mine = fit.summary().loc[name, "ess_bulk"]
        assert mine == pytest.approx(float(theirs.loc[name, "ess_bulk"]), rel=1e-6)


def test_the_pointwise_densities_are_those_of_the_data(fit):
    y = fit.observations[0].observed
    mu = np.take_along_axis(fit.draws["mu"], fit.draws["z"], axis=2)
    expected = -0.5 * (y - mu) ** 2 - 0.5 * np.log(2 * np.pi)
    np.testing.assert_allclose(fit.log_likelihood["y"], expected, rtol=1e-10)


def test_the_tree_says_where_it_comes_from(fit):
    attributes = fit.tree.attrs
    assert attributes["engine"] == "dhmc"
    assert attributes["seed"] == "3"
    assert "lfppl" in json.loads(attributes["versions"])
    assert attributes["source"] == (run_models.EXAMPLES / "mixture.lfppl").read_text()
    assert json.loads(attributes["discontinuous"]) == ["z"]


@pytest.mark.filterwarnings("ignore:Estimated shape parameter")
def test_a_saved_fit_is_read_back(fit, tmp_path):
    fit.save(tmp_path / "fit.nc")
    assert [file.name for file in tmp_path.iterdir()] == ["fit.nc"]
    with xarray.open_datatree(tmp_path / "fit.nc", engine="h5netcdf") as tree:
        xarray.testing.assert_equal(tree["posterior"].dataset, fit.tree["posterior"].dataset)
        assert tree["posterior"]["z"].dtype == np.int64
        assert tree.attrs["source"] == fit.tree.attrs["source"]
        assert arviz_stats.loo(tree).elpd == pytest.approx(arviz_stats.loo(fit.tree).elpd)


def test_a_fit_is_not_written_where_it_cannot_be(fit, tmp_path):
    with pytest.raises(ModelError, match="cannot be written: No such file or directory"):
        fit.save(tmp_path / "none" / "fit.nc")


def test_json_has_an_entry_for_every_scalar_and_no_nan(fit):
    text = json.dumps(fit.as_json(), allow_nan=False)
    report = json.loads(text)
    names = [f"mu[{k}]" for k in range(2)] + [f"z[{n}]" for n in range(10)]
    assert list(report["variables"]) == [*names, "return[0]", "return[1]"]
    keys = {"mean", "sd", "q5", "q50", "q95", "ess_bulk", "ess_tail", "r_hat", "mcse_mean"}
    assert set(report["variables"]["mu[0]"]) == keys
    assert set(report["timing"]) == {"compile_s", "warmup_s", "sample_s"}
    assert report["discontinuous"] == ["z"]
    assert report["engine"] == "dhmc"
    assert isinstance(report["divergences"], int)
    assert isinstance(report["crossings"], int)


def test_only_what_is_kept_takes_memory():
    model = run_models.example("mixture")
    fit = run_models.quick(model, keep=["return", "mu"], log_likelihood=False, draws=100)
    assert list(fit.draws) == ["return", "mu"]
    np.testing.assert_array_equal(fit.draws["return"], np.sort(fit.draws["mu"], axis=-1))
    assert fit.chains[0].draws.shape == (100, 4)
    assert fit.chains[0].pointwise.shape == (100, 0)
    assert "posterior_predictive" not in fit.tree.children
    assert "log_likelihood" not in fit.tree.children
    whole = run_models.quick(model, draws=100)
    np.testing.assert_array_equal(whole.draws["mu"], fit.draws["mu"])


def test_thinning_keeps_every_nth_draw():
    model = run_models.example("mixture")
    whole = run_models.quick(model, draws=90)
    thinned = run_models.quick(model, draws=90, thin=3)
    np.testing.assert_array_equal(thinned.draws["mu"], whole.draws["mu"][:, 2::3])
    np.testing.assert_array_equal(thinned.statistic("energy"), whole.statistic("energy")[:, 2::3])
    assert thinned.crossings == whole.crossings


def test_the_log_likelihood_is_left_out_where_it_is_large(monkeypatch):
    monkeypatch.setattr("lfppl.runs.memory.MOST_POINTWISE", 100)
    model = run_models.example("mixture")
    assert run_models.quick(model).log_likelihood == {}
    assert run_models.quick(model, log_likelihood=True).log_likelihood["y"].shape == (2, 60, 10)


def test_sampling_and_summary_work_without_arviz():
    program = (
        "import sys\n"
        "absent = ('arviz_base', 'arviz_stats', 'xarray', 'h5netcdf')\n"
        "for name in absent: sys.modules[name] = None\n"
        "import lfppl\n"
        "model = lfppl.compile('(let [x (sample (normal 0 1))] x)')\n"
        "fit = model.sample(draws=50, warmup=50, chains=2, seed=1, progress=False)\n"
        "assert fit.draws['x'].shape == (2, 50)\n"
        "assert fit.statistics['x']['sd'] > 0\n"
        "fit.warnings\n"
        "try:\n"
        "    fit.tree\n"
        "except lfppl.ModelError as error:\n"
        "    print(error)\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "needs the package arviz-base" in done.stdout


def test_timing_is_positive_and_complete(fit):
    assert fit.timing.keys() == {"compile_s", "warmup_s", "sample_s"}
    assert all(seconds > 0 for seconds in fit.timing.values())


def test_a_chain_that_gives_less_is_left_out_of_comparisons():
    fit = run_models.quick(lfppl.compile("(let [x (sample (normal 0 1))] x)"), chains=3, draws=50)
    fit.chains[1].drawn = 4
    chains, count = fit.used
    assert count == 50
    assert len(chains) == 2
    assert fit.draws["x"].shape == (2, 50)
