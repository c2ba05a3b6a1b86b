"""A fit as text for a terminal: the table of its scalars, timing, and warnings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from lfppl.results.fit import Fit

MOST_ROWS = 100
"""Scalars shown in a table; `--json` has all."""
WIDTH = 10


def report(fit: Fit) -> str:
    """Everything a person wants to see of a fit after a run."""
    timing = fit.timing
    drawn = sum(chain.drawn for chain in fit.chains)
    lines = [
        table(fit.statistics),
        "",
        f"{drawn:,} draws in {len(fit.chains)} chains by {fit.about.engine},"
        f" seed {fit.about.seed}: {timing['compile_s']:.3g} s to compile,"
        f" {timing['warmup_s']:.3g} s to warm up, {timing['sample_s']:.3g} s to sample",
    ]
    lines.extend(f"warning: {text}" for text in fit.warnings)
    return "\n".join(lines)


def table(statistics: Mapping[str, Mapping[str, float]]) -> str:
    """The statistics of scalars as a table.

    >>> print(table({"x": {"mean": 0.5, "r_hat": 1.0}}))
           mean     r_hat
    x       0.5         1
    """
    if not statistics:
        return "the model has no variables and returns no number"
    shown = list(statistics)[:MOST_ROWS]
    columns = list(statistics[shown[0]])
    width = max(len(name) for name in shown)
    lines = [" " * width + "".join(column.rjust(WIDTH) for column in columns)]
    for name in shown:
        numbers = [_number(column, statistics[name][column]) for column in columns]
        lines.append(name.ljust(width) + "".join(number.rjust(WIDTH) for number in numbers))
    if len(statistics) > len(shown):
        lines.append(f"... and {len(statistics) - len(shown):,} more")
    lines[0] = lines[0].rstrip()
    return "\n".join(lines)


def _number(column: str, value: float) -> str:
    if not np.isfinite(value):
        return "-" if np.isnan(value) else "inf"
    if column.startswith("ess"):
        return f"{value:.0f}"
    return f"{value:.4g}"
