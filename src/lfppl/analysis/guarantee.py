"""Whether Theorem 2 holds for a program, and where its density is zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lfppl.analysis.discontinuity import Discontinuity, Reason, live_nodes
from lfppl.analysis.proofs import condition_holds, constraint_holds
from lfppl.analysis.ranges import Ranges
from lfppl.source import Span
from lfppl.trace.records import FactorRecord, RestrictedRecord, Trace


@dataclass(frozen=True)
class Guarantee:
    """Whether the density is surely piecewise smooth under an analytic partition; if not, why."""

    holds: bool
    text: str
    span: Span | None = None


LEAST = {"log": 0.0, "sqrt": 0.0, "log1p": -1.0, "pow": 0.0}
"""The primitives that are defined only from some number on, and that number."""


def find_guarantee(trace: Trace, ranges: Ranges) -> Guarantee:
    """Theorem 2: every operation is analytic where it is evaluated, inside its domain.

    `abs`, `max`, `floor` and comparisons are no objection: they are branches.
    """
    live = live_nodes(trace)
    for record in trace.restricted:
        if record.argument.number in live and not _is_defined(record, ranges):
            text = f"`{record.operation}` is not defined for all numbers that may arrive here"
            return Guarantee(False, text, record.span)
    return Guarantee(True, "all operations are analytic on the pieces between the branches")


def _is_defined(record: RestrictedRecord, ranges: Ranges) -> bool:
    return ranges.of(record.argument).low >= LEAST[record.operation]


def find_zero_density(trace: Trace, ranges: Ranges, found: Discontinuity) -> list[Reason]:
    """Statements whose density is zero for some values, once for each statement."""
    reasons = {}
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
