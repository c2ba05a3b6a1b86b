"""The figures of a report: traces, ranks, densities, pairs, crossings and energy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lfppl.display import extra
from lfppl.display.markup import Column, Html, table, tag
from lfppl.display.palette import CHAINS
from lfppl.results import plots
from lfppl.results.choice import Choice
from lfppl.results.panels import Panels, figure_of
from lfppl.results.plots import Site

if TYPE_CHECKING:
    from lfppl.results.fit import Fit

MOST_TRACED = 300
"""Draws of a chain in a trace: more than there are pixels would only make the page slow."""
MOST_RANKED = 500
MOST_POINTS = 400
"""Points of each chain in a plot of ranks, and of all chains in a plot of pairs."""
MOST_IN_TABLE = 30
WIDE, HIGH = 4.1, 1.5
"""The size of a panel, in inches."""
BAR = "#1f77b4"
ABOVE, BELOW = 0.27, 0.27
"""Room for the title of a panel, and for the numbers under it."""

Arrays = dict[str, NDArray[Any]]


def draws(fit: Fit, chosen: Choice, panels: Panels) -> list[Html]:
    """Three columns with a row for each scalar: its trace, its ranks, its distribution."""
    azp = extra.arviz_plots("a report")
    reals, integers = by_kind(seen(chosen.draws))
    ordered = {**reals, **integers}
    traced, ranked = thinned(ordered, MOST_TRACED), jittered(thinned(ordered, MOST_RANKED))
    look = {**_look(len(ordered)), "color": CHAINS, "visuals": {"xlabel": False}}
    trace = azp.plot_trace(plots.tree_of(fit, traced), **look)
    rank = azp.plot_rank(plots.tree_of(fit, ranked), **look)
    every = _every(fit.used[1], MOST_TRACED)
    curves = [densities(fit, reals)] if reals else []
    bars = [_bars(integers)] if integers else []
    return [
        panels.column("Trace", every, _aligned(trace)),
        panels.column("Ranks", "inside the band where the chains agree", _aligned(rank)),
        panels.column("Distribution", "with mean, 5% and 95%", *curves, *bars),
    ]


def by_kind(arrays: Arrays) -> tuple[Arrays, Arrays]:
    """Real numbers, and those that are integers or always the same.

    >>> first, second = by_kind({"x": np.array([0.5, 1.0]), "k": np.array([1, 2]), "c": np.ones(2)})
    >>> list(first), list(second)
    (['x'], ['k', 'c'])
    """
    barred = {
        name: array
        for name, array in arrays.items()
        if np.issubdtype(array.dtype, np.integer) or np.ptp(array[np.isfinite(array)]) == 0
    }
    return {name: a for name, a in arrays.items() if name not in barred}, barred


def seen(arrays: Arrays) -> Arrays:
    """The scalars that have a value at all: those of branches never taken have none."""
    return {name: array for name, array in arrays.items() if np.isfinite(array).any()}


def densities(fit: Fit, arrays: Arrays) -> Any:
    """Smoothed densities; mean and interval are those of the summary."""
    azp = extra.arviz_plots("a report")
    made = azp.plot_dist(
        plots.tree_of(fit, arrays),
        ci_kind="eti",
        ci_prob=0.9,
        point_estimate="mean",
        stats={"point_estimate": {"round_to": "none"}},
        visuals={"point_estimate_text": False},
        **_look(len(arrays)),
    )
    return _aligned(made)


def _bars(arrays: Arrays) -> Any:
    """How often integers have each of their values."""
    from matplotlib.ticker import MaxNLocator

    figure = extra.figure("a report", WIDE, HIGH * len(arrays), layout=None)
    panels = figure.subplots(len(arrays), squeeze=False)[:, 0]
    for axes, (name, array) in zip(panels, arrays.items(), strict=True):
        values, counts = np.unique(array, return_counts=True)
        axes.bar(values, counts / array.size, color=BAR)
        axes.set_title(name)
        axes.set_xlim(values[0] - 1, values[-1] + 1)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
        axes.yaxis.set_visible(False)
        axes.spines["left"].set_visible(False)
    return _aligned(figure)


def _look(rows: int) -> dict[str, Any]:
    """One panel above the other."""
    size = (WIDE, HIGH * rows)
    return {"backend": "matplotlib", "col_wrap": 1, "figure_kwargs": {"figsize": size}}


def _aligned(made: Any) -> Any:
    """The same room for each row in all columns, so that rows stand side by side."""
    figure = figure_of(made)
    rows = round(figure.get_size_inches()[1] / HIGH)
    inner = HIGH - ABOVE - BELOW
    figure.subplots_adjust(
        left=0.12,
        right=0.99,
        top=1 - ABOVE / (HIGH * rows),
        bottom=BELOW / (HIGH * rows),
        hspace=(ABOVE + BELOW) / inner,
    )
    return figure


def _every(count: int, most: int) -> str:
    """How many of the draws are shown."""
    step = -(-count // most)
    return "every draw" if step == 1 else f"one draw in {step}"


def thinned(arrays: Arrays, most: int) -> Arrays:
    """Every n-th draw, so that at most so many are left of each chain.

    >>> thinned({"x": np.arange(10)[None]}, 4)["x"].tolist()
    [[0, 3, 6, 9]]
    """
    return {name: a[:, :: max(1, -(-a.shape[1] // most))] for name, a in arrays.items()}


def jittered(arrays: Arrays) -> Arrays:
    """Ties broken at random, which leaves ranks of equal chains uniform."""
    generator = np.random.default_rng(0)
    return {
        name: a + generator.random(a.shape) if np.issubdtype(a.dtype, np.integer) else a
        for name, a in arrays.items()
    }


def paired(chosen: Choice, most: int) -> Arrays:
    """The scalars to plot against each other: those that move, reals first."""
    moving = {name: array for name, array in seen(chosen.draws).items() if np.ptp(array) > 0}
    reals, integers = by_kind(moving)
    few = integers if len(reals) < 2 else {}
    return dict([*reals.items(), *few.items()][:most])


def pairs(fit: Fit, arrays: Arrays, panels: Panels) -> Html:
    """Points over each two scalars."""
    azp = extra.arviz_plots("a report")
    shown = thinned(arrays, max(1, MOST_POINTS // len(fit.used[0])))
    size = 2.0 * len(arrays)
    made = azp.plot_pair(
        plots.tree_of(fit, shown),
        backend="matplotlib",
        figure_kwargs={"layout": "constrained", "figsize": (size, size)},
    )
    return panels.natural(made)


# --- crossings -----------------------------------------------------------------------------------

COLUMNS = (
    Column("if at"),
    Column("branching variables", True, "how many there are: one for each round of the loops"),
    Column("crossings per draw", True, "of all of them together"),
    Column("least", True, "of the one that crossed least often"),
    Column("never crossed", True, "how many stayed on one side in every chain"),
)


def crossings(fit: Fit, panels: Panels) -> list[Html]:
    """A table with a row for each `if`, and a figure."""
    sites = plots.sites(fit)
    if not sites:
        words = "No branch of the model depends on a variable: there is nothing to cross."
        return [tag("p", words, class_="lf-note")]
    shown = table(COLUMNS, map(_row, sites[:MOST_IN_TABLE]))
    return [shown, panels.natural(plots.crossings(fit))]


def _row(site: Site) -> list[object]:
    mean = site.rates.mean(axis=0)
    still = int((site.rates == 0).all(axis=0).sum())
    return [site.place, f"{len(mean):,}", f"{mean.sum():.3f}", f"{mean.min():.3f}", f"{still:,}"]


def energy(fit: Fit, panels: Panels) -> list[Html]:
    """How the energy is distributed, and how it changes from draw to draw."""
    energies = fit.statistic("energy")
    if energies.shape[1] < 2 or not np.isfinite(energies).all() or np.ptp(energies) == 0:
        return [tag("p", "The engine has no energy.", class_="lf-note")]
    azp = extra.arviz_plots("a report")
    made = azp.plot_energy(
        plots.tree_of(fit, {"energy": energies}),
        backend="matplotlib",
        figure_kwargs={"layout": "constrained", "figsize": (6.0, 3.2)},
    )
    _number_chains(figure_of(made))
    words = (
        "The marginal energy, and how it changes from draw to draw. Where the two differ much (a"
        " BFMI left of the dashed line), the chains wander slowly through the energies."
    )
    return [panels.natural(made), tag("p", words, class_="lf-note")]


def _number_chains(figure: Any) -> None:
    """No half chains on an axis of chains."""
    from matplotlib.ticker import MaxNLocator

    for axes in figure.axes:
        if axes.get_ylabel() == "Chain":
            axes.yaxis.set_major_locator(MaxNLocator(integer=True))
