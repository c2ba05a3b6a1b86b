"""HTML by pieces: everything that comes from a model is escaped here, and nowhere else."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def text(value: object) -> Html:
    """A value as text that no browser takes for markup.

    >>> text('a < b & "c"'), text(Html("<b>bold</b>"))
    ('a &lt; b &amp; &quot;c&quot;', '<b>bold</b>')
    """
    return value if isinstance(value, Html) else Html(html.escape(str(value)))


def tag(name: str, *content: object, **attributes: object) -> Html:
    """An element; `_` in the name of an attribute is `-`, one at its end is left out.

    >>> tag("p", "1 < 2 ", tag("b", "!"), class_="note")
    '<p class="note">1 &lt; 2 <b>!</b></p>'
    """
    given = (
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{''.join(given)}>{join(content)}</{name}>")


def join(parts: Iterable[object]) -> Html:
    """Pieces one after another."""
    return Html("".join(text(part) for part in parts))


def prose(words: str) -> Html:
    """A sentence whose parts between backticks are code.

    >>> prose("the `if` depends on `a<b`")
    'the <code>if</code> depends on <code>a&lt;b</code>'
    """
    parts = words.split("`")
    if len(parts) % 2 == 0:
        return text(words)
    return join(tag("code", part) if i % 2 else part for i, part in enumerate(parts))


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "chain"), counted(1200, "draw")
    ('1 chain', '1,200 draws')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class Column(NamedTuple):
    """A column of a table: its heading, and whether it holds numbers."""

    heading: str
    numbers: bool = False
    hint: str | None = None


def table(columns: Sequence[Column], rows: Iterable[Sequence[object]]) -> Html:
    """A table in a box that scrolls by itself; the first cell of a row is its heading.

    >>> table([Column("name"), Column("mean", numbers=True)], [("x", 0.5)]).count("<td")
    1
    """
    heads = [
        tag("th", c.heading, scope="col", class_="lf-number" if c.numbers else None, title=c.hint)
        for c in columns
    ]
    body = [
        tag("tr", tag("th", row[0], scope="row"), *map(_cell, columns[1:], row[1:])) for row in rows
    ]
    whole = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *body))
    return tag("div", whole, class_="lf-scroll", tabindex="0")


def _cell(column: Column, content: object) -> Html:
    return tag("td", content, class_="lf-number" if column.numbers else None)


@cache
def style(name: str = "pieces.css") -> Html:
    """A style sheet: that of all pieces takes the colours of what is around them."""
    return Html(files("lfppl.display").joinpath(name).read_text("utf-8"))


def piece(*content: object) -> str:
    """A piece for a notebook, with its style.

    >>> piece("x").endswith('<div class="lf">x</div>')
    True
    """
    return str(join([tag("style", style()), tag("div", *content, class_="lf")]))
