"""One log density from pieces and checks: what each keyword leaves out, and what rows must cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.density import log_density
from lfppl.core.primitives import PRIMITIVES, STRUCTURAL, Math, NumpyMath

m = NumpyMath()

CHEAP = {*STRUCTURAL, "+", "-", "*", "/", "neg", "floor"}


class Expression:
    """A recorded operation; using it in a Python `if` is an error."""

    def __init__(self, operation: str, arguments: tuple[Any, ...] = ()) -> None:
        self.operation, self.arguments = operation, arguments

    def __bool__(self) -> bool:
        raise AssertionError("a formula branches in Python")

    def __neg__(self) -> Expression:
        return Expression("neg", (self,))

    def __add__(self, other: Any) -> Expression:
        return Expression("+", (self, other))

    def __radd__(self, other: Any) -> Expression:
        return Expression("+", (other, self))

    def __sub__(self, other: Any) -> Expression:
        return Expression("-", (self, other))

    def __rsub__(self, other: Any) -> Expression:
        return Expression("-", (other, self))

    def __mul__(self, other: Any) -> Expression:
        return Expression("*", (self, other))

    def __rmul__(self, other: Any) -> Expression:
        return Expression("*", (other, self))

    def __truediv__(self, other: Any) -> Expression:
        return Expression("/", (self, other))

    def __rtruediv__(self, other: Any) -> Expression:
        return Expression("/", (other, self))


class Recorder(Math[Expression]):
    """Records a formula as expressions."""

    def apply(self, name: str, *arguments: Any) -> Expression:
        assert name in PRIMITIVES or name in STRUCTURAL
        return Expression(name, arguments)


def symbols(value: Any, name: str) -> Any:
    """A number as a symbol, a vector as a vector of symbols."""
    if isinstance(value, list):
        return [symbols(item, f"{name}{i}") for i, item in enumerate(value)]
    return Expression(name)


def recorded(name: str, **keywords: Any) -> Any:
    x, parameters = POINTS[name]
    places = [symbols(p, f"parameter{i}.") for i, p in enumerate(parameters)]
    return log_density(Recorder(), FAMILIES[name], symbols(x, "x"), places, **keywords)


def operations(expression: Any) -> list[Expression]:
    """Every operation once, however often it is shared as an object."""
    found: dict[int, Expression] = {}
    stack = [expression]
    while stack:
        node = stack.pop()
        if isinstance(node, Expression) and id(node) not in found:
            found[id(node)] = node
            stack.extend(node.arguments)
    return list(found.values())


def evaluate(expression: Any, values: dict[str, float]) -> Any:
    if not isinstance(expression, Expression):
        return expression
    if expression.operation in values:
        return np.float64(values[expression.operation])
    return m.apply(expression.operation, *(evaluate(a, values) for a in expression.arguments))


def flattened(value: Any, name: str) -> dict[str, float]:
    if isinstance(value, list):
        parts = [flattened(item, f"{name}{i}") for i, item in enumerate(value)]
        return {key: number for part in parts for key, number in part.items()}
    return {name: value}


def reads_x(expression: Any) -> bool:
    return any(node.operation.startswith("x") for node in operations(expression))


POINTS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "normal": (0.4, (0.1, 1.2)),
    "student-t": (0.4, (3.0, 0.1, 1.2)),
    "cauchy": (0.4, (0.1, 1.2)),
    "laplace": (0.4, (0.1, 1.2)),
    "logistic": (0.4, (0.1, 1.2)),
    "lognormal": (0.4, (0.1, 1.2)),
    "half-normal": (0.4, (1.2,)),
    "half-cauchy": (0.4, (1.2,)),
    "exponential": (0.4, (1.2,)),
    "gamma": (0.4, (1.2, 0.7)),
    "inverse-gamma": (0.4, (1.2, 0.7)),
    "chi-squared": (0.4, (3.0,)),
    "weibull": (0.4, (1.2, 0.7)),
    "pareto": (0.4, (0.2, 0.7)),
    "uniform": (0.4, (0.1, 1.2)),
    "beta": (0.4, (1.2, 0.7)),
    "triangular": (0.4, (0.1, 0.7, 1.2)),
    "truncated-normal": (0.4, (0.5, 1.3, 0.1, 1.2)),
    "von-mises": (0.4, (0.1, 1.2)),
    "mvn": ([0.4, 0.1], ([0.2, 0.3], [[1.0, 0.3], [0.3, 2.0]])),
    "dirichlet": ([0.4, 0.6], ([1.2, 0.7],)),
    "bernoulli": (1.5, (0.3,)),
    "bernoulli-logit": (1.5, (0.3,)),
    "binomial": (2.5, (5.0, 0.3)),
    "binomial-logit": (2.5, (5.0, 0.3)),
    "negative-binomial": (2.5, (1.5, 0.3)),
    "poisson": (2.5, (1.5,)),
    "poisson-log": (2.5, (1.5,)),
    "geometric": (2.5, (0.3,)),
    "discrete-uniform": (2.5, (1.0, 4.0)),
    "beta-binomial": (2.5, (5.0, 1.2, 0.7)),
    "hypergeometric": (2.5, (9.0, 4.0, 5.0)),
    "categorical": (1.5, ([0.2, 0.5, 0.4],)),
    "categorical-logit": (1.5, ([0.2, 0.5, 0.4],)),
    "factor": (0.0, (-1.5,)),
}

ROW_COST = {
    **dict.fromkeys(["normal", "laplace", "half-normal", "exponential", "uniform"], 0),
    **dict.fromkeys(["truncated-normal", "mvn", "bernoulli", "discrete-uniform", "factor"], 0),
    **dict.fromkeys(["categorical-logit", "geometric"], 0),
    **dict.fromkeys(["student-t", "cauchy", "logistic", "lognormal", "half-cauchy", "gamma"], 1),
    **dict.fromkeys(["inverse-gamma", "chi-squared", "pareto", "von-mises"], 1),
    **dict.fromkeys(["bernoulli-logit", "poisson", "poisson-log", "categorical"], 1),
    **dict.fromkeys(["weibull", "beta", "triangular", "dirichlet"], 2),
    **dict.fromkeys(["binomial", "binomial-logit", "negative-binomial"], 2),
    **dict.fromkeys(["beta-binomial", "hypergeometric"], 4),
}
"""Transcendental operations that read x; the others read parameters only and can be hoisted."""


def test_every_family_has_a_point() -> None:
    assert set(POINTS) == set(FAMILIES) == set(ROW_COST)


@pytest.mark.parametrize("name", POINTS)
def test_recorded_formulas_have_the_same_value(name: str) -> None:
    x, parameters = POINTS[name]
    values = flattened(x, "x")
    for i, parameter in enumerate(parameters):
        values |= flattened(parameter, f"parameter{i}.")
    value = evaluate(recorded(name), values)
    assert value == pytest.approx(float(log_density(m, FAMILIES[name], x, parameters)), rel=1e-15)
    assert np.isfinite(value)


@pytest.mark.parametrize("name", POINTS)
def test_all_that_is_proved_costs_no_check(name: str) -> None:
    family = FAMILIES[name]
    proved = {p.name for p in family.parameters} | set(range(len(family.relations)))
    bare = recorded(name, support_holds=True, whole=True, proved=proved)
    used = {node.operation for node in operations(bare)}
    assert not used & {"floor", "and", "or"}
    assert -np.inf not in [a for node in operations(bare) for a in node.arguments[2:]]


@pytest.mark.parametrize("name", POINTS)
def test_terms_of_parameters_alone_are_separate(name: str) -> None:
    dear = [node for node in operations(recorded(name)) if node.arguments]
    rows = [node for node in dear if node.operation not in CHEAP and reads_x(node)]
    assert len(rows) == ROW_COST[name]


@pytest.mark.parametrize("name", POINTS)
def test_rows_are_evaluated_at_once(name: str) -> None:
    x, parameters = POINTS[name]
    wide = np.multiply.outer(x, np.ones(3)) if isinstance(x, list) else np.full(3, x)
    rows = (
        log_density(m, FAMILIES[name], list(wide), parameters)
        if isinstance(x, list)
        else (log_density(m, FAMILIES[name], wide, parameters))
    )
    one = log_density(m, FAMILIES[name], x, parameters)
    np.testing.assert_allclose(np.broadcast_to(rows, 3), np.full(3, one), rtol=1e-15)


def test_support_holds_drops_the_edges_only() -> None:
    exponential = FAMILIES["exponential"]
    assert log_density(m, exponential, -1.0, [2.0], support_holds=True) > 0.0
    assert log_density(m, exponential, -1.0, [-2.0], support_holds=True) == -np.inf


def test_proved_drops_the_constraint_of_that_parameter_only() -> None:
    bernoulli, gamma = FAMILIES["bernoulli"], FAMILIES["gamma"]
    assert np.isnan(log_density(m, bernoulli, 1.0, [-0.5], proved=["p"]))
    assert log_density(m, gamma, 1.0, [2.0, -1.0], proved=["shape"]) == -np.inf


def test_a_proved_relation_is_left_out() -> None:
    checked = recorded("uniform", support_holds=True)
    assert checked.operation == "select"
    assert recorded("uniform", support_holds=True, proved=[0]).operation == "neg"


def test_discrete_values_are_floored_unless_whole() -> None:
    poisson = FAMILIES["poisson"]
    at_two = log_density(m, poisson, 2.0, [3.0])
    assert log_density(m, poisson, 2.9, [3.0]) == at_two
    assert log_density(m, poisson, 2.0, [3.0], whole=True) == at_two


def test_integers_and_lists_are_numbers_too() -> None:
    assert log_density(m, FAMILIES["binomial"], 3, (10, 0)) == -np.inf
    assert log_density(m, FAMILIES["normal"], 0, [0, 0]) == -np.inf
