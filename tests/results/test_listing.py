"""A fit in a notebook: numbers, small drawings, warnings, and bounded size."""

import numpy as np
import pytest

import lfppl
import run_models
from lfppl.display import spark
from lfppl.results.listing import numbers


@pytest.fixture(scope="module")
def fit():
    return run_models.quick(run_models.example("change-point"), draws=200, warmup=200)


def test_a_fit_shows_a_row_with_two_drawings_for_every_scalar(fit):
    page = fit._repr_html_()
    assert page.count("<tr>") == 1 + 4
    assert page.count("<svg") == 8
    assert "400 draws in 2 chains by dhmc, seed 3" in page
    assert "1 more scalar is not shown" in page


def test_warnings_come_before_the_numbers(fit):
    page = fit._repr_html_()
    assert fit.warnings
    assert page.index("lf-warnings") < page.index("<table")
    assert page.count("<p>") == len(fit.warnings)


def test_a_fit_of_many_scalars_is_small():
    model = lfppl.compile("(for [i (range 300)] (sample (normal i 1)))")
    page = run_models.quick(model, draws=500)._repr_html_()
    assert len(page) < 100_000
    assert page.count("<tr>") == 13
    assert "588 more scalars are not shown" in page


def test_a_fit_without_variables_says_so():
    model = lfppl.compile("(do (factor 1) nil)")
    assert "no variables" in run_models.quick(model)._repr_html_()


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ((1234.5, 100.0, 1000.0, 1200.0, 1500.0), ["1,234", "100", "1,000", "1,200", "1,500"]),
        ((0.5, 0.0, 0.5, 0.5, 0.5), ["0.500", "0.000", "0.500", "0.500", "0.500"]),
        ((0.0, 0.0, 0.0, 0.0, 0.0), ["0", "0", "0", "0", "0"]),
        ((1e-9, 2e-10, 0.0, 1e-9, 2e-9), ["1.00e−9", "2.00e−10", "0.00e0", "1.00e−9", "2.00e−9"]),
        ((np.nan,) * 5, ["–"] * 5),
        ((np.inf, np.nan, -np.inf, 1.0, np.inf), ["∞", "–", "−∞", "1.000", "∞"]),
    ],
)
def test_numbers_have_the_decimals_that_the_spread_calls_for(row, expected):
    names = ("mean", "sd", "q5", "q50", "q95")
    assert numbers(dict(zip(names, row, strict=True))) == expected


def test_integers_have_a_bar_for_each_value():
    page = spark.histogram(np.array([0, 0, 0, 2, 2, 5]))
    assert page.count("V") == 6 + 1
    heights = page.split("V")[1:]
    assert float(heights[0].split("H")[0]) == 1.0  # the highest bar
    assert float(heights[1].split("H")[0]) == spark.HIGH - 1  # no draw is 1


def test_drawings_of_what_is_not_finite_are_a_dash():
    assert spark.histogram(np.full(5, np.nan)) == "<span>–</span>"
    assert spark.traces(np.full((2, 5), np.inf)) == "<span>–</span>"
