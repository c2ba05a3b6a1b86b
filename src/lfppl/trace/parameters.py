"""Parameters of distributions: their dimensions, and the ranges of those known when compiling."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lfppl.core.distributions.contract import Constraint, DistributionFamily, Parameter
from lfppl.errors import shapes
from lfppl.source import Span
from lfppl.trace.domains import Domain
from lfppl.trace.graph import Graph, Node
from lfppl.trace.values import Known, Value, describe, is_vector, rank

_RANKS = {
    Constraint.WEIGHTS: 1,
    Constraint.POSITIVES: 1,
    Constraint.REALS: 1,
    Constraint.COVARIANCE: 2,
}

_HOLDS: dict[Constraint, Callable[[NDArray[np.float64]], NDArray[np.bool_]]] = {
    Constraint.POSITIVE: lambda v: v > 0,
    Constraint.NONNEGATIVE: lambda v: v >= 0,
    Constraint.UNIT: lambda v: (v >= 0) & (v <= 1),
    Constraint.COUNT: lambda v: (v >= 0) & (v == np.floor(v)),
    Constraint.INTEGER: lambda v: v == np.floor(v),
    Constraint.WEIGHTS: lambda v: (v >= 0).all(axis=-1) & (v.sum(axis=-1) > 0),
    Constraint.POSITIVES: lambda v: (v > 0).all(axis=-1),
}


def expected_rank(parameter: Parameter) -> int:
    """The dimensions of a parameter: 0 a number, 1 a vector, 2 a matrix."""
    return _RANKS.get(parameter.constraint, 0)


def check_parameter(
    graph: Graph,
    family: DistributionFamily,
    parameter: Parameter,
    value: Value,
    span: Span,
    domain: Domain,
    active: NDArray[np.bool_] | None,
) -> None:
    """Refuse a parameter of the wrong kind, or one known to be out of range in an active row."""
    wanted = expected_rank(parameter)
    if not isinstance(value, Node) and not is_vector(value):
        raise shapes.expected_number(span, f"`{parameter.name}` of `{family.name}`", describe(value))
    if rank(value) < wanted:
        expected = shapes.expected_vector if wanted == 1 else shapes.expected_matrix
        raise expected(span, f"`{parameter.name}` of `{family.name}`", describe(value))
    holds = _HOLDS.get(parameter.constraint)
    if holds is None:
        return
    if isinstance(value, Node) and value.is_static:
        rows, home = value.static_rows(), value.domain
    elif isinstance(value, Known) and wanted:
        rows, home = value.array, value.domain
    else:
        return
    wrong = ~holds(rows)
    if active is not None and domain.is_within(home) and wrong.ndim == 1 and len(wrong) == home.rows:
        relevant = np.zeros(home.rows, dtype=bool)
        relevant[domain.row_in(home)[active]] = True
        wrong &= relevant
    if wrong.any():
        worst = rows[np.argmax(wrong.reshape(len(wrong), -1).any(axis=1))]
        text = np.array2string(np.asarray(worst), threshold=8) if wanted else f"{float(worst):g}"
        raise shapes.parameter_out_of_range(
            span, family.name, parameter.name, text, parameter.constraint.value
        )
