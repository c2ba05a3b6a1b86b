"""The models and data of `density.py`, each with its hand-written competitors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import by_hand
import numpy as np
from scipy.special import gammaln

import lfppl
from lfppl.backends.llvm import CompiledDensity, compile_density

EXAMPLES = Path(__file__).parent.parent / "examples"

LOGISTIC = """(let [b (for [j (range 20)] (sample (normal 0 1)))
      eta (mat-mul X b)]
  (doseq [i (range (count y))] (observe (bernoulli-logit (get eta i)) (get y i)))
  b)"""
POISSON = """(let [b (for [j (range 10)] (sample (normal 0 1)))
      tau (sample (uniform 0 (count y)))
      d (sample (normal 0 1))
      eta (mat-mul X b)]
  (doseq [i (range (count y))]
    (observe (poisson (exp (+ (get eta i) (if (< i tau) 0 d)))) (get y i)))
  b)"""
SMOOTH_HEAVY_TAIL = """(let [x (for [i (range (count A))] (sample (normal 0 10)))]
  (factor (- (sqrt (dot x (mat-mul A x)))))
  x)"""
HIERARCHICAL = """(let [mu (sample (normal 0 5))
      tau (sample (half-cauchy 5))
      theta (for [j (range (count y))] (sample (normal mu tau)))]
  (doseq [j (range (count y))] (observe (normal (get theta j) (get s j)) (get y j)))
  theta)"""


@dataclass
class Subject:
    """A model at a point, ready to be called."""

    model: Any
    density: Any
    caller: CompiledDensity
    x: np.ndarray


@dataclass(frozen=True)
class GradientCase:
    """A gradient and its competitors; `floor` says what must be done at least."""

    name: str
    subject: Subject
    by_hand: Callable[..., Any]
    in_jax: Callable[..., Any]
    data: tuple[Any, ...]
    floor: str


def subject(source: Any, data: dict[str, Any]) -> Subject:
    model = lfppl.compile(source, data)
    density = compile_density(model.lir)
    caller = CompiledDensity(density)
    x = 0.1 * np.random.default_rng(1).normal(size=density.dimension)
    inner = np.clip(np.abs(x), density.lower + 0.1, density.upper - 0.1)
    x[density.discontinuous] = inner[density.discontinuous]
    caller.evaluate(x)
    return Subject(model, density, caller, x)


def mixture_data(points: int) -> dict[str, Any]:
    generator = np.random.default_rng(0)
    return {
        "y": np.where(generator.uniform(size=points) < 0.5, -2.0, 2.0)
        + generator.normal(size=points)
    }


def regression_data(rows: int, columns: int, scale: float) -> dict[str, Any]:
    generator = np.random.default_rng(0)
    design = scale * generator.normal(size=(rows, columns))
    return {"X": design, "y": np.floor(2 * generator.uniform(size=rows))}


def matrix_data(size: int) -> dict[str, Any]:
    root = np.random.default_rng(0).normal(size=(size, size))
    return {"A": root @ root.T / size + np.eye(size)}


def groups_data(groups: int) -> dict[str, Any]:
    generator = np.random.default_rng(0)
    return {"y": 5 * generator.normal(size=groups), "s": generator.uniform(5, 15, size=groups)}


def first_coordinate(model: Any, name: str) -> int:
    return min(int(b.coordinates.min()) for b in model.lir.variables if b.name == name)


def places(model: Any, *names: str) -> tuple[int, ...]:
    return tuple(first_coordinate(model, name) for name in names)


def mixture_case(points: int) -> GradientCase:
    data = mixture_data(points)
    found = subject(EXAMPLES / "mixture.lfppl", data)
    floor = f"{points / 8:.0f} ns: 16 vector operations for 8 points, 16 bytes a point"
    hand, in_jax = by_hand.mixture, by_hand.jax_mixture
    return GradientCase(f"mixture {points}", found, hand, in_jax, (data["y"],), floor)


def logistic_case() -> GradientCase:
    data = regression_data(10_000, 20, 1.0)
    return GradientCase(
        "logistic 10000 x 20",
        subject(LOGISTIC, data),
        by_hand.logistic,
        by_hand.jax_logistic,
        (data["X"], data["y"]),
        "32 us: 1.6 MB read twice; exp, log1p and a division are 20 us",
    )


def poisson_case() -> GradientCase:
    data = regression_data(10_000, 10, 0.1)
    found = subject(POISSON, data)
    extra = (data["X"], data["y"], gammaln(data["y"] + 1), *places(found.model, "tau", "d", "b"))
    return GradientCase(
        "poisson 10000 x 10",
        found,
        by_hand.poisson,
        by_hand.jax_poisson,
        extra,
        "26 us: 0.8 MB read twice, 16 us; exp 10 us",
    )


def heavy_tail_case(size: int) -> GradientCase:
    data = matrix_data(size)
    found = subject(SMOOTH_HEAVY_TAIL, data)
    speed = 250e9 if size < 200 else 140e9
    floor = f"{size * size * 8 / speed * 1e6:.2f} us: the matrix read once"
    hand, in_jax = by_hand.heavy_tail, by_hand.jax_heavy_tail
    return GradientCase(f"heavy tail {size}", found, hand, in_jax, (data["A"],), floor)


def hierarchical_case(groups: int) -> GradientCase:
    data = groups_data(groups)
    found = subject(HIERARCHICAL, data)
    extra = (data["y"], data["s"], *places(found.model, "mu", "tau", "theta"))
    floor = f"{20 + groups * 20 / 8 / 8:.0f} ns: exp, log1p, 20 operations for 8 groups"
    hand, in_jax = by_hand.hierarchical, by_hand.jax_hierarchical
    return GradientCase(f"hierarchical {groups}", found, hand, in_jax, extra, floor)


GRADIENT_CASES: dict[str, Callable[[], GradientCase]] = {
    "mixture 1000": partial(mixture_case, 1_000),
    "mixture 100000": partial(mixture_case, 100_000),
    "logistic": logistic_case,
    "poisson": poisson_case,
    "heavy tail 100": partial(heavy_tail_case, 100),
    "heavy tail 500": partial(heavy_tail_case, 500),
    "hierarchical 8": partial(hierarchical_case, 8),
    "hierarchical 1000": partial(hierarchical_case, 1_000),
}
"""How each case is built, by the name that asks for it."""

PLATES: dict[str, tuple[Any, dict[str, Any]]] = {
    "mixture 100,000": (EXAMPLES / "mixture.lfppl", mixture_data(100_000)),
    "logistic 10,000 x 20": (LOGISTIC, regression_data(10_000, 20, 1.0)),
    "poisson 10,000 x 10": (POISSON, regression_data(10_000, 10, 0.1)),
    "hierarchical 1,000": (HIERARCHICAL, groups_data(1_000)),
}
"""Models made of plates, whose memory is weighed."""
