"""Which constraints and edges of a distribution surely hold, by the ranges of its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lfppl.analysis.ranges import Range, Ranges
from lfppl.core.distributions.constraints import LEAST_POSITIVE
from lfppl.core.distributions.contract import Condition, Constraint
from lfppl.trace.graph import Graph, Node


def constraint_holds(
    ranges: Ranges, constraint: Constraint, argument: Any, *, in_floats: bool = False
) -> bool:
    """Whether a parameter surely satisfies its constraint.

    With `in_floats`, also for the numbers that arrive after rounding and underflow.
    """
    if isinstance(argument, Node):
        r = ranges.of(argument)
        positive = r.low >= LEAST_POSITIVE if in_floats else r.is_positive
        match constraint:
            case Constraint.REAL:
                return True
            case Constraint.POSITIVE:
                return positive
            case Constraint.NONNEGATIVE:
                return r.low >= 0
            case Constraint.UNIT:
                return r.low >= 0 and r.high <= 1
            case Constraint.INTEGER:
                return is_integral(argument)
            case Constraint.COUNT:
                return r.low >= 0 and is_integral(argument)
            case _:
                return False
    return _vector_constraint_holds(ranges, constraint, argument, in_floats)


def _vector_constraint_holds(
    ranges: Ranges, constraint: Constraint, items: Sequence[Any], in_floats: bool
) -> bool:
    if constraint is Constraint.REALS:
        return True
    if constraint is Constraint.COVARIANCE:
        return _is_known_covariance(items)
    found = [ranges.of(item) for item in items]
    if constraint is Constraint.POSITIVES:
        return all(r.low >= LEAST_POSITIVE if in_floats else r.is_positive for r in found)
    if constraint is Constraint.WEIGHTS:
        total = sum(r.low for r in found)
        some = total >= LEAST_POSITIVE if in_floats else any(r.is_positive for r in found)
        return all(r.low >= 0 for r in found) and some
    return False


def _is_known_covariance(rows: Sequence[Sequence[Node]]) -> bool:
    if not all(item.operation == "constant" for row in rows for item in row):
        return False
    matrix = np.array([[item.payload for item in row] for row in rows])
    return bool(np.allclose(matrix, matrix.T) and np.linalg.eigvalsh(matrix)[0] > 0)


def condition_holds(ranges: Ranges, graph: Graph, condition: Condition, arguments: Any) -> bool:
    """Whether the formula of a condition is surely 0 or greater (greater than 0 where strict)."""
    value = condition.formula(graph, *arguments)
    r = ranges.of(value) if isinstance(value, Node) else Range(float(value), float(value))
    return r.is_positive if condition.strict else r.low >= 0


def is_integral(node: Node) -> bool:
    """Whether the numbers of a node are integers in every row."""
    if node.is_static:
        rows = node.static_rows()
        return bool((rows == np.floor(rows)).all())
    match node.operation:
        case "floor" | "less" | "and" | "or" | "not":
            return True
        case "+" | "-" | "*" | "neg" | "lift" | "stack":
            return all(is_integral(argument) for argument in node.arguments)
        case "select" | "pick":
            return all(is_integral(argument) for argument in node.arguments[1:])
        case _:
            return False
