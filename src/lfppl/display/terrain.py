"""The density over one or two variables as a matplotlib figure, with its boundaries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lfppl.display import extra
from lfppl.display.palette import INK, ROUGH
from lfppl.errors import drawing
from lfppl.runs import landscape
from lfppl.runs.landscape import Profile, Relief, Slice

if TYPE_CHECKING:
    from lfppl.compiler import Model

POINTS = {1: 400, 2: 90}
"""Points along an axis, by the number of axes, if none are asked for."""
FEW = 12
SOME: Mapping[str, Any] = {"linestyle": "--", "linewidth": 1.0}
MANY: Mapping[str, Any] = {"linewidth": 0.6, "alpha": 0.4}
"""How boundaries look, behind the density: many of them must not hide it."""
DEEPEST = 12.0
"""How far below its peak a log density is still told from nothing."""


def figure_of(
    model: Model, names: tuple[str, ...], at: Any, ranges: Mapping[str, Any], points: int | None
) -> Any:
    """The figure of `Model.plot_density`."""
    if len(names) not in POINTS:
        raise drawing.wrong_axes(len(names))
    extra.matplotlib("`plot_density`")
    point, draws = _place(model, at)
    slice_ = Slice(model.evaluation, point, names)
    ends = [
        landscape.checked(name, ranges[name]) if name in ranges else landscape.range_of(name, draws)
        for name in names
    ]
    ends = landscape.zoomed(slice_, ends, [name not in ranges for name in names])
    count = points or POINTS[len(names)]
    if len(names) == 1:
        return draw_profile(landscape.profile(slice_, ends[0], count))
    return draw_relief(landscape.relief(slice_, ends[0], ends[1], count))


def _place(model: Model, at: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The point that is looked at, and the draws that say how far to look."""
    if hasattr(at, "quantities"):  # a fit
        draws = {n: a.reshape(-1, *a.shape[2:]) for n, a in at.draws.items() if n in model.sampled}
        return landscape.best_of(draws, at.statistic("log_density").ravel()), draws
    draws = landscape.prior_sample(model)
    count = len(next(iter(draws.values()), ()))
    each = [{name: array[i] for name, array in draws.items()} for i in range(count)]
    densities = np.array([model.log_density(point) for point in each])
    return {**landscape.best_of(draws, densities), **(at or {})}, draws


def draw_profile(profile: Profile) -> Any:
    """A line for each piece of the density, a dashed one at each boundary.

    >>> xs = np.array([0.0, 1.0])
    >>> figure = draw_profile(Profile("x", xs, np.array([0.0, -1.0]), (0.5,)))
    >>> figure.axes[0].get_xlabel()
    'x'
    """
    figure = extra.figure("`plot_density`", 6.0, 3.4)
    axes = figure.add_subplot()
    highest = np.nanmax(profile.log_density)
    density = np.exp(profile.log_density - highest)
    axes.plot(profile.x, density, color=INK, linewidth=1.6)
    axes.fill_between(profile.x, density, color=INK, alpha=0.08, linewidth=0)
    look = MANY if len(profile.boundaries) > FEW else SOME
    for boundary in profile.boundaries:
        axes.axvline(boundary, color=ROUGH, zorder=1.0, **look)
    axes.set(xlabel=profile.name, ylabel="density / its highest", xlim=_ends(profile.x))
    axes.set_ylim(bottom=0.0)
    _without_frame(axes)
    return figure


def draw_relief(relief: Relief) -> Any:
    """The log density as shades, the boundaries as lines."""
    from matplotlib.collections import LineCollection

    figure = extra.figure("`plot_density`", 5.6, 4.4)
    axes = figure.add_subplot()
    highest = np.nanmax(relief.log_density)
    shown = np.maximum(relief.log_density - highest, -DEEPEST)
    shades = axes.pcolormesh(relief.x, relief.y, shown, cmap="Blues", shading="nearest")
    figure.colorbar(shades, ax=axes, label="log density below its highest")
    lines = LineCollection(relief.boundaries, colors=ROUGH, linewidths=1.4)
    axes.add_collection(lines)
    names = relief.names
    axes.set(xlabel=names[0], ylabel=names[1], xlim=_ends(relief.x), ylim=_ends(relief.y))
    return figure


def _ends(values: Any) -> tuple[float, float]:
    return float(np.nanmin(values)), float(np.nanmax(values))


def _without_frame(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)
