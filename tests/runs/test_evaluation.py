"""The density at points by name: the numbers of the LIR's reference, and clear refusals."""

import numpy as np
import pytest

import lfppl
import run_models
from lfppl.errors import ModelError
from lfppl.lir.build import build
from lfppl.lir.evaluate import evaluate
from lfppl.runs.ancestral import draw_points, placed_blocks
from lfppl.runs.predict import variables


def points(model, count=4):
    tables = model.tables()
    blocks = placed_blocks(model.trace, tables)
    generator = np.random.default_rng(8)
    found = draw_points(model.trace, blocks, tables.dimension, generator, count)
    named = variables(model.trace, found.numbers)
    return [{n: a[i] for n, a in named.items() if n != "return"} for i in range(count)]


@pytest.mark.parametrize("name", [*run_models.NAMES, "everything"])
def test_the_density_is_that_of_the_reference_evaluation(name):
    model = run_models.everything() if name == "everything" else run_models.example(name)
    tables = build(model.trace, model.analysis, natural=True)
    for point in points(model):
        x = model.evaluation.coordinates(point)
        expected = evaluate(tables, x)
        assert model.log_density(point) == pytest.approx(expected.log_density, rel=1e-10)
        assert model.branches(point) == expected.bits


def test_the_gradient_is_the_slope_of_the_density():
    model = run_models.everything()
    (point,) = points(model, 1)
    slope = model.gradient(point)
    assert {name: array.shape for name, array in slope.items()} == {
        name: np.shape(value) for name, value in point.items()
    }
    for name in ("scale", "share"):
        step = 1e-6
        up, down = ({**point, name: point[name] + sign * step} for sign in (1, -1))
        quotient = (model.log_density(up) - model.log_density(down)) / (2 * step)
        assert slope[name] == pytest.approx(quotient, rel=1e-5)
    assert slope["count"] == 0
    assert (slope["kind"] == 0).all()


def test_outside_the_support_the_density_is_zero():
    model = run_models.everything()
    (point,) = points(model, 1)
    assert model.log_density({**point, "scale": -1.0}) == -np.inf
    assert model.log_density({**point, "count": -1}) == -np.inf


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ({}, "see `mu`"),
        ({"mu": [0, 1], "z": np.zeros(10), "nu": 1}, "see `nu`"),
        ({"mu": [0, 1, 2], "z": np.zeros(10)}, "`mu` has the shape (3,), the variable (2,)"),
    ],
)
def test_wrong_points_are_refused(point, message):
    with pytest.raises(ModelError) as caught:
        run_models.example("mixture").log_density(point)
    assert message in str(caught.value)


def test_function_pointers_are_addresses():
    assert all(pointer > 0 for pointer in run_models.example("mixture").function_pointers)


def test_compiling_counts_as_time():
    model = lfppl.compile("(let [x (sample (normal 0 1))] x)")
    before = model.compile_s
    model.density()
    assert model.compile_s > before > 0


def test_models_with_the_same_source_and_data_have_the_same_identity():
    text = "(let [x (sample (normal 0 s))] x)"
    first, second, third = (lfppl.compile(text, {"s": s}) for s in (1.0, 1.0, 2.0))
    assert first.identity == second.identity != third.identity
