"""The last pass: readable unique names for all binders, and numbers for the sites."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from lfppl.core.ast import (
    Distribution,
    Expression,
    Fold,
    If,
    Let,
    Observe,
    Operation,
    Plate,
    Sample,
    Variable,
    spine,
)
from lfppl.core.desugar.context import MARK
from lfppl.core.desugar.walk import children


def finish(expression: Expression, data: Collection[str]) -> Expression:
    """Rename binders to their source names, made unique by `_2`, `_3`, ...; number the sites.

    A binder that holds a sample has the first choice, since the variable is called after it.

    >>> from lfppl.core.ast import Constant
    >>> finish(Let("x", Constant(1.0), Let("x" + MARK + "7", Constant(2.0), Variable("x"))), ())
    ... # doctest: +ELLIPSIS
    Let(name='x', ..., body=Let(name='x_2', ..., body=Variable(name='x')))
    """
    return _Finisher(_renaming(expression, data)).visit(expression)


def _renaming(expression: Expression, data: Collection[str]) -> dict[str, str]:
    holders: list[str] = []
    others: list[str] = []
    for node in _preorder(expression):
        if isinstance(node, Sample):
            holders.append(node.name)
        else:
            others.extend(_binders(node))
    taken, last, renaming = set(data), dict[str, int](), dict[str, str]()
    for binder in (*holders, *others):
        if binder not in renaming:
            name = renaming[binder] = _unique(binder.split(MARK)[0], taken, last)
            taken.add(name)
    return renaming


def _unique(name: str, taken: Collection[str], last: dict[str, int]) -> str:
    """The name itself, or with the next free number behind it."""
    if name not in taken:
        return name
    number = last.get(name, 1) + 1
    while f"{name}_{number}" in taken:
        number += 1
    last[name] = number
    return f"{name}_{number}"


def _preorder(expression: Expression) -> Iterator[Expression]:
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(children(node)))


def _binders(node: Expression) -> tuple[str, ...]:
    match node:
        case Let(name=name):
            return (name,)
        case Plate(index=index):
            return (index,)
        case Fold(index=index, accumulator=accumulator):
            return index, accumulator
    return ()


class _Finisher:
    """Rebuilds the program in program order, counting ifs, samples and observes."""

    def __init__(self, renaming: dict[str, str]) -> None:
        self._renaming = renaming
        self._counts = {If: 0, Sample: 0, Observe: 0}

    def _site(self, kind: type) -> int:
        site = self._counts[kind]
        self._counts[kind] += 1
        return site

    def _all(self, expressions: tuple[Expression, ...]) -> tuple[Expression, ...]:
        return tuple([self.visit(expression) for expression in expressions])

    def visit(self, e: Expression) -> Expression:
        """The same expression, renamed and numbered."""
        match e:
            case Variable():
                return Variable(self._renaming.get(e.name, e.name), e.span)
            case Operation():
                return Operation(e.name, self._all(e.arguments), e.span)
            case Distribution():
                return Distribution(e.name, self._all(e.arguments), e.span)
            case Let():
                return self._lets(e)
            case If():
                site = self._site(If)
                test, then, otherwise = self._all((e.test, e.then, e.otherwise))
                return If(test, then, otherwise, site, e.span)
            case Sample():
                return self._sample(e)
            case Observe():
                site = self._site(Observe)
                distribution, value = self._all((e.distribution, e.value))
                return Observe(distribution, value, site, e.span)
            case Plate():
                count, body = self._all((e.count, e.body))
                return Plate(self._renaming[e.index], count, body, e.span)
            case Fold():
                return self._fold(e)
        return e

    def _lets(self, expression: Let) -> Expression:
        lets, body = spine(expression)
        values = [self.visit(let.value) for let in lets]
        result = self.visit(body)
        for let, value in zip(reversed(lets), reversed(values), strict=True):
            result = Let(self._renaming[let.name], value, result, let.span)
        return result

    def _sample(self, e: Sample) -> Sample:
        site = self._site(Sample)
        indices = tuple(self._renaming[i] if isinstance(i, str) else i for i in e.indices)
        name = self._renaming[e.name]
        return Sample(self.visit(e.distribution), name, indices, site, e.span)

    def _fold(self, e: Fold) -> Fold:
        count, initial, body = self._all((e.count, e.initial, e.body))
        index, accumulator = self._renaming[e.index], self._renaming[e.accumulator]
        return Fold(index, count, accumulator, initial, body, e.span)
