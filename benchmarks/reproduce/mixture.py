"""The Gaussian mixture (paper, section 6.1): our engines and PyMC on the paper's ten points."""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache
from pathlib import Path

import numpy as np

import lfppl
from reproduce.chains import Follower, compile_loops
from reproduce.curves import Floats, checkpoints
from reproduce.exact import PAPER_DATA
from reproduce.records import Record, Task

ROOT = Path(__file__).parents[2]
PEERS = ROOT / ".venv-peers"
OURS = ("dhmc", "dnuts")
PYMC = "pymc"
METHODS = (*OURS, PYMC)
WARMUP = 10_000
MORE = 20
"""Our engines go on after the paper's number of draws, so that the clocks overlap."""


@cache
def model() -> lfppl.Model:
    """The paper's model and data."""
    return lfppl.compile(ROOT / "examples/mixture.lfppl", {"y": np.array(PAPER_DATA)})


def with_order(means: Floats) -> Floats:
    """The two cluster means, and beside them the smaller and the larger."""
    return np.column_stack([means, means.min(1), means.max(1)])


def perform(task: Task, draws: int, warmup: int = WARMUP) -> Record:
    """One run of one method."""
    if task.method == PYMC:
        return _pymc(task, draws, warmup)
    return _ours(task, draws * MORE, warmup)


def _ours(task: Task, draws: int, warmup: int) -> Record:
    compile_loops(model(), task.method)
    seeds = np.random.SeedSequence((61, METHODS.index(task.method), task.run))
    follower = Follower(model(), task.method, seeds, warmup=warmup, keep=np.arange(2))
    counts, means, seconds, warm = follower.follow(checkpoints(draws), with_order)
    return {
        "counts": counts.tolist(),
        "means": means.tolist(),
        "seconds": seconds.tolist(),
        "warmup_seconds": warm,
    }


def has_pymc() -> bool:
    """Whether the environment of the peers is there, and PyMC in it."""
    python = PEERS / "bin/python"
    command = [str(python), "-c", "import importlib.util as u; print(u.find_spec('pymc'))"]
    if not python.exists():
        return False
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return found.stdout.strip() != "None"


def _pymc(task: Task, draws: int, warmup: int) -> Record:
    """PyMC in its own environment and process, on one core as ours."""
    command = [str(PEERS / "bin/python"), "-m", "reproduce.pymc_mixture"]
    arguments = [str(draws), str(warmup), str(task.run)]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    done = subprocess.run(
        command + arguments,
        cwd=ROOT / "benchmarks",
        env=os.environ | threads,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    record: Record = json.loads(done.stdout.splitlines()[-1])
    return record
