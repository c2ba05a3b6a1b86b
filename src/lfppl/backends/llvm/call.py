"""A density's native functions for Python callers: tests, users, and error messages."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.density import Density
from lfppl.errors import ModelError, native
from lfppl.lir.tables import Model

Floats = NDArray[np.float64]

_POINTER, _INTEGER, _DOUBLE = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double

_SIGNATURES: dict[str, tuple[type, ...]] = {
    "evaluate": (_DOUBLE, _POINTER),
    "gradient": (_DOUBLE, _POINTER, _POINTER),
    "move": (_DOUBLE, _POINTER, _INTEGER, _DOUBLE),
    "undo": (_INTEGER, _POINTER),
    "sweep": (_DOUBLE, _POINTER, _INTEGER, _DOUBLE, _POINTER, _POINTER, _POINTER),
    "branches": (_INTEGER, _POINTER, _POINTER),
    "values": (_INTEGER, _POINTER, _POINTER),
    "terms": (_INTEGER, _POINTER, _POINTER),
}


class Swept(NamedTuple):
    """What a sweep did: the sum of the accepted changes of U, and how many were accepted."""

    change: float
    moved: int


class CompiledDensity:
    """A density with a workspace of its own, called from Python.

    Calls hold no Python lock; different instances can be used in different threads at once.
    """

    def __init__(self, density: Density) -> None:
        self.density = density
        self.workspace = density.workspace()
        self.x = self.workspace[: density.dimension]
        self._calls = {
            name: ctypes.CFUNCTYPE(*signature)(getattr(density.pointers, name))
            for name, signature in _SIGNATURES.items()
        }
        self._place = self.workspace.ctypes.data

    def evaluate(self, x: Floats | None = None) -> float:
        """U at x (or where the workspace is)."""
        self._write(x)
        return float(self._calls["evaluate"](self._place))

    def gradient(self, x: Floats | None = None) -> tuple[float, Floats]:
        """U and its derivatives; 0 for discontinuous coordinates."""
        self._write(x)
        slope = np.zeros(self.density.dimension)
        u = float(self._calls["gradient"](self._place, slope.ctypes.data))
        slope[self.density.followed] = 0.0  # where cells are not rubbed out
        return u, slope

    def move(self, b: int, value: float) -> float:
        """Set x_b; returns the change of U."""
        return float(self._calls["move"](self._place, b, value))

    def undo(self) -> None:
        """Take the last move back."""
        self._calls["undo"](self._place)

    def sweep(self, colour: int, eps: float, p: Floats, s: Floats) -> Swept:
        """Update all coordinates of a colour; changes x and p in place."""
        moved = np.zeros(1, dtype=np.int64)
        change = self._calls["sweep"](
            self._place, colour, eps, p.ctypes.data, s.ctypes.data, moved.ctypes.data
        )
        return Swept(float(change), int(moved[0]))

    def branches(self) -> NDArray[np.uint8]:
        """The branching variables."""
        bits = np.zeros(self.density.branch_count, dtype=np.uint8)
        self._calls["branches"](self._place, bits.ctypes.data)
        return bits

    def values(self) -> Floats:
        """The natural values of all variables, then the return value."""
        out = np.zeros(self.density.value_count)
        self._calls["values"](self._place, out.ctypes.data)
        return out

    def terms(self) -> Floats:
        """Every row of every factor."""
        out = np.zeros(self.density.term_count)
        self._calls["terms"](self._place, out.ctypes.data)
        return out

    def _write(self, x: Floats | None) -> None:
        if x is not None:
            self.x[:] = x


def diagnose(model: Model, density: Density, workspace: Floats) -> ModelError:
    """The error for a density that is NaN: its vertex and place in the source.

    Changes nothing in the workspace but what evaluating changes.
    """
    caller = ctypes.CFUNCTYPE(*_SIGNATURES["terms"])(density.pointers.terms)
    terms = np.zeros(density.term_count)
    caller(workspace.ctypes.data, terms.ctypes.data)
    wrong = np.flatnonzero(np.isnan(terms))
    if len(wrong) == 0:
        return native.hidden_not_a_number()
    return _error_for_row(model, int(wrong[0]))


def _error_for_row(model: Model, row: int) -> ModelError:
    for factor in model.factors:
        if row < len(factor.vertices):
            vertex = model.vertices[factor.vertices[row]]
            indices = tuple(int(i) for i in np.atleast_1d(factor.indices[row]) if i >= 0)
            return native.not_a_number(vertex.name, vertex.family, indices, vertex.span)
        row -= len(factor.vertices)
    raise IndexError(row)
