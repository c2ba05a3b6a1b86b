"""The oracle: a model's function is run as Python, with draws and densities by SciPy."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from scipy import stats

import lfppl
from agreement import coordinates, same_number
from lfppl import distributions
from lfppl.lir.build import build
from lfppl.lir.evaluate import evaluate
from lfppl.trace.records import index_table

FAMILIES: dict[str, Callable[..., Any]] = {
    "normal": stats.norm,
    "half_normal": lambda sd: stats.halfnorm(0, sd),
    "lognormal": lambda mu, sd: stats.lognorm(sd, scale=np.exp(mu)),
    "student_t": stats.t,
    "cauchy": stats.cauchy,
    "laplace": stats.laplace,
    "logistic": stats.logistic,
    "exponential": lambda rate: stats.expon(0, 1 / np.asarray(rate)),
    "gamma": lambda shape, rate: stats.gamma(shape, scale=1 / np.asarray(rate)),
    "inverse_gamma": lambda shape, scale: stats.invgamma(shape, scale=scale),
    "beta": stats.beta,
    "weibull": lambda shape, scale: stats.weibull_min(shape, scale=scale),
    "uniform": lambda low, high: stats.uniform(low, np.asarray(high) - low),
    "bernoulli": stats.bernoulli,
    "bernoulli_logit": lambda logit: stats.bernoulli(1 / (1 + np.exp(-np.asarray(logit)))),
    "binomial": stats.binom,
    "poisson": stats.poisson,
    "geometric": lambda p: stats.geom(p, loc=-1),
    "negative_binomial": stats.nbinom,
    "mvn": stats.multivariate_normal,
    "dirichlet": stats.dirichlet,
}
"""What SciPy calls the distributions, with the parameters of this language."""


class Categorical:
    """Weights in the last dimension; further dimensions are further distributions."""

    def __init__(self, weights: Any) -> None:
        whole = np.asarray(weights, np.float64)
        self.weights = whole / whole.sum(axis=-1, keepdims=True)

    def rvs(self, size: Any, random_state: np.random.Generator) -> Any:
        edges = np.cumsum(self.weights, axis=-1)
        batch = self.weights.shape[:-1] if size is None else size
        return (random_state.random((*batch, 1)) > edges).sum(axis=-1)

    def logpmf(self, value: Any) -> Any:
        places = np.asarray(value, np.int64)
        weights = np.broadcast_to(self.weights, (*places.shape, self.weights.shape[-1]))
        return np.log(np.take_along_axis(weights, places[..., None], axis=-1))


FAMILIES["categorical"] = Categorical
FAMILIES["categorical_logit"] = lambda logits: Categorical(np.exp(np.asarray(logits)))


@dataclass
class Play:
    """One run of a function: what it has drawn at which places, its density, what it returned."""

    generator: np.random.Generator
    drawn: dict[tuple[int, int], list[Any]] = field(default_factory=dict)
    log_density: float = 0.0
    returned: Any = None

    def sample(self, distribution: Any, *, shape: Any = None, **labels: Any) -> Any:
        """Draw, and remember it under the place of the call."""
        size = self._size(shape, labels)
        value = distribution.rvs(size=size, random_state=self.generator)
        if type(distribution).__name__ == "dirichlet_frozen" and not size:
            value = np.reshape(value, -1)
        self.drawn.setdefault(_caller(), []).append(value)
        self.observe(distribution, value)
        return value

    def _size(self, shape: Any, labels: Mapping[str, Any]) -> Any:
        lengths = tuple(len(each) for each in (labels.get("coords") or {}).values())
        asked = shape if shape is not None else lengths or None
        return (asked,) if isinstance(asked, int) else asked

    def observe(self, distribution: Any, value: Any) -> None:
        """Add a log density."""
        log = getattr(distribution, "logpmf", None) or distribution.logpdf
        if isinstance(getattr(distribution, "dist", None), stats.rv_continuous):
            log = distribution.logpdf
        if type(distribution).__name__ == "dirichlet_frozen":
            value = np.moveaxis(np.asarray(value), -1, 0)
        self.log_density += float(np.sum(log(np.asarray(value))))

    def factor(self, log_weight: Any) -> None:
        """Add a number."""
        self.log_density += float(np.sum(log_weight))


def _caller() -> tuple[int, int]:
    """Line and column of the call that is being made two frames up."""
    frame = sys._getframe(2)
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    return positions[0] or 0, positions[2] or 0


def play(function: FunctionType, data: Mapping[str, Any], seed: int) -> Play:
    """Run a function with draws of its own."""
    run = Play(np.random.default_rng(seed))
    stubs = {"sample": run.sample, "observe": run.observe, "factor": run.factor}
    names: dict[str, Any] = dict(function.__globals__)
    for name, value in function.__globals__.items():
        if isinstance(value, FunctionType) and value.__module__ == function.__module__:
            names[name] = _with_names(value, names)
        if getattr(value, "__module__", "") == distributions.__name__ and name in FAMILIES:
            names[name] = _by_position(value, FAMILIES[name])
    names |= {name: stub for name, stub in stubs.items() if name in names}
    with np.errstate(all="ignore"):
        run.returned = _with_names(function, names)(**data)
    return run


def _by_position(signed: Callable[..., Any], family: Callable[..., Any]) -> Callable[..., Any]:
    """A distribution of SciPy that takes keywords of this language."""
    signature = inspect.signature(signed)
    return lambda *values, **named: family(*signature.bind(*values, **named).arguments.values())


def _with_names(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    made = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


# --- the model at the same point -----------------------------------------------------------------


def disagreements(
    model: lfppl.Model, function: FunctionType, data: Mapping[str, Any], seed: int
) -> list[str]:
    """Where a model and the run of its function differ."""
    run = play(function, data, seed)
    tables = natural_tables(model)
    found = evaluate(tables, coordinates(tables, point_of(model, run)))
    wrong = []
    if not same_number(run.log_density, found.log_density):
        wrong.append(f"log density {run.log_density}, of the model {found.log_density}")
    expected, returned = numbers(run.returned), np.ravel(found.returned).tolist()
    same = len(expected) == len(returned) and all(map(same_number, expected, returned))
    if math.isfinite(run.log_density) and not same:
        wrong.append(f"returned {expected}, by the model {returned}")
    return wrong


def point_of(model: lfppl.Model, run: Play) -> dict[str, Any]:
    """What a run has drawn, by the names of the model's variables."""
    waiting = {place: np.concatenate([np.ravel(v) for v in d]) for place, d in run.drawn.items()}
    point = {name: np.full(shape, np.nan) for name, shape in model.sampled.items()}
    for block in model.trace.samples:
        place = (block.span.line, block.span.column - 1)
        table = index_table(block.indices, block.domain)
        size = len(table) * max(block.parts, 1)
        values, waiting[place] = waiting[place][:size], waiting[place][size:]
        rows = values.reshape(len(table), -1) if block.family.is_vector else values
        point[block.name][tuple(table.T)] = rows if table.size or rows.ndim > 1 else rows[0]
    assert not any(len(rest) for rest in waiting.values()), "the model has drawn less"
    return point


def numbers(value: Any) -> list[float]:
    """All numbers in what a function returns, in order; texts and None are none."""
    if value is None or isinstance(value, str):
        return []
    if isinstance(value, list | tuple):
        return [number for item in value for number in numbers(item)]
    if isinstance(value, Mapping):
        return [number for item in value.values() for number in numbers(item)]
    return [float(number) for number in np.ravel(value)]


@cache
def natural_tables(model: lfppl.Model) -> Any:
    """The tables of a model whose coordinates are the natural values of its variables."""
    return build(model.trace, model.analysis, natural=True)
