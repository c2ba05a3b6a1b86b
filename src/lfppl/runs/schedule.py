"""Chains advanced segment by segment: over any executor, interruptible, every segment stored."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from lfppl.engines.chains import Floats, Segment, State
from lfppl.results.record import ChainRecord, Stretch
from lfppl.runs.layout import Sums
from lfppl.runs.progress import Callback, Event
from lfppl.runs.segments import Finished, Job, advance

if TYPE_CHECKING:
    from lfppl.runs.checkpoint import Checkpoint

FIRST_LENGTH = 2
GROWTH = 8
"""By how much a segment may be longer than the one before."""
SHORTEST_S, LONGEST_S = 0.25, 5.0
"""How long a segment should take: a twentieth of the run so far, within these bounds."""
NUMBERS_IN_SEGMENT = 8_000_000
"""How many numbers the draws and terms of one segment may be."""
POLL_S = 0.2


@dataclass
class Chain:
    """A chain under way."""

    index: int
    state: State
    record: ChainRecord
    total: int
    length: int = FIRST_LENGTH
    failure: Finished | None = None

    @property
    def is_done(self) -> bool:
        """Whether all iterations are made."""
        return self.state.iteration >= self.total

    def next_length(self) -> int:
        """How many iterations to make next; the warm-up ends a segment."""
        iteration, warmup = self.state.iteration, self.record.warmup
        end = warmup if iteration < warmup else self.total
        return max(1, min(self.length, end - iteration))


class Interruption:
    """How often Ctrl-C was pressed: once waits for the segments under way, twice ends at once."""

    def __init__(self) -> None:
        self.count = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Count instead of raising, while inside (in the main thread; others get no signals)."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._press)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _press(self, *ignored: object) -> None:
        self.count += 1


class Store:
    """Writes segments into a checkpoint; what does not fit is kept until it does."""

    def __init__(self, checkpoint: Checkpoint | None, report: Callback) -> None:
        self.checkpoint = checkpoint
        self.report = report
        self.waiting: deque[tuple[int, Stretch, State]] = deque()
        self.problem = ""

    def add(self, chain: int, stretch: Stretch, state: State) -> None:
        """Write a segment and those that wait, in order."""
        if self.checkpoint is not None:
            self.waiting.append((chain, stretch, state))
            self.flush()

    def flush(self) -> None:
        """Write what waits, as far as it can be written."""
        while self.waiting and self.checkpoint is not None:
            try:
                self.checkpoint.write(*self.waiting[0])
            except OSError as error:
                self._note(error.strerror or str(error))
                return
            self.waiting.popleft()
        self.problem = ""

    def _note(self, problem: str) -> None:
        if problem != self.problem:
            text = f"the checkpoint cannot be written: {problem}; the run goes on in memory"
            self.report(Event("message", text=text))
        self.problem = problem


class Run:
    """All chains of a run, and what is done with every segment."""

    def __init__(
        self,
        job: Job,
        chains: Sequence[Chain],
        sums: Sums,
        checkpoint: Checkpoint | None,
        report: Callback,
    ) -> None:
        self.job, self.chains, self.sums = job, chains, sums
        self.report = report
        self.store = Store(checkpoint, report)
        self.interruption = Interruption()
        self.started = monotonic()
        self.most = self._most_iterations()

    def go(self, executor: Executor) -> None:
        """Advance all chains to their ends, or until Ctrl-C or a failure."""
        pending: dict[Future[Finished], Chain] = {}
        with self.interruption.watched():
            for chain in self.chains:
                if not chain.is_done:
                    pending[self._submit(executor, chain)] = chain
            while pending and self.interruption.count < 2:
                done, _ = wait(pending, POLL_S, FIRST_COMPLETED)
                for future in done:
                    chain = pending.pop(future)
                    if self._receive(chain, future) and not self._is_stopping:
                        pending[self._submit(executor, chain)] = chain
            for future in pending:
                future.cancel()
            self.store.flush()

    @property
    def _is_stopping(self) -> bool:
        failed = any(chain.failure is not None for chain in self.chains)
        return self.interruption.count > 0 or failed

    def _submit(self, executor: Executor, chain: Chain) -> Future[Finished]:
        return executor.submit(advance, self.job, chain.state, chain.next_length())

    def _receive(self, chain: Chain, future: Future[Finished]) -> bool:
        """Take what a segment brought; whether the chain goes on."""
        try:
            finished = future.result()
        except BaseException:
            if self.interruption.count:  # Ctrl-C reaches the processes of a pool, too
                return False
            raise
        if finished.segment is None:
            chain.failure = finished
            return False
        stretch = self._stretch(finished.segment, finished.seconds)
        chain.record.add(stretch)
        chain.state = finished.segment.state
        self._adjust(chain, len(stretch.statistics), finished.seconds)
        self.store.add(chain.index, stretch, chain.state)
        self.report(_event(chain, stretch))
        return not chain.is_done

    def _stretch(self, segment: Segment, seconds: float) -> Stretch:
        return Stretch(
            first=segment.first_iteration,
            seconds=seconds,
            draws=segment.draws,
            pointwise=pointwise(segment, self.sums),
            recorded=segment.recorded,
            statistics=segment.statistics,
            flips=segment.flips,
            places=segment.divergent_places,
            place_iterations=segment.divergent_iterations,
        )

    def _adjust(self, chain: Chain, iterations: int, seconds: float) -> None:
        aim = min(max((monotonic() - self.started) / 20.0, SHORTEST_S), LONGEST_S)
        length = int(iterations * aim / max(seconds, 1e-9))
        chain.length = max(1, min(length, GROWTH * iterations, self.most))

    def _most_iterations(self) -> int:
        settings, record = self.job.settings, self.chains[0].record
        terms = int(self.sums.shape[1]) if settings.keep_terms else 0
        numbers = 1 + record.all_draws.shape[1] + terms
        return max(1, NUMBERS_IN_SEGMENT * int(settings.thin) // int(numbers))


def pointwise(segment: Segment, sums: Sums) -> Floats:
    """The log density of every observation at the draws of a segment."""
    if not segment.terms.shape[1]:
        return np.empty((len(segment.draws), 0))
    return sums.of(segment.terms)


def _event(chain: Chain, stretch: Stretch) -> Event:
    record, iteration = chain.record, chain.state.iteration
    rate = len(stretch.statistics) / max(stretch.seconds, 1e-9)
    return Event(
        "segment",
        chain=chain.index,
        iteration=iteration,
        total=chain.total,
        is_warmup=iteration <= record.warmup and not chain.is_done,
        rate=rate,
        time_left=(chain.total - iteration) / rate,
        step_size=float(stretch.statistics[-1, 2]),
        divergences=int((record.statistic("divergence", recorded=False) > 0).sum()),
        crossings=int(record.statistic("crossings", recorded=False).sum()),
    )


@contextmanager
def executor_for(chains: int, workers: int | None, given: Executor | None) -> Iterator[Executor]:
    """The executor given, or threads: engines hold no Python lock while they run."""
    if given is not None:
        yield given
        return
    threads = ThreadPoolExecutor(min(chains, workers or available_processors()))
    try:
        yield threads
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def available_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
