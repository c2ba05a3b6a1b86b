"""The figures of the worked examples: the data, and the posterior beside what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

mpl.use("Agg")

import matplotlib.pyplot as plt
from _examples.page import Run

BLUE, ORANGE, GREY = "#1f6fb4", "#d9730d", "#777777"
STYLE = {
    "svg.hashsalt": "lfppl",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "figure.facecolor": "white",
}
LINES = 60
"""Draws of a line that are shown."""


def draw(run: Run, path: Path) -> None:
    """Write the figure of an example."""
    with mpl.rc_context(STYLE):
        figure = FIGURES.get(run.name, quantities)(run)
        figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
        plt.close(figure)


def quantities(run: Run) -> Any:
    """Histograms of what is compared with the truth, with the exact means."""
    measured = run.truth.measure(run.fit.draws)
    shown = {name: values for name, values in measured.items() if len(np.unique(values)) > 2}
    return _histograms(shown, run.truth.expected)


def coordinates(run: Run) -> Any:
    """Histograms of the first elements of `x`, for models whose known quantities are yes or no."""
    values = run.fit.draws["x"]
    elements = values[..., None] if values.ndim == 2 else values
    named = {f"x[{k}]": elements[..., k] for k in range(min(3, elements.shape[-1]))}
    return _histograms(named if values.ndim > 2 else {"x": values}, {})


def states(run: Run) -> Any:
    """How likely each state is at each time, with the readings."""
    state = run.fit.draws["state"]
    figure, axes = plt.subplots(2, 1, figsize=(6.4, 3.4), sharex=True)
    times, below = np.arange(state.shape[-1]), np.zeros(state.shape[-1])
    axes[0].plot(times, run.data["readings"], "o", color=ORANGE, markersize=4)
    axes[0].set_ylabel("reading")
    for k, colour in enumerate((BLUE, GREY, ORANGE)):
        share = (state == k).mean((0, 1))
        axes[1].bar(times, share, bottom=below, color=colour, alpha=0.8, label=f"state {k}")
        below = below + share
    axes[1].set_ylabel("probability")
    axes[1].legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=3)
    return figure


def _histograms(shown: Mapping[str, Any], means: Mapping[str, float]) -> Any:
    names = list(shown)[:3]
    figure, axes = plt.subplots(1, len(names), figsize=(2.9 * len(names), 2.4), squeeze=False)
    for name, place in zip(names, axes[0], strict=True):
        _histogram(place, np.asarray(shown[name], float).reshape(-1))
        if name in means:
            place.axvline(means[name], color=ORANGE, linewidth=1.5)
        place.set_xlabel(name)
    return figure


def _histogram(place: Any, values: Any) -> None:
    low, high = np.quantile(values, (0.001, 0.999))
    levels = np.unique(values)
    if len(levels) < 200:  # a discrete quantity: one bar for each value
        step = np.diff(levels).min()
        bins = np.arange(low - step / 2, high + step, step)
    else:
        bins = np.linspace(low, high, 60)
    place.hist(values, bins=bins, density=True, color=BLUE, alpha=0.8, histtype="stepfilled")
    place.set_yticks([])


def series(run: Run) -> Any:
    """Counts over time, and how likely the changes are at each time."""
    counts = next(np.asarray(v) for v in run.data.values())
    start = 1851 if run.name == "coal-mining" else 0
    figure, axes = plt.subplots(2, 1, figsize=(6.4, 3.4), sharex=True)
    axes[0].bar(start + np.arange(len(counts)), counts, color=GREY)
    axes[0].set_ylabel("count")
    changes = [name for name in run.truth.expected if "/" not in name]
    for name, colour in zip(changes, (BLUE, ORANGE), strict=False):
        values = np.asarray(run.truth.measure(run.fit.draws)[name]).reshape(-1)
        bins = start + np.arange(0, len(counts) + 0.25, 0.25)
        style = {"color": colour, "alpha": 0.8, "histtype": "stepfilled"}
        axes[1].hist(values, bins=bins, density=True, label=name, **style)
    axes[1].set_ylabel("density")
    axes[1].legend()
    return figure


def lines(curve: Callable[..., Any]) -> Callable[[Run], Any]:
    """The data with lines drawn from the posterior."""

    def figure(run: Run) -> Any:
        x, y = np.asarray(run.data["x"], float), np.asarray(run.data["y"], float)
        grid = np.linspace(x.min(), x.max(), 401)
        found, place = plt.subplots(figsize=(5.2, 3.2))
        every = max(1, run.truth.draws // (LINES // 4))
        draws = {n: v[:, ::every].reshape(-1) for n, v in run.fit.draws.items() if v.ndim == 2}
        for k in range(len(next(iter(draws.values())))):
            values = curve(grid, **{name: value[k] for name, value in draws.items()})
            place.plot(grid, values, color=BLUE, alpha=0.15, linewidth=1, rasterized=True)
        place.plot(x, y, "o", color=ORANGE, markersize=4)
        place.set(xlabel="x", ylabel="y")
        return found

    return figure


def _threshold(x: Any, *, threshold: float, low: float, high: float, **_: float) -> Any:
    return np.where(x < threshold, low, high) * x


def _knee(x: Any, *, knee: float, height: float, before: float, after: float, **_: float) -> Any:
    return height + np.where(x < knee, before, after) * (x - knee)


def _straight(x: Any, *, slope: float, intercept: float, **_: float) -> Any:
    return intercept + slope * x


FIGURES: dict[str, Callable[[Run], Any]] = {
    "broken-line": lines(_knee),
    "change-point": series,
    "change-points": series,
    "coal-mining": series,
    "figure-1": coordinates,
    "heavy-tail": coordinates,
    "hidden-markov": states,
    "regression": lines(_straight),
    "regression-threshold": lines(_threshold),
}
"""By example; the others show what is compared with the truth."""
