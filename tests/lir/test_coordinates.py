"""Changes of variables: inside the support, with the Jacobians of numerical differentiation."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from lfppl.lir.evaluate import evaluate
from lfppl.lir.tables import Model, VariableBlock
from lowered import built, natural_point

TRANSFORMED = {
    "log": "(let [x (sample (gamma 2 1))] x)",
    "log from a latent edge": "(let [s (sample (normal 0 1)) x (sample (pareto (exp s) 3))] x)",
    "interval": "(let [x (sample (beta 2 3))] x)",
    "interval with known edges": "(let [x (sample (uniform -1 4))] x)",
    "interval with latent edges": """(let [a (sample (normal 0 1)) w (sample (gamma 2 1))
                                           x (sample (uniform a (+ a w)))] x)""",
    "truncated": "(let [m (sample (normal 0 1)) x (sample (truncated-normal m 1 0 2))] x)",
    "chain of edges": """(let [a (sample (uniform 0 1)) b (sample (uniform a 2))
                               c (sample (triangular b (+ b 1) (+ b 2)))] c)""",
    "simplex": "(let [w (sample (dirichlet [1 2 0.7 3]))] w)",
    "simplexes in a plate": "(for [i (range 2)] (sample (dirichlet [1 2 3])))",
    "rows of a plate": "(for [i (range 3)] (sample (gamma 2 (+ i 1))))",
    "vector": "(let [v (sample (mvn [0 1] [[2 0.5] [0.5 1]]))] v)",
}


def free_values(model: Model, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The natural values in the order of the coordinates, without the last part of a simplex."""
    numbers = evaluate(model, x).numbers
    values = np.zeros(model.dimension)
    for block in model.variables:
        width = block.coordinates.shape[1]
        values[block.coordinates] = numbers[block.values[:, :width]]
    return values


def log_determinant(model: Model, x: NDArray[np.float64]) -> float:
    step = 1e-6
    columns = [
        (free_values(model, x + step * e) - free_values(model, x - step * e)) / (2 * step)
        for e in np.eye(len(x))
    ]
    return float(np.linalg.slogdet(np.array(columns))[1])


@pytest.mark.parametrize("name", TRANSFORMED)
def test_the_jacobian_is_that_of_the_map_to_natural_values(name: str) -> None:
    model = built(TRANSFORMED[name])
    generator = np.random.default_rng(20180612)
    for x in generator.normal(size=(4, model.dimension)):
        found = evaluate(model, x)
        told = sum(
            term
            for vertex, term in zip(model.vertices, found.vertex_terms, strict=True)
            if vertex.kind == "jacobian"
        )
        assert told == pytest.approx(log_determinant(model, x), abs=1e-6)


@pytest.mark.parametrize("name", TRANSFORMED)
def test_both_coordinates_give_one_density_up_to_the_jacobian(name: str) -> None:
    model, natural = built(TRANSFORMED[name]), built(TRANSFORMED[name], natural=True)
    generator = np.random.default_rng(20180612)
    for x in generator.normal(size=(4, model.dimension)):
        found = evaluate(model, x)
        jacobian = sum(
            term
            for vertex, term in zip(model.vertices, found.vertex_terms, strict=True)
            if vertex.kind == "jacobian"
        )
        same = evaluate(natural, natural_point(natural, found.variables))
        assert found.log_density - jacobian == pytest.approx(same.log_density, rel=1e-9)


@pytest.mark.parametrize("name", TRANSFORMED)
def test_any_point_of_the_line_is_inside_the_support(name: str) -> None:
    model = built(TRANSFORMED[name])
    for scale in (1.0, 5.0):
        for sign in (-1.0, 1.0):
            found = evaluate(model, np.full(model.dimension, sign * scale))
            assert np.isfinite(found.log_density)


def blocks(text: str) -> dict[str, list[VariableBlock]]:
    found: dict[str, list[VariableBlock]] = {}
    for block in built(text).variables:
        found.setdefault(block.name, []).append(block)
    return found


def test_a_discontinuous_variable_keeps_its_value_and_its_constant_bounds() -> None:
    text = """(let [t (sample (gamma 2 1)) u (sample (uniform -1 3)) k (sample (binomial 4 0.5))]
                (if (< (+ t u) 1) (observe (normal k 1) 1) 0) u)"""
    found = blocks(text)
    assert [(b.lower, b.upper) for name in "tuk" for b in found[name]] == [
        (0.0, np.inf),
        (-1.0, 3.0),
        (0.0, 5.0),
    ]
    names = [b.transform.name for name in "tuk" for b in found[name]]
    assert names == ["identity", "identity", "floor"]


def test_latent_bounds_of_a_discontinuous_variable_are_not_constant() -> None:
    text = """(let [a (sample (normal 0 1)) u (sample (uniform a (+ a 2)))]
                (if (< u 1) (observe (normal 0 1) 1) 0) u)"""
    (block,) = blocks(text)["u"]
    assert (block.lower, block.upper) == (-np.inf, np.inf)


def test_a_variable_partly_in_gamma_stands_in_two_blocks() -> None:
    text = """(let [s (for [i (range 3)] (sample (gamma 2 1)))]
                (if (< (get s 1) 1) (observe (normal 0 1) 1) 0) s)"""
    smooth, jumping = blocks(text)["s"]
    assert (smooth.transform.name, smooth.indices.ravel().tolist()) == ("log", [0, 2])
    assert (jumping.transform.name, jumping.indices.ravel().tolist()) == ("identity", [1])
    assert (smooth.lower, jumping.lower) == (-np.inf, 0.0)
    model = built(text)
    outside = np.zeros(3)
    outside[jumping.coordinates] = -0.5
    assert evaluate(model, outside).log_density == -np.inf
    outside[jumping.coordinates] = 0.5
    outside[smooth.coordinates] = -0.5
    assert np.isfinite(evaluate(model, outside).log_density)


def test_edges_in_the_wrong_order_have_no_density_and_no_nan() -> None:
    text = """(let [a (sample (normal 0 1)) b (sample (normal 1 1)) c (sample (uniform a b))] c)"""
    found = evaluate(built(text), np.array([0.5, -0.5, 0.3]))
    assert found.log_density == -np.inf
    assert not np.isnan(found.terms).any()


def test_elements_written_out_stand_in_row_major_order() -> None:
    text = "(let [v [(sample (normal 0 1)) (sample (normal 5 1)) (sample (normal 9 1))]] v)"
    places = {
        tuple(indices): int(coordinate)
        for block in built(text).variables
        for indices, (coordinate,) in zip(block.indices, block.coordinates, strict=True)
    }
    assert places == {(0,): 0, (1,): 1, (2,): 2}


def test_natural_coordinates_make_no_jacobian() -> None:
    for text in TRANSFORMED.values():
        model = built(text, natural=True)
        assert all(vertex.kind != "jacobian" for vertex in model.vertices)
        assert all(block.transform.name == "identity" for block in model.variables)
