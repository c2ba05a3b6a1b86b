"""The systems: one adapter each, all with `load`, `versions`, `prepare` and `sample`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

MODULES = {
    "lfppl": "peers.systems.with_lfppl",
    "pymc": "peers.systems.with_pymc",
    "numpyro gibbs": "peers.systems.with_numpyro",
    "numpyro mixed": "peers.systems.with_numpyro",
    "numpyro nuts": "peers.systems.with_numpyro",
    "nutpie": "peers.systems.with_nutpie",
    "stan": "peers.systems.with_stan",
    "jags": "peers.systems.with_jags",
}


@dataclass(frozen=True)
class Timed:
    """Draws as arrays of (chain, draw, *shape), and the seconds of all chains together."""

    draws: Mapping[str, NDArray[Any]]
    compile_s: float
    warmup_s: float
    sample_s: float
