"""The programs of `tests/programs` and `examples`, with their data and what is expected."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import lfppl

ROOT = Path(__file__).parent.parent
PROGRAMS = ROOT / "tests" / "programs"


@dataclass(frozen=True)
class Case:
    """A program file; its data and expectation lie beside it."""

    path: Path

    @property
    def id(self) -> str:
        """What the test report calls it."""
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def data(self) -> dict[str, Any]:
        """The data of the program; none if there is no file."""
        beside = (self.path.with_suffix(s) for s in (".data.json", ".json"))
        return next((json.loads(p.read_text()) for p in beside if p.exists()), {})

    @property
    def expected(self) -> dict[str, Any]:
        """The facts a good program must have."""
        return dict(json.loads(self.path.with_suffix(".expected.json").read_text()))


def written() -> list[Case]:
    """The good programs and those of the paper."""
    return [Case(path) for kind in ("paper", "good") for path in _programs(PROGRAMS / kind)]


def examples() -> list[Case]:
    """The programs for readers."""
    return [Case(path) for path in _programs(ROOT / "examples")]


def _programs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.lfppl"))


@cache
def compiled(case: Case) -> lfppl.Model:
    """The compiled program, kept: several tests look at the same one."""
    return lfppl.compile(case.path, case.data)
