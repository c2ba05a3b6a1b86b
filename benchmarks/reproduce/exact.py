"""Exact answers to both experiments: by enumeration, and by a quadrature in one variable."""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.special import erf, logsumexp, ndtr

from reproduce.curves import Floats

# --- the mixture ----------------------------------------------------------------------------------

PAPER_DATA = (-2.0, -2.5, -1.7, -1.9, -2.2, 1.5, 2.2, 3.0, 1.2, 2.8)
PRIOR_DEVIATION = 2.0


class MixtureMeans(NamedTuple):
    """Posterior means of a cluster mean, and of the smaller and the larger of the two."""

    each: float
    smaller: float
    larger: float


def mixture_means(y: tuple[float, ...] = PAPER_DATA) -> MixtureMeans:
    """By summing over all labels: given them, the cluster means are independent normals."""
    labels = np.array(list(product((0, 1), repeat=len(y))))
    centres, deviations, weights = _given_labels(np.asarray(y), labels)
    larger = _mean_of_larger(centres, deviations)
    both = centres.sum(1)
    return MixtureMeans(
        float(weights @ both / 2), float(weights @ (both - larger)), float(weights @ larger)
    )


def _given_labels(y: Floats, labels: Floats) -> tuple[Floats, Floats, Floats]:
    """Means and deviations of the cluster means for each labelling, and its probability."""
    members = np.stack([1 - labels, labels], 1)
    precisions = PRIOR_DEVIATION**-2 + members.sum(2)
    sums = members @ y
    logs = (0.5 * sums**2 / precisions - 0.5 * np.log(precisions)).sum(1)
    return sums / precisions, precisions**-0.5, np.exp(logs - logsumexp(logs))


def _mean_of_larger(centres: Floats, deviations: Floats) -> Floats:
    """E[max] of two independent normals (Clark, 1961)."""
    spread = np.hypot(deviations[:, 0], deviations[:, 1])
    distance = (centres[:, 0] - centres[:, 1]) / spread
    peak = np.exp(-0.5 * distance**2) / math.sqrt(2 * math.pi)
    parts = centres[:, 0] * ndtr(distance) + centres[:, 1] * ndtr(-distance)
    return np.asarray(parts + spread * peak)


# --- the heavy tail -------------------------------------------------------------------------------

INNER, OUTER = 3.0, 6.0
LOG_MIXING = np.linspace(-60.0, 20.0, 4001)
"""Logarithms of v, the places of the quadrature."""


def inner_mass(diagonal: Floats) -> float:
    """P(|x| <= 3 everywhere) for a diagonal A.

    exp(-sqrt(s)) is a mixture of exp(-v s) with v from a Levy distribution. Given v the coordinates
    are independent, so that the integral over a box is one over v alone.
    """
    inner, outer = (_log_box(np.asarray(diagonal), half) for half in (INNER, OUTER))
    part = math.exp(inner - outer)
    return part / (part + (1.0 - part) * math.exp(-1.0))


def _log_box(diagonal: Floats, half: float) -> float:
    """The logarithm of the integral of exp(-sqrt(x'Ax)) over a box, without constants."""
    rate = np.sqrt(np.exp(LOG_MIXING)[:, None] * diagonal)
    sides = np.log(erf(half * rate) / rate).sum(1)
    levy = -0.5 * LOG_MIXING - 0.25 * np.exp(-LOG_MIXING)
    return float(logsumexp(sides + levy))


def half_inside(dimension: int) -> float:
    """The c for which half the mass is in the inner box when A = c I."""
    low, high = 1e-3, 1e5
    for _ in range(60):
        middle = math.sqrt(low * high)
        if inner_mass(np.full(dimension, middle)) < 0.5:
            low = middle
        else:
            high = middle
    return high
