"""lfppl with its defaults: the model as written, the default engine, chains one after another."""

from __future__ import annotations

import re
from functools import partial
from importlib.metadata import version as version_of
from typing import Any

from peers.case import Case, Version
from peers.clock import cpu_seconds, with_share
from peers.systems import Timed


def load(precision: int) -> None:
    import lfppl

    lfppl.compile  # noqa: B018


def versions() -> dict[str, str]:
    return {name: version_of(name) for name in ("lfppl", "numba", "llvmlite", "numpy")}


def prepare(case: Case, version: Version, system: str) -> Any:
    import lfppl

    begin = cpu_seconds()
    # A datum that a program does not read is an error in lfppl; other systems were given it.
    words = set(re.findall(r"[\w-]+", version.build))
    model = lfppl.compile(version.build, {k: v for k, v in case.data.items() if k in words})
    model.density()
    names = [name for name in case.keep if name in model.sampled]
    return model, names, cpu_seconds() - begin


def sample(prepared: Any, draws: int, warmup: int, chains: int, seed: int) -> Timed:
    model, names, compile_s = prepared
    # One worker, like all others; no pointwise log likelihood, since no other computes it.
    quiet = {"keep": names, "progress": False, "log_likelihood": False}
    run = partial(model.sample, draws, warmup, chains, seed=seed, workers=1, **quiet)
    fit, share = with_share(run)
    found = {name: fit.draws[name] for name in names}
    warmup_s = share * sum(chain.warmup_s for chain in fit.chains)
    return Timed(found, compile_s, warmup_s, share * sum(chain.sample_s for chain in fit.chains))
