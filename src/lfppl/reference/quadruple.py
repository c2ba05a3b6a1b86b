"""The seven translation rules e ~> (Δ, Γ, D, F), as printed (paper, section 4.2).

One function per rule. Three things are more general than on paper and agree with it there:
`observe` may observe an expression; a distribution is translated by the rule of operations to a
value d(v1, ..., vn), so that an `if` may choose between distributions; a value may be a vector.
A repeated indicator is written once, 1[p] 1[p] = 1[p]; one of a constant is decided.

"In practice one can omit" pieces of density 0 from Φ: we do, except for an observe inside a branch.
There the omission is unsound: the rules for `let` and `if` carry the zeta of an observe in the
branch not taken into D, where it has no guard, and it must sum to 1.

Γ is the printed one: it ignores the edges of Φ (docs/errata.md, erratum 5).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from lfppl.core import ast
from lfppl.errors import CompilerBug
from lfppl.recursion import deep_recursion
from lfppl.reference.counting import least_size
from lfppl.reference.pieces import fresh_variable, holds_distribution, in_cell, pieces
from lfppl.reference.symbolic import Sampled, Substitution, free_variables, operation
from lfppl.reference.terms import (
    Indicator,
    ObservedTerm,
    PriorTerm,
    TermSubstitution,
    check_terms,
    combinations,
    densities_of,
    indicators_of,
    prior_products,
    union,
)
from lfppl.source import Span

# --- the quadruple -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Quadruple:
    """(Δ, Γ, D, F): Δ sampled, Γ discontinuous, D prior terms, F observed terms.

    Δ and Γ are in the order of first occurrence.
    """

    sampled: tuple[ast.Variable, ...]
    discontinuous: tuple[ast.Variable, ...]
    prior_terms: tuple[PriorTerm, ...]
    observed_terms: tuple[ObservedTerm, ...]


ONE = (PriorTerm(),)


def quadruple(program: ast.Expression, data: Collection[str] = ()) -> Quadruple:
    """Translate a program of the paper's language (see `reference.expand`).

    The names in `data` are constants.

    >>> x = ast.Sample(ast.Distribution("normal", (ast.Constant(0.0), ast.Constant(1.0))), "z")
    >>> test = ast.Operation("-", (ast.Variable("q"), ast.Variable("x")))
    >>> branch = ast.If(test, ast.Constant(1.0), ast.Constant(2.0))
    >>> quadruple(ast.Let("x", x, branch), {"q"}).discontinuous
    (Sampled(name='z'),)
    """
    with deep_recursion():
        check_terms(max(least_size(program)), _first_branch(program))
        return translate(program, frozenset(data))


def _first_branch(e: ast.Expression) -> Span:
    """The place of the first `if` that stands in a source, for messages."""
    stack = [e]
    while stack:
        top = stack.pop()
        if isinstance(top, ast.If) and top.span.source.text:
            return top.span
        stack.extend(reversed(_children(top)))
    return e.span


def _children(e: ast.Expression) -> list[ast.Expression]:
    parts = (getattr(e, field.name) for field in fields(e))
    flat = (p for part in parts for p in (part if isinstance(part, tuple) else (part,)))
    return [part for part in flat if isinstance(part, ast.Expression)]


def translate(e: ast.Expression, data: frozenset[str], inside: bool = False) -> Quadruple:
    """E ~> (Δ, Γ, D, F); `inside` tells whether e stands in a branch of an `if`."""
    match e:
        case ast.Variable() if isinstance(e, Sampled) or e.name not in data:
            return rule_variable(e)
        case ast.Variable() | ast.Constant():
            return rule_constant(e)
        case ast.Operation() | ast.Distribution():
            return rule_operation(e, [translate(a, data, inside) for a in e.arguments])
        case ast.If():
            branches = (translate(branch, data, True) for branch in (e.then, e.otherwise))
            return rule_if(e, translate(e.test, data, inside), *branches)
        case ast.Sample():
            return rule_sample(e, translate(e.distribution, data, inside))
        case ast.Observe():
            d, value = translate(e.distribution, data, inside), translate(e.value, data, inside)
            return rule_observe(e, d, value, inside)
        case ast.Let():
            return _translate_let(e, data, inside)
    raise CompilerBug(f"not part of the paper's language: {type(e).__name__}")


# --- the rules -----------------------------------------------------------------------------------


def rule_variable(e: ast.Variable) -> Quadruple:
    """X ~> ({x}, ∅, {(1, 1)}, {(1, 1, x)})."""
    return Quadruple((e,), (), ONE, (ObservedTerm((), (), e),))


def rule_constant(e: ast.Constant | ast.Variable) -> Quadruple:
    """C ~> (∅, ∅, {(1, 1)}, {(1, 1, c)})."""
    return Quadruple((), (), ONE, (ObservedTerm((), (), e),))


def rule_operation(e: ast.Operation | ast.Distribution, parts: Sequence[Quadruple]) -> Quadruple:
    """(op e1 ... en): products over all combinations, and the value op(v1, ..., vn)."""

    def value(terms: Sequence[ObservedTerm]) -> ast.Expression:
        values = tuple(term.value for term in terms)
        if isinstance(e, ast.Distribution):
            return ast.Distribution(e.name, values, e.span)
        return operation(e.name, values, e.span)

    observed = (
        ObservedTerm(indicators_of(*terms), densities_of(*terms), value(terms))
        for terms in combinations(e.span, *(part.observed_terms for part in parts))
    )
    return Quadruple(
        union(*(part.sampled for part in parts)),
        union(*(part.discontinuous for part in parts)),
        prior_products(e.span, *(part.prior_terms for part in parts)),
        tuple(observed),
    )


def rule_if(e: ast.If, test: Quadruple, then: Quadruple, otherwise: Quadruple) -> Quadruple:
    """(if (< e1 0) e2 e3): Γ' = Δ1 ∪ Γ2 ∪ Γ3; each branch under its indicator."""
    return Quadruple(
        union(test.sampled, then.sampled, otherwise.sampled),
        union(test.sampled, then.discontinuous, otherwise.discontinuous),
        prior_products(e.span, test.prior_terms, then.prior_terms, otherwise.prior_terms),
        (*_branch(e, test, then, True), *_branch(e, test, otherwise, False)),
    )


