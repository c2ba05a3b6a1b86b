"""The LIR as JSON: every dataclass an object with its kind, every array a list."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from lfppl.lir.tables import Model, Reduce
from lfppl.source import Span


def to_json(model: Model) -> dict[str, Any]:
    """A model as an object of plain lists, numbers and strings.

    Infinite numbers are the strings "Infinity" and "-Infinity", spans `file:line:column`.
    """
    result: dict[str, Any] = _plain(model)
    return result


def _plain(value: Any) -> Any:
    match value:
        case bool() | str() | int() | None:
            return value
        case float():
            return _number(value)
        case Span():
            return str(value)
        case slice():
            return {"start": value.start, "stop": value.stop}
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case np.ndarray() | np.generic():
            return _array(value)
    if issparse(value):
        return _sparse(value)
    if is_dataclass(value):
        pairs = {_key(value, f.name): _plain(getattr(value, f.name)) for f in fields(value)}
        return {"kind": type(value).__name__, **pairs}
    if hasattr(value, "_asdict"):
        return {key: _plain(item) for key, item in value._asdict().items()}
    return [_plain(item) for item in value]


def _key(value: object, name: str) -> str:
    """Fields that are called `kind` themselves, behind the name of their class."""
    if name != "kind":
        return name
    return "reduction" if isinstance(value, Reduce) else f"{type(value).__name__.lower()}_kind"


def _number(value: float) -> float | str:
    if math.isfinite(value):
        return float(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _array(values: np.ndarray[Any, Any] | np.generic) -> Any:
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        return _plain(values.tolist())
    return values.tolist()


def _sparse(weights: Any) -> dict[str, Any]:
    names = ("shape", "indptr", "indices", "data")
    return {name: _plain(getattr(weights, name)) for name in names}
