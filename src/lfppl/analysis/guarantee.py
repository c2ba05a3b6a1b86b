"""Whether Theorem 2 holds for a program, and where its density is zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lfppl.analysis.discontinuity import Discontinuity, Reason, live_nodes
from lfppl.analysis.proofs import condition_holds, constraint_holds, is_integral
from lfppl.analysis.ranges import Ranges
from lfppl.source import Span
from lfppl.trace.graph import Node
from lfppl.trace.records import FactorRecord, Trace


@dataclass(frozen=True)
class Guarantee:
    """Whether the density is surely piecewise smooth under an analytic partition; if not, why."""

    holds: bool
    text: str
    span: Span | None = None


def find_guarantee(trace: Trace, ranges: Ranges) -> Guarantee:
    """Theorem 2: every operation is analytic where it is evaluated, inside its domain.

    `abs`, `max`, `floor` and comparisons are no objection: they are branches. Neither is a division
    by what may be 0: the zeros of an analytic function are a border between pieces.
    """
    live = live_nodes(trace)
    for number, origin in trace.origins.items():
        node = trace.graph.nodes[number]
        is_defined = _DEFINED.get(node.operation)
        if number in live and is_defined and not is_defined(ranges, *node.arguments):
            text = f"`{node.operation}` is not defined for all numbers that may arrive here"
            return Guarantee(False, text, origin)
    return Guarantee(True, "all operations are analytic on the pieces between the branches")


def _from(least: float) -> Callable[[Ranges, Node], bool]:
    return lambda ranges, x: ranges.of(x).low >= least


def _has_power(ranges: Ranges, base: Node, exponent: Node) -> bool:
    return ranges.of(base).low >= 0 or (exponent.is_static and is_integral(exponent))


_DEFINED: dict[str, Callable[..., bool]] = {
    "log": _from(0.0),
    "sqrt": _from(0.0),
    "log1p": _from(-1.0),
    "pow": _has_power,
}
"""The primitives that are defined only for some numbers, and whether those are all that arrive."""


def find_zero_density(trace: Trace, ranges: Ranges, found: Discontinuity) -> list[Reason]:
    """Statements whose density is zero for some values, once for each statement."""
    reasons: dict[tuple[str, int], Reason] = {}
    for factor in trace.factors:
        for text in _zeros(factor, trace, ranges, found):
            key = (factor.kind, factor.site)
            reasons.setdefault(key, Reason("edge", factor.span, text))
    return list(reasons.values())


def _zeros(
    factor: FactorRecord, trace: Trace, ranges: Ranges, found: Discontinuity
) -> Iterator[str]:
    family, graph = factor.family, trace.graph
    arguments = list(factor.parameters)
    for parameter, argument in zip(family.parameters, arguments, strict=True):
        if not constraint_holds(ranges, parameter.constraint, argument):
            yield f"`{parameter.name}` of `{family.name}` may leave its range"
    for relation in family.relations:
        if not condition_holds(ranges, graph, relation, arguments):
            yield f"the parameters of `{family.name}` may contradict each other"
    if factor.block is not None and (found.by_block[factor.block.number] < 0).all():
        return
    for piece in family.pieces:
        for condition in piece.conditions:
            if condition.edge and not condition_holds(
                ranges, graph, condition, [factor.value, *arguments]
            ):
                yield f"the value may lie outside the support of `{family.name}`"
