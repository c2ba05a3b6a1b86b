"""The log density of a family as one value: pieces, edges and constraints joined by selects."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

from lfppl.core.distributions.constraints import holds
from lfppl.core.distributions.contract import Condition, DistributionFamily, Piece
from lfppl.core.distributions.formulas import is_nonnegative, is_positive
from lfppl.core.primitives import Math


def log_density(
    m: Math[Any],
    family: DistributionFamily,
    x: Any,
    parameters: Sequence[Any],
    *,
    support_holds: bool = False,
    whole: bool = False,
    proved: Collection[str | int] = (),
) -> Any:
    """The log density at x; -inf outside the support or where a parameter breaks its constraint.

    NaN in, NaN out. A discrete family is embedded in unit cells: its density
    at x is that of floor(x). The keyword arguments leave out checks that are known to pass *for
    the floating-point numbers that will arrive* (exp(y) > 0 is no such proof: it underflows):

    - `support_holds`: x is inside the support, by a change of variables;
    - `whole`: x is an integer already;
    - `proved`: names of parameters whose constraints hold, and positions of `family.relations`
      that do.

    >>> from lfppl.core.distributions import FAMILIES
    >>> from lfppl.core.primitives import NumpyMath
    >>> float(log_density(NumpyMath(), FAMILIES["exponential"], 3.0, [2.0])).__round__(6)
    -5.306853
    >>> float(log_density(NumpyMath(), FAMILIES["exponential"], -3.0, [2.0]))
    -inf
    """

    def formula(m: Math[Any], x: Any, *parameters: Any) -> Any:
        if family.is_discrete and not whole:
            x = m.floor(x)
        checks = parameter_checks(m, family, parameters, proved)
        value = _pieces(m, family.pieces, x, parameters)
        if not support_holds:
            checks += [_truth(m, edge, x, *parameters) for edge in edges(family)]
            value = _noticing_nan(m, family, x, value)
        return _guarded(m, checks, value)

    return m.run(formula, x, *parameters)


def edges(family: DistributionFamily) -> list[Condition]:
    """The conditions that bound the support.

    >>> from lfppl.core.distributions import FAMILIES
    >>> len(edges(FAMILIES["beta"])), len(edges(FAMILIES["laplace"]))
    (2, 0)
    """
    return [
        condition for piece in family.pieces for condition in piece.conditions if condition.edge
    ]


def parameter_checks(
    m: Math[Any],
    family: DistributionFamily,
    parameters: Sequence[Any],
    proved: Collection[str | int] = (),
) -> list[Any]:
    """Truth values that must all be 1 for the parameters to be allowed.

    >>> from lfppl.core.distributions import FAMILIES
    >>> from lfppl.core.primitives import NumpyMath
    >>> [float(c) for c in parameter_checks(NumpyMath(), FAMILIES["normal"], [0.0, -1.0])]
    [0.0]
    """
    checks: list[Any] = []
    for parameter, value in zip(family.parameters, parameters, strict=True):
        if parameter.name not in proved:
            checks += holds(m, parameter.constraint, value)
    for position, relation in enumerate(family.relations):
        if position not in proved:
            checks.append(_truth(m, relation, *parameters))
    return checks


def _pieces(m: Math[Any], pieces: Sequence[Piece], x: Any, parameters: Sequence[Any]) -> Any:
    """The log density inside the support; what the other pieces leave is the last one's."""
    *others, last = pieces
    value = last.log_density(m, x, *parameters)
    for piece in reversed(others):
        borders = [c for c in piece.conditions if not c.edge]
        chosen = _conjunction(m, [_truth(m, c, x, *parameters) for c in borders])
        value = m.select(chosen, piece.log_density(m, x, *parameters), value)
    return value


def _noticing_nan(m: Math[Any], family: DistributionFamily, x: Any, value: Any) -> Any:
    """The value, made NaN where x is; only a flat density needs it."""
    flat = any(piece.flat for piece in family.pieces)
    return m.select(m.less(x, math.inf), value, math.nan) if flat else value


def _truth(m: Math[Any], condition: Condition, *arguments: Any) -> Any:
    value = condition.formula(m, *arguments)
    return is_positive(m, value) if condition.strict else is_nonnegative(m, value)


def _conjunction(m: Math[Any], truths: Sequence[Any]) -> Any:
    first, *others = truths
    for truth in others:
        first = m.both(first, truth)
    return first


def _guarded(m: Math[Any], checks: Sequence[Any], value: Any) -> Any:
    if not checks:
        return value
    return m.select(_conjunction(m, checks), value, -math.inf)
