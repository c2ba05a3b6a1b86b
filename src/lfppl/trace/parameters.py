"""Parameters of distributions: their dimensions, and the ranges of those known when compiling."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from lfppl.core.distributions.contract import Constraint, DistributionFamily, Parameter
from lfppl.errors import shapes
from lfppl.source import Span
from lfppl.trace import elements
from lfppl.trace.domains import Domain
from lfppl.trace.graph import Graph, Node
from lfppl.trace.values import Items, Known, Value, describe, is_vector, rank

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
    Constraint.POSITIVES: lambda v: np.asarray((v > 0).all(axis=-1)),
    Constraint.COVARIANCE: lambda v: are_covariances(v),
}

ORDERS = {
    "uniform": "low < high",
    "truncated-normal": "low < high",
    "triangular": "low <= mode <= high and low < high",
    "discrete-uniform": "low <= high",
    "hypergeometric": "successes <= population and draws <= population",
}
"""What the parameters of a family must satisfy together, for messages."""


def are_covariances(matrices: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether matrices are symmetric and positive definite."""
    symmetric = np.isclose(matrices, np.swapaxes(matrices, -1, -2)).all(axis=(-1, -2))
    holds: NDArray[np.bool_] = np.asarray(symmetric & (np.linalg.eigvalsh(matrices)[..., 0] > 0))
    return holds


def _written(value: NDArray[np.float64]) -> str:
    """A number, vector or matrix as the language writes it, shortened."""
    if not value.ndim:
        return f"{float(value):g}"
    items = [_written(item) for item in value[:MOST_SHOWN]]
    return f"[{' '.join(items)}{' ...' if len(value) > MOST_SHOWN else ''}]"


MOST_SHOWN = 8
"""How many elements of a vector a message shows."""


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
        raise shapes.expected_number(
            span, f"`{parameter.name}` of `{family.name}`", describe(value)
        )
    if rank(value) < wanted:
        expected = shapes.expected_vector if wanted == 1 else shapes.expected_matrix
        raise expected(span, f"`{parameter.name}` of `{family.name}`", describe(value))
    if isinstance(value, Items) and len({rank(item) for item in value.items}) > 1:
        raise shapes.mixed_elements(span, f"`{parameter.name}` of `{family.name}`")
    if wanted and rank(value) == wanted and not elements.has_items(graph, value):
        raise shapes.empty_parameter(span, family.name, parameter.name)
    holds = _HOLDS.get(parameter.constraint)
    if parameter.constraint is Constraint.COVARIANCE and rank(value) == wanted:
        _check_square(graph, family, value, span)
    if holds is None:
        return
    if isinstance(value, Node) and value.is_static:
        rows, home = value.static_rows(), value.domain
    elif isinstance(value, Known) and wanted:
        rows, home = value.array, value.domain
    else:
        return
    wrong = ~holds(rows)
    if (
        active is not None
        and domain.is_within(home)
        and wrong.ndim == 1
        and len(wrong) == home.rows
    ):
        relevant = np.zeros(home.rows, dtype=bool)
        relevant[domain.row_in(home)[active]] = True
        wrong &= relevant
    if wrong.any():
        worst = rows[np.argmax(wrong.reshape(len(wrong), -1).any(axis=1))]
        text = _written(np.asarray(worst))
        raise shapes.parameter_out_of_range(
            span, family.name, parameter.name, text, parameter.constraint.value
        )


def check_together(
    graph: Graph, family: DistributionFamily, arguments: Sequence[Value], span: Span
) -> None:
    """Refuse parameters known when compiling that do not fit together, such as low > high."""
    numbers = [argument for argument in arguments if isinstance(argument, Node)]
    if len(numbers) < len(arguments) or not all(n.operation == "constant" for n in numbers):
        return
    for relation in family.relations:
        value = relation.formula(graph, *numbers)
        number = float(value.payload if isinstance(value, Node) else value)
        if number < 0 or (relation.strict and number == 0):
            names = [parameter.name for parameter in family.parameters]
            values = [f"{float(n.payload):g}" for n in numbers]
            raise shapes.parameters_disagree(
                span, family.name, names, values, ORDERS.get(family.name, "fit together")
            )


def check_lengths(
    graph: Graph,
    family: DistributionFamily,
    arguments: Sequence[Value],
    spans: Sequence[Span],
    value: Value = None,
    value_span: Span | None = None,
) -> None:
    """Refuse a vector, or a matrix, that is not as long as the first parameter of its family."""
    if not family.is_vector:
        return
    size = elements.known_length(graph, arguments[0])
    parts = [*zip(arguments, spans, strict=True)]
    if value_span is not None:
        parts.append((value, value_span))
    for part, span in parts[1:]:
        found = elements.known_length(graph, part)
        if size is not None and found is not None and found != size:
            raise shapes.parameter_lengths(span, family.name, found, size)


def _check_square(graph: Graph, family: DistributionFamily, value: Value, span: Span) -> None:
    rows = elements.known_length(graph, value)
    if rows is None:
        return
    for row in elements.all_items(graph, value):
        if elements.known_length(graph, row) not in (None, rows):
            columns = elements.known_length(graph, row)
            raise shapes.not_square(span, family.name, rows, int(columns or 0))
