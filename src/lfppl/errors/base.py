"""The kinds of failure: a user's mistake in a model, and a bug of the compiler."""

from __future__ import annotations

import textwrap

from lfppl.source import Span, excerpt

EXCERPT_WIDTH = 120
"""Columns of a source line that a message shows; longer lines are cut around the caret."""


class LfpplError(Exception):
    """Anything that lfppl refuses, with a message meant for a person."""


class ModelError(LfpplError):
    """A mistake in a model or its data: where, what, why, and what to do.

    `message` says what is wrong, `label` stands behind the caret and says why at that place,
    `help` says what to do.
    """

    def __init__(
        self, code: str, message: str, span: Span | None = None, label: str = "", help: str = ""
    ) -> None:
        self.code = code
        self.message = message
        self.span = span
        self.label = label
        self.help = help
        super().__init__(self.render())

    def render(self) -> str:
        """The whole message as it is shown in a terminal.

        >>> print(ModelError("empty", "the program is empty", help="write an expression").render())
        error[empty]: the program is empty
          help: write an expression
        """
        lines = [self._heading]
        if self.span and self.span.source.text:
            lines.append(excerpt(self.span, self.label, EXCERPT_WIDTH))
        if self.help:
            lines.append(f"  help: {self.help}")
        return "\n".join(lines)

    def fitted(self, width: int) -> str:
        """The same for a terminal of so many columns: text goes on below, code is cut.

        >>> print(ModelError("empty", "the program is empty", help="write one").fitted(25))
        error[empty]: the program
            is empty
          help: write one
        """
        lines = [_wrapped(self._heading, width)]
        if self.span and self.span.source.text:
            lines.append(self._excerpt(width))
        if self.help:
            lines.append(_wrapped(f"  help: {self.help}", width))
        return "\n".join(lines)

    @property
    def _heading(self) -> str:
        where = f"{self.span}: " if self.span else ""
        return f"{where}error[{self.code}]: {self.message}"

    def _excerpt(self, width: int) -> str:
        """The source line; the label stands below the caret where it has no room behind it."""
        assert self.span is not None
        whole = excerpt(self.span, self.label, width)
        if max(map(len, whole.splitlines())) <= width:
            return whole
        return f"{excerpt(self.span, '', width)}\n{_wrapped(f'    {self.label}', width)}"


def _wrapped(line: str, width: int) -> str:
    """A line as several: those that follow stand further to the right."""
    return textwrap.fill(
        line, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )


class CompilerBug(Exception):
    """A state that no program should reach: please report it."""
