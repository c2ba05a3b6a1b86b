"""Named dimensions of variables, and the coordinates along them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax.python.values import Foreign, Items, Range, Static, Value, freeze

RESERVED_DIMS = ("chain", "draw")
"""What the dimensions of results are called that every variable has."""


@dataclass
class Labels:
    """The names of dimensions by variable, the labels along a dimension, and where both stand."""

    dims: dict[str, tuple[str, ...]] = field(default_factory=dict)
    coords: dict[str, list[Any]] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)
    label_places: dict[str, Span] = field(default_factory=dict)

    def name(self, variable: str, dims: tuple[str, ...], rank: int, span: Span) -> None:
        """Name the dimensions of a variable; those of loops around the sample may be left out."""
        self.dims[variable], self.places[variable] = dims, span
        self.ranks[variable] = rank

    def label(self, dim: str, labels: list[Any], span: Span) -> None:
        """Give the labels along a dimension; everywhere the same ones."""
        if self.coords.setdefault(dim, labels) != labels:
            raise errors.coords_twice(span, dim)
        self.label_places.setdefault(dim, span)

    def check(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        """Refuse names and labels that do not fit the shapes of the variables.

        Dimensions of loops that have no name get one.
        """
        lengths: dict[str, tuple[int, str]] = {}
        for variable, shape in ((name, shapes[name]) for name in self.dims):
            dims, span = self._whole(variable, len(shape)), self.places[variable]
            if len(dims) != len(shape):
                raise errors.dims_count(span, dims, len(shape))
            for dim, length in zip(dims, shape, strict=True):
                self._check_dim(dim, length, shapes, span)
                first, other = lengths.setdefault(dim, (length, variable))
                if first != length:
                    raise errors.dims_lengths(span, dim, variable, length, other, first)

    def _whole(self, variable: str, rank: int) -> tuple[str, ...]:
        """The names of all dimensions, those of loops included."""
        dims = self.dims[variable]
        if len(dims) == self.ranks[variable] < rank:
            loops = tuple(f"{variable}_dim_{i}" for i in range(rank - len(dims)))
            self.dims[variable] = dims = (*loops, *dims)
        return dims

    def _check_dim(self, dim: str, length: int, variables: Mapping[str, Any], span: Span) -> None:
        if dim in RESERVED_DIMS or dim in variables:
            raise errors.dims_reserved(span, dim, dim in variables)
        labels = self.coords.get(dim)
        if labels is not None and len(labels) != length:
            raise errors.coords_length(self.label_places[dim], dim, len(labels), length)


def labels_of(value: Value) -> list[Any] | None:
    """Labels as numbers and texts; None where they are not known."""
    if isinstance(value, Static) and isinstance(value.value, np.ndarray):
        return [_label(each) for each in value.value]
    if isinstance(value, Items):
        known = all(isinstance(item, Static | Foreign) for item in value.items)
        return [_label(item.value) for item in value.items] if known else None  # type: ignore[union-attr]
    if isinstance(value, Range) and isinstance(value.count, Static):
        return labels_of(Items(tuple(value.item(i) for i in range(int(value.count.value)))))
    return None


def _label(value: Any) -> Any:
    """A number or a text: also of a date, or whatever else can be written."""
    value = freeze(value)
    return value if isinstance(value, str | int | float) else str(value)