def _branch(e: ast.If, test: Quadruple, part: Quadruple, negative: bool) -> Iterator[ObservedTerm]:
    """{(ζ1 ζ2 1[v1 < 0], l1 l2, v2)}, or with 1[v1 >= 0] for the other branch."""
    for first, second in combinations(e.span, test.observed_terms, part.observed_terms):
        bit = PriorTerm((Indicator(first.value, negative, e.site),))
        yield ObservedTerm(
            indicators_of(first, second, bit), densities_of(first, second), second.value
        )


def rule_sample(e: ast.Sample, d: Quadruple) -> Quadruple:
    """(sample (d e1 ... en)): a fresh z, whose density goes to D.

    `d` is the translation of the distribution: the unions and products over e1, ..., en.
    """
    z = fresh_variable(e, d.observed_terms[0].value)
    drawn = [
        PriorTerm(indicators_of(piece, term), piece.densities)
        for term in d.observed_terms
        for piece in pieces(term.value, z)
    ]
    observed = (
        ObservedTerm(t.indicators, t.densities, in_cell(t.value, z)) for t in d.observed_terms
    )
    return Quadruple(
        union(tuple(free_variables(z)), d.sampled),
        d.discontinuous,
        prior_products(e.span, drawn, d.prior_terms),
        tuple(observed),
    )


def rule_observe(
    e: ast.Observe, d: Quadruple, value: Quadruple, complete: bool = False
) -> Quadruple:
    """(observe (d e1 ... en) c): the density of c goes to F; the value is 0.

    Where `complete`, Φ has its pieces of density 0 too.
    """
    observed = (
        ObservedTerm(
            indicators_of(piece, first, second),
            densities_of(piece, first, second),
            ast.Constant(0.0),
        )
        for first, second in combinations(e.span, d.observed_terms, value.observed_terms)
        for piece in pieces(first.value, second.value, complete)
    )
    return Quadruple(
        union(d.sampled, value.sampled),
        union(d.discontinuous, value.discontinuous),
        prior_products(e.span, d.prior_terms, value.prior_terms),
        tuple(observed),
    )


def rule_let(e: ast.Let, data: Collection[str], first: Quadruple, body: Quadruple) -> Quadruple:
    """(let [x e1] e2): x becomes each value v1 of e1 in what e2 yields."""
    heads = [(term, TermSubstitution(e.name, term.value)) for term in first.observed_terms]
    prior = (
        PriorTerm(indicators_of(head, one, two), densities_of(one, two))
        for (head, at), one, term in combinations(
            e.span, heads, first.prior_terms, body.prior_terms
        )
        for two in [at(term)]
    )
    observed = (
        ObservedTerm(indicators_of(head, two), densities_of(head, two), at.replace(term.value))
        for (head, at), term in combinations(e.span, heads, body.observed_terms)
        for two in [at(term)]
    )
    return Quadruple(*_let_sets(e, data, first, body), tuple(prior), tuple(observed))


def _let_sets(
    e: ast.Let, data: Collection[str], first: Quadruple, body: Quadruple
) -> tuple[tuple[ast.Variable, ...], tuple[ast.Variable, ...]]:
    """Δ' and Γ': x is replaced by Δ0, the variables that occur in the values of e1."""
    x = ast.Variable(e.name)
    values = [free_variables(term.value) for term in first.observed_terms]
    behind = [z for z in union(*values) if isinstance(z, Sampled) or z.name not in data]

    def replaced(own: tuple[ast.Variable, ...], inner: tuple[ast.Variable, ...]) -> Any:
        return union(own, [z for z in inner if z != x], behind if x in inner else [])

    return (
        replaced(first.sampled, body.sampled),
        replaced(first.discontinuous, body.discontinuous),
    )


def _translate_let(e: ast.Let, data: frozenset[str], inside: bool) -> Quadruple:
    """The let rule; where x is a distribution, e2 is translated for each one it may be.

    Φ of `(sample x)` is known only once x is. For numbers, translating e2[x := v1] and substituting
    in the translation of e2 are the same.
    """
    first = translate(e.value, data, inside)
    if not any(holds_distribution(term.value) for term in first.observed_terms):
        return rule_let(e, data, first, translate(e.body, data, inside))
    parts = []
    for term in first.observed_terms:
        alone = Quadruple(first.sampled, first.discontinuous, first.prior_terms, (term,))
        body = Substitution(e.name, term.value)(e.body)
        parts.append(rule_let(e, data, alone, translate(body, data, inside)))
    return Quadruple(
        union(*(part.sampled for part in parts)),
        union(*(part.discontinuous for part in parts)),
        tuple(term for part in parts for term in part.prior_terms),
        tuple(term for part in parts for term in part.observed_terms),
    )
