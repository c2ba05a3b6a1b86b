"""PyMC with the steps it assigns: NUTS for continuous variables, Metropolis or Gibbs for others."""

from __future__ import annotations

import time
from importlib.metadata import version as version_of
from typing import Any

from peers.case import Case, Version
from peers.clock import cpu_seconds
from peers.systems import Timed


def load(precision: int) -> None:
    import logging

    import pymc  # noqa: F401

    logging.getLogger("pymc").setLevel(logging.ERROR)


def versions() -> dict[str, str]:
    return {name: version_of(name) for name in ("pymc", "pytensor")}


def prepare(case: Case, version: Version, system: str) -> Any:
    begin = cpu_seconds()
    model = version.build(**case.data)
    names = [variable.name for variable in model.free_RVs if variable.name in case.keep]
    return model, names, cpu_seconds() - begin


class Clock:
    """Notes when a chain draws its first, when it leaves the warm-up, and when it ends."""

    def __init__(self) -> None:
        self.times: dict[int, list[float]] = {}

    def __call__(self, trace: Any, draw: Any) -> None:
        now = time.process_time()
        marks = self.times.setdefault(draw.chain, [now, now, now])
        marks[1 if draw.tuning else 2] = now

    def warmup_s(self) -> float:
        return sum(marks[1] - marks[0] for marks in self.times.values())

    def sample_s(self) -> float:
        return sum(marks[2] - marks[1] for marks in self.times.values())


def sample(prepared: Any, draws: int, warmup: int, chains: int, seed: int) -> Timed:
    import pymc as pm

    model, names, built_s = prepared
    clock, begin, own = Clock(), cpu_seconds(), time.process_time()
    trace = pm.sample(
        draws,
        tune=warmup,
        chains=chains,
        cores=1,
        random_seed=seed,
        model=model,
        progressbar=False,
        compute_convergence_checks=False,
        callback=clock,
    )
    # Compilers that ran beside this process count as well.
    beside = cpu_seconds() - begin - (time.process_time() - own)
    first = min(marks[0] for marks in clock.times.values()) - own + beside
    found = {name: trace.posterior[name].to_numpy() for name in names}
    return Timed(found, built_s + first, clock.warmup_s(), clock.sample_s())
