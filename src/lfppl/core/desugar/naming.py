"""Names of random variables: after the binder that holds a sample, else after its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from lfppl.core.ast import (
    Constant,
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
from lfppl.core.desugar.context import MARK, is_holder
from lfppl.errors import forms

Index: TypeAlias = int | str
Shape: TypeAlias = tuple[object, ...]
"""() for a number, (size, shape of a row) for an array."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expression stands: the binder that holds its value, and the indices so far."""

    holder: str | None = None
    indices: tuple[Index, ...] = ()

    def within(self, index: str) -> Place:
        """The place inside a loop, of the same holder."""
        return replace(self, indices=(*self.indices, index))


def name_samples(expression: Expression) -> Expression:
    """The program with a name for every sample; binders are those of the desugarer.

    >>> d = Distribution("normal", (Constant(0.0), Constant(1.0)))
    >>> name_samples(Let("mu", Sample(d, ""), Variable("mu"))).value.name
    'mu'
    """
    return _Namer().name(expression, Place(), ())


class _Namer:
    """Walks down with the place; counts the binders it makes."""

    def __init__(self) -> None:
        self._made = 0
        self._shapes: dict[int, Shape | None] = {}
        self._arrays: dict[str, str] = {}

    def _fresh(self, name: str) -> str:
        self._made += 1
        return f"{name}{MARK}{MARK}{self._made}"

    def shape(self, expression: Expression) -> Shape | None:
        """The dimensions of an array of samples, or None if an expression is no such array."""
        if id(expression) not in self._shapes:
            self._shapes[id(expression)] = self._shape(expression)
        return self._shapes[id(expression)]

    def _shape(self, expression: Expression) -> Shape | None:
        match expression:
            case Sample():
                return () if expression.name == "" else None
            case Let():
                return self.shape(spine(expression)[1])
            case Plate():
                return _within(expression.count, self.shape(expression.body))
            case Operation("flatten", (argument,)):
                return self.shape(argument)
            case Operation("vector", arguments) if arguments:
                first = self.shape(arguments[0])
                same = all(self.shape(each) == first for each in arguments[1:])
                return _within(len(arguments), first) if same else None
        return None

    def name(self, expression: Expression, place: Place, loops: tuple[str, ...]) -> Expression:
        """Name the samples of an expression at a place inside loops of these indices."""
        return _RULES[type(expression)](self, expression, place, loops)

    def parts(
        self, parts: tuple[Expression, ...], loops: tuple[str, ...]
    ) -> tuple[Expression, ...]:
        """Name the samples of expressions whose values nobody holds."""
        return tuple(self.name(part, Place(None, loops), loops) for part in parts)

    def leaf(self, expression: Expression, place: Place, loops: tuple[str, ...]) -> Expression:
        """A constant or variable."""
        return expression

    def operation(self, expression: Operation, place: Place, loops: tuple[str, ...]) -> Expression:
        """Elements of a vector are held by who holds the vector."""
        arguments = expression.arguments
        if place.holder is None or expression.name not in ("vector", "flatten"):
            return replace(expression, arguments=self.parts(arguments, loops))
        if expression.name == "flatten":
            return replace(expression, arguments=(self.name(arguments[0], place, loops),))
        regular = self.shape(expression) is not None
        part = self._element if regular else self._ragged_element
        elements = [part(each, place, position, loops) for position, each in enumerate(arguments)]
        return replace(expression, arguments=tuple(elements))

    def _element(
        self, element: Expression, place: Place, position: int, loops: tuple[str, ...]
    ) -> Expression:
        """An element of an array of samples has its position as an index."""
        inside = replace(place, indices=(*place.indices, position))
        return self.name(element, inside, loops)

    def _ragged_element(
        self, element: Expression, place: Place, position: int, loops: tuple[str, ...]
    ) -> Expression:
        """An element of any other vector `w` gets a holder of its own, `w_0`."""
        holder = f"{str(place.holder).split(MARK)[0]}_{position}"
        if self.shape(element) is None:
            return self.name(element, Place(holder, loops), loops)
        return self._held(element, holder, loops)

    def _held(self, element: Expression, holder: str, loops: tuple[str, ...]) -> Expression:
        binder, span = self._fresh(holder), element.span
        value = self.name(element, Place(binder, loops), loops)
        return Let(binder, value, Variable(binder, span), span)

    def distribution(
        self, expression: Distribution, place: Place, loops: tuple[str, ...]
    ) -> Expression:
        """Samples among the parameters."""
        return replace(expression, arguments=self.parts(expression.arguments, loops))

    def conditional(self, expression: If, place: Place, loops: tuple[str, ...]) -> Expression:
        """Samples in the test and the branches."""
        test, then, otherwise = self.parts(
            (expression.test, expression.then, expression.otherwise), loops
        )
        return replace(expression, test=test, then=then, otherwise=otherwise)

    def let(self, expression: Let, place: Place, loops: tuple[str, ...]) -> Expression:
        """A binder holds its value; the body is held by who holds the whole."""
        lets, body = spine(expression)
        values = [self.name(let.value, _place_in(let, loops), loops) for let in lets]
        result = self.name(body, place, loops)
        for let, value in zip(reversed(lets), reversed(values), strict=True):
            result = Let(let.name, value, result, let.span)
        return result

    def observe(self, expression: Observe, place: Place, loops: tuple[str, ...]) -> Expression:
        """Samples in the distribution and the value."""
        distribution, value = self.parts((expression.distribution, expression.value), loops)
        return replace(expression, distribution=distribution, value=value)

    def plate(self, expression: Plate, place: Place, loops: tuple[str, ...]) -> Expression:
        """Rows are held by who holds the plate, with the index."""
        (count,) = self.parts((expression.count,), loops)
        inside = (*loops, expression.index)
        body = self.name(expression.body, place.within(expression.index), inside)
        return replace(expression, count=count, body=body)

    def fold(self, expression: Fold, place: Place, loops: tuple[str, ...]) -> Expression:
        """Nobody holds what a fold's step computes, but it has the index."""
        count, initial = self.parts((expression.count, expression.initial), loops)
        inside = (*loops, expression.index)
        (body,) = self.parts((expression.body,), inside)
        return replace(expression, count=count, initial=initial, body=body)

    def sample(self, expression: Sample, place: Place, loops: tuple[str, ...]) -> Expression:
        """A sample takes the holder's name, or gets a holder of its own."""
        (distribution,) = self.parts((expression.distribution,), loops)
        holder = str(place.holder).split(MARK)[0]
        _check_name(expression.name or holder, expression)
        if expression.indices:
            return self._numbered(expression, distribution, loops)
        if place.holder is not None and expression.name in ("", holder):
            name, indices = place.holder, place.indices
            return replace(expression, distribution=distribution, name=name, indices=indices)
        span = expression.span
        name = self._fresh(expression.name or f"sample_{span.line}_{span.column}")
        named = replace(expression, distribution=distribution, name=name, indices=loops)
        return Let(name, named, Variable(name, span), span)

    def _numbered(
        self, expression: Sample, distribution: Expression, loops: tuple[str, ...]
    ) -> Expression:
        """An element, by its indices, of the array that all samples of that name make up."""
        if expression.name not in self._arrays:
            self._arrays[expression.name] = self._fresh(expression.name)
        name, span = self._arrays[expression.name], expression.span
        indices = (*expression.indices, *loops)
        binder = self._fresh(expression.name)
        named = replace(expression, distribution=distribution, name=name, indices=indices)
        return Let(binder, named, Variable(binder, span), span)


def _check_name(name: str, sample: Sample) -> None:
    if not name.isprintable() or any(character in name for character in "/[]"):
        raise forms.unusable_name(sample.span, name)


def _place_in(let: Let, loops: tuple[str, ...]) -> Place:
    return Place(let.name if is_holder(let.name) else None, loops)


def _within(size: object, inner: Shape | None) -> Shape | None:
    return None if inner is None else (size, inner)


_RULES: Mapping[type, Callable[..., Expression]] = {
    Constant: _Namer.leaf,
    Variable: _Namer.leaf,
    Operation: _Namer.operation,
    Distribution: _Namer.distribution,
    If: _Namer.conditional,
    Let: _Namer.let,
    Sample: _Namer.sample,
    Observe: _Namer.observe,
    Plate: _Namer.plate,
    Fold: _Namer.fold,
}
