"""Where text came from: sources, spans, and the source lines drawn under a span with a caret."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Source:
    """A named text, such as a model file.

    >>> Source("model.lfppl", "(let [x 1]\\n  x)").position(13)
    (2, 3)
    """

    name: str
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offsets at which the lines begin."""
        breaks = (i + 1 for i, character in enumerate(self.text) if character == "\n")
        return (0, *breaks)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from one."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of one line, counted from one, without its line break."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source: the characters from `start` up to `end`.

    >>> str(Span(Source("m.lfppl", "(+ 1 2)"), 3, 4))
    'm.lfppl:1:4'
    """

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def line(self) -> int:
        """The line the span begins on, counted from one."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column the span begins at, counted from one."""
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        """The characters of the span."""
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """The span from the beginning of this one to the end of the other."""
        return Span(self.source, self.start, other.end)

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


NOWHERE = Span(Source("<built by a program>", ""), 0, 0)
"""The span of nodes that no text stands behind."""


def excerpt(span: Span, label: str = "", width: int = 0) -> str:
    """The first line of a span, with a caret under its first character and a label behind it.

    A line longer than `width` is cut around the caret; 0 is no limit.

    >>> print(excerpt(Span(Source("m", "(+ 1 y)"), 5, 6), "not bound"))
      1 | (+ 1 y)
        |      ^ not bound
    """
    number = str(span.line)
    text, column = span.source.line(span.line), span.column - 1
    if width:
        text, column = _window(text, column, max(width - len(number) - 5, 8))
    lead = "".join("\t" if character == "\t" else " " for character in text[:column])
    caret = f"{lead}^ {label}".rstrip()
    return f"  {number} | {text}\n  {' ' * len(number)} | {caret}"


def _window(text: str, column: int, width: int) -> tuple[str, int]:
    """The part of a line around a column, and where the column is in it."""
    start = min(max(column - width // 2, 0), max(len(text) - width, 0))
    part = text[start : start + width]
    if start > 0:
        part = "…" + part[1:]
    if start + width < len(text):
        part = part[:-1] + "…"
    return part, column - start
