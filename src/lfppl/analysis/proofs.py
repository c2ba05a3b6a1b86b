"""Which constraints and edges of a distribution surely hold, by the ranges of its arguments.

With ranges `in_floats`, positive means as positive as the checks at run time demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lfppl.analysis.intervals import Range
from lfppl.analysis.ranges import Ranges
from lfppl.core.distributions.constraints import LEAST_POSITIVE
from lfppl.core.distributions.contract import Condition, Constraint
from lfppl.trace.graph import Graph, Node


def constraint_holds(ranges: Ranges, constraint: Constraint, argument: Any) -> bool:
    """Whether a parameter surely satisfies its constraint.

    >>> from lfppl.trace.records import Trace
    >>> graph = Graph()
    >>> constraint_holds(Ranges(Trace(graph)), Constraint.UNIT, graph.constant(0.5))
    True
    """
    if not isinstance(argument, Node):
        return _vector_constraint_holds(ranges, constraint, argument)
    r = ranges.of(argument)
    match constraint:
        case Constraint.REAL:
            return True
        case Constraint.POSITIVE:
            return _is_positive(ranges, r)
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


def _is_positive(ranges: Ranges, r: Range) -> bool:
    return r.low >= LEAST_POSITIVE if ranges.in_floats else r.is_positive


def _vector_constraint_holds(ranges: Ranges, constraint: Constraint, items: Sequence[Any]) -> bool:
    if constraint is Constraint.REALS:
        return True
    if constraint is Constraint.COVARIANCE:
        return _is_known_covariance(items)
    found = [ranges.of(item) for item in items]
    if constraint is Constraint.POSITIVES:
        return all(_is_positive(ranges, r) for r in found)
    if constraint is Constraint.WEIGHTS:
        return all(r.low >= 0 for r in found) and any(_is_positive(ranges, r) for r in found)
    return False


def _is_known_covariance(rows: Sequence[Sequence[Node]]) -> bool:
    if not all(item.operation == "constant" for row in rows for item in row):
        return False
    matrix = np.array([[item.payload for item in row] for row in rows])
    return bool(np.allclose(matrix, matrix.T) and np.linalg.eigvalsh(matrix)[0] > 0)


def condition_holds(
    ranges: Ranges, graph: Graph, condition: Condition, arguments: Any, *, exactly: bool = False
) -> bool:
    """Whether the formula of a condition is surely 0 or greater (greater than 0 where strict).

    With `exactly`, for real numbers, in which (a + 2) - a is 2 however large a is.
    """
    value = condition.formula(graph, *arguments)
    if not isinstance(value, Node):
        return bool(value > 0 if condition.strict else value >= 0)
    found = [ranges.of(value), *([_range_of_sum(ranges, value)] if exactly else [])]
    return any(r.is_positive if condition.strict else r.low >= 0 for r in found)


def _range_of_sum(ranges: Ranges, node: Node) -> Range:
    """The range of a sum after equal terms have cancelled."""
    terms: dict[int, tuple[Node, float]] = {}
    constant, left = 0.0, [(node, 1.0)]
    while left:
        part, sign = left.pop()
        match part.operation:
            case "constant":
                constant += sign * float(part.payload)
            case "+":
                left += [(argument, sign) for argument in part.arguments]
            case "-":
                left += [(part.arguments[0], sign), (part.arguments[1], -sign)]
            case "neg":
                left.append((part.arguments[0], -sign))
            case _:
                terms[part.number] = (part, terms.get(part.number, (part, 0.0))[1] + sign)
    low, is_open = constant, False
    for part, sign in terms.values():
        if sign:
            r = ranges.of(part)
            low += sign * (r.low if sign > 0 else r.high)
            is_open |= sign > 0 and r.open_low
    return Range(low, open_low=is_open) if not np.isnan(low) else Range()


def is_integral(node: Node) -> bool:
    """Whether the numbers of a node are integers in every row.

    >>> graph = Graph()
    >>> x = graph.coordinate(graph.domains.root, 0)
    >>> is_integral(graph.floor(x) + 1.0), is_integral(x)
    (True, False)
    """
    seen: set[int] = set()
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.number in seen:
            continue
        seen.add(current.number)
        parts = _integral_if(current)
        if parts is None:
            return False
        waiting.extend(parts)
    return True


def _integral_if(node: Node) -> tuple[Node, ...] | None:
    """The nodes that must be integral for a node to be; None if it may not be all the same."""
    if node.is_static:
        rows = node.static_rows()
        return () if bool((rows == np.floor(rows)).all()) else None
    match node.operation:
        case "floor" | "less" | "and" | "or" | "not":
            return ()
        case "+" | "-" | "*" | "neg" | "lift" | "stack":
            return node.arguments
        case "select" | "pick":
            return node.arguments[1:]
        case _:
            return None
