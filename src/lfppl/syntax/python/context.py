"""The state of a translation: the frame of the function, the block being written, data, names."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import lfppl.errors.python as errors
from lfppl.errors import ModelError
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.patterns import RESERVED
from lfppl.syntax.python.definitions import Definition, Places
from lfppl.syntax.python.labels import Labels
from lfppl.syntax.python.values import UNASSIGNED, Latent, Missing, Static, Value

MARK = "\0"
"""Stands between a name of the source and its number until `naming` renames it."""

CALL_LIMIT = 200
"""How deep calls of functions may be nested."""

SIZE_LIMIT = 2_000_000
"""How many nodes a translation may visit, loops that are written out included."""


@dataclass(frozen=True, slots=True)
class Holder:
    """What a sample will be called after: a variable, and an element's position if it has one."""

    name: str
    indices: tuple[int, ...] = ()

    def part(self, key: object) -> Holder:
        """What holds an entry of a tuple or dictionary: `pair_0`, `prior_sd`."""
        return Holder(f"{self.name}_{key}", self.indices)


@dataclass(eq=False)
class Frame:
    """A function being translated, and the values of its variables."""

    definition: Definition
    environment: dict[str, Value]
    outer: Frame | None = None
    local: frozenset[str] = frozenset()
    views: dict[str, str] = field(default_factory=dict)

    @property
    def places(self) -> Places:
        """Spans of its nodes."""
        return self.definition.places


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a plain function that is being translated: which one, and where."""

    definition: Definition
    number: int
    span: Span
    frame: Frame | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """A sample statement that has taken a name: where, by which calls, in which round."""

    key: tuple[int, ...]
    span: Span
    calls: tuple[Span, ...]

    def apart(self, other: Site) -> tuple[Span, Span]:
        """Where this statement and another differ: in their places, or in calls that lead there."""
        for here, there in zip(self.calls, other.calls, strict=False):
            if here != there and self.span == other.span:
                return here, there
        return self.span, other.span


Evaluate: TypeAlias = "Callable[[Context, ast.expr, Holder | None], Value]"
Execute: TypeAlias = (
    "Callable[[Context, list[ast.stmt], frozenset[str], Holder | None], Value | None]"
)


class Context:
    """Everything a rule of the translation reads and writes."""

    def __init__(self, frame: Frame, evaluate: Evaluate, execute: Execute) -> None:
        self.frame = frame
        self._evaluate = evaluate
        self._execute = execute
        self.block: list[surface.Binding] = []
        self.data: dict[str, float | NDArray[np.float64]] = {}
        self.labels = Labels()
        self.sites: dict[tuple[str, tuple[int, ...] | None], Site] = {}
        self.calls: list[Call] = []
        self.rounds: tuple[int, ...] = ()
        self.loops = 0
        self.offset_loops = 0
        self.branches = 0
        self._arrays: dict[int, tuple[Any, str]] = {}
        self._made = 0
        self._visited = 0

    def span(self, node: ast.AST) -> Span:
        """Where a node of the present function stands."""
        return self.frame.places.span(node)

    def visit(self, node: ast.AST) -> None:
        """Count a node, so that no program grows without bound."""
        self._visited += 1
        if self._visited > SIZE_LIMIT:
            raise errors.too_large(self.span(node), SIZE_LIMIT)

    def evaluate(self, node: ast.expr, holder: Holder | None = None) -> Value:
        """The value of an expression; a sample in it is called after the holder."""
        return self._evaluate(self, node, holder)

    def execute(
        self, statements: list[ast.stmt], live: frozenset[str], holder: Holder | None = None
    ) -> Value | None:
        """Translate statements; the value they return, or None if they fall through."""
        return self._execute(self, statements, live, holder)

    # --- names -----------------------------------------------------------------------------------

    def fresh(self, name: str) -> str:
        """A binder that no other one is equal to."""
        self._made += 1
        return f"{name}{MARK}{self._made}"

    def bind(
        self, name: str, expression: surface.Expression, span: Span, like: Latent | None = None
    ) -> Latent:
        """Bind an expression in the present block, and the name that stands for it."""
        binder = self.fresh(name)
        place = surface.Name(binder, span)
        self.block.append(surface.Binding(place, expression, span))
        like = like or Latent(expression)
        return Latent(place, like.shape, like.known, like.truth, like.is_list)

    def statement(self, expression: surface.Expression, span: Span) -> None:
        """Write an expression whose value nobody uses."""
        self.block.append(surface.Binding(surface.Name("_", span), expression, span))

    @contextmanager
    def nested(self) -> Iterator[list[surface.Binding]]:
        """A block of its own, with variables that are forgotten afterwards."""
        block, environment = self.block, self.frame.environment
        self.block, self.frame.environment = [], dict(environment)
        try:
            yield self.block
        finally:
            self.block, self.frame.environment = block, environment

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Names taken by samples are free again if this way of translating fails."""
        sites = dict(self.sites)
        state = (self.frame, self.block, self.rounds, self.loops, self.offset_loops)
        calls = len(self.calls)
        try:
            yield
        except Retreat:
            self.sites = sites
            self.frame, self.block, self.rounds, self.loops, self.offset_loops = state
            del self.calls[calls:]
            raise

    def unless_written_out(self, error: ModelError) -> Exception:
        """A mistake, unless the loops around can be written out round by round."""
        return Retreat(error) if self.loops else error

    # --- data ------------------------------------------------------------------------------------

    def datum(self, value: Static) -> str:
        """The name under which the program reads an array."""
        key = id(value.value)
        if key not in self._arrays:
            base = value.origin or "constant"
            name, number = base, 1
            while name in self.data or name in RESERVED:
                number += 1
                name = f"{base}_{number}"
            self.data[name] = value.value
            self._arrays[key] = (value.value, name)
        return self._arrays[key][1]

    # --- samples ---------------------------------------------------------------------------------

    def register(self, name: str, indices: tuple[int, ...] | None, node: ast.AST) -> None:
        """Give a name to a sample statement; a name belongs to one statement."""
        span = self.span(node)
        numbers = (each.number for each in self.calls)
        calls = tuple(each.span for each in self.calls)
        site = Site((id(node), *numbers, *self.rounds), span, calls)
        keys = [(name, indices), (name, None)]
        if indices is None:
            keys = [key for key in self.sites if key[0] == name] or keys
        for key in keys:
            other = self.sites.get(key)
            if other is None:
                continue
            if other.key == site.key:
                raise self.unless_written_out(errors.sampled_on_two_paths(span, name))
            places = site.apart(other)
            raise self.unless_written_out(errors.name_collision(span, name, *places))
        self.sites[name, indices] = site


class Retreat(Exception):
    """A loop cannot be translated this way: try the next; `error` is why, if a person can help."""

    def __init__(self, error: ModelError | None = None) -> None:
        super().__init__("retreat")
        self.error = error


def look_up(frame: Frame | None, name: str) -> Value | None:
    """The value of a variable in a function or the functions around it."""
    while frame is not None:
        found = frame.environment.get(name)
        if found is not None:
            return found
        if name in frame.local:
            return Missing(UNASSIGNED)
        frame = frame.outer
    return None


def visible_names(frame: Frame | None) -> Iterator[str]:
    """The names that may be written in a function: its variables, and what it sees outside."""
    if frame is not None:
        yield from frame.definition.names
    while frame is not None:
        yield from frame.local
        yield from frame.environment
        frame = frame.outer
