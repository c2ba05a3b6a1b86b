"""What the runs gave, as tables: bands of errors and one row for each method, written as CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from reproduce import exact, figures, heavy_tail, mixture
from reproduce.curves import Band, Floats, Integers, band, squared_error
from reproduce.records import Record, Task

Runs = list[Record]


class Line(NamedTuple):
    """A method's errors over many runs, against draws and against the median of the clocks."""

    counts: Integers
    seconds: Floats
    errors: Band


def line(runs: Runs, errors: Iterable[Sequence[float] | Floats]) -> Line:
    """The band as far as all runs went."""
    rows = [np.asarray(row) for row in errors]
    length = min(len(row) for row in rows)
    seconds = np.median([run["seconds"][:length] for run in runs], axis=0)
    return Line(
        np.array(runs[0]["counts"][:length]), seconds, band(np.array([r[:length] for r in rows]))
    )


def error_at(found: Line, seconds: float) -> float:
    """The median error after so many seconds (NaN where the first draws took longer)."""
    index = int(np.searchsorted(found.seconds, seconds, side="right")) - 1
    return float(found.errors.median[index]) if index >= 0 else float("nan")


def runs_of(records: dict[Task, Record], experiment: str, case: str, method: str) -> Runs:
    """All runs of a method in one case."""
    return [
        record
        for task, record in sorted(records.items(), key=lambda pair: pair[0])
        if (task.experiment, task.case, task.method) == (experiment, case, method)
    ]


# --- the mixture ----------------------------------------------------------------------------------


class MixtureLines(NamedTuple):
    """Errors of the cluster means as they are numbered, and of the smaller and the larger."""

    numbered: Line
    ordered: Line


def mixture_lines(records: dict[Task, Record]) -> dict[str, MixtureLines]:
    """For every method that was run."""
    truth, found = exact.mixture_means(), {}
    for method in mixture.METHODS:
        runs = runs_of(records, "mixture", "paper", method)
        if runs:
            means = [np.array(run["means"]) for run in runs]
            numbered = [squared_error(m[:, :2], (truth.each, truth.each)) for m in means]
            ordered = [squared_error(m[:, 2:], (truth.smaller, truth.larger)) for m in means]
            found[method] = MixtureLines(line(runs, numbered), line(runs, ordered))
    return found


def mixture_rows(lines: dict[str, MixtureLines]) -> Iterator[dict[str, Any]]:
    """A row for each method and number of draws."""
    for method, (numbered, ordered) in lines.items():
        for i, count in enumerate(numbered.counts):
            row = {"method": method, "draws": count, "seconds": f"{numbered.seconds[i]:.4g}"}
            yield (
                row
                | _band_row("numbered", numbered.errors, i)
                | _band_row("ordered", ordered.errors, i)
            )


def _band_row(name: str, errors: Band, i: int) -> dict[str, str]:
    parts = errors._asdict().items()
    return {f"{name}_{part}": f"{values[i]:.4g}" for part, values in parts}


# --- the heavy tail -------------------------------------------------------------------------------

HeavyLines = dict[tuple[str, str], Line]
"""By case and method."""


def heavy_lines(records: dict[Task, Record]) -> HeavyLines:
    """For every case and method that was run."""
    keys = {(t.case, t.method) for t in records if t.experiment == "heavy-tail"}
    found = {}
    for case, method in sorted(keys, key=_order):
        runs = runs_of(records, "heavy-tail", case, method)
        found[case, method] = line(runs, [run["errors"] for run in runs])
    return found


def _order(key: tuple[str, str]) -> tuple[int, int, int]:
    name, dimension = heavy_tail.parts(key[0])
    matrices, methods = list(heavy_tail.MATRICES), list(heavy_tail.METHODS)
    return matrices.index(name), dimension, methods.index(key[1])


def heavy_rows(lines: HeavyLines) -> Iterator[dict[str, Any]]:
    """A row for each case, method and number of draws."""
    for (case, method), found in lines.items():
        name, dimension = heavy_tail.parts(case)
        for i, count in enumerate(found.counts):
            row = {"matrix": name, "dimension": dimension, "method": method, "draws": count}
            yield row | {"seconds": f"{found.seconds[i]:.4g}"} | _band_row("wmae", found.errors, i)


def summary_rows(records: dict[Task, Record], lines: HeavyLines) -> Iterator[dict[str, Any]]:
    """A row for each case and method: settings, cost, and the errors at the end and at one time."""
    for (case, method), found in lines.items():
        name, dimension = heavy_tail.parts(case)
        runs = runs_of(records, "heavy-tail", case, method)
        common = min(other.seconds[-1] for (c, _), other in lines.items() if c == case)
        yield {
            "matrix": name,
            "dimension": dimension,
            "method": method,
            "runs": len(runs),
            "draws": found.counts[-1],
            "settings": json.dumps(runs[0]["settings"]),
            "warmup_seconds": f"{np.median([run['warmup_seconds'] for run in runs]):.3g}",
            "microseconds_per_draw": f"{found.seconds[-1] / found.counts[-1] * 1e6:.3g}",
            "wmae": f"{found.errors.median[-1]:.3g}",
            "common_seconds": f"{common:.3g}",
            "wmae_at_common_seconds": f"{error_at(found, common):.3g}",
            "inside": f"{np.median([run['inside'] for run in runs]):.4g}",
            "inside_exact": _exact_inside(name, dimension),
        }


def _exact_inside(name: str, dimension: int) -> str:
    """The mass of the inner box where A is diagonal."""
    matrix = heavy_tail.MATRICES[name](dimension)
    diagonal = np.diag(matrix)
    return f"{exact.inner_mass(diagonal):.4g}" if (matrix == np.diag(diagonal)).all() else ""


# --- files ----------------------------------------------------------------------------------------


def write_csv(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """A table with the keys of its rows as header."""
    rows = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write(records: dict[Task, Record], folder: Path) -> None:
    """All tables and figures of what was run."""
    folder.mkdir(parents=True, exist_ok=True)
    mixed, heavy = mixture_lines(records), heavy_lines(records)
    if mixed:
        write_csv(folder / "mixture.csv", mixture_rows(mixed))
        figures.draw_mixture(folder / "mixture", mixed)
    if heavy:
        write_csv(folder / "heavy-tail.csv", heavy_rows(heavy))
        write_csv(folder / "heavy-tail-summary.csv", summary_rows(records, heavy))
    for name in {heavy_tail.parts(case)[0] for case, _ in heavy}:
        chosen = {k: v for k, v in heavy.items() if heavy_tail.parts(k[0])[0] == name}
        figures.draw_heavy_tail(folder / f"heavy-tail-{name}", chosen)
    print(f"written: {folder}")
