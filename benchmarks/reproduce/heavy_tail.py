"""The heavy-tailed density with a jump (paper, section 6.2): DHMC, HMC, and NUTS made to fit."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import lfppl
from reproduce.chains import Followed, Follower, compile_loops
from reproduce.curves import Floats, checkpoints, worst_mean_absolute_error
from reproduce.exact import INNER, OUTER, half_inside
from reproduce.records import Record, Task

AS_WRITTEN = Path(__file__).parents[2] / "examples/heavy-tail.lfppl"
"""Bounds on x: what is outside Γ is sampled in unconstrained coordinates."""
FLAT = """
(let [x (for [i (range (count A))] (sample (normal 0 1)))
      size (reduce max (map abs x))]
  (factor (- (* 0.5 (dot x x)) (sqrt (dot x (mat-mul A x)))))
  (when (> size 3) (factor -1))
  (observe (uniform 0 6) size)
  x)
"""
"""The same density on the whole space and zero outside the box: what plain HMC is given."""

DIMENSIONS = (10, 50, 100, 200, 500)
WARMUP = 1_000
PILOT, MAIN = 0, 1

# --- the matrix -----------------------------------------------------------------------------------


def extreme(dimension: int) -> Floats:
    """Entries e^-5 and e^5 in turn (after Afshar and Domke, 2015)."""
    return np.diag(np.exp(np.where(np.arange(dimension) % 2, 5.0, -5.0)))


def dense(dimension: int) -> Floats:
    """A random positive definite matrix."""
    root = np.random.default_rng(dimension).normal(size=(dimension, dimension))
    return np.asarray(root @ root.T / dimension + 0.1 * np.eye(dimension))


def halved(dimension: int) -> Floats:
    """The multiple of the identity that puts half the mass on either side of the inner jump."""
    return half_inside(dimension) * np.eye(dimension)


MATRICES: dict[str, Callable[[int], Floats]] = {
    "identity": np.eye,
    "extreme": extreme,
    "dense": dense,
    "halved": halved,
}

# --- the methods ----------------------------------------------------------------------------------


class Method(NamedTuple):
    """An engine, the form of the model it gets, and the settings it may choose from."""

    engine: str
    source: str | Path
    settings: tuple[dict[str, Any], ...]


def grid(sizes: tuple[float, ...], steps: tuple[int, ...]) -> tuple[dict[str, Any], ...]:
    """Steps, in units of the spreads that the warm-up finds, with numbers of steps."""
    return tuple({"step_size": size, "steps": count} for size, count in product(sizes, steps))


ADAPTED_GRID = grid((0.01, 0.03, 0.1, 0.3, 1.0), (3, 10, 30))
WIDE_GRID = (*ADAPTED_GRID, *({**one, "adapt_scale": False} for one in ADAPTED_GRID))
"""With a mass from the spreads of the warm-up, which a chain that hardly moves underrates, and
with the unit mass."""
NARROW_GRID = grid((0.3, 1.0), (1, 3, 10))
NUTS_GRID = tuple({"target_acceptance": aim, "max_depth": 8} for aim in (0.6, 0.8, 0.9))

METHODS = {
    "dhmc": Method("dhmc", AS_WRITTEN, ({}, *NARROW_GRID)),
    "hmc": Method("hmc", FLAT, WIDE_GRID),
    "nuts": Method("nuts", AS_WRITTEN, NUTS_GRID),
}

# --- runs -----------------------------------------------------------------------------------------


def parts(case: str) -> tuple[str, int]:
    """The name of the matrix and the dimension."""
    name, dimension = case.split("/")
    return name, int(dimension)


@cache
def model(case: str, source: str | Path) -> lfppl.Model:
    """The model of a case, compiled once in each process."""
    name, dimension = parts(case)
    return lfppl.compile(source, {"A": MATRICES[name](dimension)})


def with_inside(draws: Floats) -> Floats:
    """The coordinates, and whether the draw lies in the inner box."""
    return np.column_stack([draws, np.abs(draws).max(1) <= INNER])


def _follow(
    task: Task, settings: dict[str, Any], purpose: int, draws: int, limit_s: float
) -> Followed:
    """One chain from a point anywhere in the outer box."""
    method, (name, dimension) = METHODS[task.method], parts(task.case)
    compiled = model(task.case, method.source)
    compile_loops(compiled, method.engine)
    seeds = np.random.SeedSequence((62, list(MATRICES).index(name), dimension, purpose, task.run))
    start = np.random.default_rng(seeds).uniform(-OUTER, OUTER, dimension)
    keep = np.arange(dimension)
    options = {"warmup": WARMUP, "keep": keep, **settings}
    follower = Follower(compiled, method.engine, seeds, {"x": start}, **options)
    return follower.follow(checkpoints(draws), with_inside, limit_s)


def perform(task: Task, settings: dict[str, Any], draws: int, limit_s: float) -> Record:
    """One run with the settings that tuning chose."""
    found = _follow(task, settings, MAIN, draws, limit_s)
    return {
        "counts": found.counts.tolist(),
        "errors": worst_mean_absolute_error(found.means[:, :-1]).tolist(),
        "inside": float(found.means[-1, -1]),
        "seconds": found.seconds.tolist(),
        "warmup_seconds": found.warmup_seconds,
        "settings": settings,
    }


# --- tuning ---------------------------------------------------------------------------------------

FINALISTS = 4


def pilot_seconds(dimension: int) -> float:
    """For how long each setting draws in a pilot run."""
    return 0.001 * dimension


def pilot_runs(dimension: int) -> tuple[int, int]:
    """How many runs all settings get, and how many more the finalists: more where cheap."""
    first = max(1, min(2, 200 // dimension))
    return first, 3 * first


def tune(task: Task) -> Record:
    """Try all settings for the same time, the best of them longer; the smallest error wins."""
    _, dimension = parts(task.case)
    first, more = pilot_runs(dimension)
    tried = [(settings, _pilots(task, settings, 0, first)) for settings in settings_of(task)]
    ranked = sorted(tried, key=lambda pair: float(np.mean(pair[1])))[:FINALISTS]
    final = [(one, errors + _pilots(task, one, first, more)) for one, errors in ranked]
    settings, errors = min(final, key=lambda pair: float(np.mean(pair[1])))
    return {"settings": settings, "error": float(np.mean(errors))}


def settings_of(task: Task) -> tuple[dict[str, Any], ...]:
    """What a method may choose from."""
    return METHODS[task.method].settings


def _pilots(task: Task, settings: dict[str, Any], first: int, count: int) -> list[float]:
    """The errors of pilot runs; their seeds are not those of the experiment."""
    _, dimension = parts(task.case)
    limit, errors = pilot_seconds(dimension), []
    for run in range(first, first + count):
        one = Task(task.experiment, task.case, task.method, run)
        found = _follow(one, settings, PILOT, 100_000, limit)
        worst = worst_mean_absolute_error(found.means[:, :-1])
        errors.append(float(worst[: max(1, np.sum(found.seconds <= limit))][-1]))
    return errors
