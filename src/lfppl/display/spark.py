"""Small drawings for the cells of a table: a histogram, and the traces of chains, as SVG."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lfppl.display.markup import Html, tag
from lfppl.display.palette import CHAINS

WIDE, HIGH = 120, 24
BINS = 30
STEPS = 120
"""Points of a trace: as many as there are pixels."""
MOST_LEVELS = 30
"""Integers with more values than this are binned like real numbers."""


def histogram(values: NDArray[np.generic]) -> Html:
    """How draws are distributed.

    >>> histogram(np.arange(10.0)).startswith('<svg class="lf-spark"')
    True
    """
    finite = values[np.isfinite(values)].astype(np.float64)
    if not finite.size:
        return tag("span", "–")
    counts, _ = np.histogram(finite, _edges(finite, np.issubdtype(values.dtype, np.integer)))
    step = WIDE / len(counts)
    tops = HIGH - 1 - (HIGH - 2) * counts / counts.max()
    path = [f"M0 {HIGH - 1}"]
    for i, top in enumerate(tops):
        path.append(f"V{top:.1f}H{(i + 1) * step:.1f}")
    path.append(f"V{HIGH - 1}Z")
    shape = tag("path", d="".join(path), fill="currentColor", fill_opacity="0.55")
    return _svg("distribution", shape)


def _edges(values: NDArray[np.float64], is_integer: bool) -> NDArray[np.float64] | int:
    low, high = float(values.min()), float(values.max())
    if is_integer and high - low < MOST_LEVELS:
        return np.arange(low - 0.5, high + 1.0)
    return BINS


def traces(draws: NDArray[np.generic]) -> Html:
    """The draws of every chain in their order; (chain, draw)."""
    every = max(1, draws.shape[1] // STEPS)
    shown = draws[:, ::every].astype(np.float64)
    low, high = np.nanmin(shown), np.nanmax(shown)
    if not np.isfinite([low, high]).all():
        return tag("span", "–")
    heights = HIGH - 1 - (HIGH - 2) * (shown - low) / ((high - low) or 1.0)
    xs = np.linspace(0.0, WIDE, shown.shape[1])
    lines = [_line(xs, row, CHAINS[i % len(CHAINS)]) for i, row in enumerate(heights)]
    return _svg("trace", *lines)


def _line(xs: NDArray[np.float64], ys: NDArray[np.float64], colour: str) -> Html:
    finite = np.isfinite(ys)
    points = " ".join(f"{x:.0f},{y:.1f}" for x, y in zip(xs[finite], ys[finite], strict=True))
    return tag(
        "polyline", points=points, fill="none", stroke=colour, stroke_width="1", opacity="0.75"
    )


def _svg(label: str, *content: Html) -> Html:
    size = f"0 0 {WIDE} {HIGH}"
    return tag(
        "svg", *content, class_="lf-spark", width=WIDE, height=HIGH, viewBox=size, role="img",
        aria_label=label,
    )  # fmt: skip
