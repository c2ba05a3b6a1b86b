"""`lfppl predict`: data drawn from the prior or from a saved posterior, shown and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis import shape_of
from lfppl.errors import packages, running
from lfppl.results import tree as trees
from lfppl.results.files import read_draws
from lfppl.results.names import element_names
from lfppl.results.presentation import table
from lfppl.runs.predictor import Predictions
from lfppl.runs.subject import Subject

Arrays = dict[str, NDArray[Any]]
COLUMNS = ("mean", "sd", "q5", "q50", "q95")


def predict(
    model: Subject,
    posterior: Path | None,
    draws: int,
    seed: int | None,
    out: Path | None,
    *,
    as_json: bool = False,
) -> str:
    """Draw data, write them if asked to, and describe them."""
    chosen = int(np.random.SeedSequence(seed).entropy)  # type: ignore[arg-type]
    maker = Predictions(model, chosen)
    if posterior is None:
        prior, predicted = maker.prior(draws)
        groups = {"prior": _one_chain(prior), "prior_predictive": _one_chain(predicted)}
    else:
        groups = {"posterior_predictive": maker.posterior(_matching(model, posterior))}
    if out is not None:
        trees.save(_tree(groups), out)
    found = _statistics({n: a for group in groups.values() for n, a in group.items()})
    if as_json:
        return json.dumps({"variables": found}, indent=2)
    return table(
        {n: {k: np.nan if v is None else v for k, v in r.items()} for n, r in found.items()}
    )


def _matching(model: Subject, path: Path) -> Arrays:
    """The draws of all variables of a model out of a saved fit."""
    saved, _ = read_draws(path)
    shapes = {
        block.name: shape_of([b for b in model.trace.samples if b.name == block.name])
        for block in model.trace.samples
    }
    for name, shape in shapes.items():
        if name not in saved or saved[name].shape[2:] != shape:
            raise running.fit_of_another_model(path, name)
    return {name: saved[name] for name in shapes}


def _one_chain(arrays: Arrays) -> Arrays:
    return {name: array[None] for name, array in arrays.items() if array.size}


def _tree(groups: dict[str, Arrays]) -> Any:
    try:
        from arviz_base import from_dict
    except ImportError:
        raise packages.missing_package("arviz-base", "`--out`") from None
    return from_dict({name: group for name, group in groups.items() if group})


def _statistics(arrays: Arrays) -> dict[str, dict[str, float | None]]:
    """Moments and quantiles of every element; draws in branches not taken are left out."""
    found: dict[str, dict[str, float | None]] = {}
    for name, array in arrays.items():
        flat = array.reshape(array.shape[0] * array.shape[1], -1).astype(np.float64)
        for i, element in enumerate(element_names(name, array.shape[2:])):
            values = flat[:, i][np.isfinite(flat[:, i])]
            if not len(values):
                found[element] = dict.fromkeys(COLUMNS)
                continue
            numbers = (values.mean(), values.std(), *np.quantile(values, (0.05, 0.5, 0.95)))
            found[element] = {c: float(v) for c, v in zip(COLUMNS, numbers, strict=True)}
    return found
