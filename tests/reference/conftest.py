"""Core written as text, read by twenty lines of its own: the oracles stand on nothing else."""

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest

from lfppl.core import ast
from lfppl.core.distributions import FAMILIES

TOKEN = re.compile(r"[()\[\]]|[^\s()\[\]]+")


class CoreText:
    def __init__(self) -> None:
        self.ifs = itertools.count()
        self.statements = itertools.count()

    def read(self, text: str) -> ast.Expression:
        tokens = TOKEN.findall(text)
        form = self.form(tokens)
        assert not tokens, "one expression"
        return self.core(form, (), None)

    def form(self, tokens: list[str]) -> Any:
        token = tokens.pop(0)
        if token not in "([":
            return token
        items = []
        while tokens[0] not in ")]":
            items.append(self.form(tokens))
        tokens.pop(0)
        return items

    def core(self, form: Any, loops: tuple[str, ...], name: str | None) -> ast.Expression:
        if isinstance(form, str):
            return self.atom(form)
        head, *rest = form
        if head == "let":
            (bound, value), body = rest
            return ast.Let(bound, self.core(value, loops, bound), self.core(body, loops, name))
        if head == "if":
            site = next(self.ifs)
            (_, test, zero), then, otherwise = rest
            assert zero == "0"
            parts = (self.core(part, loops, None) for part in (test, then, otherwise))
            return ast.If(*parts, site)
        if head == "plate":
            (index, count), body = rest
            inner = self.core(body, (*loops, index), name)
            return ast.Plate(index, self.core(count, loops, None), inner)
        if head == "fold":
            (index, count), (state, initial), body = rest
            start = self.core(initial, loops, None)
            inner = self.core(body, (*loops, index), name)
            return ast.Fold(index, self.core(count, loops, None), state, start, inner)
        if head == "sample":
            site = next(self.statements)
            distribution = self.core(rest[0], loops, None)
            return ast.Sample(distribution, name or f"sample_{site}", loops, site)
        if head == "observe":
            site = next(self.statements)
            parts = (self.core(part, loops, None) for part in rest)
            return ast.Observe(*parts, site)
        arguments = tuple(self.core(part, loops, None) for part in rest)
        return (ast.Distribution if head in FAMILIES else ast.Operation)(head, arguments)

    @staticmethod
    def atom(token: str) -> ast.Expression:
        if token == "nil":
            return ast.Constant(None)
        try:
            return ast.Constant(float(token))
        except ValueError:
            return ast.Variable(token)


@pytest.fixture
def core() -> Callable[[str], ast.Expression]:
    return lambda text: CoreText().read(text)
