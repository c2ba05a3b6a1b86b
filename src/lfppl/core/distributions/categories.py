"""Distributions over categories 0, 1, ..., K - 1, by weights or by logits."""

from __future__ import annotations

from typing import Any

import numpy as np

from lfppl.core.distributions.contract import (
    Constraint,
    DistributionFamily,
    Parameter,
    Piece,
    Support,
)
from lfppl.core.distributions.formulas import ZERO, from_zero, up_to_upper


def _categorical(m: Any, k: Any, weights: Any) -> Any:
    return m.log(m.pick(k, weights)) - m.log(m.sum(weights))


def _categorical_logit(m: Any, k: Any, logits: Any) -> Any:
    return m.pick(k, logits) - m.log_sum_exp(logits)


def _last(m: Any, weights: Any) -> Any:
    return float(len(weights) - 1)


def _draw_categorical(generator: Any, weights: Any) -> Any:
    total = np.cumsum(weights, axis=-1)
    u = generator.random(np.shape(weights)[:-1]) * total[..., -1]
    return np.sum(total <= np.expand_dims(u, -1), axis=-1)


def _draw_categorical_logit(generator: Any, logits: Any) -> Any:
    return np.argmax(np.asarray(logits) + generator.gumbel(size=np.shape(logits)), axis=-1)


_SUPPORT = Support("integers", lower=ZERO, upper=_last, text="integers from 0, one per element")
_EDGES = (from_zero(), up_to_upper(_last))

FAMILIES = (
    DistributionFamily(
        "categorical",
        (Parameter("weights", Constraint.WEIGHTS, jump=True),),
        _SUPPORT,
        (Piece(_categorical, _EDGES),),
        _draw_categorical,
        "k with probability weights[k], the weights being divided by their sum",
    ),
    DistributionFamily(
        "categorical-logit",
        (Parameter("logits", Constraint.REALS),),
        _SUPPORT,
        (Piece(_categorical_logit, _EDGES),),
        _draw_categorical_logit,
        "k with probability proportional to exp(logits[k])",
    ),
)
