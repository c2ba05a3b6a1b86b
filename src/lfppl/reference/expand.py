"""Core with data, plates and vectors, written out as the paper's scalar Core (paper, section 3).

Loops are unrolled, data become constants, operations on constants are done, vectors exist only
while compiling. What remains are the paper's seven forms over scalars, with three extensions that
the quadruple's rules take in their stride: a vector or a distribution may be the value of an `if`
(`(get v 2)` with a constant index then projects it), families of vectors take `(vector ...)` as a
parameter, and the result of the program may be a vector.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, assert_never

import numpy as np

from lfppl.core import ast
from lfppl.errors import CompilerBug
from lfppl.errors.limits import expansion_too_large
from lfppl.recursion import deep_recursion
from lfppl.reference.families import Chosen, family_of, spread
from lfppl.reference.interpreter import Floats, Indices
from lfppl.reference.structure import (
    Block,
    Value,
    align,
    constants,
    example_of,
    packed,
    reify,
    unpacked,
    wrap,
)
from lfppl.reference.vectors import Scalars, depth, operate, rows_where
from lfppl.source import NOWHERE, Span

STEP_LIMIT = 200_000
"""Steps an expansion may have: unrolled rows, bindings and operations."""

ZERO = ast.Constant(0.0)


@dataclass(frozen=True)
class Expansion:
    """A program written out.

    The `if`s of `program` have sites 0, 1, ...: site k is the branching variable `branching[k]`
    (If.site, loop indices) of the source. `if`s made for `get` by a latent index, `largest` and
    `smallest` are no branching variables and have site -1. An `if` whose test is a constant is
    decided, its bit is in `decided`.
    """

    program: ast.Expression
    branching: tuple[tuple[int, Indices], ...]
    decided: Mapping[tuple[int, Indices], bool]


def expand(program: ast.Expression, data: Mapping[str, Any], limit: int = STEP_LIMIT) -> Expansion:
    """Write a program out with its data.

    >>> from lfppl.core.ast import Constant, Operation, Plate, Variable
    >>> doubled = Operation("*", (Constant(2.0), Variable("i")))
    >>> expand(Plate("i", Constant(2.0), doubled), {}).program.arguments
    (Constant(value=0.0), Constant(value=2.0))
    """
    expander = _Expander(limit)
    names = {name: constants(np.asarray(v, dtype=np.float64).tolist()) for name, v in data.items()}
    scope = _Scope(names, (), [], True)
    with deep_recursion():
        value = expander.value(program, scope)
    whole = wrap(scope.block, reify(value))
    return Expansion(whole, tuple(expander.branching), expander.decided)


# --- scalars that are expressions ----------------------------------------------------------------


class _Symbols(Scalars):
    """Scalars that are expressions, in one block of bindings."""

    def __init__(self, expander: _Expander, block: Block, span: Span = NOWHERE) -> None:
        self.expander = expander
        self.block = block
        self.span = span

    def apply(self, name: str, *arguments: Any) -> ast.Expression:
        """The operation, done at once on constants."""
        if all(isinstance(a, ast.Constant) for a in arguments):
            return ast.Constant(Floats().apply(name, *(a.value for a in arguments)))
        self.expander.spend(arguments[0])
        return ast.Operation("-" if name == "neg" else name, arguments)

    def integer(self, value: Any) -> int:
        """A constant as a count or an index."""
        if isinstance(value, ast.Constant) and value.value is not None:
            return int(value.value)
        raise CompilerBug(f"a count or an index is not known when compiling: {value!r}")

    def pick(self, index: Any, items: Sequence[Any]) -> Any:
        """The item; for a latent index k, `(if (< (- k 1) 0) item0 (if ...))`."""
        if isinstance(index, ast.Constant):
            return Floats().pick(index.value, items)
        common = items[0]
        for item in items[1:]:
            common, _ = align(common, item)
        index = self.expander.bind("index", index, self.block)
        whole = packed(align(items[-1], common)[0])
        for position in reversed(range(len(items) - 1)):
            test = self.apply("-", index, ast.Constant(position + 1.0))
            item = packed(align(items[position], common)[0])
            whole = ast.If(test, item, whole, span=self.span)
        return unpacked(self.expander.bind("picked", whole, self.block), common)

    def largest(self, items: Sequence[Any]) -> ast.Expression:
        """A chain of comparisons."""
        return self._extreme(items or [self.number(-inf)], lambda best, item: (best, item))

    def smallest(self, items: Sequence[Any]) -> ast.Expression:
        """A chain of comparisons."""
        return self._extreme(items or [self.number(inf)], lambda best, item: (item, best))

    def _extreme(self, items: Sequence[Any], order: Any) -> ast.Expression:
        best: ast.Expression = items[0]
        for item in items[1:]:
            test = self.apply("-", *order(best, item))
            if isinstance(test, ast.Constant):  # counts, which must stay constants
                best = item if float(test.value or 0.0) < 0.0 else best
                continue
            best = self.expander.bind("best", ast.If(test, item, best, span=self.span), self.block)
        return best

    def log_sum_exp(self, items: Sequence[Any]) -> ast.Expression:
        """log(exp a + exp b) = a + softplus(b - a), from left to right."""
        if not items:
            return self.number(-inf)
        total: ast.Expression = items[0]
        for item in items[1:]:
            total = self.expander.bind("total", total, self.block)
            total = self.apply("+", total, self.apply("softplus", self.apply("-", item, total)))
        return total

    def number(self, value: float) -> ast.Constant:
        """A constant."""
        return ast.Constant(value)


# --- the walk ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Scope:
    """Where an expression stands, and the block its bindings go to.

    Observes count where it is active: not in a branch that a constant test has ruled out.
    """

    names: Mapping[str, Value]
    indices: Indices
    block: Block
    active: bool

    def with_names(self, **names: Value) -> _Scope:
        """The scope with more names."""
        return replace(self, names={**self.names, **names})

    def guarded(self, taken: bool) -> _Scope:
        """The scope of a branch that a constant test takes or rules out."""
        return replace(self, active=self.active and taken)

    def inner(self) -> _Scope:
        """The scope of a branch, with a block of its own."""
        return replace(self, block=[])


class _Expander:
    """One expansion: names given away, branching variables met, steps spent."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.spent = 0
        self.names: dict[str, int] = {}
        self.branching: list[tuple[int, Indices]] = []
        self.decided: dict[tuple[int, Indices], bool] = {}

    def spend(self, e: ast.Expression) -> None:
        """Count a step against the limit."""
        self.spent += 1
        if self.spent > self.limit:
            raise expansion_too_large(self.limit, e.span)

    def bind(self, hint: str, e: ast.Expression, block: Block) -> ast.Expression:
        """A variable bound to the expression; constants and variables stand for themselves."""
        if isinstance(e, ast.Constant | ast.Variable):
            return e
        self.spend(e)
        count = self.names.get(hint, 0)
        self.names[hint] = count + 1
        name = f"{hint}.{count}"
        block.append((name, e))
        return ast.Variable(name, e.span)

    def value(self, e: ast.Expression, scope: _Scope) -> Value:
        """The value of an expression; its bindings go to the scope's block."""
        match e:
            case ast.Constant():
                return e if e.value is None else ast.Constant(float(e.value), e.span)
            case ast.Variable():
                return scope.names[e.name]
            case ast.Operation():
                arguments = [self.value(a, scope) for a in e.arguments]
                return operate(_Symbols(self, scope.block, e.span), e.name, arguments)
            case ast.Distribution():
                return self.distribution(e, tuple(self.value(a, scope) for a in e.arguments))
            case ast.Let():
                return self.let(e, scope)
            case ast.If():
                return self.branch(e, scope)
            case ast.Sample():
                return self.sample(e, scope)
            case ast.Observe():
                return self.observe(e, scope)
            case ast.Plate():
                return self.plate(e, scope)
            case ast.Fold():
                return self.fold(e, scope)
        assert_never(e)

    def distribution(self, e: ast.Distribution, parameters: tuple[Value, ...]) -> Value:
        """A distribution; a list of them where the family broadcasts."""
        spreads = spread(family_of(e.name), parameters)
        if any(spreads):
            rows = rows_where((ZERO, *parameters), spreads)
            return [self.distribution(e, row[1:]) for row in rows]
        return Chosen(e.name, parameters)

    def named(self, hint: str, value: Value, block: Block) -> Value:
        """The value with a name for each of its operations, so that they are written once."""
        if isinstance(value, list | tuple):
            return [self.named(hint, item, block) for item in value]
        if isinstance(value, Chosen):
            return Chosen(value.family, tuple(self.named(hint, value.parameters, block)))
        return self.bind(hint, value, block) if isinstance(value, ast.Operation) else value

    def let(self, e: ast.Let, scope: _Scope) -> Value:
        """A chain of lets."""
        lets, body = ast.spine(e)
        names = dict(scope.names)
        scope = replace(scope, names=names)
        for let in lets:
            names[let.name] = self.named(let.name, self.value(let.value, scope), scope.block)
        return self.value(body, scope)

    def branch(self, e: ast.If, scope: _Scope) -> Value:
        """An `if`: both branches in blocks of their own."""
        test = self.value(e.test, scope)
        if isinstance(test, ast.Constant):
            return self.decide(e, test, scope)
        site = len(self.branching)
        self.branching.append((e.site, scope.indices))
        then_scope, otherwise_scope = scope.inner(), scope.inner()
        then, otherwise = align(
            self.value(e.then, then_scope), self.value(e.otherwise, otherwise_scope)
        )
        consequent = wrap(then_scope.block, packed(then))
        alternative = wrap(otherwise_scope.block, packed(otherwise))
        whole = ast.If(test, consequent, alternative, site, e.span)
        return unpacked(self.bind("branch", whole, scope.block), then)

    def decide(self, e: ast.If, test: ast.Constant, scope: _Scope) -> Value:
        """An `if` on a constant: samples of both branches, observes of the one taken."""
        taken = test.value is not None and test.value < 0
        if e.site >= 0:
            self.decided[e.site, scope.indices] = taken
        then = self.value(e.then, scope.guarded(taken))
        otherwise = self.value(e.otherwise, scope.guarded(not taken))
        return then if taken else otherwise

    def sample(self, e: ast.Sample, scope: _Scope) -> Value:
        """One sample for each distribution in a list of them."""
        indices = tuple(
            i if isinstance(i, int) else _Symbols(self, scope.block).integer(scope.names[i])
            for i in e.indices
        )
        return self.draw(e, self.value(e.distribution, scope), indices, scope.block)

    def draw(self, e: ast.Sample, distribution: Value, indices: Indices, block: Block) -> Value:
        """The value of a sample: a variable, or a list of them."""
        if isinstance(distribution, list):
            rows = enumerate(distribution)
            return [self.draw(e, row, (*indices, i), block) for i, row in rows]
        drawn = ast.Sample(reify(distribution), e.name, indices, e.site, e.span)
        return unpacked(self.bind(e.name, drawn, block), _value_of(distribution))

    def observe(self, e: ast.Observe, scope: _Scope) -> Value:
        """One observe for each element; none in a branch that is ruled out."""
        distribution, value = self.value(e.distribution, scope), self.value(e.value, scope)
        if scope.active:
            self.weigh(e, distribution, value, scope.block)
        return ZERO

    def weigh(self, e: ast.Observe, distribution: Value, value: Value, block: Block) -> None:
        """Bind the observes of all elements."""
        if [] in (distribution, value):
            return
        spreads = (isinstance(distribution, list), depth(value) > depth(_value_of(distribution)))
        if any(spreads):
            for part, element in rows_where((distribution, value), spreads):
                self.weigh(e, part, element, block)
            return
        self.bind("_", ast.Observe(reify(distribution), reify(value), e.site, e.span), block)

    def plate(self, e: ast.Plate, scope: _Scope) -> Value:
        """The rows of a plate, one after another."""
        rows = []
        for i in range(_Symbols(self, scope.block).integer(self.value(e.count, scope))):
            self.spend(e)
            row = replace(
                scope.with_names(**{e.index: ast.Constant(float(i))}), indices=(*scope.indices, i)
            )
            rows.append(self.value(e.body, row))
        return rows

    def fold(self, e: ast.Fold, scope: _Scope) -> Value:
        """The last accumulator of an unrolled fold."""
        count = _Symbols(self, scope.block).integer(self.value(e.count, scope))
        state = self.named(e.accumulator, self.value(e.initial, scope), scope.block)
        for i in range(count):
            self.spend(e)
            names = {e.index: ast.Constant(float(i)), e.accumulator: state}
            row = replace(scope.with_names(**names), indices=(*scope.indices, i))
            state = self.named(e.accumulator, self.value(e.body, row), scope.block)
        return state


def _value_of(distribution: Value) -> Value:
    """Something of the structure that an element drawn from the distribution has."""
    example = example_of(distribution)
    if example is None:
        raise CompilerBug("a sample or observe of something that is no distribution")
    is_vector = family_of(example.family).is_vector
    return [ZERO] * len(example.parameters[0]) if is_vector else ZERO
