"""Mistakes in files and data: one constructor each."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from lfppl.errors.base import ModelError
from lfppl.source import Span

Index = tuple[int, ...]


def element(name: str, index: Index) -> str:
    """How a message names an element of a datum.

    >>> element("y", (2, 0)), element("y", ())
    ('`y[2,0]`', '`y`')
    """
    place = ",".join(str(i) for i in index)
    return f"`{name}[{place}]`" if index else f"`{name}`"


# --- files ---------------------------------------------------------------------------------------


def unknown_data_format(path: object, known: Iterable[str]) -> ModelError:
    """A data file whose name ends in nothing we know."""
    return ModelError(
        "unknown-data-format",
        f"cannot tell the format of the data file {path}",
        help=f"its name must end in one of {', '.join(known)}",
    )


def malformed_data_file(
    path: object, reason: str, span: Span | None = None, help: str = ""
) -> ModelError:
    """A data file that breaks the rules of its own format."""
    message = f"the data file {path} cannot be read: {reason}"
    return ModelError("malformed-data-file", message, span, help=help)


def cell_not_a_number(span: Span, column: str, cell: str) -> ModelError:
    """A cell of a CSV file that holds text."""
    return ModelError(
        "data-not-a-number",
        f"the column `{column}` holds {cell!r} where a number belongs",
        span,
        "data are numbers",
        "code categories as integers, or remove the column",
    )


def cell_missing(span: Span, column: str) -> ModelError:
    """A cell of a CSV file that is empty, NA or NaN."""
    return ModelError(
        "missing-value",
        f"the column `{column}` has no value here",
        span,
        "missing values are not data",
        "remove the row, or make the missing value a variable that is sampled",
    )


def datum_given_twice(name: str, first: object, second: object) -> ModelError:
    """The same name in two data files."""
    return ModelError(
        "datum-given-twice",
        f"`{name}` is given twice: in {first} and in {second}",
        help=f"keep `{name}` in one of the files only",
    )


# --- values --------------------------------------------------------------------------------------


def data_not_a_mapping(kind: str) -> ModelError:
    """Data that are no mapping from names to values."""
    return ModelError(
        "data-not-a-mapping",
        f"data must map names to values, and this is {kind}",
        help='pass a dictionary such as {"y": [1.0, 2.0]}',
    )


def datum_without_name(name: object) -> ModelError:
    """A key that is empty or no string."""
    return ModelError(
        "datum-without-name",
        f"a datum has the name {name!r}, which no program can refer to",
        help="names of data are non-empty strings; a table's row numbers need a name or must go",
    )


def not_a_number(name: str, index: Index, kind: str) -> ModelError:
    """A value that is text, a complex number, a date, or some other object."""
    return ModelError(
        "data-not-a-number",
        f"{element(name, index)} is {kind} where a number belongs",
        help="data are numbers, or vectors and matrices of numbers",
    )


def missing_value(name: str, index: Index) -> ModelError:
    """NaN, None or NA among the data."""
    return ModelError(
        "missing-value",
        f"{element(name, index)} is missing (NaN)",
        help="remove it, or make the missing value a variable that is sampled",
    )


def ragged(name: str, index: Index, length: str, expected: str) -> ModelError:
    """A nested list whose rows differ in length."""
    return ModelError(
        "ragged-data",
        f"{element(name, index)} has {length} where the rows before it have {expected}",
        help="rows must have the same length: give ragged data as one vector and their lengths",
    )


def too_many_dimensions(name: str, dimensions: int, most: int) -> ModelError:
    """An array of more dimensions than the language has use for."""
    return ModelError(
        "too-many-dimensions",
        f"`{name}` has {dimensions} dimensions, and data may have at most {most}",
        help="reshape it, for example to a matrix",
    )


def too_large_number(name: str, index: Index) -> ModelError:
    """An integer that no double-precision number can hold."""
    return ModelError(
        "too-large-number",
        f"{element(name, index)} is an integer too large for double precision",
        help="rescale it, for example by taking its logarithm",
    )


# --- data and program ----------------------------------------------------------------------------


def surplus_datum(name: str, read: Iterable[str]) -> ModelError:
    """A datum that the program does not read."""
    near = get_close_matches(name, sorted(read), n=1)
    advice = f"did you mean `{near[0]}`?" if near else f"use `{name}` in the program, or remove it"
    return ModelError("surplus-datum", f"the program does not read the datum `{name}`", help=advice)
