"""What a run is and what is written down of it: one line of JSON each, so that runs can resume."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path


@dataclass(frozen=True)
class Task:
    """One run to make: a system on a model, with a precision and the number of its repetition."""

    model: str
    system: str
    precision: int
    repetition: int


@dataclass
class Run:
    """What a task gave; seconds, and None where nothing was measured."""

    model: str
    system: str
    precision: int
    repetition: int
    status: str = "done"
    reason: str = ""
    fresh: bool = True
    import_s: float | None = None
    compile_s: float | None = None
    warmup_s: float | None = None
    sample_s: float | None = None
    total_s: float | None = None
    answer_s: float | None = None
    draws: int | None = None
    warmup: int | None = None
    ess: float | None = None
    ess_of: str = ""
    r_hat: float | None = None
    error: float | None = None
    error_of: str = ""
    error_z: float | None = None
    busy: float | None = None
    date: str = ""
    machine: str = ""
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def task(self) -> Task:
        """What was asked for."""
        return Task(self.model, self.system, self.precision, self.repetition)


def parse(line: str) -> Run:
    """A run from its line; names that are not known any more are left out.

    >>> parse('{"model": "m", "system": "s", "precision": 64, "repetition": 1, "old": 3}').system
    's'
    """
    known = {each.name for each in fields(Run)}
    return Run(**{name: value for name, value in json.loads(line).items() if name in known})


def read(path: Path) -> list[Run]:
    """All runs of a file; none if there is no file."""
    if not path.exists():
        return []
    return [parse(line) for line in path.read_text().splitlines() if line.strip()]


def append(path: Path, run: Run) -> None:
    """Add a finished run at once, so that an interruption loses only the run under way."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps(asdict(run)) + "\n")


def remaining(tasks: Iterable[Task], runs: Iterable[Run]) -> list[Task]:
    """The tasks no run of which is written down, in their order."""
    finished = {run.task for run in runs}
    return [task for task in tasks if task not in finished]
