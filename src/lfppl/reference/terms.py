"""The terms of D and F: indicators, densities, and their products (paper, section 4.2)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from lfppl.core import ast
from lfppl.errors import CompilerBug
from lfppl.errors.limits import too_many_terms
from lfppl.reference.symbolic import Substitution
from lfppl.source import Span

TERM_LIMIT = 20_000
"""The most terms that D or F may have."""


@dataclass(frozen=True)
class Indicator:
    """1[formula < 0], or 1[formula >= 0].

    `site` is that of the `if` it comes from; None where it is an edge of a distribution's piece.
    """

    formula: ast.Expression
    negative: bool
    site: int | None = None


@dataclass(frozen=True)
class Density:
    """phi[x := (value, parameters)]: one piece of a distribution's density."""

    distribution: ast.Distribution
    value: ast.Expression


@dataclass(frozen=True)
class Zero:
    """The density 0."""


ZERO = Zero()

Indicators: TypeAlias = tuple[Indicator, ...]
Densities: TypeAlias = tuple[Density | Zero, ...]


class PriorTerm(NamedTuple):
    """A pair (eta, k) of D; the empty product is 1."""

    indicators: Indicators = ()
    densities: Densities = ()


class ObservedTerm(NamedTuple):
    """A triple (zeta, l, v) of F."""

    indicators: Indicators
    densities: Densities
    value: ast.Expression


Term: TypeAlias = PriorTerm | ObservedTerm
Factor: TypeAlias = Indicator | Density | Zero


# --- products ------------------------------------------------------------------------------------


def check_terms(count: int, span: Span) -> None:
    """Refuse a set of so many terms if that is too many."""
    if count > TERM_LIMIT:
        raise too_many_terms(count, TERM_LIMIT, span)


def combinations(span: Span, *sets: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """All combinations of the sets' members, if there are not too many."""
    check_terms(math.prod(len(members) for members in sets), span)
    return itertools.product(*sets)


def prior_products(span: Span, *sets: Sequence[PriorTerm]) -> tuple[PriorTerm, ...]:
    """{(∏ η_i, ∏ k_i)} over all combinations."""
    rows = combinations(span, *sets)
    return tuple(PriorTerm(indicators_of(*terms), densities_of(*terms)) for terms in rows)


def indicators_of(*terms: Term) -> Indicators:
    """The product of the terms' indicators."""
    product: list[Indicator] = []
    for term in terms:
        product += [one for one in term.indicators if one not in product]
    return tuple(product)


def densities_of(*terms: Term) -> Densities:
    """The product of the terms' densities."""
    return tuple(density for term in terms for density in term.densities)


def union(*sets: Iterable[ast.Variable]) -> tuple[ast.Variable, ...]:
    """The union, in the order of first occurrence."""
    return tuple(dict.fromkeys(itertools.chain(*sets)))


class TermSubstitution:
    """Terms with a variable replaced, `[x := v]`; factors that terms share stay shared."""

    def __init__(self, name: str, value: ast.Expression) -> None:
        self.replace = Substitution(name, value)
        self.done: dict[int, tuple[Factor, Any]] = {}

    def __call__(self, term: Term) -> PriorTerm:
        """The indicators and densities of a term with the variable replaced."""
        indicators = tuple(self._factor(one) for one in term.indicators)
        return PriorTerm(indicators, tuple(self._factor(one) for one in term.densities))

    def _factor(self, factor: Factor) -> Any:
        known = self.done.get(id(factor))
        if known is None:
            known = self.done[id(factor)] = (factor, self._replaced(factor))
        return known[1]

    def _replaced(self, factor: Factor) -> Factor:
        match factor:
            case Indicator():
                return Indicator(self.replace(factor.formula), factor.negative, factor.site)
            case Density():
                distribution = self.replace(factor.distribution)
                if not isinstance(distribution, ast.Distribution):
                    raise CompilerBug("a distribution became something else")
                return Density(distribution, self.replace(factor.value))
            case Zero():
                return factor
