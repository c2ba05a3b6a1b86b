"""The prior and predictive groups of a fit, made when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.runs.observations import Observations, find_observations
from lfppl.runs.predict import predictions, prior_draws
from lfppl.runs.subject import Subject

Arrays = dict[str, NDArray[Any]]

PRIOR_DRAWS = 500
MOST_PREDICTED = 20_000_000
"""How many numbers are predicted at most: there are fewer draws where a draw is long."""
PREDICTION_KEY = 7919
"""Tells the seeds of predictions from those of chains."""


@dataclass(frozen=True)
class Predictions:
    """Makes predictions from a model; the same for the same seed."""

    model: Subject
    seed: int

    @cached_property
    def observations(self) -> Observations:
        """What is observed."""
        model = self.model
        return find_observations(model.core, model.data, model.trace, model.tables())

    def __reduce__(self) -> tuple[Any, ...]:
        return Predictions, (self.model, self.seed)

    def groups(self, draws: Mapping[str, NDArray[Any]]) -> dict[str, Arrays]:
        """`prior`, `prior_predictive`, and `posterior_predictive` where all variables were kept."""
        prior, predicted = self.prior(PRIOR_DRAWS)
        groups = {"prior": _one_chain(prior), "prior_predictive": _one_chain(predicted)}
        sampled = {block.name for block in self.model.trace.samples}
        if sampled and sampled <= draws.keys():
            chosen = {name: draws[name] for name in sampled}
            groups["posterior_predictive"] = self.posterior(chosen)
        return groups

    def prior(self, count: int) -> tuple[Arrays, Arrays]:
        """Draws of all variables from the prior, and data predicted from them."""
        trace = self.model.trace
        size = sum(block.domain.rows for block in trace.samples) + self._size()
        count = max(1, min(count, MOST_PREDICTED // max(size, 1)))
        return prior_draws(trace, self.observations, self._generator(0), count)

    def posterior(self, draws: Mapping[str, NDArray[Any]]) -> Arrays:
        """Data predicted from draws of all variables, arrays of (chain, draw, ...)."""
        chains, count = next(iter(draws.values())).shape[:2]
        each = max(1, min(count, MOST_PREDICTED // max(chains * self._size(), 1)))
        step = count // each
        flat = {n: a[:, ::step].reshape(-1, *a.shape[2:]) for n, a in draws.items()}
        found = predictions(self.model.trace, self.observations, self._generator(1), flat)
        return {name: a.reshape(chains, -1, *a.shape[1:]) for name, a in found.items()}

    def _size(self) -> int:
        return sum(observation.size for observation in self.observations.all)

    def _generator(self, number: int) -> np.random.Generator:
        key = (PREDICTION_KEY, number)
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))


def _one_chain(arrays: Arrays) -> Arrays:
    return {name: array[None] for name, array in arrays.items() if array.size}
