"""What a fit says of itself: versions, settings, the source, and the places of branches."""

from __future__ import annotations

import platform
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lfppl import __version__
from lfppl.lir.tables import Model as Tables
from lfppl.results.criticism import Branches
from lfppl.results.fit import About
from lfppl.runs.subject import Subject

if TYPE_CHECKING:
    from lfppl.runs.sampling import Wanted

PACKAGES = ("numpy", "scipy", "numba", "llvmlite")
"""What draws can depend on, in their last bits."""


def about(model: Subject, wanted: Wanted) -> About:
    """Where a fit comes from."""
    names = dict.fromkeys(v.name for v in model.tables("found").variables if v.discontinuous)
    return About(
        engine=wanted.engine,
        seed=wanted.seed,
        draws=wanted.draws,
        warmup=wanted.warmup,
        thin=wanted.thin,
        settings=dict(wanted.settings),
        versions=versions(),
        source_name=model.text.name,
        source=model.text.text,
        discontinuous=tuple(names),
        compile_s=model.compile_s,
        dims=model.dims,
        coords=model.coords,
    )


def versions() -> dict[str, str]:
    """The versions of lfppl and of what its draws depend on."""
    found = {
        "lfppl": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    return found | {package: installed_version(package) for package in PACKAGES}


@cache
def installed_version(package: str) -> str:
    """The version of a package, by the name of the folder that describes it where there is one.

    To ask for it is quicker than `importlib.metadata`, which reads mail headers.

    >>> installed_version("numpy") == np.__version__, installed_version("no_such_package")
    (True, 'unknown')
    """
    spec = find_spec(package)
    folder = Path(spec.origin).parents[1] if spec and spec.origin else Path()
    described = [path.stem for path in folder.glob(f"{package}-*.dist-info")]
    if len(described) == 1:
        return described[0].partition("-")[2]
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def branches(tables: Tables) -> Branches:
    """The branching variables in the order that densities report them in."""
    width = max((p.indices.shape[1] for p in tables.predicates), default=0)
    sites = [np.empty(0, np.int64), *(p.sites.astype(np.int64) for p in tables.predicates)]
    wide = [np.empty((0, width), np.int64)]
    for predicate in tables.predicates:
        rows = np.full((len(predicate.sites), width), -1, np.int64)
        rows[:, : predicate.indices.shape[1]] = predicate.indices
        wide.append(rows)
    places = {site: str(span) for site, span in tables.branch_spans.items()}
    return Branches(np.concatenate(sites), np.concatenate(wide), places)
