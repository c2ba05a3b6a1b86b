"""Data: what files and Python hold, as the numbers and arrays that free symbols are bound to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Complex, Real
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lfppl import data_files
from lfppl.errors import binding

Value: TypeAlias = float | NDArray[np.float64]
Data: TypeAlias = dict[str, Value]

MOST_DIMENSIONS = 3


def load_data(path: str | Path) -> Data:
    """The data of a `.json`, `.csv` or `.npz` file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "d.json").write_text('{"sigma": 2, "y": [1, 2.5]}')
    ...     load_data(Path(folder, "d.json"))
    {'sigma': 2.0, 'y': array([1. , 2.5])}
    """
    return bind(data_files.read(Path(path)))


def load_all(paths: Iterable[str | Path]) -> Data:
    """The data of several files together; a name may be in one of them only."""
    together: Data = {}
    origin: dict[str, str | Path] = {}
    for path in paths:
        for name, value in load_data(path).items():
            if name in origin:
                raise binding.datum_given_twice(name, origin[name], path)
            together[name], origin[name] = value, path
    return together


def bind(data: Mapping[str, Any] | None) -> Data:
    """Data from Python as floats and read-only float64 arrays; whatever else is refused.

    Values are numbers, truth values, (nested) lists, arrays, or columns of a data frame; the data
    may be a data frame itself.

    >>> bind({"n": True, "y": [[1, 2], [3, 4]]})
    {'n': 1.0, 'y': array([[1., 2.],
           [3., 4.]])}
    """
    if data is None:
        return {}
    if not (hasattr(data, "items") and hasattr(data, "keys")):
        raise binding.data_not_a_mapping(f"a {type(data).__name__}")
    return {_checked_name(name): _normalised(name, value) for name, value in data.items()}


def _checked_name(name: object) -> str:
    if not isinstance(name, str) or not name.strip():
        raise binding.datum_without_name(name)
    return name


def _normalised(name: str, value: Any) -> Value:
    array = _as_numbers(name, value)
    if array.ndim > MOST_DIMENSIONS:
        raise binding.too_many_dimensions(name, array.ndim, MOST_DIMENSIONS)
    missing = np.isnan(array)
    if missing.any():
        raise binding.missing_value(name, _first_index(missing))
    if array.ndim == 0:
        return float(array)
    array.setflags(write=False)  # a model must not change when the caller's array does
    return array


def _as_numbers(name: str, value: Any) -> NDArray[np.float64]:
    is_special = isinstance(value, np.ndarray) and type(value) is not np.ndarray
    if is_special and np.ma.getmaskarray(value).any():  # to name `np.ma` imports it
        raise binding.missing_value(name, _first_index(np.ma.getmaskarray(value)))
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError):  # a ragged or too deeply nested list
        _refuse(name, (), value)
    if array.dtype.kind in "biuf":
        return np.array(array, dtype=np.float64, order="C")
    elements = value if isinstance(value, list | tuple) else array.tolist()
    return _exact(name, elements)


def _exact(name: str, value: Any) -> NDArray[np.float64]:
    """An array of Python numbers that NumPy has no integer type for; anything else is refused."""
    _inspect(name, (), value)
    try:
        return np.array(value, dtype=np.float64)
    except OverflowError:
        _refuse(name, (), value)


def _refuse(name: str, index: binding.Index, value: Any) -> NoReturn:
    """Raise the error for the first element that is no number, or the first row that is ragged."""
    _inspect(name, index, value)
    raise binding.not_a_number(name, index, f"a {type(value).__name__}")


def _inspect(name: str, index: binding.Index, value: Any) -> None:
    if isinstance(value, np.ndarray) or hasattr(value, "to_numpy"):
        value = np.asarray(value).tolist()
    if isinstance(value, list | tuple):
        _inspect_rows(name, index, value)
    else:
        _inspect_number(name, index, value)


def _inspect_rows(name: str, index: binding.Index, rows: Sequence[Any]) -> None:
    if len(index) >= MOST_DIMENSIONS:
        raise binding.too_many_dimensions(name, len(index) + 1, MOST_DIMENSIONS)
    expected = _extent(rows[0]) if rows else ""
    for i, row in enumerate(rows):
        _inspect(name, (*index, i), row)
        if _extent(row) != expected:
            raise binding.ragged(name, (*index, i), _extent(row), expected)


def _extent(row: Any) -> str:
    """How many elements a row has, in words; rows of one length have the same words."""
    if not (isinstance(row, list | tuple) or getattr(row, "ndim", 0) > 0):
        return "one number"
    return f"{len(row)} element{'' if len(row) == 1 else 's'}"


def _inspect_number(name: str, index: binding.Index, value: Any) -> None:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        raise binding.missing_value(name, index)
    if not isinstance(value, Real | np.bool_):
        raise binding.not_a_number(name, index, _described(value))
    try:
        float(value)
    except OverflowError:
        raise binding.too_large_number(name, index) from None


def _described(value: Any) -> str:
    match value:
        case str() | bytes():
            shown = repr(value)
            return f"the text {shown if len(shown) <= 40 else shown[:37] + '...'}"
        case Complex():
            return "a complex number"
        case Mapping():
            return "a mapping"
        case _:
            article = "an" if type(value).__name__[:1].lower() in "aeiou" else "a"
            return f"{article} {type(value).__name__}"


def _first_index(mask: NDArray[np.bool_]) -> binding.Index:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))
