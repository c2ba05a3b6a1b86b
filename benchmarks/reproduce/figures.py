"""The figures of the paper's section 6, in its layout: medians dashed, 20/80 % bands shaded."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reproduce.curves import Floats, Integers

if TYPE_CHECKING:
    from reproduce.results import Line, MixtureLines

# Colours that colour-blind people can tell apart (Okabe and Ito, 2008).
BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"
STYLES: dict[str, tuple[str, str, str]] = {
    "dhmc": ("DHMC", BLUE, "--"),
    "dnuts": ("discontinuous NUTS", GREEN, "-."),
    "pymc": ("PyMC: NUTS + Metropolis in Gibbs", ORANGE, ":"),
    "hmc": ("HMC", ORANGE, ":"),
    "nuts": ("NUTS, transformed", GREEN, "-."),
}
"""Name, colour and dashes of each method."""
SETTINGS = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "lfppl",
}


def draw_mixture(path: Path, lines: Mapping[str, MixtureLines]) -> None:
    """Squared errors against draws as in the paper, label-free ones beside, then against time."""
    figure, (first, second, third) = _grid(1, 3, 10.0, 3.3)
    most = min(numbered.counts[-1] for numbered, _ in lines.values())
    for method, (numbered, ordered) in lines.items():
        within = numbered.counts <= most
        _draw(first, method, numbered, numbered.counts, within)
        _draw(second, method, ordered, ordered.counts, within)
        _draw(third, method, ordered, ordered.seconds)
    second.sharey(first)
    first.set(title="cluster means as numbered", ylabel="mean squared error", xlabel="samples")
    second.set(title="smaller and larger mean", xlabel="samples")
    third.set(title="smaller and larger mean", xlabel="processor time (s)")
    _save(figure, path, first)


def draw_heavy_tail(path: Path, lines: Mapping[tuple[str, str], Line]) -> None:
    """The worst mean absolute error against samples (top) and time (bottom), by dimension."""
    cases = list(dict.fromkeys(case for case, _ in lines))
    figure, axes = _grid(2, len(cases), 2.1 * len(cases) + 0.6, 4.6, sharey=True)
    top, bottom = np.reshape(axes, (2, -1))
    for column, case in enumerate(cases):
        for (other, method), found in lines.items():
            if other == case:
                _draw(top[column], method, found, found.counts)
                _draw(bottom[column], method, found, found.seconds)
        top[column].set(title=f"D = {case.split('/')[1]}", xlabel="samples")
        bottom[column].set(xlabel="processor time (s)")
    top[0].set_ylabel("worst mean abs. error")
    bottom[0].set_ylabel("worst mean abs. error")
    _save(figure, path, top[0])


def _grid(rows: int, columns: int, width: float, height: float, **options: Any) -> tuple[Any, Any]:
    import_module("matplotlib").use("agg")
    pyplot = import_module("matplotlib.pyplot")
    pyplot.rcParams.update(SETTINGS)
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(width, height), layout="constrained", **options
    )
    for each in np.ravel(axes):
        each.set_xscale("log")
        each.set_yscale("log")
        each.grid(color="0.9", linewidth=0.6)
    return figure, axes


def _draw(
    axes: Any, method: str, found: Line, places: Floats | Integers, where: Any = slice(None)
) -> None:
    """A band and its median."""
    label, colour, dashes = STYLES[method]
    low, median, high = (part[where] for part in found.errors)
    axes.fill_between(places[where], low, high, color=colour, alpha=0.2, linewidth=0)
    axes.plot(places[where], median, dashes, color=colour, label=label, linewidth=1.6)


def _save(figure: Any, path: Path, first: Any) -> None:
    """As PNG and SVG, with one legend above."""
    handles, labels = first.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    figure.savefig(path.with_suffix(".png"), dpi=150)
    figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
    import_module("matplotlib.pyplot").close(figure)
