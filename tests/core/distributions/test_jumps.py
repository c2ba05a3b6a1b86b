"""The jump flags of edges, parameters, relations and borders, checked by numbers."""

from typing import Any

import numpy as np
import pytest

from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.contract import Condition, Constraint
from lfppl.core.distributions.density import log_density
from lfppl.core.primitives import NumpyMath

m = NumpyMath()

VISIBLE = 1e-3  # a density above it at an edge is a jump, one that falls below it is none
NEAR = 1e-12  # how near to an edge we look

TYPICAL: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "normal": ((0.0, 1.0), (-1.3, 0.4)),
    "student-t": ((3.0, 0.0, 1.0), (-1.3, 0.4)),
    "cauchy": ((0.0, 1.0), (-1.3, 0.4)),
    "laplace": ((0.0, 1.0), (-1.3, 0.4)),
    "logistic": ((0.0, 1.0), (-1.3, 0.4)),
    "lognormal": ((0.0, 1.0), (0.4, 2.0)),
    "half-normal": ((1.0,), (0.4, 2.0)),
    "half-cauchy": ((1.0,), (0.4, 2.0)),
    "exponential": ((1.0,), (0.4, 2.0)),
    "gamma": ((1.5, 1.0), (0.4, 2.0)),
    "inverse-gamma": ((1.5, 1.0), (0.4, 2.0)),
    "chi-squared": ((3.0,), (0.4, 2.0)),
    "weibull": ((1.5, 1.0), (0.4, 2.0)),
    "pareto": ((0.3, 1.5), (0.4, 2.0)),
    "uniform": ((0.0, 1.0), (0.3,)),
    "beta": ((2.0, 3.0), (0.3, 0.8)),
    "triangular": ((0.0, 0.5, 1.0), (0.3, 0.8)),
    "truncated-normal": ((0.2, 1.0, -1.0, 2.0), (-0.5, 1.0)),
    "von-mises": ((0.0, 1.0), (-1.3, 0.4)),
    "mvn": (([0.0, 0.0], [[1.0, 0.3], [0.3, 1.0]]), ([0.5, -0.4],)),
    "dirichlet": (([1.5, 2.0],), ([0.3, 0.7],)),
    "bernoulli": ((0.4,), (0.0, 1.0)),
    "binomial": ((3.0, 0.4), (0.0, 1.0, 3.0)),
    "negative-binomial": ((2.0, 0.4), (0.0, 1.0)),
    "poisson": ((2.0,), (0.0, 1.0)),
    "geometric": ((0.4,), (0.0, 1.0)),
    "beta-binomial": ((3.0, 1.0, 2.0), (0.0, 1.0, 3.0)),
    "categorical": (([1.0, 2.0],), (0.0, 1.0)),
}

EDGES_AT: dict[str, list[tuple[float, ...]]] = {
    "lognormal": [(0, 1), (-2, 3), (0, 0.1)],
    "half-normal": [(1,)],
    "half-cauchy": [(1,)],
    "exponential": [(1,)],
    "gamma": [(1, 1), (3, 1)],
    "inverse-gamma": [(1, 1), (0.1, 0.1), (3, 1)],
    "chi-squared": [(2,), (5,)],
    "weibull": [(1, 1), (3, 1)],
    "pareto": [(1, 1)],
    "uniform": [(0, 1)],
    "beta": [(1, 1), (3, 3)],
    "triangular": [(0, 0, 1), (0, 1, 1), (0, 0.5, 1)],
    "truncated-normal": [(0, 1, -1, 1)],
    "von-mises": [(0, 1)],
}


def density(name: str, x: Any, parameters: Any) -> float:
    return float(np.exp(log_density(m, FAMILIES[name], x, parameters)))


# --- edges of the support ------------------------------------------------------------------------


def edge_cases() -> list[Any]:
    return [
        pytest.param(name, condition, id=f"{name}-{i}")
        for name, family in FAMILIES.items()
        if not family.is_discrete and not family.is_vector
        for i, condition in enumerate(c for piece in family.pieces for c in piece.conditions)
        if condition.edge
    ]


def inside_the_edge(name: str, condition: Condition, parameters: tuple[float, ...]) -> float:
    """The support's bound that this condition is about, and a step from it to the inside."""
    support = FAMILIES[name].support
    for formula, side in ((support.lower, 1.0), (support.upper, -1.0)):
        bound = None if formula is None else float(formula(m, *parameters))
        if bound is not None and m.run(condition.formula, bound, *parameters) == 0.0:
            return bound + side * NEAR
    raise AssertionError("the condition belongs to no bound of the support")


def test_every_bounded_family_has_its_edges_tested() -> None:
    assert set(EDGES_AT) == {case.values[0] for case in edge_cases()}


@pytest.mark.parametrize(("name", "condition"), edge_cases())
def test_an_edge_jumps_where_some_density_does_not_vanish(name: str, condition: Condition) -> None:
    seen = [density(name, inside_the_edge(name, condition, p), p) for p in EDGES_AT[name]]
    assert condition.jump == (max(seen) > VISIBLE)


def test_edges_of_discrete_families_jump() -> None:
    for family in FAMILIES.values():
        if family.is_discrete:
            assert all(c.jump and c.edge for piece in family.pieces for c in piece.conditions)


def test_dirichlet_jumps_at_the_faces_of_the_simplex() -> None:
    assert density("dirichlet", [NEAR, 1.0 - NEAR], [[1.0, 1.0]]) > VISIBLE
    assert all(c.jump for c in FAMILIES["dirichlet"].pieces[0].conditions)


