"""What a run needs to know of a model; `compiler.Model` is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis.gamma import Gamma
from lfppl.backends.density import Density
from lfppl.core.ast import Expression
from lfppl.lir.tables import Model as Tables
from lfppl.results.names import Label
from lfppl.source import Source
from lfppl.trace.records import Trace

if TYPE_CHECKING:
    from lfppl.results.report import Portrait


class Subject(Protocol):
    """A compiled model that can be sent to other processes.

    `gamma` says which variables the density treats as discontinuous (`analysis.gamma`).
    """

    @property
    def source(self) -> Source:
        """The program's text, or its tree as JSON where the name ends in .json."""

    @property
    def text(self) -> Source:
        """What a person wrote."""

    @property
    def dims(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the dimensions of variables that have them."""

    @property
    def coords(self) -> Mapping[str, list[Label]]:
        """Labels along named dimensions."""

    @property
    def data(self) -> Mapping[str, float | NDArray[np.float64]]:
        """The data it was compiled with."""

    @property
    def identity(self) -> str:
        """A digest of source and data."""

    @property
    def core(self) -> Expression:
        """The desugared program."""

    @property
    def trace(self) -> Trace:
        """The traced program."""

    @property
    def compile_s(self) -> float:
        """How many seconds it took to compile so far."""

    @property
    def portrait(self) -> Portrait:
        """What reports say of it."""

    def tables(self, gamma: Gamma = "found") -> Tables:
        """The LIR."""

    def density(self, gamma: Gamma = "found") -> Density:
        """The native density."""
