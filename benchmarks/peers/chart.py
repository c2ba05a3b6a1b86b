"""The bar chart: effective draws per second of sampling, one panel per model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from peers.summary import Row, title

COLUMNS, WIDTH, HEIGHT = 3, 13.0, 2.6
OWN, OTHER, WRONG = "#c44e52", "#8c9fb8", "#dddddd"


def draw(rows: list[Row], path: Path) -> None:
    """Write PNG and SVG; rates of wrong answers are grey and hatched."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "benchmarks"
    models = list(dict.fromkeys(row.model for row in rows))
    lines = -(-len(models) // COLUMNS)
    figure, axes = pyplot.subplots(lines, COLUMNS, figsize=(WIDTH, HEIGHT * lines))
    for axis, model in zip(axes.flat, models, strict=False):
        panel(axis, model, [row for row in rows if row.model == model and row.ess_per_s])
    for axis in axes.flat[len(models) :]:
        axis.axis("off")
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    for suffix, metadata in ((".svg", {"Date": None}), (".png", {})):
        figure.savefig(path.with_suffix(suffix), metadata=metadata, dpi=110)
    pyplot.close(figure)


def panel(axis: Any, model: str, rows: list[Row]) -> None:
    """A bar per system, fastest at the top, on a logarithmic scale."""
    ordered = sorted(rows, key=lambda row: row.ess_per_s or 0.0)
    colours = [
        OWN if row.system == "lfppl" else OTHER if row.verdict == "right" else WRONG
        for row in ordered
    ]
    hatches = ["" if row.verdict == "right" else "///" for row in ordered]
    axis.barh([title(row) for row in ordered], [row.ess_per_s for row in ordered],
              color=colours, hatch=hatches, edgecolor="white")  # fmt: skip
    axis.set_xscale("log")
    axis.set_title(f"{model}: ESS/s", fontsize=9)
    axis.tick_params(labelsize=7)
