"""The draws are the same whichever executor made them."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import run_models

OPTIONS = {"draws": 80, "warmup": 80, "chains": 3, "seed": 9}


@pytest.fixture(scope="module")
def expected():
    return run_models.quick(run_models.example("mixture"), workers=1, **OPTIONS)


def assert_same(fit, other):
    assert fit.draws.keys() == other.draws.keys()
    for name in fit.draws:
        np.testing.assert_array_equal(fit.draws[name], other.draws[name])
    np.testing.assert_array_equal(fit.log_likelihood["y"], other.log_likelihood["y"])
    np.testing.assert_array_equal(fit.statistic("energy"), other.statistic("energy"))


@pytest.mark.parametrize("workers", [2, 5])
def test_draws_do_not_depend_on_the_number_of_threads(expected, workers):
    model = run_models.example("mixture")
    assert_same(expected, run_models.quick(model, workers=workers, **OPTIONS))


def test_a_process_pool_draws_the_same(expected):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        fit = run_models.quick(run_models.example("mixture"), executor=pool, **OPTIONS)
    assert_same(expected, fit)


@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_draws_the_same(expected):
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, dashboard_address=None, processes=True
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        executor = client.get_executor()
        fit = run_models.quick(run_models.example("mixture"), executor=executor, **OPTIONS)
    assert_same(expected, fit)


def test_chains_differ_and_seeds_matter(expected):
    first, second, third = expected.draws["mu"]
    assert not np.array_equal(first, second)
    assert not np.array_equal(second, third)
    other = run_models.quick(run_models.example("mixture"), **{**OPTIONS, "seed": 10})
    assert not np.array_equal(other.draws["mu"], expected.draws["mu"])


def test_a_chain_does_not_depend_on_how_many_others_there_are(expected):
    fit = run_models.quick(run_models.example("mixture"), **{**OPTIONS, "chains": 1})
    np.testing.assert_array_equal(fit.draws["mu"][0], expected.draws["mu"][0])


def test_models_pickle_as_source_and_data():
    model = run_models.example("mixture")
    written = pickle.dumps(model)
    assert len(written) < 2000
    assert b"Gaussian mixture" in written
    again = pickle.loads(written)  # noqa: S301
    assert again.identity == model.identity
    assert again.lir is pickle.loads(written).lir, "compiled once in every process"  # noqa: S301


def test_fits_pickle(expected):
    again = pickle.loads(pickle.dumps(expected))  # noqa: S301
    assert_same(expected, again)
    assert "posterior_predictive" in again.tree.children
