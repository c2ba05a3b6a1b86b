"""Before the first segment: the engine's native code, compiled once on every machine."""

from __future__ import annotations

from collections.abc import Callable

from lfppl.engines import engine
from lfppl.engines.chains import State
from lfppl.runs.segments import Job

ANNOUNCEMENT = "compiling the engine `{}` for this machine; this is done once and takes a while"


def prepare(job: Job, state: State, announce: Callable[[str], object]) -> None:
    """Load the engine's native code, compiling it where it is not cached yet, and say so before.

    An iteration is made and thrown away: the state is not changed by it.
    """
    if not is_compiled(job.engine):
        announce(ANNOUNCEMENT.format(job.engine))
    chosen = engine(job.engine)
    density = job.model.density(chosen.gamma)
    chosen.advance(density, density.workspace(), state, job.settings, 1)


def is_compiled(name: str) -> bool:
    """Whether the native loop of an engine need not be compiled any more."""
    return engine(name).is_compiled
