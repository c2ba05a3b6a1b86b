"""The exact answers of the paper's experiments against slow sums, and the arithmetic of curves."""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from reproduce.curves import RunningMean, band, checkpoints, worst_mean_absolute_error
from reproduce.records import Task, append, load
from reproduce.results import error_at, line
from reproduce.run import FULL, PARTS, tasks

from reproduce import exact


def on_a_grid(y, quantity):
    """A posterior mean of the mixture with its labels summed out, on a fine grid."""
    mu = np.linspace(-9, 9, 721)
    first, second = np.meshgrid(mu, mu, indexing="ij")
    log = norm.logpdf(first, 0, 2) + norm.logpdf(second, 0, 2)
    for each in y:
        log += np.logaddexp(norm.logpdf(each, first, 1), norm.logpdf(each, second, 1))
    weights = np.exp(log - log.max())
    return (weights * quantity(first, second)).sum() / weights.sum()


@pytest.mark.parametrize("y", [exact.PAPER_DATA, (-1.0, 0.5, 4.0)])
def test_enumerated_means_of_the_mixture_agree_with_quadrature(y):
    found = exact.mixture_means(y)
    assert found.each == pytest.approx(on_a_grid(y, lambda a, b: a), abs=1e-6)
    assert found.smaller == pytest.approx(on_a_grid(y, np.minimum), abs=1e-3)
    assert found.larger == pytest.approx(on_a_grid(y, np.maximum), abs=1e-3)


@pytest.mark.parametrize("diagonal", [(1.0, 1.0), (0.2, 7.0), (math.exp(-5), math.exp(5))])
def test_the_inner_mass_in_two_dimensions_agrees_with_a_grid(diagonal):
    x = (np.arange(4800) + 0.5) / 800
    radius = np.sqrt(diagonal[0] * x[:, None] ** 2 + diagonal[1] * x**2)
    inside = np.maximum(x[:, None], x) <= 3
    weights = np.exp(-radius - ~inside)
    expected = weights[inside].sum() / weights.sum()
    assert exact.inner_mass(np.array(diagonal)) == pytest.approx(expected, abs=1e-4)


def test_the_inner_mass_in_ten_dimensions_agrees_with_directions_and_radii():
    generator = np.random.default_rng(1)
    x = generator.normal(size=(200_000, 10))
    largest = np.abs(x).max(1) / np.linalg.norm(x, axis=1) * generator.gamma(10, size=200_000)
    weights = np.where(largest <= 3, 1.0, np.where(largest <= 6, math.exp(-1), 0.0))
    expected = weights[largest <= 3].sum() / weights.sum()
    assert exact.inner_mass(np.ones(10)) == pytest.approx(expected, abs=0.01)
    assert exact.inner_mass(np.ones(10)) == pytest.approx(0.18, abs=0.005)
    assert exact.inner_mass(np.ones(50)) == pytest.approx(2e-10, rel=0.1)


def test_half_inside_is_half_inside():
    scale = exact.half_inside(100)
    assert exact.inner_mass(np.full(100, scale)) == pytest.approx(0.5, abs=1e-9)


def test_errors_of_running_means_by_hand():
    mean = RunningMean()
    means = [mean.add(np.array(rows)) for rows in ([[1.0, 0.0]], [[2.0, -6.0], [3.0, 0.0]])]
    assert np.allclose(means, [[1.0, 0.0], [2.0, -2.0]])
    assert worst_mean_absolute_error(np.array(means)).tolist() == [1.0, 2.0]


def test_a_band_is_median_and_fifths():
    found = band(np.arange(11.0)[:, None] * [1.0, 10.0])
    assert found.low.tolist() == [2.0, 20.0]
    assert found.median.tolist() == [5.0, 50.0]
    assert found.high.tolist() == [8.0, 80.0]


def test_a_line_goes_as_far_as_all_its_runs():
    runs = [
        {"counts": [10, 20, 30], "seconds": [1.0, 2.0, 3.0]},
        {"counts": [10, 20], "seconds": [3.0, 4.0]},
    ]
    found = line(runs, [[0.4, 0.2, 0.1], [0.8, 0.6]])
    assert found.counts.tolist() == [10, 20]
    assert found.seconds.tolist() == [2.0, 3.0]
    assert error_at(found, 2.5) == pytest.approx(0.6)
    assert math.isnan(error_at(found, 1.0))


def test_checkpoints_end_with_the_last_draw():
    counts = checkpoints(100_000)
    assert counts[0] == 10
    assert counts[-1] == 100_000
    assert (np.diff(counts) > 0).all()


def test_runs_are_found_again_and_a_line_cut_short_is_not(tmp_path):
    path, task = tmp_path / "build" / "runs.jsonl", Task("mixture", "paper", "dhmc", 3)
    append(path, task, {"means": [1.0]})
    with path.open("a") as file:
        file.write(json.dumps({"task": {"experiment": "mixture"}})[:20])
    assert load(path) == {task: {"means": [1.0]}}


def test_every_experiment_has_twenty_runs_and_a_tuning():
    planned = list(tasks(FULL, with_pymc=True))
    assert len(set(planned)) == len(planned)
    assert sum(task.experiment == "mixture" for task in planned) == 3 * 20
    assert sum(task.experiment == "heavy-tail" for task in planned) == 20 * 20 * 3
    assert {task.experiment for task in planned} == set(PARTS["both"])
    assert set(PARTS["both"]) == {*PARTS["heavy-tail"], *PARTS["mixture"]}
    tuned = {(t.case, t.method) for t in planned if t.experiment == "tuning"}
    assert tuned == {(t.case, t.method) for t in planned if t.experiment == "heavy-tail"}
