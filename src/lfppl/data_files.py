"""Data files: Stan-style JSON, CSV with a header row, and NPZ archives."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from lfppl.errors import binding
from lfppl.files import read_bytes, read_text
from lfppl.source import Source, Span

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none"})
"""What an empty cell of a table looks like, in small letters."""

INFINITIES = {
    **dict.fromkeys(("inf", "+inf", "infinity", "+infinity"), math.inf),
    **dict.fromkeys(("-inf", "-infinity"), -math.inf),
}
"""Infinite numbers as text, in small letters: JSON has no other way to write them."""


DEEPEST = 8
"""How deep infinite numbers are looked for: deeper than data may be nested."""


def read(path: Path) -> dict[str, Any]:
    """The contents of a data file by name, as its format has them."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise binding.unknown_data_format(path, READERS)
    return reader(path)


# --- JSON ----------------------------------------------------------------------------------------


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object whose values are numbers and (nested) lists of numbers."""
    source = read_text(path)
    try:
        content = json.loads(source.text, object_pairs_hook=lambda pairs: _object(path, pairs))
    except json.JSONDecodeError as error:
        span = Span(source, error.pos, error.pos + 1)
        raise binding.malformed_data_file(path, error.msg.lower(), span) from None
    except RecursionError:
        raise binding.malformed_data_file(path, "it is nested too deeply") from None
    except ValueError:
        raise binding.malformed_data_file(path, "a number in it has too many digits") from None
    if not isinstance(content, dict):
        raise binding.malformed_data_file(
            path, "it holds no names", help='write an object such as {"y": [1.0, 2.0]}'
        )
    return {name: _with_infinities(value) for name, value in content.items()}


def _object(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for name, value in pairs:
        if name in content:
            raise binding.datum_given_twice(name, path, "the same file")
        content[name] = value
    return content


def _with_infinities(value: Any, depth: int = 0) -> Any:
    """The value with the texts Stan writes for infinite numbers read as numbers."""
    if isinstance(value, str):
        return INFINITIES.get(value.lower(), value)
    if isinstance(value, list) and depth < DEEPEST:
        return [_with_infinities(element, depth + 1) for element in value]
    return value


# --- CSV -----------------------------------------------------------------------------------------


def read_csv(path: Path) -> dict[str, Any]:
    """A table: the first row names the columns, and every column is a vector."""
    source = read_text(path)
    rows = csv.reader(io.StringIO(source.text, newline=""), strict=True)
    try:
        header = [name.strip() for name in next(rows, [])]
        _check_header(path, source, header)
        columns: list[list[float]] = [[] for _ in header]
        for row in rows:
            if row:
                _append_row(path, source, rows.line_num, header, row, columns)
    except csv.Error as error:
        span = _line_span(source, rows.line_num)
        raise binding.malformed_data_file(path, str(error), span) from None
    return {name: np.array(column) for name, column in zip(header, columns, strict=True)}


def _check_header(path: Path, source: Source, header: list[str]) -> None:
    if not header:
        raise binding.malformed_data_file(
            path, "it has no header row with the names of its columns"
        )
    for i, name in enumerate(header):
        if not name:
            raise binding.malformed_data_file(
                path,
                f"column {i + 1} has no name",
                _line_span(source, 1),
                "row numbers are not data: write the table without them",
            )
        if name in header[:i]:
            raise binding.datum_given_twice(name, path, "the same file")


def _append_row(
    path: Path,
    source: Source,
    line: int,
    header: list[str],
    row: list[str],
    columns: list[list[float]],
) -> None:
    if len(row) != len(header):
        reason = f"this row has {len(row)} cells, and the header has {len(header)}"
        raise binding.malformed_data_file(path, reason, _line_span(source, line))
    for name, cell, column in zip(header, row, columns, strict=True):
        column.append(_cell(source, line, name, cell.strip()))


def _cell(source: Source, line: int, column: str, cell: str) -> float:
    try:
        value = float(cell)
        if not math.isnan(value) and "_" not in cell:
            return value
    except ValueError:
        if cell.lower() in ("true", "false"):
            return float(cell.lower() == "true")
    span = _line_span(source, line, cell)
    if cell.lower() in MISSING:
        raise binding.cell_missing(span, column)
    raise binding.cell_not_a_number(span, column, cell)


def _line_span(source: Source, line: int, cell: str = "") -> Span:
    """A cell in a line, or the whole line."""
    line = min(max(line, 1), len(source.line_starts))
    start = source.line_starts[line - 1]
    shift = max(source.line(line).find(cell), 0) if cell else 0
    return Span(source, start + shift, start + shift + max(len(cell), 1))


# --- NPZ -----------------------------------------------------------------------------------------


def read_npz(path: Path) -> dict[str, Any]:
    """The arrays of an archive that `numpy.savez` wrote; objects in it are never unpickled."""
    from zipfile import BadZipFile

    content = io.BytesIO(read_bytes(path))
    try:
        with np.load(content, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (ValueError, OSError, EOFError, KeyError, AttributeError, TypeError, BadZipFile):
        raise binding.malformed_data_file(
            path,
            "it is no archive of numeric arrays",
            help="write it with numpy.savez, and with no arrays of objects",
        ) from None


READERS: dict[str, Callable[[Path], dict[str, Any]]] = {
    ".json": read_json,
    ".csv": read_csv,
    ".npz": read_npz,
}
