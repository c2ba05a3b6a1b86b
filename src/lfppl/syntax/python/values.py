"""What translation knows of a Python value: known now, or an expression with a shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from lfppl.source import Span
from lfppl.syntax import surface

if TYPE_CHECKING:
    from lfppl.syntax.python.context import Frame
    from lfppl.syntax.python.definitions import Definition

Shape: TypeAlias = tuple[int | None, ...]
"""Lengths of the dimensions; None where it differs between the rounds of a loop."""


@dataclass(frozen=True, slots=True, eq=False)
class Static:
    """A value known now: a number, an array, a text, None; `origin` names captured data."""

    value: Any
    origin: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Latent:
    """An expression of the program.

    `known` where no sampled variable is in it (a loop's index), `truth` where it is 1 or 0,
    `is_list` for what `+` joins, `raw` for a sample that must be bound at once, `full` for the
    index of a loop over so many rows, from 0 on.
    """

    expression: surface.Expression
    shape: Shape = ()
    known: bool = False
    truth: bool = False
    is_list: bool = False
    raw: bool = False
    full: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Deferred:
    """An array that is not written out yet: its element at indices, so that loops can fuse."""

    shape: Shape
    element: Callable[[tuple[surface.Expression, ...]], surface.Expression]
    known: bool = False
    truth: bool = False


@dataclass(frozen=True, eq=False)
class Items:
    """A tuple, list or array as its elements."""

    items: tuple[Value, ...]
    kind: Literal["tuple", "list", "array"] = "tuple"

    @cached_property
    def shape(self) -> Shape | None:
        """The shape if the elements are alike, found once: a loop may ask in every round."""
        return _common(self.items)

    def replaced(self, place: int, value: Value) -> Items:
        """The same with another element."""
        found = Items((*self.items[:place], value, *self.items[place + 1 :]), self.kind)
        if shape_of(value) == shape_of(self.items[place]):
            found.__dict__["shape"] = self.shape
        return found

    def extended(self, more: tuple[Value, ...]) -> Items:
        """The same with further elements behind."""
        found = Items((*self.items, *more), self.kind)
        if self.items and self.shape and {shape_of(each) for each in more} == {self.shape[1:]}:
            found.__dict__["shape"] = (len(found.items), *self.shape[1:])
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Dist:
    """A distribution: `batch` is the shape of its parameters beyond what the family takes."""

    expression: surface.Expression
    name: str
    batch: Shape
    event: Shape
    parameters: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A plain Python function, with the frame it was defined in if that is being translated.

    `bound` are arguments given before the call.
    """

    definition: Definition
    frame: Frame | None = None
    defaults: Mapping[str, Value] = field(default_factory=dict)
    bound: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Builtin:
    """A function or class that the language has something for, under its full name."""

    name: str
    function: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """An imported module."""

    module: Any


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """An attribute that will be called."""

    owner: Value
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A dictionary or data frame with columns; `own` if the model has made it."""

    columns: Mapping[Any, Value]
    own: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """`range(...)`, and arrays and lists to loop over: how many, and what stands at an index."""

    count: Value
    element: Callable[[Latent], Value]
    item: Callable[[int], Value]
    direct: bool = False
    start: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """The row of an array that a loop fills, at the index of the loop."""

    index: str
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Growing:
    """A list that a loop appends to: what this round has appended.

    `spread` where that is one array, all of whose elements an inner loop has appended.
    """

    items: tuple[Value, ...] = ()
    spread: bool = False


UNASSIGNED = "is used before it gets a value"
"""Why a variable is missing that is assigned further down."""


@dataclass(frozen=True, slots=True, eq=False)
class Missing:
    """A name without a value here, and why."""

    why: str
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Foreign:
    """Any other object, of which a model can make nothing."""

    value: Any


Value: TypeAlias = (
    Static
    | Latent
    | Deferred
    | Items
    | Dist
    | Function
    | Builtin
    | Module
    | Method
    | Table
    | Range
    | Row
    | Growing
    | Missing
    | Foreign
)

NUMBERS = (int, float, bool, np.integer, np.floating, np.bool_)


def is_number(value: object) -> bool:
    """Whether a value is a number known now.

    >>> is_number(Static(2)), is_number(Static("two"))
    (True, False)
    """
    return isinstance(value, Static) and isinstance(value.value, NUMBERS)


def is_array(value: object) -> bool:
    """Whether a value is an array known now."""
    return isinstance(value, Static) and isinstance(value.value, np.ndarray)


def shape_of(value: Value) -> Shape | None:
    """The shape of a number or array, or None for what is neither.

    >>> shape_of(Static(np.zeros((2, 3)))), shape_of(Static(1)), shape_of(Static("a"))
    ((2, 3), (), None)
    """
    match value:
        case Static():
            if isinstance(value.value, np.ndarray):
                shape: Shape = value.value.shape
                return shape
            return () if is_number(value) else None
        case Latent() | Deferred():
            return value.shape
        case Items():
            return value.shape
        case Row(value=inner):
            return shape_of(inner)
    return None


def _common(items: tuple[Value, ...]) -> Shape | None:
    shapes = {shape_of(item) for item in items}
    if len(shapes) > 1:
        return None
    first = shapes.pop() if shapes else ()
    return None if first is None else (len(items), *first)


def is_known(value: Value) -> bool:
    """Whether no sampled variable is in a value."""
    match value:
        case Static():
            return True
        case Latent() | Deferred():
            return value.known
        case Items(items=items):
            return all(is_known(item) for item in items)
    return False


def is_truth(value: Value) -> bool:
    """Whether a value is visibly true or false."""
    if isinstance(value, Static):
        kind = value.value
        return isinstance(kind, bool | np.bool_) or (
            isinstance(kind, np.ndarray) and kind.dtype == np.bool_
        )
    return isinstance(value, Latent | Deferred) and value.truth


def describe(value: Value) -> str:
    """What a value is, in words."""
    shape = shape_of(value)
    if isinstance(value, Items) and value.kind != "array":
        return f"a {value.kind}"
    if shape is not None:
        words = {0: "a number", 1: "an array", 2: "a matrix"}
        return words.get(len(shape), f"an array of {len(shape)} dimensions")
    return _describe_other(value)


def _describe_other(value: Value) -> str:
    match value:
        case Static(value=None):
            return "None"
        case Static(value=str()):
            return "a text"
        case Dist(name=name):
            return f"a `{name}` distribution"
        case Function() | Builtin() | Method():
            return "a function"
        case Module():
            return "a module"
        case Table():
            return "a table"
        case Range():
            return "a range"
        case Items():
            return "an array of unlike rows"
        case Growing():
            return "a list"
        case Foreign(value=other):
            return f"an object of type {type(other).__name__}"
    return "no value"


def freeze(value: object) -> Any:
    """A NumPy scalar as a Python number; everything else as it is."""
    return value.item() if isinstance(value, np.generic) else value
