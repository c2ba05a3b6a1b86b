"""Runs already made, a line of JSON each: whatever was stopped is continued where it was."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, order=True)
class Task:
    """One run: of an experiment, in one of its cases (`identity/50`), with a method."""

    experiment: str
    case: str
    method: str
    run: int = 0


Record = dict[str, Any]


def load(path: Path) -> dict[Task, Record]:
    """What each task gave; a line cut short by an interruption is left out."""
    if not path.exists():
        return {}
    found = {}
    for line in path.read_text("utf-8").splitlines():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        found[Task(**record.pop("task"))] = record
    return found


def append(path: Path, task: Task, record: Record) -> None:
    """Add what a task gave."""
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps({"task": asdict(task), **record}) + "\n"
    with path.open("a", encoding="utf-8") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())
