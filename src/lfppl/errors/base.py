"""The kinds of failure: a user's mistake in a model, and a bug of the compiler."""

from __future__ import annotations

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
        where = f"{self.span}: " if self.span else ""
        lines = [f"{where}error[{self.code}]: {self.message}"]
        if self.span and self.span.source.text:
            lines.append(excerpt(self.span, self.label, EXCERPT_WIDTH))
        if self.help:
            lines.append(f"  help: {self.help}")
        return "\n".join(lines)


class CompilerBug(Exception):
    """A state that no program should reach: please report it."""
