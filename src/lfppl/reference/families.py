"""How the oracles use the table of distributions: values, element-by-element use, log densities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.contract import Constraint, DistributionFamily
from lfppl.core.distributions.density import log_density
from lfppl.core.primitives import NumpyMath
from lfppl.reference.vectors import depth, rows_where

_NATURAL_DEPTH = {
    Constraint.WEIGHTS: 1,
    Constraint.POSITIVES: 1,
    Constraint.REALS: 1,
    Constraint.COVARIANCE: 2,
}
"""How deep a parameter that is a vector or a matrix by nature is nested; numbers: 0."""


@dataclass(frozen=True)
class Chosen:
    """A distribution as a value: its family, and its parameters as numbers and nested lists."""

    family: str
    parameters: tuple[Any, ...]


def family_of(name: str) -> DistributionFamily:
    """The row of the table of distributions.

    >>> family_of("poisson").is_discrete
    True
    """
    return FAMILIES[name]


def spread(family: DistributionFamily, parameters: tuple[Any, ...], value: Any = 0.0) -> list[bool]:
    """Which of the value and the parameters are vectors where the family takes an element."""
    natural = [int(family.is_vector)]
    natural += [_NATURAL_DEPTH.get(p.constraint, 0) for p in family.parameters]
    return [depth(a) > n for a, n in zip((value, *parameters), natural, strict=True)]


def elements(
    family: DistributionFamily, parameters: tuple[Any, ...], value: Any
) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Value and parameters of each single draw that a broadcast observe or sample stands for.

    >>> list(elements(family_of("normal"), (0.0, 1.0), [5.0, 6.0]))
    [(5.0, (0.0, 1.0)), (6.0, (0.0, 1.0))]
    """
    spreads = spread(family, parameters, value)
    if not any(spreads):
        yield value, parameters
        return
    for row in rows_where((value, *parameters), spreads):
        yield from elements(family, row[1:], row[0])


def shape_of(family: DistributionFamily, parameters: tuple[Any, ...]) -> tuple[int, ...]:
    """The shape of what a sample of the family has for these parameters.

    >>> shape_of(family_of("normal"), ([0.0, 1.0, 2.0], 1.0))
    (3,)
    """
    spreads = spread(family, parameters)
    if any(spreads):
        rows = rows_where((0.0, *parameters), spreads)
        return (len(rows), *shape_of(family, rows[0][1:]))
    return (len(parameters[0]),) if family.is_vector else ()


def log_density_of(chosen: Chosen, value: Any) -> float:
    """The log density of a value, summed over the elements where the family broadcasts.

    >>> round(log_density_of(Chosen("normal", (0.0, 1.0)), [0.0, 0.0]), 6)
    -1.837877
    """
    family = family_of(chosen.family)
    value = 0.0 if value is None else value
    return add_log_densities(
        float(log_density(NumpyMath(), family, x, parameters))
        for x, parameters in elements(family, chosen.parameters, value)
    )


def draw_of(chosen: Chosen, generator: np.random.Generator) -> Any:
    """A draw, one for each element where the family broadcasts.

    >>> len(draw_of(Chosen("normal", ([0.0, 0.0], 1.0)), np.random.default_rng(1)))
    2
    """
    family, parameters = family_of(chosen.family), chosen.parameters
    spreads = spread(family, parameters)
    if any(spreads):
        rows = rows_where((0.0, *parameters), spreads)
        return [draw_of(Chosen(chosen.family, row[1:]), generator) for row in rows]
    ready = (np.asarray(p) if isinstance(p, list) else p for p in parameters)
    return np.asarray(family.draw(generator, *ready), dtype=np.float64).tolist()


def add_log_densities(terms: Iterator[float]) -> float:
    """The sum; a point where one factor is 0 has density 0, whatever the others are.

    >>> add_log_densities(iter([float("nan"), float("-inf")]))
    -inf
    """
    total = 0.0
    for term in terms:
        if term == -np.inf:
            return -np.inf
        total += term
    return total
