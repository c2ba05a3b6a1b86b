"""Whether a density falls to 0 as a scale does; at its centre it grows without bound instead.

A normal's density at a point falls to 0 with its standard deviation, so that a negative one, which
is not allowed, is no jump; at its mean it grows without bound instead.
"""

from __future__ import annotations

import numpy as np

from lfppl.core.distributions.contract import Constraint
from lfppl.core.distributions.density import log_density
from lfppl.core.primitives import NumpyMath
from lfppl.trace.domains import Domain
from lfppl.trace.graph import Floats, Node
from lfppl.trace.records import FactorRecord

TINY = 1e-200
LOG_SMALL = -100.0
"""A log density below this, at a parameter of `TINY`, is on its way to minus infinity."""

POSITIVE_CONSTRAINTS = (Constraint.POSITIVE, Constraint.NONNEGATIVE)


def vanishes(factor: FactorRecord, position: int) -> bool:
    """Whether a density vanishes as a parameter falls to 0, the other latent numbers being generic.

    Equal expressions stand for equal numbers.
    """
    family = factor.family
    if family.is_vector or family.parameters[position].constraint not in POSITIVE_CONSTRAINTS:
        return True
    arguments = [argument for argument in factor.parameters if isinstance(argument, Node)]
    if len(arguments) < len(factor.parameters) or not isinstance(factor.value, Node):
        return True
    numbers: dict[int, float] = {}
    value, *parameters = (_generic(a, factor.domain, numbers) for a in (factor.value, *arguments))
    parameters[position] = np.full(factor.domain.rows, TINY)
    found = log_density(NumpyMath(), family, value, parameters)
    return bool((found < LOG_SMALL).all())


def _generic(node: Node, domain: Domain, numbers: dict[int, float]) -> Floats:
    """The known rows of a node, or an arbitrary number that no other node has."""
    if node.is_static:
        known = node.graph.lift_to(node, domain).static_rows()
        return np.array(np.broadcast_to(known, (domain.rows,)))
    number = numbers.setdefault(node.number, 0.3719 + 0.6173 * len(numbers))
    return np.full(domain.rows, number)
