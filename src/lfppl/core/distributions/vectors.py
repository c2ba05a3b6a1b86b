"""Distributions of vectors: multivariate normal and Dirichlet."""

from __future__ import annotations

from typing import Any

import numpy as np

from lfppl.core.distributions.contract import (
    Condition,
    Constraint,
    DistributionFamily,
    Parameter,
    Piece,
    Support,
)
from lfppl.core.distributions.formulas import LOG_ROOT_TAU, minus_magnitude, times_log


def decompose(covariance: Any) -> tuple[list[list[Any]], list[Any]]:
    """Unit lower triangular L and pivots d with `covariance = L diag(d) L'` (Cholesky, no roots).

    Reads the lower triangle. The matrix is positive definite where all pivots are positive.

    >>> decompose([[4.0, 2.0], [2.0, 3.0]])
    ([[], [0.5]], [4.0, 2.0])
    """
    lower: list[list[Any]] = []
    pivots: list[Any] = []
    for i, row in enumerate(covariance):
        scaled: list[Any] = []  # L[i][j] * d[j]
        for j in range(i):
            scaled.append(_less_dot(row[j], scaled, lower[j]))
        lower.append([entry / pivot for entry, pivot in zip(scaled, pivots, strict=True)])
        pivots.append(_less_dot(row[i], scaled, lower[i]))
    return lower, pivots


def _less_dot(value: Any, a: list[Any], b: list[Any]) -> Any:
    for left, right in zip(a, b, strict=False):
        value = value - left * right
    return value


def _mvn(m: Any, x: Any, mean: Any, covariance: Any) -> Any:
    lower, pivots = decompose(covariance)
    residual: list[Any] = []
    for value, center, row in zip(x, mean, lower, strict=True):
        residual.append(_less_dot(value - center, residual, row))
    pairs = zip(residual, pivots, strict=True)
    distance = m.sum([r * r * (1.0 / pivot) for r, pivot in pairs])
    log_determinant = m.sum([m.log(pivot) for pivot in pivots])
    return -0.5 * distance - (0.5 * log_determinant + len(pivots) * LOG_ROOT_TAU)


def _dirichlet(m: Any, x: Any, concentration: Any) -> Any:
    pairs = zip(x, concentration, strict=True)
    powers = m.sum([times_log(m, a - 1.0, p) for p, a in pairs])
    norms = m.sum([m.log_gamma(a) for a in concentration])
    return powers + (m.log_gamma(m.sum(concentration)) - norms)


SUM_TOLERANCE = 1e-6
"""How far the sum of an observed probability vector may be from 1."""


def _sums_to_one(m: Any, x: Any, concentration: Any) -> Any:
    return SUM_TOLERANCE + minus_magnitude(m, m.sum(x) - 1.0)


def _least_part(m: Any, x: Any, concentration: Any) -> Any:
    return m.smallest(x)


FAMILIES = (
    DistributionFamily(
        "mvn",
        (Parameter("mean", Constraint.REALS), Parameter("covariance", Constraint.COVARIANCE)),
        Support("vector", text="all vectors"),
        (Piece(_mvn),),
        lambda generator, mean, covariance: generator.multivariate_normal(
            np.asarray(mean), np.asarray(covariance), method="cholesky"
        ),
        "multivariate normal, by mean and covariance matrix",
    ),
    DistributionFamily(
        "dirichlet",
        (Parameter("concentration", Constraint.POSITIVES),),
        Support("simplex", text="vectors of probabilities that sum to 1"),
        (
            Piece(
                _dirichlet,
                (Condition(_least_part, edge=True), Condition(_sums_to_one, edge=True)),
            ),
        ),
        lambda generator, concentration: generator.dirichlet(concentration),
        "a vector of probabilities that sum to 1",
    ),
)
