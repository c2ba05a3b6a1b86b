"""The density at points given by name in natural coordinates, for people and for tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm import CompiledDensity, compile_density
from lfppl.core.distributions import FAMILIES
from lfppl.errors import evaluation
from lfppl.lir.tables import Model as Tables
from lfppl.lir.tables import VariableBlock

Floats = NDArray[np.float64]
Point = Mapping[str, Any]
Bit = tuple[int, tuple[int, ...]]


class Evaluation:
    """A model whose coordinates are the natural values of its variables."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    @cached_property
    def _compiled(self) -> CompiledDensity:
        return CompiledDensity(compile_density(self.tables))

    def log_density(self, point: Point) -> float:
        """The log density; -inf outside the support."""
        return -self._compiled.evaluate(self.coordinates(point))

    def gradient(self, point: Point) -> dict[str, Floats]:
        """Its derivatives by name; 0 for the discontinuous variables."""
        _, slope = self._compiled.gradient(self.coordinates(point))
        return {name: self._by_name(name, -slope) for name in self._shapes}

    def branches(self, point: Point) -> dict[Bit, bool]:
        """The branching variables by the site of their `if` and their loop indices."""
        self._compiled.evaluate(self.coordinates(point))
        bits = iter(self._compiled.branches().tolist())
        found = {}
        for predicate in self.tables.predicates:
            for site, row in zip(predicate.sites.tolist(), predicate.indices.tolist(), strict=True):
                found[site, tuple(i for i in row if i >= 0)] = bool(next(bits))
        return found

    def sample(self, x: Floats) -> tuple[float, bytes]:
        """The log density at coordinates, and the branching variables as bytes."""
        return -self._compiled.evaluate(x), self._compiled.branches().tobytes()

    # --- coordinates by name ---------------------------------------------------------------------

    @cached_property
    def _shapes(self) -> dict[str, tuple[int, ...]]:
        shapes: dict[str, tuple[int, ...]] = {}
        for block in self.tables.variables:
            extent = tuple(int(top) + 1 for top in block.indices.max(axis=0, initial=0))
            length = block.coordinates.shape[1:] if FAMILIES[block.family].is_vector else ()
            old = shapes.get(block.name, (0,) * (len(extent) + len(length)))
            both = zip(old, (*extent, *length), strict=True)
            shapes[block.name] = tuple(max(pair) for pair in both)
        return shapes

    def coordinates(self, point: Point) -> Floats:
        """The coordinates of a point."""
        for name in (*self._shapes, *point):
            if name not in point or name not in self._shapes:
                raise evaluation.wrong_point(name, self._shapes)
        x = np.zeros(self.tables.dimension)
        for block in self.tables.variables:
            values = np.asarray(point[block.name], np.float64)
            if values.shape != self._shapes[block.name]:
                raise evaluation.wrong_shape(block.name, values.shape, self._shapes[block.name])
            x[block.coordinates] = values[_places(block)].reshape(block.coordinates.shape)
        return x

    def _by_name(self, name: str, x: Floats) -> Floats:
        result = np.full(self._shapes[name], np.nan)
        for block in self.tables.variables:
            if block.name == name:
                values = x[block.coordinates]
                result[_places(block)] = values.reshape(result[_places(block)].shape)
        return result


def _places(block: VariableBlock) -> tuple[NDArray[np.int64], ...]:
    return tuple(block.indices.T)
