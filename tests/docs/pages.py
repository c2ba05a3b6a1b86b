"""Pages as lists of fenced blocks, and what a block of each language is for (see `Block`)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"((?:^<!--[^\n]*-->\n)*)^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOTE = re.compile(r"<!-- (\w+)(?:: (.*?))? -->")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    Its language says what is done with it: `python` is run, with all earlier blocks of the page
    before it, and what it prints is the `text` block that follows; every `$ lfppl ...` of
    `console` is run, and what it prints follows it; `lfppl` is compiled; `json` is read; `py` is
    code of other systems, which is parsed only. Notes stand in comments above the fence: `data`
    for a program, `file` to write the block to.
    """

    language: str
    text: str
    start: int
    stop: int
    notes: dict[str, str]

    @property
    def data(self) -> dict[str, Any] | None:
        """What a program is compiled with."""
        found: dict[str, Any] | None = json.loads(self.notes.get("data", "null"))
        return found


def pages() -> list[Path]:
    """The README and every page of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(page: str) -> list[Block]:
    """The fenced blocks of a page's text, without Sphinx's directives."""
    found = []
    for match in FENCE.finditer(page):
        comments, language, text = match.groups()
        notes = {m[1]: m[2] or "" for m in NOTE.finditer(comments)}
        block = Block(language, text, match.start(3), match.end(3), notes)
        if not language.startswith("{"):
            found.append(block)
    return found


def with_texts(page: str, changes: list[tuple[Block, str]]) -> str:
    """The page with other texts in some of its blocks."""
    for block, text in sorted(changes, key=lambda change: -change[0].start):
        page = page[: block.start] + text + page[block.stop :]
    return page


# --- console blocks ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Command:
    """A command of a console block and what it prints."""

    line: str
    output: str


def commands_of(text: str) -> list[Command]:
    """The commands of a console block.

    >>> commands_of("$ lfppl --version\\nlfppl 1\\n")
    [Command(line='lfppl --version', output='lfppl 1\\n')]
    """
    found: list[Command] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append(Command(line[2:].rstrip("\n"), ""))
        elif found and found[-1].line.endswith("\\"):
            joined = found[-1].line[:-1].rstrip() + "\\\n" + line.rstrip("\n")
            found[-1] = replace(found[-1], line=joined)
        else:
            assert found, f"a console block begins with a command, not with {line!r}"
            found[-1] = replace(found[-1], output=found[-1].output + line)
    return found


def console(commands: list[Command]) -> str:
    """The text of a console block."""
    return "".join(f"$ {command.line}\n{command.output}" for command in commands)


# --- comparing -----------------------------------------------------------------------------------

SECONDS = re.compile(r"\b[\d.,]+(?:e-?\d+)? (?:s|ms|µs)\b")
"""Times differ from run to run."""


def masked(text: str) -> str:
    """A text without what no two runs share: seconds, and space at the ends of lines.

    >>> masked("0.0123 s to compile ")
    '# s to compile'
    """
    return "\n".join(line.rstrip() for line in SECONDS.sub("# s", text).splitlines())


NUMBER = re.compile(r"-?\b(?:\d[\d.,]*(?:e[-+]?\d+)?|inf|nan)\b")


WARNING = re.compile(r"^warning: .*(?:\n  .*)*\n?", re.MULTILINE)


def without_numbers(text: str) -> str:
    """What other draws print too: a mark for each number, single spaces, no warnings of a fit.

    >>> without_numbers("x  0.25  -1e-05\\nwarning: R-hat is\\n  high")
    'x # #\\n'
    """
    return re.sub(" +", " ", NUMBER.sub("#", WARNING.sub("", text)))


def is_shown(printed: str, shown: str, *, exactly: bool = True) -> bool:
    """Whether a page shows what was printed; a line `...` stands for any lines.

    >>> is_shown("a\\nb\\nc\\n", "a\\n...\\nc\\n"), is_shown("a\\n", "b\\n")
    (True, False)
    >>> is_shown("x  1.25", "x 2"), is_shown("x  1.25", "x 2", exactly=False)
    (False, True)
    """
    printed, shown = masked(printed), masked(shown)
    if not exactly:
        printed, shown = without_numbers(printed).rstrip(), without_numbers(shown).rstrip()
    parts = [re.escape(part) for part in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*?)".join(parts), printed, re.DOTALL) is not None
