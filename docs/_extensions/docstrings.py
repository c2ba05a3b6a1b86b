"""Docstrings are plain text with `code` in it: make it what Sphinx reads."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(r"(`[^`]+`\w?)")
"""Code, and the letter that may follow it: `if`s."""


def _as_restructured(line: str) -> str:
    """A line of text with its code marked and its asterisks escaped."""
    parts = CODE.split(line)
    return "".join(_code(part) if part[:1] == "`" else part.replace("*", r"\*") for part in parts)


def _code(part: str) -> str:
    """Marked code; what follows without a space is kept apart from the mark."""
    text, _, after = part[1:].rpartition("`")
    return f"``{text}``" + (rf"\ {after}" if after else "")


def _process(
    app: Sphinx, what: str, name: str, subject: Any, options: Any, lines: list[str]
) -> None:
    is_example = False
    for number, line in enumerate(lines):
        is_example = bool(line.strip()) and (is_example or line.lstrip().startswith(">>>"))
        if not is_example:
            lines[number] = _as_restructured(line)


def setup(app: Sphinx) -> dict[str, Any]:
    """Process every docstring."""
    app.connect("autodoc-process-docstring", _process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
