"""S-expressions laid out in lines: a form on one line where it fits, else broken by its style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

WIDTH = 88
"""Columns that the text may use."""

MAX_INDENT = 60
"""Deeper lines are not indented further, so that the text stays linear in the program's size."""

Style = Literal["align", "body", "pairs", "fill"]
"""How a group is broken.

- `align`: the items behind the first `hold` stand under one another, behind the head
- `body`: they are indented by two columns instead
- `pairs`: two items a line, as bindings are
- `fill`: as many items a line as there is room for
"""


@dataclass(frozen=True, slots=True)
class Group:
    """Items between brackets; the first `hold` of them stay on the first line."""

    brackets: str
    items: tuple[Doc, ...]
    style: Style = "align"
    hold: int = 1
    width: int = field(init=False)

    def __post_init__(self) -> None:
        gaps = max(len(self.items) - 1, 0)
        width = 2 + gaps + sum(width_of(item) for item in self.items)
        object.__setattr__(self, "width", width)


Doc: TypeAlias = str | Group


def width_of(doc: Doc) -> int:
    """The columns that a document takes on one line."""
    return len(doc) if isinstance(doc, str) else doc.width


def parenthesised(items: Sequence[Doc], style: Style = "align", hold: int = 1) -> Group:
    """`(a b c)`."""
    return Group("()", tuple(items), style, hold)


def bracketed(items: Sequence[Doc], style: Style = "fill") -> Group:
    """`[a b c]`."""
    return Group("[]", tuple(items), style, 0)


def render(doc: Doc) -> str:
    """A document as text.

    >>> print(render(parenthesised(["f", "x" * 50, "y" * 50])))
    (f xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
       yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy)
    """
    pieces: list[str] = []
    stack: list[Iterator[tuple[str, Doc, int, bool]]] = [iter([("", doc, 0, False)])]
    closers: list[str] = [""]
    while stack:
        part = next(stack[-1], None)
        if part is None:
            stack.pop()
            pieces.append(closers.pop())
            continue
        gap, item, column, flat = part
        pieces.append(gap)
        if isinstance(item, str):
            pieces.append(item)
        else:
            pieces.append(item.brackets[0])
            closers.append(item.brackets[1])
            stack.append(_parts(item, column, flat or column + item.width <= WIDTH))
    return "".join(pieces)


def _parts(group: Group, column: int, flat: bool) -> Iterator[tuple[str, Doc, int, bool]]:
    """The items of a group, each with the blanks before it and the column it begins at."""
    if flat:
        return ((" " if i else "", item, 0, True) for i, item in enumerate(group.items))
    if group.style == "fill":
        return _filled(group, column)
    return _broken(group, column)


def _broken(group: Group, column: int) -> Iterator[tuple[str, Doc, int, bool]]:
    per_line = 2 if group.style == "pairs" else 1
    indent = min(column + _indent(group), MAX_INDENT)
    at = column + 1
    for i, item in enumerate(group.items):
        breaks = i > group.hold if group.style == "align" else i >= max(group.hold, 1)
        if breaks and (per_line == 1 or i % 2 == 0):
            yield "\n" + " " * indent, item, indent, False
            at = indent + width_of(item) + 1
        else:
            yield " " if i else "", item, at, False
            at += width_of(item) + 1


def _indent(group: Group) -> int:
    if group.style == "body":
        return 2
    if group.style == "pairs" or group.hold == 0:
        return 1
    held = group.items[: group.hold]
    short = all(isinstance(item, str) for item in held) and sum(map(width_of, held)) <= 16
    return 1 + sum(width_of(item) + 1 for item in held) if short else 2


def _filled(group: Group, column: int) -> Iterator[tuple[str, Doc, int, bool]]:
    indent = min(column + 1, MAX_INDENT)
    at = column + 1
    for i, item in enumerate(group.items):
        wide = at + width_of(item) > WIDTH or not isinstance(item, str)
        if i and wide:
            yield "\n" + " " * indent, item, indent, False
            at = indent + width_of(item) + 1
        else:
            yield " " if i else "", item, at, False
            at += width_of(item) + 1
