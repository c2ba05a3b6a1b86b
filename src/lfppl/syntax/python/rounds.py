"""What loops go through, and what they carry from round to round."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from lfppl.source import Span
from lfppl.syntax.python.values import (
    Items,
    Latent,
    Range,
    Shape,
    Static,
    Value,
    is_known,
    shape_of,
)


@dataclass(frozen=True, eq=False)
class Loop:
    """A `for` statement, what it goes through, and the variables it changes for later."""

    node: ast.For
    span: Span
    rows: Range
    carried: tuple[str, ...]
    plain: frozenset[str]
    live: frozenset[str]

    @property
    def count(self) -> int | None:
        """How many rounds there are, where that is known now."""
        return int(self.rows.count.value) if isinstance(self.rows.count, Static) else None


@dataclass(frozen=True, slots=True)
class Carried:
    """What is known of a carried variable at the beginning of every round."""

    shape: Shape
    known: bool
    is_list: bool


def carried(value: Value) -> Carried:
    """What is known of a value that a loop carries."""
    is_list = (isinstance(value, Items) and value.kind == "list") or (
        isinstance(value, Latent) and value.is_list
    )
    return Carried(shape_of(value) or (), is_known(value), is_list)
