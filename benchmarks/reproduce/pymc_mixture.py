"""The mixture in PyMC: NUTS for the means, Metropolis within Gibbs for the labels, as it chooses.

Run in the environment of the peers, where lfppl is not:
`python -m reproduce.pymc_mixture DRAWS WARMUP RUN` prints a record as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from typing import Any

import numpy as np

from reproduce.curves import checkpoints
from reproduce.exact import PAPER_DATA


def model(pm: Any) -> Any:
    """The paper's model."""
    with pm.Model() as found:
        mu = pm.Normal("mu", 0, 2, shape=2)
        z = pm.Categorical("z", p=[0.5, 0.5], shape=len(PAPER_DATA))
        pm.Normal("y", mu[z], 1, observed=np.array(PAPER_DATA))
    return found


class Clock:
    """Called after every draw: reads the clock."""

    def __init__(self) -> None:
        self.warm: list[float] = []
        self.drawn: list[float] = []

    def __call__(self, trace: Any, draw: Any) -> None:
        (self.warm if draw.tuning else self.drawn).append(time.process_time())


def main(draws: int, warmup: int, run: int) -> dict[str, Any]:
    """One chain, and what is recorded of it."""
    pm, clock = import_module("pymc"), Clock()
    with model(pm):
        begin = time.process_time()
        trace = pm.sample(
            draws=draws,
            tune=warmup,
            chains=1,
            cores=1,
            random_seed=61_000 + run,
            progressbar=False,
            compute_convergence_checks=False,
            callback=clock,
        )
    means = np.asarray(trace.posterior["mu"])[0]
    values = np.column_stack([means, means.min(1), means.max(1)])
    counts = checkpoints(draws)
    running = (values.cumsum(0) / np.arange(1, draws + 1)[:, None])[counts - 1]
    seconds = np.array(clock.drawn)[counts - 1] - clock.warm[-1]
    return {
        "counts": counts.tolist(),
        "means": running.tolist(),
        "seconds": seconds.tolist(),
        "warmup_seconds": clock.warm[-1] - clock.warm[0],
        "compile_seconds": clock.warm[0] - begin,
        "version": pm.__version__,
    }


if __name__ == "__main__":
    print(json.dumps(main(*map(int, sys.argv[1:]))))
