"""Run the blocks of pages: `python tests/docs/running.py PAGE...` writes what they print into them.

Outputs are those of this machine: numbers that come from draws are others on another processor, and
are not compared. A page is run in a folder of its own, beside a copy of the
examples; its Python blocks share one namespace.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import runpy
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.pages import (
    ROOT,
    Block,
    Command,
    blocks_of,
    commands_of,
    console,
    is_shown,
    with_texts,
)

SHOWN_ONLY = ("make", "pip", "python", "cd", "git", "cat")
"""Commands of console blocks that are not run."""

DRAWING = re.compile(r"\.sample\(|\.resume\(|default_rng")
"""What makes the numbers of a page draws: they are others on another processor."""
DRAWING_COMMANDS = ("sample", "resume", "summary", "predict")


@dataclass
class Run:
    """A page under way: the names its Python blocks have bound, and where outputs differ.

    From the first block that draws on, the numbers of Python blocks are those of draws.
    """

    folder: Path
    names: dict[str, Any] = field(default_factory=dict)
    count: int = 1
    is_drawn: bool = False
    strictly: bool = False
    changes: list[tuple[Block, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def compare(self, block: Block, printed: str, shown: str, text: str) -> None:
        """Note it if a block does not show what was printed."""
        if not is_shown(printed, shown, exactly=self.strictly or not self.is_drawn):
            self.changes.append((block, text))
            self.problems.append(f"--- shown\n{shown}--- printed\n{printed}")


def run_page(page: str, *, strictly: bool = False) -> Run:
    """Run every block of a page's text; `strictly` compares the numbers of draws too."""
    with _beside_examples() as folder:
        run = Run(folder, strictly=strictly)
        blocks = blocks_of(page)
        for block, following in zip_longest(blocks, blocks[1:]):
            _write_file(folder, block)
            if block.language == "python":
                _compare_output(run, block, following, _printed_by_python(run, block))
            elif block.language in _ACTIONS:
                _ACTIONS[block.language](run, block)
        return run


def rewritten(page: str) -> str:
    """The page with what its blocks print."""
    return with_texts(page, run_page(page, strictly=True).changes)


@contextmanager
def _beside_examples() -> Iterator[Path]:
    """A new folder with a copy of the examples, as the working directory."""
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(ROOT / "examples", Path(name) / "examples")
        before = Path.cwd()
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def _write_file(folder: Path, block: Block) -> None:
    if "file" in block.notes:
        (folder / block.notes["file"]).write_text(block.text, "utf-8")


# --- python --------------------------------------------------------------------------------------


def _printed_by_python(run: Run, block: Block) -> str:
    """What a block prints; it stands in a file, since models are read from their source."""
    file = run.folder / block.notes.get("file", f"block-{run.count}.py")
    run.count += 1
    file.write_text(block.text, "utf-8")
    run.is_drawn = run.is_drawn or bool(DRAWING.search(block.text))
    with redirect_stdout(io.StringIO()) as output, _plain_terminal():
        found = runpy.run_path(str(file), dict(run.names))
    run.names = {name: value for name, value in found.items() if not name.startswith("__")}
    return output.getvalue()


def _compare_output(run: Run, block: Block, following: Block | None, printed: str) -> None:
    if not printed:
        return
    if following is None or following.language != "text":
        run.problems.append(f"{block.text}prints, and no `text` block follows:\n{printed}")
        return
    run.compare(following, printed, following.text, printed)


# --- the other languages -------------------------------------------------------------------------


def _run_console(run: Run, block: Block) -> None:
    """Run the commands that are ours; the others are shown only."""
    shown = commands_of(block.text)
    printed = [_printed_by_command(command) for command in shown]
    wrong = [_differs(run, old, text) for old, text in zip(shown, printed, strict=True)]
    for old, text, differs in zip(shown, printed, wrong, strict=True):
        if differs:
            run.problems.append(f"$ {old.line}\n--- shown\n{old.output}--- printed\n{text}")
    if any(wrong):
        pairs = zip(shown, printed, wrong, strict=True)
        new = [replace(old, output=text) if differs else old for old, text, differs in pairs]
        run.changes.append((block, console(new)))


def _differs(run: Run, command: Command, printed: str) -> bool:
    words = command.line.split()
    is_drawn = words[0] == "lfppl" and words[1] in DRAWING_COMMANDS
    return not is_shown(printed, command.output, exactly=run.strictly or not is_drawn)


def _printed_by_command(command: Command) -> str:
    """What a command writes; progress is left out, which a terminal shows for a while only."""
    from lfppl.cli import main

    program, *arguments = shlex.split(command.line.replace("\\\n", " "))
    if program in SHOWN_ONLY:
        return command.output
    assert program == "lfppl", f"unknown command {program}"
    output, status = io.StringIO(), 0
    with redirect_stdout(output), redirect_stderr(io.StringIO()) as errors, _plain_terminal():
        try:
            status = main(arguments)
        except SystemExit as end:  # `--help` and mistakes in the command line end so
            status = int(end.code or 0)
    return output.getvalue() + (errors.getvalue() if status else "")


@contextmanager
def _plain_terminal() -> Iterator[None]:
    """A terminal without colours that has room for every column of a summary."""
    with mock.patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1"}):
        yield


def _compile_program(run: Run, block: Block) -> None:
    import lfppl
    from lfppl.source import Source
    from lfppl.syntax import read_program

    if block.data is None:
        assert read_program(Source("block", block.text)).expressions
    else:
        assert lfppl.compile(block.text, block.data).lir.dimension >= 0


def _read_json(run: Run, block: Block) -> None:
    json.loads(block.text)


def _parse_python(run: Run, block: Block) -> None:
    ast.parse(block.text)


_ACTIONS = {
    "console": _run_console,
    "lfppl": _compile_program,
    "json": _read_json,
    "py": _parse_python,
}


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        path = Path(argument).resolve()
        text = path.read_text("utf-8")
        path.write_text(rewritten(text), "utf-8")
