"""Whether the tables of two compiled models are equal up to names and places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from scipy import sparse

import lfppl
from lfppl.source import Span

IGNORED = {"name", "text"}
"""Names of variables, and what reasons say."""


def differences(one: lfppl.Model, other: lfppl.Model) -> list[str]:
    """Where the tables of two models differ."""
    return list(_differences(one.lir, other.lir, "model"))


def _differences(a: Any, b: Any, path: str) -> Iterator[str]:
    if isinstance(a, Span):
        return
    if type(a) is not type(b):
        yield f"{path}: {type(a).__name__}, {type(b).__name__}"
    elif isinstance(a, np.ndarray):
        if a.shape != b.shape or not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
            yield f"{path}: {a} != {b}"
    elif sparse.issparse(a):
        if a.shape != b.shape or (a != b).nnz:
            yield f"{path}: weights differ"
    elif is_dataclass(a):
        for field in fields(a):
            if field.name not in IGNORED:
                values = (getattr(each, field.name) for each in (a, b))
                yield from _differences(*values, f"{path}.{field.name}")
    elif isinstance(a, list | tuple):
        yield from _of_sequences(a, b, path)
    elif isinstance(a, dict):
        yield from _of_sequences(sorted(a), sorted(b), path)
    elif a != b and not (a != a and b != b):
        yield f"{path}: {a!r} != {b!r}"


def _of_sequences(a: Any, b: Any, path: str) -> Iterator[str]:
    if len(a) != len(b):
        yield f"{path}: {len(a)} items, {len(b)}"
    for position, (one, other) in enumerate(zip(a, b, strict=False)):
        yield from _differences(one, other, f"{path}[{position}]")
