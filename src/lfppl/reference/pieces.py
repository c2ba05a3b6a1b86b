"""The pieces Φ of a distribution as symbolic indicators and densities (paper, section 4.2)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

from lfppl.core import ast
from lfppl.core.distributions.contract import Condition
from lfppl.errors import CompilerBug
from lfppl.reference.families import family_of
from lfppl.reference.symbolic import (
    Formula,
    Sampled,
    Symbolic,
    expression_of,
    formula_of,
    is_vector,
    label,
)
from lfppl.reference.terms import ZERO, Density, Indicator, Indicators, PriorTerm


def pieces(
    distribution: ast.Expression, value: ast.Expression, complete: bool = False
) -> list[PriorTerm]:
    """Φ of a distribution, [x := (value, parameters)]: pairs (psi, phi) that can hold."""
    if not isinstance(distribution, ast.Distribution):
        raise CompilerBug("a sample or observe of something that is no distribution")
    value = in_cell(distribution, value)
    arguments = [formula_of(a) for a in (value, *distribution.arguments)]
    edges = [
        [_edge(condition, arguments) for condition in piece.conditions]
        for piece in family_of(distribution.name).pieces
    ]
    pairs = [PriorTerm(tuple(conditions), (Density(distribution, value),)) for conditions in edges]
    if complete:
        pairs += [PriorTerm(indicators, (ZERO,)) for indicators in _outside(edges)]
    possible = ((pair, [_decided(i) for i in pair.indicators]) for pair in pairs)
    return [
        PriorTerm(
            tuple(i for i, bit in zip(pair.indicators, bits, strict=True) if bit is None), phi
        )
        for pair, bits in possible
        if False not in bits
        for phi in [pair.densities]
    ]


def _outside(edges: Sequence[Sequence[Indicator]]) -> Iterator[Indicators]:
    """Where no piece holds, in disjoint parts: in each piece one condition is the first to fail."""
    failures = [
        [(*held[:i], Indicator(held[i].formula, not held[i].negative)) for i in range(len(held))]
        for held in edges
    ]
    for parts in itertools.product(*failures):
        yield tuple(indicator for part in parts for indicator in part)


def _decided(indicator: Indicator) -> bool | None:
    """The value of an indicator of a constant."""
    if not isinstance(indicator.formula, ast.Constant) or indicator.formula.value is None:
        return None
    return (indicator.formula.value < 0) == indicator.negative


def _edge(condition: Condition, arguments: Sequence[Any]) -> Indicator:
    """1[p >= 0]; a strict p > 0 is written as -p < 0."""
    formula = condition.formula(Symbolic(), *arguments)
    if condition.strict:
        formula = -formula if isinstance(formula, Formula) else -float(formula)
    return Indicator(expression_of(formula), negative=condition.strict)


def in_cell(distribution: ast.Expression, value: ast.Expression) -> ast.Expression:
    """The value itself; its floor for the families of integers, which live on unit cells."""
    discrete = (
        isinstance(distribution, ast.Distribution) and family_of(distribution.name).is_discrete
    )
    if not discrete or value == ast.Constant(None):
        return value
    if isinstance(value, ast.Constant):
        return ast.Constant(math.floor(float(value.value or 0.0)) + 0.0)
    floored = isinstance(value, ast.Operation) and value.name == "floor"
    return value if floored else ast.Operation("floor", (value,))


def fresh_variable(e: ast.Sample, distribution: ast.Expression) -> ast.Expression:
    """A fresh variable under the reported name; a vector of them for a family of vectors."""
    indices = tuple(i for i in e.indices if isinstance(i, int))
    if not isinstance(distribution, ast.Distribution):
        raise CompilerBug("a sample of something that is no distribution")
    if not family_of(distribution.name).is_vector:
        return Sampled(label(e.name, indices))
    length = len(distribution.arguments[0].arguments)  # type: ignore[union-attr]
    parts = (Sampled(label(e.name, (*indices, i))) for i in range(length))
    return ast.Operation("vector", tuple(parts))


def holds_distribution(value: ast.Expression) -> bool:
    """Whether the value is a distribution, or a vector with one."""
    if is_vector(value):
        return any(holds_distribution(item) for item in value.arguments)
    return isinstance(value, ast.Distribution)
