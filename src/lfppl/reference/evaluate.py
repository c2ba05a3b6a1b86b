"""The density of a quadruple at a point: P = (Σ η k) (Σ ζ l) (paper, equation 1 of section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from lfppl.core import ast
from lfppl.recursion import deep_recursion
from lfppl.reference.families import add_log_densities, log_density_of
from lfppl.reference.quadruple import Quadruple
from lfppl.reference.symbolic import Evaluator, Sampled, label
from lfppl.reference.terms import Density, Indicator, Term, Zero


def density(
    quadruple: Quadruple, point: Mapping[str, Any], data: Mapping[str, Any] | None = None
) -> float:
    """Log P at a point {variable name: array of its full shape}.

    >>> from lfppl.reference.quadruple import quadruple
    >>> program = ast.Sample(
    ...     ast.Distribution("uniform", (ast.Constant(0.0), ast.Constant(4.0))), "z"
    ... )
    >>> round(density(quadruple(program), {"z": 1.0}), 6)
    -1.386294
    """
    with deep_recursion():
        evaluator = _evaluator(point, data or {})
        sums = (quadruple.prior_terms, quadruple.observed_terms)
        return add_log_densities(_log_sum(evaluator, terms) for terms in sums)


def branch_bits(
    quadruple: Quadruple, point: Mapping[str, Any], data: Mapping[str, Any] | None = None
) -> dict[int, bool]:
    """The bits of the `if`s on the path through the program that the point takes, by site.

    An `if` inside a branch not taken leaves no indicator in the term that holds, and so no bit.
    """
    bits: dict[int, bool] = {}
    with deep_recursion():
        evaluator = _evaluator(point, data or {})
        for term in quadruple.observed_terms:
            branches = [i for i in term.indicators if i.site is not None]
            if all(_holds(evaluator, i) for i in branches):
                bits |= {i.site: i.negative for i in branches if i.site is not None and i.site >= 0}
    return bits


def returned_value(
    quadruple: Quadruple, point: Mapping[str, Any], data: Mapping[str, Any] | None = None
) -> Any:
    """The value of the program at a point: v of the term of F that holds; None where none does.

    >>> from lfppl.reference.quadruple import quadruple
    >>> returned_value(quadruple(ast.Variable("y"), {"y"}), {}, {"y": 2.5})
    2.5
    """
    with deep_recursion():
        evaluator = _evaluator(point, data or {})
        for term in quadruple.observed_terms:
            if all(_holds(evaluator, indicator) for indicator in term.indicators):
                return evaluator.value(term.value)
    return None


def _evaluator(point: Mapping[str, Any], data: Mapping[str, Any]) -> Evaluator:
    """Numbers for the sampled variables' elements and for the data."""
    values: dict[ast.Variable, Any] = {
        ast.Variable(name): np.asarray(value, dtype=np.float64).tolist()
        for name, value in data.items()
    }
    for name, value in point.items():
        for indices, number in np.ndenumerate(np.asarray(value, dtype=np.float64)):
            values[Sampled(label(name, indices))] = float(number)
    return Evaluator(values)


def _log_sum(evaluator: Evaluator, terms: Iterable[Term]) -> float:
    """Log of the sum of the terms; in what an indicator rules out nothing is evaluated."""
    total = -np.inf
    for term in terms:
        if all(_holds(evaluator, indicator) for indicator in term.indicators):
            total = float(np.logaddexp(total, _log_product(evaluator, term.densities)))
    return total


def _holds(evaluator: Evaluator, indicator: Indicator) -> bool:
    """Whether the indicator is 1; what is not below 0 is taken as 0 or greater."""
    return bool((evaluator.value(indicator.formula) < 0) == indicator.negative)


def _log_product(evaluator: Evaluator, densities: Iterable[Density | Zero]) -> float:
    """The log of a product of densities."""
    return add_log_densities(_log_density(evaluator, one) for one in densities)


def _log_density(evaluator: Evaluator, one: Density | Zero) -> float:
    if isinstance(one, Zero):
        return -np.inf
    return log_density_of(evaluator.value(one.distribution), evaluator.value(one.value))
