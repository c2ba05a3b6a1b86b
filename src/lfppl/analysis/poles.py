"""Poles: where `/`, `tan`, `pow` or `digamma` is not analytic, and whether the density jumps there.

At the zero of a divisor a quotient runs to infinity. Sums, products and quotients of such numbers
are meromorphic: they have one limit from both sides, finite or not, and a density on the whole line
falls to 0 there. Anything else may tell the two sides apart (`(atan (/ 1 x))` jumps at 0).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from lfppl.analysis.ranges import Ranges
from lfppl.core.distributions.contract import Constraint, DistributionFamily
from lfppl.trace.elements import latent_nodes
from lfppl.trace.graph import Node
from lfppl.trace.records import FactorRecord, Trace

MEROMORPHIC = frozenset({"+", "-", "*", "/", "neg", "lift", "stack", "linear", "select", "pick"})
"""Operations whose result has poles where their arguments have, and no worse."""


def find_jumping_poles(trace: Trace, ranges: Ranges, live: Collection[int]) -> list[Node]:
    """The operations with poles in their range behind which the density may jump."""
    told = _told_apart(trace, live)
    return [
        node
        for node in trace.graph.nodes
        if node.number in told and node.operation in _POLE_FREE
        if not _POLE_FREE[node.operation](ranges, *node.arguments)
    ]


def _told_apart(trace: Trace, live: Collection[int]) -> set[int]:
    """The nodes of which the density may tell plus from minus infinity."""
    told = {node.number for factor in trace.factors for node in _sensitive(factor)}
    for node in reversed(trace.graph.nodes):
        if node.number not in live:
            continue
        is_sum = node.operation == "reduce" and node.payload[0] == "sum"
        if node.number in told or not (node.operation in MEROMORPHIC or is_sum):
            told.update(argument.number for argument in node.arguments)
    return told


def _sensitive(factor: FactorRecord) -> list[Node]:
    """What a factor reads otherwise than as a place on the whole line."""
    family = factor.family
    whole = _is_on_the_line(family)
    found = [] if whole else list(latent_nodes(factor.value))
    for parameter, argument in zip(family.parameters, factor.parameters, strict=True):
        if not whole or parameter.constraint not in (Constraint.REAL, Constraint.REALS):
            found += latent_nodes(argument)
    return found if factor.guard is None else [*found, factor.guard]


def _is_on_the_line(family: DistributionFamily) -> bool:
    support = family.support
    bounded = support.lower is not None or support.upper is not None
    return support.kind in ("interval", "vector") and not bounded and not family.observed_only


def _divides(ranges: Ranges, dividend: Node, divisor: Node) -> bool:
    r = ranges.of(divisor)
    return r.is_positive or r.high < 0


def _has_tangent(ranges: Ranges, angle: Node) -> bool:
    r = ranges.of(angle)
    return -math.pi / 2 < r.low and r.high < math.pi / 2


def _has_power(ranges: Ranges, base: Node, exponent: Node) -> bool:
    if exponent.is_static and bool((exponent.static_rows() >= 0).all()):
        return True
    r = ranges.of(base)
    return r.is_positive or (r.low >= 0 and ranges.of(exponent).low > 0)


_POLE_FREE: dict[str, Callable[..., bool]] = {
    "/": _divides,
    "tan": _has_tangent,
    "pow": _has_power,
    "digamma": lambda ranges, x: ranges.of(x).is_positive,
}
