"""NumPyro: NUTS, DiscreteHMCGibbs and MixedHMC, in float32 and float64.

Kernels are driven by one compiled loop that all chains share. `MCMC` would compile again for every
call and, with asynchronous dispatch, run a chain while it compiles the next; both spoil a clock.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peers.case import Case, Version
from peers.clock import cpu_seconds
from peers.systems import Timed

CHUNK = 50


def load(precision: int) -> None:
    import jax

    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_cpu_enable_async_dispatch", False)
    jax.config.update("jax_enable_x64", precision == 64)
    import numpyro.infer  # noqa: F401


def versions() -> dict[str, str]:
    return {name: version_of(name) for name in ("numpyro", "jax", "jaxlib")}


def kernel_of(system: str, model: Any) -> Any:
    from numpyro.infer import HMC, NUTS, DiscreteHMCGibbs, MixedHMC

    if system == "numpyro gibbs":
        return DiscreteHMCGibbs(NUTS(model), modified=True)
    if system == "numpyro mixed":
        return MixedHMC(HMC(model, trajectory_length=1.2), num_discrete_updates=20)
    return NUTS(model)


def prepare(case: Case, version: Version, system: str) -> Any:
    return {"case": case, "build": version.build, "system": system}


def sample(prepared: dict[str, Any], draws: int, warmup: int, chains: int, seed: int) -> Timed:
    import jax

    case: Case = prepared["case"]
    begin = cpu_seconds()
    keys = jax.random.split(jax.random.PRNGKey(seed), chains)
    kernel = kernel_of(prepared["system"], prepared["build"])
    # Arrays of JAX: traced indices cannot look into those of NumPy.
    data = {k: arrays(value) for k, value in case.data.items()}
    states = [kernel.init(key, warmup, None, (), data) for key in keys]
    advance = prepared.get("advance")
    if advance is None or prepared["warmup"] != warmup:
        advance = compiled(kernel, data, case.keep, states[0])
        prepared |= {"advance": advance, "warmup": warmup}
    compile_s = prepared.setdefault("compile_s", cpu_seconds() - begin)
    begin = cpu_seconds()
    states = [run(advance, state, warmup)[0] for state in states]
    middle = cpu_seconds()
    chunks = [run(advance, state, draws)[1] for state in states]
    end = cpu_seconds()
    found = {name: np.stack([chain[name] for chain in chunks]) for name in chunks[0]}
    return Timed(found, compile_s, middle - begin, end - middle)


def arrays(value: Any) -> Any:
    import jax.numpy as jnp

    return jnp.asarray(value) if isinstance(value, np.ndarray) else value


def compiled(kernel: Any, data: dict[str, Any], keep: tuple[str, ...], state: Any) -> Any:
    """A function that makes CHUNK iterations and returns the values of what is kept."""
    import jax

    finish = kernel.postprocess_fn((), data)

    def step(state: Any, _: None) -> Any:
        state = kernel.sample(state, (), data)
        values = finish(state.z)
        return state, {name: values[name] for name in keep if name in values}

    return (
        jax.jit(lambda state: jax.lax.scan(step, state, None, length=CHUNK)).lower(state).compile()
    )


def run(advance: Any, state: Any, draws: int) -> tuple[Any, dict[str, NDArray[Any]]]:
    """At least so many iterations, in whole chunks."""
    chunks = []
    for _ in range(-(-draws // CHUNK)):
        state, values = advance(state)
        chunks.append({name: np.asarray(value) for name, value in values.items()})
    return state, {name: np.concatenate([chunk[name] for chunk in chunks]) for name in chunks[0]}
