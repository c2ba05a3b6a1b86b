"""What a run gives: the draws, how they were made, and what is to be said against them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lfppl.errors import running
from lfppl.results import criticism, presentation, summary, tree
from lfppl.results.names import Label, Observation, Quantity
from lfppl.results.record import ChainRecord

if TYPE_CHECKING:
    from pandas import DataFrame
    from xarray import DataTree

    from lfppl.results.report import Portrait

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class About:
    """Where a fit comes from, in numbers and texts."""

    engine: str
    seed: int
    draws: int
    warmup: int
    thin: int
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    source_name: str
    source: str
    discontinuous: tuple[str, ...]
    compile_s: float
    dims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    coords: Mapping[str, list[Label]] = field(default_factory=dict)


class Predictor(Protocol):
    """What makes predictions from a model."""

    def groups(self, draws: Mapping[str, NDArray[Any]]) -> dict[str, Arrays]:
        """`prior`, `prior_predictive` and `posterior_predictive`: arrays of (chain, draw, ...)."""


@dataclass(frozen=True, eq=False)
class Fit:
    """The posterior of a model.

    `chains` hold everything that was drawn; `draws` and all that is made from it have equally many
    draws of every chain, which matters after an interruption only.
    """

    quantities: tuple[Quantity, ...]
    observations: tuple[Observation, ...]
    chains: tuple[ChainRecord, ...]
    branches: criticism.Branches
    about: About
    notes: tuple[str, ...] = ()
    predictor: Predictor | None = field(default=None, repr=False)
    portrait: Portrait | None = field(default=None, repr=False)

    @cached_property
    def used(self) -> tuple[tuple[ChainRecord, ...], int]:
        """The chains that are compared, and how many draws of each: as many draws as possible."""
        counts = sorted({chain.drawn for chain in self.chains if chain.drawn}, reverse=True)
        if not counts:
            raise running.no_draws()
        most = max(counts, key=lambda n: n * sum(chain.drawn >= n for chain in self.chains))
        return tuple(chain for chain in self.chains if chain.drawn >= most), most

    @cached_property
    def draws(self) -> Arrays:
        """The draws by name, as arrays of (chain, draw, *shape); integers where discrete.

        The value of the program is called `return`.
        """
        chains, count = self.used
        found = {}
        for quantity in self.quantities:  # one after another, so that not all is copied at once
            found[quantity.name] = np.stack([quantity.array(c.draws[:count]) for c in chains])
        return found

    @cached_property
    def log_likelihood(self) -> Arrays:
        """The pointwise log density of what was observed, by the name of the data."""
        chains, count = self.used
        stacked = np.stack([chain.pointwise[:count] for chain in chains])
        if not stacked.shape[2]:
            return {}
        return {observation.name: observation.array(stacked) for observation in self.observations}

    def statistic(self, name: str) -> NDArray[np.float64]:
        """One of `engines.chains.STATISTICS` for every draw: an array of (chain, draw)."""
        chains, count = self.used
        return np.stack([chain.statistic(name)[:count] for chain in chains])

    @cached_property
    def tree(self) -> DataTree:
        """Everything as a DataTree with the groups and names that ArviZ knows."""
        return tree.build(self)

    @cached_property
    def statistics(self) -> dict[str, dict[str, float]]:
        """Mean, sd, quantiles and diagnostics of every scalar, by its name: `mu[0]`, `return`."""
        return summary.statistics(self.draws)

    def summary(self) -> DataFrame:
        """The statistics as a table with a row for every scalar."""
        from pandas import DataFrame

        return DataFrame.from_dict(self.statistics, orient="index")

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What speaks against these draws, in words; empty where nothing was found."""
        return (*self.notes, *criticism.find(self))

    @property
    def timing(self) -> dict[str, float]:
        """Seconds: to compile, and of the slowest chain in the warm-up and after it."""
        return {
            "compile_s": self.about.compile_s,
            "warmup_s": max(chain.warmup_s for chain in self.chains),
            "sample_s": max(chain.sample_s for chain in self.chains),
        }

    @property
    def is_interrupted(self) -> bool:
        """Whether the run was stopped before its end."""
        return any(chain.iterations < len(chain.all_statistics) for chain in self.chains)

    @property
    def divergences(self) -> int:
        """How many trajectories after the warm-up diverged."""
        return self._total("divergence")

    @property
    def crossings(self) -> int:
        """How often a branching variable differed from the draw before, after the warm-up."""
        return int(sum(c.statistic("crossings", recorded=False).sum() for c in self.chains))

    def _total(self, name: str) -> int:
        return int(sum((c.statistic(name, recorded=False) > 0).sum() for c in self.chains))

    def plot_trace(self, variables: Iterable[str] | None = None, **options: Any) -> Any:
        """Draws in their order, a panel for each scalar: arviz-plots' `plot_trace`.

        `variables` are names of variables or of elements (`mu[0]`); without it some are chosen, of
        an array those with the smallest effective sample size. `options` go to arviz-plots, whose
        `PlotCollection` is returned.
        """
        from lfppl.results import plots

        return plots.trace(self, variables, **options)

    def plot_crossings(self) -> Any:
        """How often each branching variable flipped per draw: a matplotlib figure."""
        from lfppl.results import plots

        return plots.crossings(self)

    def report(self, path: str | PathLike[str], variables: Iterable[str] | None = None) -> None:
        """Write one HTML page with everything there is to see (docs/report.md); needs no network.

        `variables` are the variables or elements (`mu[0]`) to draw; without it some are chosen.
        """
        from lfppl.results import report

        report.write(self, Path(path), variables)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the tree as netCDF, as a whole or not at all; `arviz_base.from_netcdf` reads it."""
        tree.save(self.tree, Path(path))

    def as_json(self) -> dict[str, Any]:
        """The numbers of the summary as one object without NaN, which JSON does not have."""
        return {
            "variables": {n: _finite(values) for n, values in self.statistics.items()},
            "timing": self.timing,
            "engine": self.about.engine,
            "divergences": self.divergences,
            "crossings": self.crossings,
            "discontinuous": list(self.about.discontinuous),
            "seed": self.about.seed,
            "chains": len(self.chains),
            "draws": [chain.drawn for chain in self.chains],
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        """The table, timing and warnings, as `lfppl sample` shows them."""
        return presentation.report(self)

    def _repr_html_(self) -> str:
        from lfppl.results import listing

        return listing.of_fit(self)

    def __repr__(self) -> str:
        names = ", ".join(quantity.name for quantity in self.quantities)
        drawn = sum(chain.drawn for chain in self.chains)
        return f"<lfppl.Fit of {names or 'nothing'}: {drawn:,} draws in {len(self.chains)} chains>"


def _finite(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if np.isfinite(value) else None for name, value in values.items()}