# --- constraints of parameters -------------------------------------------------------------------

SINGLE_EDGES = {
    Constraint.POSITIVE: (NEAR,),
    Constraint.NONNEGATIVE: (0.0,),
    Constraint.UNIT: (0.0, 1.0),
}


def parameter_cases() -> list[Any]:
    return [
        pytest.param(name, position, id=f"{name}-{parameter.name}")
        for name, family in FAMILIES.items()
        for position, parameter in enumerate(family.parameters)
        if parameter.constraint in SINGLE_EDGES
    ]


@pytest.mark.parametrize(("name", "position"), parameter_cases())
def test_a_parameter_jumps_where_the_density_does_not_vanish(name: str, position: int) -> None:
    parameter = FAMILIES[name].parameters[position]
    parameters, points = TYPICAL[name]
    seen = [
        density(name, x, [*parameters[:position], edge, *parameters[position + 1 :]])
        for edge in SINGLE_EDGES[parameter.constraint]
        for x in points
    ]
    assert parameter.jump == (max(seen) > VISIBLE)


@pytest.mark.parametrize(("name", "position"), parameter_cases())
def test_beyond_its_edge_a_parameter_has_density_zero(name: str, position: int) -> None:
    parameters, points = TYPICAL[name]
    broken = [*parameters[:position], -NEAR, *parameters[position + 1 :]]
    assert [density(name, x, broken) for x in points] == [0.0] * len(points)


def test_integer_parameters_jump() -> None:
    for family in FAMILIES.values():
        for parameter in family.parameters:
            if parameter.constraint in (Constraint.COUNT, Constraint.INTEGER):
                assert parameter.jump


def test_a_parameter_that_is_no_integer_has_density_zero() -> None:
    assert density("binomial", 1.0, (3.5, 0.4)) == 0.0
    assert density("discrete-uniform", 1.0, (0.5, 4.0)) == 0.0


def test_a_weight_of_zero_is_a_jump() -> None:
    assert density("categorical", 1.0, ([0.0, 1.0],)) > VISIBLE
    assert density("categorical", 1.0, ([-NEAR, 1.0],)) == 0.0
    assert FAMILIES["categorical"].parameters[0].jump


def test_a_concentration_of_zero_is_no_jump() -> None:
    assert density("dirichlet", [0.3, 0.7], ([NEAR, 1.0],)) < VISIBLE
    assert not FAMILIES["dirichlet"].parameters[0].jump


@pytest.mark.parametrize("correlation", [1.0 - NEAR, -1.0 + NEAR])
def test_a_singular_covariance_is_no_jump(correlation: float) -> None:
    matrix = [[1.0, correlation], [correlation, 1.0]]
    assert density("mvn", [0.5, -0.4], ([0.0, 0.0], matrix)) < VISIBLE
    assert not FAMILIES["mvn"].parameters[1].jump


def test_parameters_without_a_constraint_do_not_jump() -> None:
    for family in FAMILIES.values():
        for parameter in family.parameters:
            if parameter.constraint in (Constraint.REAL, Constraint.REALS):
                assert not parameter.jump


# --- relations and borders -----------------------------------------------------------------------

# Parameters that just satisfy each relation in turn, some that just do not, a point between, and
# the width of the support: densities count in the coordinate that a change of variables gives.
RELATIONS: dict[str, list[tuple[tuple[float, ...], tuple[float, ...], float, float]]] = {
    "uniform": [((0, NEAR), (0, -NEAR), 0.5 * NEAR, NEAR)],
    "triangular": [
        ((0, 0, 1), (NEAR, 0, 1), 0.3, 1.0),
        ((0, 1, 1), (0, 1 + NEAR, 1), 0.3, 1.0),
        ((0, 0.5 * NEAR, NEAR), (0, 0, 0), 0.3 * NEAR, NEAR),
    ],
    "truncated-normal": [((0, 1, 1, 1 + NEAR), (0, 1, 1, 1), 1 + 0.5 * NEAR, NEAR)],
    "discrete-uniform": [((2, 2), (2, 1), 2.0, 1.0)],
    "hypergeometric": [((4, 4, 3), (4, 5, 3), 3.0, 1.0), ((4, 3, 4), (4, 3, 5), 3.0, 1.0)],
}


def test_every_relation_is_tested() -> None:
    assert {name: len(cases) for name, cases in RELATIONS.items()} == {
        name: len(family.relations) for name, family in FAMILIES.items() if family.relations
    }


@pytest.mark.parametrize("name", RELATIONS)
def test_the_edge_of_a_relation_is_a_jump(name: str) -> None:
    for relation, case in zip(FAMILIES[name].relations, RELATIONS[name], strict=True):
        held, broken, x, width = case
        seen = density(name, x, held) * width, density(name, x, broken) * width
        assert relation.jump == (seen[0] > VISIBLE)
        assert seen[1] == 0.0


@pytest.mark.parametrize(("name", "border"), [("laplace", 0), ("triangular", 1)])
def test_a_border_between_pieces_is_a_kink_and_no_jump(name: str, border: int) -> None:
    parameters, _ = TYPICAL[name]
    at = parameters[border]
    below, middle, above = (density(name, at + step, parameters) for step in (-NEAR, 0.0, NEAR))
    assert below == pytest.approx(middle, rel=1e-9)
    assert above == pytest.approx(middle, rel=1e-9)
    borders = [c for p in FAMILIES[name].pieces for c in p.conditions if not c.edge]
    assert borders
    assert not any(condition.jump for condition in borders)
