"""The table of the JSON form: every node kind with its keys and what they hold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from lfppl.syntax.reader import MAX_NESTING
from lfppl.syntax.surface import (
    Binding,
    Call,
    Define,
    For,
    Function,
    If,
    Let,
    Loop,
    Name,
    Nil,
    Number,
    Observe,
    Program,
    Sample,
    Text,
    Truth,
    VectorLiteral,
    VectorPattern,
)

VERSION = 1
"""The version of the form; it grows when a program of an older one would read differently."""

MAX_DEPTH = MAX_NESTING + 1
"""Nodes within nodes: what a text of the greatest nesting may have."""

Type = Literal[
    "number", "integer", "string", "boolean", "symbol", "expression", "pattern", "binding", "name"
]
"""What a key holds: a JSON value, or a node of one of the groups of kinds."""


@dataclass(frozen=True)
class Key:
    """A key of a node: what it holds, whether a list of that, and of how many at least."""

    name: str
    type: Type
    attribute: str
    many: bool = False
    least: int = 0
    required: bool = True
    default: Any = None

    @property
    def holds_nodes(self) -> bool:
        """Whether the values are nodes."""
        return self.type in GROUPS


@dataclass(frozen=True)
class Kind:
    """A node kind: the class of the surface program it stands for, and its keys."""

    node: type
    keys: tuple[Key, ...]


def _one(name: str, type: Type, required: bool = True, default: Any = None) -> Key:
    return Key(name, type, name, required=required, default=default)


def _many(name: str, type: Type, least: int = 0, required: bool = True) -> Key:
    return Key(name, type, name, True, least, required, ())


_BODY = _many("body", "expression", 1)

KINDS: dict[str, Kind] = {
    "program": Kind(Program, (_many("expressions", "expression", 1),)),
    "number": Kind(Number, (_one("value", "number"),)),
    "text": Kind(Text, (_one("value", "string"),)),
    "truth": Kind(Truth, (_one("value", "boolean"),)),
    "nil": Kind(Nil, ()),
    "name": Kind(Name, (_one("id", "symbol"),)),
    "vector": Kind(VectorLiteral, (_many("items", "expression"),)),
    "vector-pattern": Kind(
        VectorPattern, (_many("items", "pattern"), _one("rest", "name", required=False))
    ),
    "binding": Kind(Binding, (_one("pattern", "pattern"), _one("value", "expression"))),
    "let": Kind(Let, (_many("bindings", "binding"), _BODY)),
    "if": Kind(
        If,
        (
            _one("test", "expression"),
            _one("then", "expression"),
            _one("otherwise", "expression", required=False),
        ),
    ),
    "function": Kind(
        Function,
        (_many("parameters", "pattern"), _BODY, _one("name", "symbol", required=False)),
    ),
    "define": Kind(Define, (_one("name", "name"), _one("value", "expression"))),
    "for": Kind(
        For,
        (
            _many("bindings", "binding", 1),
            _BODY,
            _one("collect", "boolean", required=False, default=True),
        ),
    ),
    "loop": Kind(
        Loop,
        (
            _one("count", "expression"),
            _one("initial", "expression"),
            _one("step", "expression"),
            _many("extra", "expression", required=False),
        ),
    ),
    "sample": Kind(
        Sample,
        (
            _one("distribution", "expression"),
            _one("name", "string", required=False),
            _many("indices", "integer", required=False),
        ),
    ),
    "observe": Kind(Observe, (_one("distribution", "expression"), _one("value", "expression"))),
    "call": Kind(Call, (_one("function", "expression"), _many("arguments", "expression"))),
}
"""Every node kind."""

KIND_OF: dict[type, str] = {kind.node: name for name, kind in KINDS.items()}
"""The kind that stands for a class of the surface program."""

GROUPS: dict[str, list[str]] = {
    "expression": [k for k in KINDS if k not in ("program", "binding", "vector-pattern")],
    "pattern": ["name", "vector-pattern"],
    "binding": ["binding"],
    "name": ["name"],
    "program": ["program"],
}
"""The kinds that may stand where a key holds nodes."""

_NAMED_NUMBERS = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}


def number_to_json(value: float) -> float | str:
    """A number as JSON, which has no infinities: they are strings.

    >>> number_to_json(2.5), number_to_json(float("-inf"))
    (2.5, '-Infinity')
    """
    if math.isfinite(value):
        return float(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def number_from_json(value: object) -> float | None:
    """The number that a JSON value stands for; None if it is none.

    >>> number_from_json(2), number_from_json("Infinity"), number_from_json(True)
    (2.0, inf, None)
    """
    if isinstance(value, str):
        return _NAMED_NUMBERS.get(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None
