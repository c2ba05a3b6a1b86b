"""Make the runs: a fresh process each, pinned to one core, systems in turn, results appended.

    python -m peers.run --repetitions 5 --results build/peers/results.jsonl

What is in the file already is not run again, so that an interrupted benchmark goes on where it was.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from peers.models import all_cases
from peers.record import Run, Task, append, read, remaining

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "peers"
SYSTEMS = (
    ("lfppl", 64),
    ("jags", 64),
    ("nutpie", 64),
    ("numpyro gibbs", 64),
    ("numpyro mixed", 64),
    ("numpyro nuts", 64),
    ("pymc", 64),
    ("stan", 64),
    ("numpyro gibbs", 32),
    ("numpyro mixed", 32),
    ("numpyro nuts", 32),
)
"""Systems and their precision in bits, in the order of a round."""


def tasks(models: list[str], systems: list[str], repetitions: int, single: int) -> list[Task]:
    """Every round goes through all models and systems; float32 has fewer rounds."""
    cases = all_cases()
    return [
        Task(model, system, precision, round_)
        for round_ in range(1, repetitions + 1)
        for model, (system, precision) in itertools.product(models, SYSTEMS)
        if system in systems and system in cases[model].versions
        if precision == 64 or round_ <= single
    ]


def environment(task: Task, folder: Path) -> dict[str, str]:
    """One thread; caches of models empty, those that belong to an installation kept."""
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    stan = BUILD / "stan" / task.model.replace(" ", "-")
    if task.system == "stan" and task.repetition == 1:  # Later rounds need not compile again.
        shutil.rmtree(stan, ignore_errors=True)
    return {
        **os.environ,
        **dict.fromkeys(threads, "1"),
        "PYTHONDONTWRITEBYTECODE": "",  # installed packages have bytecode: so shall lfppl
        "PYTHONPATH": str(ROOT / "benchmarks"),
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
        "PYTENSOR_FLAGS": f"base_compiledir={folder / 'pytensor'}",
        "XDG_CACHE_HOME": str(stan),
    }


def make(task: Task, options: argparse.Namespace) -> Run:
    """Run the task in a process of its own."""
    limit = ["timeout", str(options.limit)]
    command = [sys.executable, "-m", "peers.worker", json.dumps(asdict(task))]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*limit, *command, "--budget", str(options.budget)],
            env=environment(task, Path(folder)),
            capture_output=True,
            text=True,
        )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    run = Run(**json.loads(lines[-1])) if lines else Run(**asdict(task), status="failed")
    if done.returncode == 124:
        run.status, run.reason = "stopped", f"not done after {options.limit} s"
    elif not lines:
        run.reason = done.stderr.strip()[-300:]
    run.fresh = task.system != "stan" or task.repetition == 1
    run.date, run.machine = time.strftime("%Y-%m-%d %H:%M", time.gmtime()), machine()
    return run


def machine() -> str:
    """The processor and how many cores there are."""
    names = [line for line in cpu_lines() if line.startswith("model name")]
    name = names[0].split(":")[1].strip() if names else platform.processor()
    return f"{name}, {os.cpu_count()} cores, {platform.machine()}"


def cpu_lines() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


def pin() -> None:
    """Keep this process and its children on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="*", default=list(all_cases()))
    parser.add_argument("--systems", nargs="*", default=[name for name, _ in SYSTEMS])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--single", type=int, default=1, help="repetitions in float32")
    parser.add_argument("--results", type=Path, default=BUILD / "results.jsonl")
    parser.add_argument("--budget", type=float, default=2.5, help="seconds of sampling in a run")
    parser.add_argument("--limit", type=int, default=120, help="seconds after which a run ends")
    parser.add_argument("--seconds", type=float, default=math.inf, help="start no run after this")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    pin()
    begin = time.monotonic()
    wanted = tasks(options.models, options.systems, options.repetitions, options.single)
    left = remaining(wanted, read(options.results))
    if any(task.system == "lfppl" for task in left):
        warm = make(Task("mixture 10", "lfppl", 64, 0), options)
        print(
            f"lfppl's engines are compiled: {warm.status}, {warm.answer_s or 0:.1f} s", flush=True
        )
    for number, task in enumerate(left, 1):
        if time.monotonic() - begin > options.seconds:
            print(f"{len(left) - number + 1} runs are still to be made")
            break
        run = make(task, options)
        append(options.results, run)
        rate = f"{run.ess / run.sample_s:,.0f} ESS/s" if run.ess and run.sample_s else run.reason
        name = f"{task.model} | {task.system} {task.precision} | round {task.repetition}"
        print(f"[{number}/{len(left)}] {name} | {run.status} {rate}", flush=True)


if __name__ == "__main__":
    main()
