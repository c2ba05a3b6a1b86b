"""The state of desugaring: what the names mean, fresh binders, and the calls being expanded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from lfppl.core.ast import Constant, Expression, Let, Variable
from lfppl.core.desugar.kinds import Kind, Kinds
from lfppl.core.desugar.sugar import Sugar
from lfppl.core.desugar.tails import replace_tail, tails
from lfppl.errors import language
from lfppl.source import NOWHERE, Span
from lfppl.syntax import surface
from lfppl.syntax.parse import SPECIAL_FORMS

DEPTH_LIMIT = 1_000
"""How deep function calls may be nested."""

SIZE_LIMIT = 2_000_000
"""How many expressions the bodies of called functions may expand to."""

MARK = "\0"
"""Stands between a binder's name in the source and its number until `finish` renames it."""


@dataclass(frozen=True, slots=True)
class Value:
    """The meaning of a name that holds a value."""

    core: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """The meaning of a name that holds a function of the user, with the names it sees."""

    function: surface.Function
    names: Mapping[str, Meaning]
    name: str


@dataclass(frozen=True, slots=True)
class Builtin:
    """The meaning of a name of the language: a form, operation or distribution."""

    name: str


Meaning: TypeAlias = Value | Closure | Builtin


@dataclass(slots=True)
class Block:
    """Bindings made so far, to be wrapped around an expression that uses them."""

    bindings: list[tuple[str, Expression, Span]] = field(default_factory=list)

    def close(self, body: Expression) -> Expression:
        """The expression inside all bindings of the block."""
        for name, value, span in reversed(self.bindings):
            body = Let(name, value, body, span)
        return body


def is_holder(binder: str) -> bool:
    """Whether variables may be called after a binder: not after `_`, nor after a temporary."""
    return not binder.endswith(MARK) and binder.split(MARK)[0] != "_"


def is_atom(expression: Expression) -> bool:
    """Whether an expression may be repeated freely."""
    return isinstance(expression, Variable | Constant)


class Context:
    """What the names mean at the place being desugared, and how to desugar its parts."""

    nil = Constant(None)

    def __init__(
        self,
        data: Collection[str],
        forms: Mapping[type, Callable[[Context, Any], Expression]],
        sugars: Mapping[str, Sugar],
    ) -> None:
        self.data = frozenset(data)
        self.forms = forms
        self.sugars = sugars
        self.globals: dict[str, Meaning] = {}
        self.names = self.globals
        self.kinds: dict[str, Kind] = {}
        self._kinds = Kinds(self.kinds)
        self.active: list[tuple[Closure, tuple[Meaning, ...]]] = []
        self.free_names: dict[int, frozenset[str]] = {}
        self._given: dict[str, Meaning] = {}
        self._fresh = 0
        self._expanded = 0

    def expression(self, expression: surface.Expression) -> Expression:
        """The Core of a surface expression."""
        if self.active:
            self._expanded += 1
            if self._expanded > SIZE_LIMIT:
                raise language.expansion_too_large(expression.span, SIZE_LIMIT)
        return self.forms[type(expression)](self, expression)

    def operand(self, expression: surface.Expression) -> Expression:
        """The Core of an expression that must be a number or a vector."""
        core = self.expression(expression)
        if isinstance(core, Constant) and isinstance(core.value, bool):
            return replace(core, value=float(core.value))
        found = self.kind(core)
        if found is Kind.DISTRIBUTION:
            raise language.distribution_as_number(expression.span)
        if found is Kind.NIL:
            raise language.nil_as_number(expression.span)
        return core

    def statement(self, core: Expression) -> Expression:
        """An expression whose value nobody reads: its branches may give any kinds of value."""
        kinds = {self.kind(tail) for tail in tails(core)}
        if len(kinds) < 2:
            return core
        return (
            replace_tail(core, lambda tail: Let(self.fresh("_"), tail, self.nil, tail.span)) or core
        )

    def kind(self, core: Expression) -> Kind:
        """What a Core expression visibly is."""
        return self._kinds.of(core)

    @contextmanager
    def scope(self, names: Mapping[str, Meaning] | None = None) -> Iterator[None]:
        """Names bound inside are forgotten afterwards; `names` replaces what is visible."""
        outer = self.names
        self.names = dict(outer if names is None else names)
        try:
            yield
        finally:
            self.names = outer

    def resolve(self, name: str) -> Meaning | None:
        """What a name means here."""
        found = self.names.get(name) or self._given.get(name) or self.globals.get(name)
        if found is not None:
            return found
        if name in self.data:
            return Value(Variable(name))
        return Builtin(name) if name in self.sugars else None

    def builtin_head(self, head: surface.Expression) -> str | None:
        """The form, operation or distribution that a call's head stands for.

        A value that is named like one does not hide it: values cannot be called.
        """
        if not isinstance(head, surface.Name):
            return None
        match self.resolve(head.id):
            case Builtin(name):
                return name
            case Value() if head.id in self.sugars:
                return head.id
        return None

    def bound(self) -> set[str]:
        """All names of the program and its data that mean something here."""
        return {*self.names, *self.globals, *self.data}

    def known(self) -> set[str]:
        """All names that may head a list here."""
        return {*self.bound(), *self.sugars, *SPECIAL_FORMS}

    def fresh(self, name: str) -> str:
        """A binder that no other one is equal to."""
        self._fresh += 1
        return f"{name}{MARK}{self._fresh}"

    def index(self, name: str) -> str:
        """A fresh binder for the index of a plate or fold."""
        binder = self.fresh("i" if name == "_" else name)
        self.kinds[binder] = Kind.NUMBER
        return binder

    def given(self, meaning: Meaning, span: Span) -> surface.Name:
        """A surface expression that stands for a meaning; it may be desugared once."""
        name = f"{MARK}{len(self._given)}"
        self._given[name] = meaning
        return surface.Name(name, span)

    def let(self, block: Block, name: str, value: Expression, span: Span) -> Variable:
        """Bind a value in a block under a fresh name."""
        binder = self.fresh(name)
        self.kinds[binder] = self.kind(value)
        block.bindings.append((binder, value, span))
        return Variable(binder, span)

    def share(self, block: Block, name: str, value: Expression, span: Span) -> Expression:
        """An expression that may be repeated: the value itself, or a temporary name for it."""
        if is_atom(value):
            return value
        binder = f"{self.fresh(name)}{MARK}"
        self.kinds[binder] = self.kind(value)
        block.bindings.append((binder, value, span))
        return Variable(binder, span)

    def named(self, block: Block, name: str, value: Expression, span: Span) -> Expression:
        """An expression that may be repeated: the value itself, or a name of the user for it."""
        return value if is_atom(value) else self.let(block, name, value, span)

    def call(self, name: str, *arguments: Expression, span: Span = NOWHERE) -> Expression:
        """The Core of a form or operation, applied to Core."""
        terms = tuple(self.given(Value(argument), argument.span) for argument in arguments)
        return self.builtin(name, surface.Call(surface.Name(name, span), terms, span))

    def builtin(self, name: str, call: surface.Call) -> Expression:
        """The Core of a call of a form, operation or distribution."""
        return self.checked(name, call).build(self, call)

    def checked(self, name: str, call: surface.Call) -> Sugar:
        """The row of the table for a call, once its number of arguments is found right."""
        row, given = self.sugars[name], len(call.arguments)
        if given < row.least or (row.most is not None and given > row.most):
            raise language.wrong_arity(call.span, name, given, row.least, row.most, row.usage)
        return row
