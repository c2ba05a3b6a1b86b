"""Models that the tests of runs share."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import lfppl

EXAMPLES = Path(__file__).parents[1] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.lfppl"))

EVERYTHING = """
(let [scale (sample (gamma 2 1))
      share (sample (beta 2 3))
      weights (sample (dirichlet [1 2 3]))
      centre (sample (mvn [0 1] [[2 0.5] [0.5 1]]))
      low (sample (uniform 0 1))
      edge (sample (uniform low 2))
      count (sample (poisson 4))
      kind (for [n (range 3)] (sample (categorical weights)))
      level (for [n (range 3)] (sample (normal (first centre) scale)))]
  (doseq [n (range 3)]
    (if (< (get level n) edge)
      (observe (normal (get kind n) 1) (get y n))
      (observe (student-t 4 0 scale) (get y n))))
  (observe (binomial 20 share) successes)
  [(sum level) (+ count (first kind))])
"""
"""Every kind of support, transforms whose bounds are latent, and observations in both branches."""


@cache
def example(name: str) -> lfppl.Model:
    data = EXAMPLES / f"{name}.json"
    return lfppl.compile(
        EXAMPLES / f"{name}.lfppl", lfppl.load_data(data) if data.exists() else None
    )


@cache
def everything() -> lfppl.Model:
    return lfppl.compile(EVERYTHING, {"y": [0.3, -1.0, 2.0], "successes": 7})


def quick(model: lfppl.Model, **options):
    """A short run that says nothing."""
    chosen = {"draws": 60, "warmup": 60, "chains": 2, "seed": 3, "progress": False, **options}
    return model.sample(**chosen)
