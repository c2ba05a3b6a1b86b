"""The table of distributions is complete, and its formulas fit its parameters."""

import inspect
from typing import Any

import pytest

from lfppl.core.distributions import FAMILIES

NAMED_IN_THE_DESIGN = [
    "normal",
    "lognormal",
    "student-t",
    "cauchy",
    "half-normal",
    "half-cauchy",
    "laplace",
    "logistic",
    "exponential",
    "gamma",
    "inverse-gamma",
    "beta",
    "chi-squared",
    "weibull",
    "pareto",
    "uniform",
    "triangular",
    "truncated-normal",
    "von-mises",
    "mvn",
    "dirichlet",
    "bernoulli",
    "bernoulli-logit",
    "categorical",
    "categorical-logit",
    "binomial",
    "negative-binomial",
    "poisson",
    "geometric",
    "discrete-uniform",
    "beta-binomial",
    "hypergeometric",
    "factor",
]


def test_no_distribution_of_the_design_is_missing() -> None:
    assert set(NAMED_IN_THE_DESIGN) <= set(FAMILIES)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_formulas_take_the_parameters_of_their_family(family: Any) -> None:
    count = len(family.parameters)
    for piece in family.pieces:
        inspect.signature(piece.log_density).bind(None, None, *range(count))
        for condition in piece.conditions:
            inspect.signature(condition.formula).bind(None, None, *range(count))
    for relation in family.relations:
        inspect.signature(relation.formula).bind(None, *range(count))
