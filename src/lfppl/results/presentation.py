"""A fit as text for a terminal: the table of its scalars, timing, and warnings."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from lfppl.results.fit import Fit

MOST_ROWS = 100
"""Scalars shown in a table; `--json` has all."""
NARROWEST, WIDEST = 40, 120
"""Columns that a text is made for at least and at most."""
GAP = 2
"""Spaces between columns."""
FIRST_LEFT_OUT = ("mcse_mean", "ess_tail", "q50", "sd", "q5", "q95", "ess_bulk")
"""The columns that a narrow terminal does without, the least missed first."""


def terminal_width() -> int:
    """The columns of the terminal, within reason; 80 where there is none.

    >>> 40 <= terminal_width() <= 120
    True
    """
    return min(max(shutil.get_terminal_size().columns, NARROWEST), WIDEST)


def report(fit: Fit) -> str:
    """Everything a person wants to see of a fit after a run."""
    timing = fit.timing
    drawn = sum(chain.drawn for chain in fit.chains)
    lines = (
        f"{drawn:,} draws in {len(fit.chains)} chains by {fit.about.engine}, seed {fit.about.seed}",
        f"compiled in {timing['compile_s']:.2g} s, warmed up in {timing['warmup_s']:.2g} s,"
        f" sampled in {timing['sample_s']:.2g} s",
    )
    return "\n".join([table(fit.statistics), "", *lines, *map(warning, fit.warnings)])


def warning(text: str) -> str:
    """A warning as lines of the terminal.

    >>> warning("2 divergences")
    'warning: 2 divergences'
    """
    return wrapped(f"warning: {text}")


def wrapped(paragraph: str) -> str:
    """A paragraph in lines, all but the first a little to the right."""
    width = terminal_width()
    lines = textwrap.wrap(paragraph, width, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines)


def table(statistics: Mapping[str, Mapping[str, float]], width: int | None = None) -> str:
    """The statistics of scalars as a table, as wide as the terminal at most if it can be.

    >>> print(table({"x": {"mean": 0.5, "r_hat": 1.0}}))
       mean  r_hat
    x   0.5      1
    """
    if not statistics:
        return "the model has no variables and returns no number"
    shown = list(statistics)[:MOST_ROWS]
    names = ["", *shown]
    columns = {
        column: [column, *(_number(column, statistics[name][column]) for name in shown)]
        for column in statistics[shown[0]]
    }
    left_out = _left_out(names, columns, width or terminal_width())
    kept = [names, *(cells for column, cells in columns.items() if column not in left_out)]
    lines = _rows(kept)
    if len(statistics) > len(shown):
        lines.append(f"... and {len(statistics) - len(shown):,} more")
    if left_out:
        lines.append(wrapped(f"(no room for {', '.join(c for c in columns if c in left_out)})"))
    return "\n".join(lines)


def _left_out(names: Sequence[str], columns: Mapping[str, Sequence[str]], width: int) -> set[str]:
    """The columns for which there is no room."""
    left_out: set[str] = set()
    room = width - max(map(len, names))
    for candidate in FIRST_LEFT_OUT:
        if sum(_breadth(c) for name, c in columns.items() if name not in left_out) <= room:
            break
        left_out |= {candidate} & columns.keys()
    return left_out


def _breadth(cells: Sequence[str]) -> int:
    return GAP + max(map(len, cells))


def _rows(columns: Sequence[Sequence[str]]) -> list[str]:
    """Columns as lines: the names to the left, numbers to the right."""
    names, *numbers = columns
    widest = max(map(len, names))
    lines = [name.ljust(widest) for name in names]
    for cells in numbers:
        breadth = _breadth(cells)
        lines = [line + cell.rjust(breadth) for line, cell in zip(lines, cells, strict=True)]
    return [line.rstrip() for line in lines]


def _number(column: str, value: float) -> str:
    if not np.isfinite(value):
        return "-" if np.isnan(value) else "inf"
    if column.startswith("ess"):
        return f"{value:.0f}"
    return f"{value + 0.0:.4g}"  # no negative zero
