"""Crowds: nanoseconds per step and chain on JAX's device, and effective draws per second of it all.

python benchmarks/crowd.py [CHAINS ...]    (16, 1,024 and 16,384 by default)

The yardstick in the same run is one native chain of `dhmc` on one core.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import jax
import numpy as np

import lfppl

MIXTURE = """
(let [mu (for [k (range 2)] (sample (normal 0 2)))
      z (for [y ys] (sample (categorical [0.4 0.6])))]
  (for [i (range (count ys))] (observe (normal (get mu (get z i)) 1) (get ys i)))
  [(min (get mu 0) (get mu 1)) (max (get mu 0) (get mu 1))])
"""
DRAWS, WARMUP = 50, 200
PAPER = [-2.0, -2.5, -1.7, -1.9, -2.2, 1.5, 2.2, 3.0, 1.2, 2.8]


def model(points: int) -> lfppl.Model:
    """A mixture of ten points, or of more from two normals."""
    generator = np.random.default_rng(5)
    side = np.where(generator.random(points) < 0.5, -2.0, 2.0)
    ys = PAPER if points == len(PAPER) else list(side + generator.normal(size=points))
    return lfppl.compile(MIXTURE, {"ys": ys})


def measured(subject: lfppl.Model, **options: Any) -> tuple[lfppl.Fit, float]:
    """A fit of the returned values only, and nanoseconds per step and chain after warm-up."""
    fit = subject.sample(keep=["return"], log_likelihood=False, seed=1, progress=False, **options)
    steps = sum(chain.statistic("steps", recorded=False).sum() for chain in fit.chains)
    return fit, 1e9 * fit.timing["sample_s"] / float(steps)


def agreement(fit: lfppl.Fit) -> str:
    """Means of min and max, with the standard error of chains' means."""
    draws = fit.draws["return"]
    means = draws.mean(axis=1)
    errors = means.std(axis=0) / np.sqrt(len(means))
    return ", ".join(f"{m:.4f} ± {e:.4f}" for m, e in zip(means.mean(axis=0), errors, strict=True))


def main() -> None:
    """One line for every size and number of chains."""
    sizes = [int(argument) for argument in sys.argv[1:]] or [16, 1_024, 16_384]
    print(f"JAX {jax.__version__} on {jax.devices()[0]}")
    for points in (10, 1_000):
        subject = model(points)
        native, yardstick = measured(subject, engine="dhmc", chains=1, draws=20_000)
        print(f"{points} points, one native chain: {yardstick:.0f} ns per step", agreement(native))
        for chains in sizes:
            started = time.perf_counter()
            options = {"engine": "crowd", "chains": chains, "draws": DRAWS, "warmup": WARMUP}
            fit, cost = measured(subject, **options)
            seconds = time.perf_counter() - started
            print(
                f"{points} points, {chains:,} chains: {cost:.2f} ns per step and chain,"
                f" {yardstick / cost:.1f} times a native core; {seconds:.1f} s in all;",
                agreement(fit),
            )


if __name__ == "__main__":
    main()
