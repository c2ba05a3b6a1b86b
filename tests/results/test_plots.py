"""Plots of fits: which scalars are chosen, what the panels show."""

import sys

import numpy as np
import pytest

import lfppl
import run_models
from lfppl.errors import ModelError
from lfppl.results.choice import choose
from lfppl.results.plots import sites


@pytest.fixture(scope="module")
def fit():
    return run_models.quick(run_models.example("change-point"), draws=150, warmup=150, chains=3)


@pytest.fixture(scope="module")
def everything():
    return run_models.quick(run_models.everything(), draws=100, warmup=200)


def test_every_variable_has_its_turn_before_a_second_element(everything):
    chosen = choose(everything, None, 11)
    bases = [name.split("[")[0] for name in chosen.draws]
    assert set(bases) == set(everything.draws)
    assert len(chosen.draws) == 11
    scalars = sum(int(np.prod(a.shape[2:])) for a in everything.draws.values())
    assert chosen.left_out == scalars - 11


def test_the_worst_elements_of_an_array_are_chosen(everything):
    sizes = {f"level[{i}]": everything.statistics[f"level[{i}]"]["ess_bulk"] for i in range(3)}
    chosen = [name for name in choose(everything, None, 10).draws if name.startswith("level")]
    assert chosen == [min(sizes, key=sizes.get)]


def test_what_the_program_returns_is_not_shown_twice(fit):
    assert list(choose(fit, None, 8).draws) == ["tau", "early", "late", "return[1]"]


def test_asked_for_are_variables_and_elements_in_the_order_of_the_model(everything):
    chosen = choose(everything, ["level[2]", "scale", "kind"], 1)
    assert list(chosen.draws) == ["scale", "kind[0]", "kind[1]", "kind[2]", "level[2]"]
    np.testing.assert_array_equal(chosen.draws["level[2]"], everything.draws["level"][:, :, 2])
    assert list(choose(everything, "scale", 8).draws) == ["scale"]


def test_unknown_names_and_too_many_panels_are_refused(everything):
    with pytest.raises(ModelError, match="no draws of `nu`"):
        choose(everything, ["nu"], 8)
    model = lfppl.compile("(for [i (range 50)] (sample (normal i 1)))")
    wide = run_models.quick(model, draws=10, warmup=10)
    with pytest.raises(ModelError, match="panels to 50, and a picture holds 40"):
        choose(wide, list(wide.draws)[:1], 8)


def test_the_trace_has_a_line_for_every_chain(fit):
    plot = fit.plot_trace(["tau", "late"])
    panels = [axes for axes in plot.viz["figure"].item().axes if axes.lines]
    assert [axes.get_title() for axes in panels] == ["tau", "late"]
    assert [len(line.get_ydata()) for line in panels[0].lines[:3]] == [150] * 3
    np.testing.assert_array_equal(panels[1].lines[0].get_ydata(), fit.draws["late"][0])


def test_crossings_are_counted_per_draw_for_each_branching_variable(fit):
    (site,) = sites(fit)
    assert site.rates.shape == (3, 80)
    assert site.indices[:, 0].tolist() == list(range(80))
    np.testing.assert_allclose(site.rates.sum() * 150, fit.crossings)
    figure = fit.plot_crossings()
    (axes,) = figure.axes
    assert "change-point.lfppl:7:27" in axes.get_title(loc="left")
    np.testing.assert_array_equal(axes.lines[2].get_ydata(), site.rates[2])


def test_one_branching_variable_has_a_bar_for_each_chain():
    model = lfppl.compile("(let [x (sample (normal 0 1))] (factor (if (< x 0) -1 1)))")
    fit = run_models.quick(model, chains=3)
    (axes,) = fit.plot_crossings().axes
    heights = [bar.get_height() for bar in axes.patches]
    np.testing.assert_allclose(heights, [chain.flips[0] / 60 for chain in fit.chains])


def test_many_branching_variables_are_drawn_as_means_of_neighbours():
    body = "(observe (normal (if (< x i) 0 1) 1) 0)"
    model = lfppl.compile(f"(let [x (sample (normal 500 99))] (doseq [i (range 1000)] {body}))")
    fit = run_models.quick(model)
    (axes,) = fit.plot_crossings().axes
    (site,) = sites(fit)
    assert "means of 3 neighbours" in axes.get_xlabel()
    expected = site.rates[1, :999].reshape(-1, 3).mean(axis=1)
    np.testing.assert_allclose(axes.lines[1].get_ydata()[:333], expected)
    np.testing.assert_allclose(axes.lines[1].get_xdata()[:3], [1.0, 4.0, 7.0])


def test_without_branches_there_are_no_crossings_to_draw():
    fit = run_models.quick(lfppl.compile("(let [x (sample (normal 0 1))] x)"))
    with pytest.raises(ModelError, match="nothing to draw"):
        fit.plot_crossings()


def test_a_missing_package_is_named(fit, monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz_plots", None)
    with pytest.raises(ModelError, match="pip install 'lfppl\\[plots\\]'"):
        fit.plot_trace()
