"""Plots of a fit through arviz-plots and matplotlib."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.display import extra
from lfppl.display.palette import CHAINS
from lfppl.errors import drawing
from lfppl.results.choice import choose

if TYPE_CHECKING:
    from xarray import DataTree

    from lfppl.results.fit import Fit

LOOK = {
    "backend": "matplotlib",
    "col_wrap": 2,
    "color": CHAINS,
    "figure_kwargs": {"layout": "constrained"},
}
"""What plots are told, unless a caller says otherwise."""
MOST_TRACES = 8
MOST_SITES = 8
"""How many rows of panels a picture has of itself."""
MOST_BITS = 400
"""More branching variables than this are drawn as means of neighbours."""


def trace(fit: Fit, variables: Iterable[str] | None, **options: Any) -> Any:
    """Draws in their order, a panel for each scalar."""
    plots = extra.arviz_plots("`plot_trace`")
    tree = tree_of(fit, choose(fit, variables, MOST_TRACES).draws)
    return plots.plot_trace(tree, **{**LOOK, **options})


def tree_of(fit: Fit, draws: dict[str, NDArray[Any]]) -> DataTree:
    """A DataTree of some scalars, with what plots need to know of their trajectories."""
    from arviz_base import from_dict

    length = len(next(iter(draws.values()))[0])
    every = max(1, -(-fit.used[1] // length))
    stats = {"energy": fit.statistic("energy"), "diverging": fit.statistic("divergence") > 0}
    tree: DataTree = from_dict(
        {"posterior": draws, "sample_stats": {name: a[:, ::every] for name, a in stats.items()}},
        coords={"draw": np.arange(length) * every},
        check_conventions=False,
    )
    return tree


# --- crossings -----------------------------------------------------------------------------------


class Site(NamedTuple):
    """The branching variables of one `if`: where it is, and crossings per draw, a row a chain."""

    place: str
    indices: NDArray[np.int64]
    rates: NDArray[np.float64]


def sites(fit: Fit) -> list[Site]:
    """How often each branching variable flipped per iteration after the warm-up, by its `if`."""
    chains = [chain for chain in fit.chains if chain.iterations > chain.warmup]
    if not chains:
        return []
    counts = np.array([chain.iterations - chain.warmup for chain in chains], np.float64)
    rates = np.stack([chain.flips for chain in chains]) / counts[:, None]
    found = []
    for site in dict.fromkeys(fit.branches.sites.tolist()):
        here = fit.branches.sites == site
        place = fit.branches.places.get(site, "?")
        found.append(Site(place, fit.branches.indices[here], rates[:, here]))
    return found


def crossings(fit: Fit) -> Any:
    """Crossings per draw of every branching variable: a panel for each `if`, a line a chain."""
    found = sites(fit)
    if not found:
        raise drawing.nothing_to_draw("no `if` of the model depends on a variable")
    shown = sorted(found, key=lambda site: -site.rates.max())[:MOST_SITES]
    figure = extra.figure("`plot_crossings`", 7.0, 1.0 + 1.7 * len(shown))
    panels = figure.subplots(len(shown), squeeze=False)[:, 0]
    for axes, site in zip(panels, shown, strict=True):
        _draw_site(axes, site)
    figure.supylabel("crossings per draw", fontsize="medium")
    return figure


def _draw_site(axes: Any, site: Site) -> None:
    """Points over the loop's index; bars by chain where there is no loop."""
    chains, count = site.rates.shape
    colours = [CHAINS[i % len(CHAINS)] for i in range(chains)]
    if count == 1:
        axes.bar(range(chains), site.rates[:, 0], color=colours, width=0.5)
        axes.set_xticks(range(chains))
        axes.set_xlabel("chain")
    else:
        places, each = _positions(site), -(-count // MOST_BITS)
        for rates, colour in zip(site.rates, colours, strict=True):
            line = (neighbours(places, each), neighbours(rates, each))
            axes.plot(*line, color=colour, marker=".", linewidth=0.8)
        axes.set_xlabel(_axis(site, each))
    axes.set_title(f"if at {site.place}", fontsize="medium", loc="left")
    axes.set_ylim(bottom=0.0)
    axes.spines[["top", "right"]].set_visible(False)


def neighbours(values: NDArray[Any], each: int) -> NDArray[np.float64]:
    """The means of so many values next to each other.

    >>> neighbours(np.arange(5), 2).tolist()
    [0.5, 2.5, 4.0]
    """
    return np.array([values[i : i + each].mean() for i in range(0, len(values), each)])


def _axis(site: Site, each: int) -> str:
    what = "index of the loop" if _is_simple(site) else "branching variable"
    return what if each == 1 else f"{what} (means of {each} neighbours)"


def _is_simple(site: Site) -> bool:
    """Whether one loop index tells the branching variables of an `if` apart."""
    return bool(site.indices.shape[1]) and len(set(site.indices[:, 0].tolist())) == len(
        site.indices
    )


def _positions(site: Site) -> NDArray[np.int64]:
    return site.indices[:, 0] if _is_simple(site) else np.arange(len(site.indices))
