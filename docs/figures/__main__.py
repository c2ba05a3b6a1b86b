"""Draw the figures of the documentation: `python docs/figures` writes them beside this file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import matplotlib as mpl  # noqa: E402
import numpy as np  # noqa: E402

mpl.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from figures import subject  # noqa: E402

BLUE, ORANGE, GREY, RED = "#1f6fb4", "#d9730d", "#777777", "#b3261e"
STYLE = {
    "svg.hashsalt": "lfppl",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "figure.facecolor": "white",
}


def main() -> None:
    """Write every figure."""
    with mpl.rc_context(STYLE):
        path = subject.trajectory()
        _save("trajectory", _trajectory(path))
        _save("energy", _energy(path))
        _save("overview", _overview(path))
        _save("graph", subject.limit_model().plot_graph())
        _save("limit", subject.limit_model().plot_density("limit"))


def _save(name: str, figure: Any) -> None:
    figure.savefig(HERE / f"{name}.svg", metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)


def _trajectory(path: subject.Trajectory) -> Any:
    figure, axes = plt.subplots(figsize=(6.4, 4.2))
    _draw_trajectory(axes, path)
    return figure


def _draw_trajectory(axes: Any, path: subject.Trajectory) -> None:
    x, y = np.linspace(-4.0, 4.0, 161), np.linspace(-3.0, 3.0, 61)
    density = np.exp(subject.log_density(x, y))
    axes.pcolormesh(x, y, density, cmap="Greys", vmax=1.5 * density.max(), rasterized=True)
    for wall in subject.WALLS:
        axes.axvline(wall, color=RED, linewidth=1, linestyle=(0, (4, 3)))
    axes.plot(*path.positions.T, color=BLUE, linewidth=1.3)
    crossed, turned = subject.crossings(path), subject.reflections(path)
    middle = (path.positions[:-1] + path.positions[1:]) / 2
    axes.plot(*middle[crossed].T, "o", color=ORANGE, label="refraction")
    axes.plot(*path.positions[turned].T, "s", color=RED, label="reflection")
    axes.plot(*path.positions[0], ">", color=BLUE, label="start")
    axes.set(xlabel="x (discontinuous)", ylabel="y (continuous)")
    axes.legend(loc="upper left", fontsize=8)


def _energy(path: subject.Trajectory) -> Any:
    figure, axes = plt.subplots(figsize=(6.4, 2.8))
    axes.plot(path.potential, color=BLUE, label="U")
    axes.plot(path.kinetic, color=ORANGE, label="K")
    axes.plot(path.potential + path.kinetic, color=GREY, label="H = U + K")
    axes.set(xlabel="step", ylabel="energy")
    axes.legend(ncols=3, loc="upper right", fontsize=8)
    axes.set_ylim(0, 1.25 * (path.potential + path.kinetic).max())
    return figure


def _overview(path: subject.Trajectory) -> Any:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.6), width_ratios=(1.15, 1))
    _draw_trajectory(left, path)
    _draw_thermostat(right)
    figure.tight_layout()
    return figure


def _draw_thermostat(axes: Any) -> None:
    """The temperature at the start: two engines and the truth."""
    bins, start = np.linspace(17.4, 21.6, 85), np.linspace(17.4, 21.6, 127)
    for engine, colour, label in (("nuts", GREY, "NUTS"), ("dhmc", BLUE, "lfppl")):
        axes.hist(subject.draws(engine), bins, density=True, color=colour, alpha=0.6, label=label)
    axes.plot(start, subject.exact_start(start), color=RED, linewidth=1.3, label="exact")
    axes.set(xlabel="temperature at the start (thermostat example)", ylabel="posterior density")
    axes.legend(fontsize=8)


if __name__ == "__main__":
    main()
