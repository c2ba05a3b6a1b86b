"""Both experiments: `python -m reproduce.run [--quick] [--only EXPERIMENT] [--workers N]
[--limit SECONDS]`.

Runs already made are kept in build/reproduce and not made again. With a limit no new run is begun
after so many seconds; the same command continues. When nothing is left, figures and tables are
written.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from reproduce import heavy_tail, mixture
from reproduce.records import Record, Task, append, load

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Scale:
    """How much is run, where the runs are kept, and where figures go."""

    runs: int
    mixture_draws: int
    mixture_warmup: int
    dimensions: tuple[int, ...]
    heavy_draws: int
    heavy_limit_s: float
    store: Path
    output: Path


BUILD = ROOT / "build/reproduce"
FULL = Scale(
    runs=20,
    mixture_draws=100_000,
    mixture_warmup=10_000,
    dimensions=heavy_tail.DIMENSIONS,
    heavy_draws=10_000,
    heavy_limit_s=20.0,
    store=BUILD / "full.jsonl",
    output=ROOT / "docs/reproduction",
)
QUICK = Scale(
    runs=5,
    mixture_draws=5_000,
    mixture_warmup=1_000,
    dimensions=(10, 50),
    heavy_draws=2_000,
    heavy_limit_s=1.0,
    store=BUILD / "quick.jsonl",
    output=BUILD / "quick",
)

PARTS = {
    "both": ("tuning", "heavy-tail", "mixture"),
    "heavy-tail": ("tuning", "heavy-tail"),
    "mixture": ("mixture",),
}

# --- what there is to do --------------------------------------------------------------------------


def tasks(scale: Scale, with_pymc: bool) -> Iterator[Task]:
    """All runs: first the tuning, then run by run, so that a stopped experiment has fewer runs."""
    cases = [f"{name}/{d}" for d in scale.dimensions for name in heavy_tail.MATRICES]
    for case in cases:
        for method in heavy_tail.METHODS:
            yield Task("tuning", case, method)
    methods = mixture.METHODS if with_pymc else mixture.OURS
    for run in range(scale.runs):
        for method in methods:
            yield Task("mixture", "paper", method, run)
        for case in cases:
            for method in heavy_tail.METHODS:
                yield Task("heavy-tail", case, method, run)


def perform(task: Task, scale: Scale, settings: Record | None) -> Record:
    """One run, in whichever process."""
    if task.experiment == "mixture":
        return mixture.perform(task, scale.mixture_draws, scale.mixture_warmup)
    if task.experiment == "tuning":
        return heavy_tail.tune(task)
    assert settings is not None
    return heavy_tail.perform(task, settings, scale.heavy_draws, scale.heavy_limit_s)


def settings_for(task: Task, done: dict[Task, Record]) -> Record | None:
    """What tuning chose for a task."""
    tuned = done.get(Task("tuning", task.case, task.method))
    return tuned["settings"] if tuned else None


# --- doing it -------------------------------------------------------------------------------------


def carry_out(scale: Scale, chosen: list[Task], workers: int, limit_s: float) -> bool:
    """Make the chosen runs that are missing, tuning first; whether none is left."""
    done = load(scale.store)
    for tuning in (True, False):
        phase = [task for task in chosen if (task.experiment == "tuning") == tuning]
        left = [task for task in phase if task not in done]
        if not _make(left, scale, workers, limit_s, done):
            return False
    return True


def _make(
    chosen: list[Task], scale: Scale, workers: int, limit_s: float, done: dict[Task, Record]
) -> bool:
    """Make these runs in processes of one thread each, and note each as it comes."""
    waiting = iter(chosen)
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        pending: dict[Future[Record], Task] = {}
        while True:
            while len(pending) < workers and time.monotonic() - STARTED < limit_s:
                task = next(waiting, None)
                if task is None:
                    break
                pending[pool.submit(perform, task, scale, settings_for(task, done))] = task
            if not pending:
                return all(task in done for task in chosen)
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                task = pending.pop(future)
                done[task] = future.result()
                append(scale.store, task, done[task])
                print(f"{time.monotonic() - STARTED:7.1f} s  {task}", file=sys.stderr, flush=True)


STARTED = time.monotonic()


def main() -> None:
    """Read the command line, make the runs, show what they gave."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less of everything, in 3 minutes")
    parser.add_argument("--only", choices=PARTS, default="both", help="one of the experiments")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--limit", type=float, default=float("inf"), metavar="SECONDS")
    given = parser.parse_args()
    scale, only = QUICK if given.quick else FULL, PARTS[given.only]
    with_pymc = mixture.has_pymc()
    if not with_pymc:
        print("skipped: pymc (there is no PyMC in .venv-peers)", file=sys.stderr)
    chosen = [task for task in tasks(scale, with_pymc) if task.experiment in only]
    if not carry_out(scale, chosen, given.workers, given.limit):
        sys.exit("stopped at the limit; the same command continues")
    from reproduce.results import write

    write(load(scale.store), scale.output)


if __name__ == "__main__":
    # One thread for each process: they share the cores.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[name] = "1"
    main()
