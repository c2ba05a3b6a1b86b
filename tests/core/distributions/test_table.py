"""The page of distributions is what the table says, and the table is complete."""

import inspect
from pathlib import Path
from typing import Any

import pytest

from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.table import page

PAGE = Path(__file__).parents[3] / "docs" / "distributions.md"

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


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


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


def test_the_page_names_every_distribution() -> None:
    assert all(f"`({name} " in page() for name in FAMILIES)
