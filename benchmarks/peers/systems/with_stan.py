"""Stan through PyStan. Its clock is Stan's own, which includes sending every draw to PyStan."""

from __future__ import annotations

import contextlib
import io
import re
from functools import partial
from importlib.metadata import version as version_of
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peers.case import Case, Version
from peers.clock import cpu_seconds, with_share
from peers.systems import Timed

ELAPSED = re.compile(rb"([\d.eE+-]+) seconds \((Warm-up|Sampling)\)")


def load(precision: int) -> None:
    import stan  # noqa: F401


def versions() -> dict[str, str]:
    return {name: version_of(name) for name in ("pystan", "httpstan")}


def prepare(case: Case, version: Version, system: str) -> Any:
    names = set(re.findall(r"\w+", version.build.split("}")[0]))
    data = {name: plain(value) for name, value in case.data.items() if name in names}
    return {"case": case, "text": version.build, "data": data}


def plain(value: Any) -> Any:
    return np.asarray(value).tolist()


def sample(prepared: dict[str, Any], draws: int, warmup: int, chains: int, seed: int) -> Timed:
    import stan

    found: list[dict[str, NDArray[Any]]] = []
    seconds = {b"Warm-up": 0.0, b"Sampling": 0.0}
    # One chain after another, like all others: PyStan would start four processes on the one core.
    for chain in range(chains):
        begin = cpu_seconds()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            model = stan.build(prepared["text"], prepared["data"], random_seed=100 * seed + chain)
            compile_s = prepared.setdefault("compile_s", cpu_seconds() - begin)
            run = partial(model.sample, num_chains=1, num_samples=draws, num_warmup=warmup)
            fit, share = with_share(run)
        for value, phase in ELAPSED.findall(fit.stan_outputs[0]):
            seconds[phase] += share * float(value)
        names = [name for name in fit.param_names if name in prepared["case"].keep]
        found.append({name: by_draw(fit[name]) for name in names})
    draws_of = {name: np.stack([one[name] for one in found]) for name in found[0]}
    return Timed(draws_of, compile_s, seconds[b"Warm-up"], seconds[b"Sampling"])


def by_draw(values: NDArray[Any]) -> NDArray[Any]:
    """PyStan's (*shape, draw) as (draw, *shape)."""
    moved = np.moveaxis(values, -1, 0)
    return moved[:, 0] if moved.shape[1:] == (1,) else moved
