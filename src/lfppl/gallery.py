"""The worked examples that come with the package: a list of them, and copies."""

from __future__ import annotations

import ast
import shlex
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from lfppl.compiler import Model, compile
from lfppl.data import load_data
from lfppl.errors import examples as errors

Paint: TypeAlias = Callable[[str, str], str]
"""`(text, role) -> text`: colours by role."""

HOMES = (Path(__file__).parent / "examples", Path(__file__).parents[2] / "examples")
"""In an installed package they are inside it, in a checkout at the top."""

SUFFIXES = (".lfppl", ".py", ".json")


@dataclass(frozen=True)
class Example:
    """A model as Lisp and as Python, with its data."""

    folder: Path
    name: str

    @property
    def files(self) -> tuple[Path, ...]:
        """The model as Lisp, the model as Python, and the data."""
        return tuple(self.folder / f"{self.name}{suffix}" for suffix in SUFFIXES)

    @property
    def summary(self) -> str:
        """One line on what it is about: the heading of its Python file."""
        text = self.files[1].read_text("utf-8")
        return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]

    @cached_property
    def model(self) -> Model:
        """The compiled model with its data."""
        program, _, data = self.files
        return compile(program, load_data(data))


def examples() -> dict[str, Example]:
    """All examples by name.

    >>> examples()["figure-1"].model.sampled
    {'x': ()}
    """
    home = next((folder for folder in HOMES if folder.is_dir()), None)
    if home is None:
        raise errors.no_examples()
    names = sorted(path.stem for path in home.glob("*.lfppl"))
    return {name: Example(home, name) for name in names}


def listing(width: int, paint: Paint) -> str:
    """Every example: its name, a line about it, and the variables that its density jumps in."""
    found = examples()
    column = max(map(len, found)) + 2
    return "\n".join(line for each in found.values() for line in _entry(each, column, width, paint))


def _entry(example: Example, column: int, width: int, paint: Paint) -> Iterator[str]:
    rest = " " * column
    first = paint(example.name, "heading") + " " * (column - len(example.name))
    lines = textwrap.wrap(example.summary, width - column)
    yield from (
        f"{before}{line}" for before, line in zip([first, *[rest] * 9], lines, strict=False)
    )
    rough = example.model.discontinuous
    role = "discontinuous" if rough else "continuous"
    yield rest + paint(f"jumps in {', '.join(rough)}" if rough else "jumps nowhere", role)


def report() -> list[dict[str, Any]]:
    """The listing as objects.

    >>> report()[0]["name"]
    'broken-line'
    """
    return [
        {"name": e.name, "summary": e.summary, "discontinuous": list(e.model.discontinuous)}
        for e in examples().values()
    ]


def copy(names: Sequence[str], folder: Path) -> list[Path]:
    """Copy the files of examples into a folder: all of them, or nothing if one is there already."""
    found = examples()
    for name in names:
        if name not in found:
            raise errors.unknown_example(name, found)
    files = [file for name in dict.fromkeys(names) for file in found[name].files]
    copies = [folder / file.name for file in files]
    for target in copies:
        if target.exists():
            raise errors.already_there(target)
    _make(folder)
    for file, target in zip(files, copies, strict=True):
        with target.open("x", encoding="utf-8", newline="") as written:
            written.write(file.read_text("utf-8"))
    return copies


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise errors.not_a_folder(folder) from None


def told(copies: Sequence[Path]) -> str:
    """What was copied, and the two commands that sample the first of them."""
    program, script, data = (shlex.quote(str(path)) for path in copies[: len(SUFFIXES)])
    tries = (f"try: lfppl sample {program} --data {data}", f"or:  python {script}")
    return "\n".join([*map(str, copies), "", *tries])
