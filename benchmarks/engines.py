"""Engines on hand-written densities: effective draws per second, cost per step, time to compile.

python benchmarks/engines.py            everything
python benchmarks/engines.py mixture    the paper's mixture against the yardstick
python benchmarks/engines.py suite      all engines on all densities
python benchmarks/engines.py steps      cost per step from 10 to 100,000 points
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from arviz_stats.base.array import array_stats
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "engines"))

import cases  # type: ignore[import-not-found]
import mixtures  # type: ignore[import-not-found]
import yardstick

import lfppl
from lfppl.backends.density import Density
from lfppl.engines import engine
from lfppl.engines.chains import Segment, Settings

Floats = NDArray[np.float64]


class Timed(NamedTuple):
    """A chain after its warm-up."""

    segment: Segment
    seconds: float
    warmup_seconds: float


def points(count: int) -> Floats:
    """Data of the mixture: the paper's ten, or any number from two normals."""
    if count == 10:
        return np.array(mixtures.PAPER_DATA)
    rng = np.random.default_rng(5)
    half = rng.random(count) < 0.5
    return np.where(half, rng.normal(-2, 1, count), rng.normal(2, 1, count))


def compiled_mixture(y: Floats) -> tuple[Density, Floats]:
    """The paper's mixture as users have it, compiled from source; its first two values are mu."""
    source = (Path(__file__).parent.parent / "examples" / "mixture.lfppl").read_text()
    density = lfppl.compile(source, {"y": y.tolist()}).density()
    labels = np.random.default_rng(1).uniform(0, 2, len(y))
    return density, np.concatenate([[-1.0, 1.0], labels])


def chain(name: str, density: Any, start: Floats, draws: int, keep: int, **options: Any) -> Timed:
    """One chain with default settings, timed after its warm-up of 1,000."""
    made, settings = engine(name), Settings(keep=np.arange(keep), **options)
    state = made.initial_state(density, start, settings, np.random.SeedSequence(1))
    workspace = density.workspace()
    begin = time.process_time()
    state = made.advance(density, workspace, state, settings, settings.warmup).state
    middle = time.process_time()
    segment = made.advance(density, workspace, state, settings, draws)
    return Timed(segment, time.process_time() - middle, middle - begin)


def effective(values: Floats) -> float:
    """The smallest effective sample size of the columns' means."""
    ess = partial(array_stats.ess, chain_axis=0, draw_axis=1, method="mean")
    return min(float(ess(column[None, :])) for column in values.T)


def rate(values: Floats, seconds: float) -> float:
    """Effective draws per second."""
    return effective(values) / seconds


def ordered_rate(values: Floats, seconds: float) -> float:
    """The same for the smaller and the larger of two means."""
    return rate(np.sort(values[:, :2], axis=1), seconds)


def mixture() -> None:
    """Effective draws per second of min(mu) and max(mu), defaults against the yardstick.

    `tuned` is dhmc with the yardstick's step and number of steps.
    """
    print(f"{'points':>8} {'engine':>10} {'ess/s':>12} {'of yardstick':>13} {'µs/draw':>9}")
    for count, draws in ((10, 100_000), (1_000, 20_000), (10_000, 4_000)):
        y = points(count)
        best = yardstick.tuned(y, draws, ordered_rate)
        target = ordered_rate(best.draws, best.seconds)
        density, start = compiled_mixture(y)
        report = partial(_report, count, draws, target)
        report(f"hand {best.steps}x{best.size}", target, best.seconds)
        size = best.size / math.sqrt(count / 2)
        same = {"steps": best.steps, "step_size": size, "adapt_scale": False}
        for title, name, options in (
            ("dhmc", "dhmc", {}),
            ("dnuts", "dnuts", {}),
            ("tuned", "dhmc", same),
        ):
            timed = chain(name, density, start, draws, 2, **options)
            report(title, ordered_rate(timed.segment.draws, timed.seconds), timed.seconds)


def _report(count: int, draws: int, target: float, name: str, found: float, time: float) -> None:
    part = found / target
    print(f"{count:>8} {name:>10} {found:>12.0f} {part:>12.0%} {time / draws * 1e6:>10.2f}")


SUITE: tuple[tuple[str, Callable[[], Any], int], ...] = (
    ("paper's mixture", cases.paper_mixture, 2),
    ("four components", cases.four_components, 4),
    ("change point", cases.change_point, 3),
    ("stairs", cases.stairs, 2),
    ("islands", cases.islands, 2),
    ("table", cases.table_posterior, 2),
    ("heavy tail, 10", partial(cases.heavy_tail, 10), 10),
    ("gaussian", cases.gaussian, 3),
    ("correlated, 20", cases.correlated_gaussian, 20),
    ("eight schools", cases.eight_schools, 10),
)


def suite() -> None:
    """The worst coordinate's effective draws per second, for means and for spreads."""
    print(f"{'density':>16} {'engine':>7} {'means/s':>10} {'spreads/s':>10} {'steps':>6}")
    for title, make, keep in SUITE:
        case = make()
        start = case.sample(np.random.default_rng(1), 1)[0]
        for name in ("dhmc", "dnuts", "mwg"):
            timed = chain(name, case.density, start, 20_000, keep)
            draws = timed.segment.draws
            means = rate(draws, timed.seconds)
            spreads = rate(np.abs(draws - draws.mean(0)), timed.seconds)
            steps = timed.segment.statistic("steps").mean()
            print(f"{title:>16} {name:>7} {means:>10.0f} {spreads:>10.0f} {steps:>6.1f}")


def steps() -> None:
    """Nanoseconds per step and point."""
    print(f"{'points':>8} {'µs/step':>9} {'ns/step/point':>14}")
    for count in (10, 100, 1_000, 10_000, 100_000):
        density, start = compiled_mixture(points(count))
        draws = max(2_000_000 // count, 20) // 8 + 10
        size = 0.1 / math.sqrt(count)  # the centres are known to 1 / sqrt(count)
        options = {"warmup": 20, "steps": 8, "step_size": size, "adapt_scale": False}
        timed = chain("dhmc", density, start, draws, 2, **options)
        each = timed.seconds / timed.segment.statistic("steps").sum()
        print(f"{count:>8} {each * 1e6:>9.3f} {each / count * 1e9:>14.3f}")


def compilation() -> None:
    """Seconds until the first draws: compiled, or loaded from the cache."""
    case = cases.stairs()
    begin = time.perf_counter()
    chain("dhmc", case.density, np.zeros(2), 10, 2)
    print(f"first draws of dhmc after {time.perf_counter() - begin:.2f} s")


BENCHMARKS = {"compilation": compilation, "mixture": mixture, "steps": steps, "suite": suite}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or BENCHMARKS:
        BENCHMARKS[chosen]()
