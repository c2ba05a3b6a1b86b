"""The results in the terminal; with --pages also as CSV, chart and in the pages of docs."""

from __future__ import annotations

import argparse
import csv
from dataclasses import fields
from pathlib import Path

from peers.pages import HEADINGS, PAGE, cells, versions, write_pages
from peers.record import read
from peers.run import BUILD
from peers.summary import Row, summarise

TABLE = PAGE.with_suffix(".csv")


def write_csv(path: Path, rows: list[Row]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([each.name for each in fields(Row)])
        for row in rows:
            writer.writerow([rounded(getattr(row, each.name)) for each in fields(Row)])


def rounded(value: object) -> object:
    return f"{value:.5g}" if isinstance(value, float) else value


def show(rows: list[Row]) -> None:
    """The table in the terminal."""
    from rich.console import Console
    from rich.table import Table

    table = Table(*HEADINGS, title="Effective draws per second and the rest")
    for row in rows:
        style = "bold" if row.system == "lfppl" else ("red" if row.verdict != "right" else "")
        table.add_row(*cells(row), style=style)
    Console(width=220).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=BUILD / "results.jsonl")
    parser.add_argument("--pages", action="store_true", help="write CSV, chart and pages in docs")
    options = parser.parse_args()
    runs = read(options.results)
    rows = summarise(runs)
    show(rows)
    print(versions(runs))
    if options.pages:
        from peers.chart import draw

        write_csv(TABLE, rows)
        draw(rows, PAGE.parent / "figures" / "benchmarks")
        write_pages(rows, runs)


if __name__ == "__main__":
    main()
