"""One run of one system on one model in a fresh process: a line of JSON on standard output."""

from __future__ import annotations

import time

STARTED = time.perf_counter()

import argparse  # noqa: E402
import importlib  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
import traceback  # noqa: E402
from dataclasses import asdict  # noqa: E402
from typing import Any  # noqa: E402

from peers.case import Case, Version  # noqa: E402
from peers.clock import cpu_seconds  # noqa: E402
from peers.models import all_cases  # noqa: E402
from peers.record import Run, Task  # noqa: E402
from peers.systems import MODULES, Timed  # noqa: E402

CHAINS = 4
SHORTEST, LONGEST = 0.5, 50_000
"""A run is made longer until sampling takes a good part of its budget; chains have a limit."""
MOST_VALUES = 2_000_000


def longer(first: Timed, version: Version, width: int, budget: float) -> int:
    """How many draws of a chain fit into the budget of sampling."""
    each = max(first.sample_s, 1e-6) / version.draws
    return int(min(budget / each, LONGEST, MOST_VALUES // width))


def measured(case: Case, version: Version, task: Task, found: Run, budget: float) -> Run:
    """Fill in the run: the first answer from the default run, the rates from a longer one."""
    system = importlib.import_module(MODULES[task.system])
    system.load(task.precision)
    found.import_s = cpu_seconds()
    prepared = system.prepare(case, version, task.system)
    found.versions = system.versions()
    seed = 1_000 * task.repetition + 7
    runs = [system.sample(prepared, version.draws, version.warmup, CHAINS, seed)]
    arrived = [cpu_seconds()]
    found.compile_s = runs[0].compile_s
    more = longer(runs[0], version, len(case.names), budget)
    if runs[0].sample_s < SHORTEST * budget and more > version.draws:
        pause = cpu_seconds()
        runs.append(system.sample(prepared, more, version.warmup, CHAINS, seed + 1))
        arrived.append(arrived[0] + cpu_seconds() - pause)
    found.warmup = version.warmup
    return scored(case, found, runs, arrived)


def scored(case: Case, found: Run, runs: list[Timed], arrived: list[float]) -> Run:
    """What the draws are worth; imported only here, since the clock of the systems has stopped."""
    from peers.scores import first_answer, score
    from peers.truths import truth_of

    values = [case.quantities(run.draws) for run in runs]
    for run, when, value in zip(runs, arrived, values, strict=True):
        share = first_answer(value)
        if share is not None and found.answer_s is None:
            found.answer_s = when - (1 - share) * run.sample_s
    last = runs[-1]
    found.warmup_s, found.sample_s = last.warmup_s, last.sample_s
    started_s = (found.import_s or 0.0) + runs[0].compile_s
    found.total_s = started_s + last.warmup_s + last.sample_s
    found.draws = int(values[-1].shape[1])
    return score(found, case, values[-1], truth_of(case))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", help="JSON of a Task")
    parser.add_argument("--budget", type=float, default=4.0, help="seconds of sampling")
    options = parser.parse_args()
    task = Task(**json.loads(options.task))
    case = all_cases()[task.model]
    found = Run(**asdict(task))
    try:
        found = measured(case, case.versions[task.system], task, found, options.budget)
    except Exception as error:  # A system that fails is a result.
        traceback.print_exc()
        found.status, found.reason = "failed", f"{type(error).__name__}: {error}"[:300]
    found.busy = cpu_seconds() / (time.perf_counter() - STARTED)
    print(json.dumps(asdict(found), default=plain), file=sys.stdout)


def plain(value: Any) -> Any:
    """Numbers of NumPy as Python's."""
    return value.item()


if __name__ == "__main__":
    main()
