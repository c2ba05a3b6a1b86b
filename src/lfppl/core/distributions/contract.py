"""What a distribution is: data from which every backend, derivative and check is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Formula = Callable[..., Any]
"""`(m, x, *parameters) -> value` in the primitives of `core.primitives.Math`.

`m` is the algebra it is written for (NumPy, the expression graph); numbers combine by the ordinary
operators, vectors are Python sequences of numbers. No Python `if` on a value.
"""

Draw = Callable[..., NDArray[np.float64]]
"""`(generator, *parameters) -> value`: one draw; parameters are floats or arrays."""


@dataclass(frozen=True)
class Condition:
    """An indicator of a piece: 1[formula >= 0], or 1[formula > 0] where strict.

    `jump` tells whether the density jumps where the formula is 0. It does not where the density
    falls to 0 there, nor at a kink. `edge` tells an edge of the support from a border between
    pieces; the support is where all edge conditions of all pieces hold.
    """

    formula: Formula
    strict: bool = False
    jump: bool = True
    edge: bool = False


@dataclass(frozen=True)
class Piece:
    """One pair (psi, phi) of the paper's set Phi: where it holds, and the log density there.

    The pieces of a family partition its support. A `flat` one does not read x, so that a NaN there
    must be looked for.
    """

    log_density: Formula
    conditions: tuple[Condition, ...] = ()
    flat: bool = False


class Constraint(Enum):
    """What a parameter must satisfy."""

    REAL = "any real number"
    POSITIVE = "greater than 0"
    NONNEGATIVE = "0 or greater"
    UNIT = "between 0 and 1"
    COUNT = "an integer, 0 or greater"
    INTEGER = "an integer"
    WEIGHTS = "a vector of numbers 0 or greater, not all 0"
    POSITIVES = "a vector of numbers greater than 0"
    REALS = "a vector of real numbers"
    COVARIANCE = "a symmetric positive definite matrix"

    @property
    def is_vector(self) -> bool:
        """Whether the parameter is a vector or a matrix.

        >>> Constraint.WEIGHTS.is_vector, Constraint.POSITIVE.is_vector
        (True, False)
        """
        return self in _VECTORS


_VECTORS = (Constraint.WEIGHTS, Constraint.POSITIVES, Constraint.REALS, Constraint.COVARIANCE)


@dataclass(frozen=True)
class Parameter:
    """A parameter: its name, what it must satisfy, and whether the density jumps at that edge."""

    name: str
    constraint: Constraint = Constraint.REAL
    jump: bool = False


@dataclass(frozen=True)
class Support:
    """Where the density is positive, for choosing a coordinate.

    `lower` and `upper` are formulas `(m, *parameters)`, None standing for no bound. Kinds:
    `interval` (any bounds), `integers` (bounds inclusive), `vector` (all of R^K), `simplex`.
    `text` says it in words, for people.
    """

    kind: Literal["interval", "integers", "vector", "simplex"] = "interval"
    lower: Formula | None = None
    upper: Formula | None = None
    text: str = "all real numbers"


@dataclass(frozen=True)
class DistributionFamily:
    """A row of the table of distributions.

    `relations` are conditions `(m, *parameters)` that involve several parameters (a < b).
    A family that is `observed_only` is an unnormalised weight: it cannot be sampled.
    """

    name: str
    parameters: tuple[Parameter, ...]
    support: Support
    pieces: tuple[Piece, ...]
    draw: Draw
    summary: str
    relations: tuple[Condition, ...] = ()
    observed_only: bool = False

    @property
    def is_discrete(self) -> bool:
        """Whether the values are integers, embedded as unit cells [k, k + 1)."""
        return self.support.kind == "integers"

    @property
    def is_vector(self) -> bool:
        """Whether a value is a vector."""
        return self.support.kind in ("vector", "simplex")
