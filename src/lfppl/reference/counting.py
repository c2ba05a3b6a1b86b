"""How many terms a quadruple has at least, counted before any of them is written."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from lfppl.core import ast
from lfppl.errors import CompilerBug


class Size(NamedTuple):
    """The least numbers of terms in D and in F."""

    prior: int = 1
    observed: int = 1


def least_size(e: ast.Expression) -> Size:
    """The sizes that the translation rules give, with one piece for every distribution.

    >>> one_of_two = ast.If(ast.Variable("x"), ast.Constant(1.0), ast.Constant(2.0))
    >>> least_size(ast.Operation("+", (one_of_two, one_of_two)))
    Size(prior=1, observed=4)
    """
    return _Count().size(e)


class _Count:
    """Sizes by rule; a part that occurs twice is counted once."""

    def __init__(self) -> None:
        self.done: dict[int, tuple[ast.Expression, Size]] = {}

    def size(self, e: ast.Expression) -> Size:
        """The size of the translation."""
        known = self.done.get(id(e))
        if known is None:
            known = self.done[id(e)] = (e, self._compute(e))
        return known[1]

    def _compute(self, e: ast.Expression) -> Size:
        match e:
            case ast.Constant() | ast.Variable():
                return Size()
            case ast.Operation() | ast.Distribution():
                return self._product(e.arguments)
            case ast.If():
                test, then, otherwise = (self.size(p) for p in (e.test, e.then, e.otherwise))
                prior = test.prior * then.prior * otherwise.prior
                return Size(prior, test.observed * (then.observed + otherwise.observed))
            case ast.Sample():
                parts = self.size(e.distribution)
                return Size(parts.prior * parts.observed, parts.observed)
            case ast.Observe():
                return self._product((e.distribution, e.value))
            case ast.Let():
                return self._let(e)
        raise CompilerBug(f"not part of the paper's language: {type(e).__name__}")

    def _product(self, es: Iterable[ast.Expression]) -> Size:
        sizes = [self.size(e) for e in es]
        return Size(math.prod(s.prior for s in sizes), math.prod(s.observed for s in sizes))

    def _let(self, e: ast.Let) -> Size:
        """D' = D1 x F1 x D2 and F' = F1 x F2, along a chain of lets."""
        lets, body = ast.spine(e)
        sizes = [self.size(let.value) for let in lets]
        last = self.size(body)
        forks = math.prod(s.observed for s in sizes)
        prior = math.prod(s.prior for s in sizes)
        return Size(prior * forks * last.prior, forks * last.observed)
