"""The constraints of parameters as truth values in any algebra."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lfppl.core.distributions.contract import Constraint
from lfppl.core.distributions.formulas import LEAST_POSITIVE, is_nonnegative, is_positive
from lfppl.core.distributions.vectors import decompose
from lfppl.core.primitives import Math

__all__ = ["LEAST_POSITIVE", "holds"]


def _positive(m: Any, value: Any) -> list[Any]:
    return [is_positive(m, value)]


def _nonnegative(m: Any, value: Any) -> list[Any]:
    return [is_nonnegative(m, value)]


def _unit(m: Any, value: Any) -> list[Any]:
    return [*_nonnegative(m, value), m.negation(m.less(1.0, value))]


def _integer(m: Any, value: Any) -> list[Any]:
    return [m.negation(m.less(m.floor(value), value))]


def _weights(m: Any, values: Any) -> list[Any]:
    return [*_nonnegative(m, m.smallest(values)), *_positive(m, m.sum(values))]


_CHECKS: dict[Constraint, Callable[[Any, Any], list[Any]]] = {
    Constraint.REAL: lambda m, value: [],
    Constraint.REALS: lambda m, values: [],
    Constraint.POSITIVE: _positive,
    Constraint.NONNEGATIVE: _nonnegative,
    Constraint.UNIT: _unit,
    Constraint.INTEGER: _integer,
    Constraint.COUNT: lambda m, value: [*_nonnegative(m, value), *_integer(m, value)],
    Constraint.WEIGHTS: _weights,
    Constraint.POSITIVES: lambda m, values: _positive(m, m.smallest(values)),
    Constraint.COVARIANCE: lambda m, matrix: _positive(m, m.smallest(decompose(matrix)[1])),
}


def holds(m: Math[Any], constraint: Constraint, value: Any) -> list[Any]:
    """Truth values that are all 1 where a parameter's value satisfies its constraint.

    >>> from lfppl.core.primitives import NumpyMath
    >>> [float(truth) for truth in holds(NumpyMath(), Constraint.UNIT, 1.5)]
    [1.0, 0.0]
    """
    return _CHECKS[constraint](m, value)
