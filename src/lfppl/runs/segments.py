"""One segment of a chain as a task for any executor: everything it needs comes with it."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.engines import engine
from lfppl.engines.chains import Segment, Settings, State
from lfppl.errors.engine import ChainError
from lfppl.runs.subject import Subject

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Job:
    """What all segments of a run have in common."""

    model: Subject
    engine: str
    settings: Settings


class Finished(NamedTuple):
    """A segment and how long it took, or why there is none and where the chain stood."""

    segment: Segment | None
    seconds: float
    failure: str = ""
    position: Floats | None = None


def advance(job: Job, state: State, iterations: int) -> Finished:
    """Make the next iterations of a chain: in a thread, in another process, on another machine."""
    chosen = engine(job.engine)
    density = job.model.density(chosen.gamma)
    started = perf_counter()
    try:
        segment = chosen.advance(density, density.workspace(), state, job.settings, iterations)
    except ChainError as error:
        return Finished(None, perf_counter() - started, str(error), error.position)
    return Finished(segment, perf_counter() - started)
