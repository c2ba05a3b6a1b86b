"""Processor time of this process and all below it, which means the same on a busy machine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")

TICK = 1 / os.sysconf("SC_CLK_TCK")
PARENT, USER, SYSTEM = 1, 11, 12
"""Fields of /proc/PID/stat behind the name, which may hold spaces."""


def cpu_seconds() -> float:
    """Of this process, of children that have ended, and of descendants that are still there."""
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system + living()


def with_share(action: Callable[[], Result]) -> tuple[Result, float]:
    """What an action gives, and which share of the wall clock the processor spent on it.

    It turns the seconds of systems that read the wall clock into those of the processor.
    """
    wall, spent = time.perf_counter(), cpu_seconds()
    result = action()
    return result, min(1.0, (cpu_seconds() - spent) / (time.perf_counter() - wall))


def living() -> float:
    """The processor time of all processes below this one."""
    found: dict[int, tuple[int, float]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # It has ended since the folder was read.
            continue
        spent = (int(fields[USER]) + int(fields[SYSTEM])) * TICK
        found[int(path.parent.name)] = (int(fields[PARENT]), spent)
    return sum(spent for pid, (_, spent) in found.items() if is_below(pid, found))


def is_below(pid: int, found: dict[int, tuple[int, float]]) -> bool:
    """Whether a process descends from this one."""
    while pid in found:
        pid = found[pid][0]
        if pid == os.getpid():
            return True
    return False
