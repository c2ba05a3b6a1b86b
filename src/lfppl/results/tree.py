"""A fit as a DataTree by the conventions of ArviZ, and as a netCDF file."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lfppl.errors import packages, running

if TYPE_CHECKING:
    from xarray import Dataset, DataTree

    from lfppl.results.fit import Fit

Arrays = dict[str, NDArray[Any]]

SAMPLE_STATS = {
    "acceptance": "acceptance_rate",
    "energy": "energy",
    "step_size": "step_size",
    "steps": "n_steps",
    "depth": "tree_depth",
    "log_density": "lp",
    "crossings": "crossings",
    "moved": "refraction_rate",
}
"""Statistics of the engines under the names that ArviZ gives them."""
INTEGERS = ("steps", "depth", "crossings")


def build(fit: Fit) -> DataTree:
    """The whole tree."""
    try:
        from arviz_base import from_dict
    except ImportError:
        raise packages.missing_package("arviz-base", "`Fit.tree`") from None
    groups: dict[str, Arrays] = {
        "posterior": _without_empty(fit.draws),
        "sample_stats": _stats(fit),
    }
    if fit.log_likelihood:
        groups["log_likelihood"] = fit.log_likelihood
    observed = {o.name: o.observed for o in fit.observations if np.isfinite(o.observed).any()}
    if observed:
        groups["observed_data"] = observed
    if fit.predictor is not None:
        groups |= {n: _whole(g, fit) for n, g in fit.predictor.groups(fit.draws).items() if g}
    tree: DataTree = from_dict(
        groups,
        dims={name: list(dims) for name, dims in fit.about.dims.items()},
        coords=dict(fit.about.coords),
        attrs={"/": attributes(fit)},
        check_conventions=False,
    )
    for dataset in (_branching(fit), _divergent(fit)):
        if dataset is not None:
            tree[dataset.attrs.pop("group")] = _node(dataset)
    return tree


def attributes(fit: Fit) -> dict[str, str | int]:
    """Where the fit comes from, as texts and numbers that netCDF can hold."""
    about = fit.about
    return {
        "inference_library": "lfppl",
        "inference_library_version": about.versions.get("lfppl", ""),
        "engine": about.engine,
        "seed": str(about.seed),
        "tuning_steps": about.warmup,
        "thin": about.thin,
        "settings": json.dumps(about.settings),
        "versions": json.dumps(about.versions),
        "timing": json.dumps(fit.timing),
        "source_name": about.source_name,
        "source": about.source,
        "discontinuous": json.dumps(about.discontinuous),
        "warnings": json.dumps(fit.warnings),
    }


def save(tree: DataTree, path: Path) -> None:
    """Write a tree as netCDF, as a whole or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.unfinished")
    try:
        tree.to_netcdf(unfinished, engine="h5netcdf")
        unfinished.replace(path)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise running.cannot_write(path, reason) from None
    except (KeyError, RuntimeError) as error:  # what HDF5 says of a full disk
        raise running.cannot_write(path, str(error)) from None
    finally:
        with suppress(OSError):
            unfinished.unlink()


# --- groups --------------------------------------------------------------------------------------


def _without_empty(arrays: Arrays) -> Arrays:
    return {name: array for name, array in arrays.items() if array.size}


def _whole(arrays: Arrays, fit: Fit) -> Arrays:
    """The arrays, integers where the posterior's are and where data are predicted as integers."""
    discrete = {quantity.name for quantity in fit.quantities if quantity.discrete}
    return {
        name: array.astype(np.int64) if name in discrete and np.isfinite(array).all() else array
        for name, array in _without_empty(arrays).items()
    }


def _stats(fit: Fit) -> Arrays:
    stats: Arrays = {"diverging": fit.statistic("divergence") > 0}
    for name, known in SAMPLE_STATS.items():
        values = fit.statistic(name)
        stats[known] = values.astype(np.int64) if name in INTEGERS else values
    return stats


def _branching(fit: Fit) -> Dataset | None:
    """How often each branching variable flipped in each chain, after the warm-up."""
    branches = fit.branches
    if not len(branches.sites):
        return None
    from xarray import Dataset

    return Dataset(
        {"flips": (("chain", "branch"), np.stack([chain.flips for chain in fit.chains]))},
        coords={
            "site": ("branch", branches.sites),
            "place": ("branch", [branches.places.get(int(s), "") for s in branches.sites]),
            "index": (("branch", "loop"), branches.indices),
        },
        attrs={"group": "branching"},
    )


def _divergent(fit: Fit) -> Dataset | None:
    """Where trajectories diverged after the warm-up, in the sampler's coordinates."""
    parts = [
        (number, iterations, places)
        for number, chain in enumerate(fit.chains)
        for iterations, places in zip(chain.place_iterations, chain.places, strict=True)
    ]
    if not parts:
        return None
    chains = np.concatenate([np.full(len(its), number) for number, its, _ in parts])
    iterations = np.concatenate([its for _, its, _ in parts])
    places = np.concatenate([places for _, _, places in parts])
    late = iterations >= fit.about.warmup
    if not late.any():
        return None
    from xarray import Dataset

    return Dataset(
        {"coordinates": (("divergence", "coordinate"), places[late])},
        coords={
            "chain": ("divergence", chains[late]),
            "iteration": ("divergence", iterations[late]),
        },
        attrs={"group": "divergences"},
    )


def _node(dataset: Dataset) -> DataTree:
    from xarray import DataTree

    return DataTree(dataset)
