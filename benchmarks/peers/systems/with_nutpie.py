"""nutpie on a PyMC model: its own NUTS, Numba as the compiler."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any

from peers.case import Case, Version
from peers.clock import cpu_seconds
from peers.systems import Timed


def load(precision: int) -> None:
    import nutpie  # noqa: F401
    import pymc  # noqa: F401


def versions() -> dict[str, str]:
    return {name: version_of(name) for name in ("nutpie", "pymc", "pytensor", "numba")}


def prepare(case: Case, version: Version, system: str) -> Any:
    import nutpie

    begin = cpu_seconds()
    model = version.build(**case.data)
    names = [variable.name for variable in model.free_RVs if variable.name in case.keep]
    return nutpie.compile_pymc_model(model), names, cpu_seconds() - begin


def sample(prepared: Any, draws: int, warmup: int, chains: int, seed: int) -> Timed:
    import nutpie

    compiled, names, compile_s = prepared
    begin = cpu_seconds()
    trace = nutpie.sample(
        compiled,
        draws=draws,
        tune=warmup,
        chains=chains,
        cores=1,
        seed=seed,
        save_warmup=True,
        progress_bar=False,
    )
    wall = cpu_seconds() - begin
    # nutpie has one clock for both; their shares are those of the gradients.
    steps = float(trace.sample_stats["n_steps"].sum())
    before = float(trace.warmup_sample_stats["n_steps"].sum())
    found = {name: trace.posterior[name].to_numpy() for name in names}
    share = steps / (steps + before)
    return Timed(found, compile_s, wall * (1 - share), wall * share)
