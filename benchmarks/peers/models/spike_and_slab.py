"""Spike and slab: a regression of 100 rows on 20 correlated columns, most of which do nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from peers.case import Case, Draws, Floats, Truth, Version, columns

ROWS, COLUMNS, CHANCE = 100, 20, 0.2

LISP = """
(let [on (for [j (range p)] (sample (bernoulli 0.2)))
      slope (for [j (range p)] (sample (normal 0 1)))
      noise (sample (half-normal 1))
      mean (mat-mul X (map * on slope))]
  (doseq [i (range n)]
    (observe (normal (get mean i) noise) (get y i)))
  noise)
"""

JAGS = """
model {
  for (j in 1:p) {
    on[j] ~ dbern(0.2)
    slope[j] ~ dnorm(0, 1)
    beta[j] <- on[j] * slope[j]
  }
  noise ~ dnorm(0, 1) T(0,)
  tau <- 1 / (noise * noise)
  mean <- X %*% beta
  for (i in 1:n) { y[i] ~ dnorm(mean[i], tau) }
}
"""


def numpyro_model(X: Any, y: Any, n: int, p: int) -> None:  # noqa: N803
    import numpyro
    import numpyro.distributions as dist

    with numpyro.plate("columns", p):
        on = numpyro.sample("on", dist.Bernoulli(CHANCE))
        slope = numpyro.sample("slope", dist.Normal(0, 1))
    noise = numpyro.sample("noise", dist.HalfNormal(1))
    with numpyro.plate("rows", n):
        numpyro.sample("y", dist.Normal(X @ (on * slope), noise), obs=y)


def pymc_model(X: Floats, y: Floats, n: int, p: int) -> Any:  # noqa: N803
    import pymc as pm

    with pm.Model() as model:
        on = pm.Bernoulli("on", CHANCE, shape=p)
        slope = pm.Normal("slope", 0, 1, shape=p)
        noise = pm.HalfNormal("noise", 1)
        pm.Normal("y", pm.math.dot(X, on * slope), noise, observed=y)
    return model


def quantities(draws: Draws) -> Floats:
    return columns(draws["noise"], draws["on"] * draws["slope"])


def regression() -> tuple[Floats, Floats]:
    generator = np.random.default_rng(20)
    shared = generator.normal(size=(ROWS, 1))
    design = np.sqrt(0.5) * shared + np.sqrt(0.5) * generator.normal(size=(ROWS, COLUMNS))
    slopes = np.zeros(COLUMNS)
    slopes[:5] = [1.5, -1.0, 0.7, 0.35, -0.25]
    return np.round(design, 4), np.round(design @ slopes + generator.normal(size=ROWS), 4)


def truth() -> Truth:
    """By every subset of the columns."""
    from peers.models.spike_and_slab_truth import truth

    return truth(*regression(), CHANCE)


def cases() -> list[Case]:
    design, y = regression()
    cannot = "2^20 subsets are too many to sum out"
    return [
        Case(
            name="spike and slab",
            data={"X": design, "y": y, "n": ROWS, "p": COLUMNS},
            keep=("on", "slope", "noise"),
            names=("noise", *(f"beta{j}" for j in range(COLUMNS))),
            quantities=quantities,
            truth=truth,
            versions={
                "lfppl": Version(LISP),
                "pymc": Version(pymc_model),
                "numpyro gibbs": Version(numpyro_model),
                "numpyro mixed": Version(numpyro_model),
                "jags": Version(JAGS),
            },
            without={"numpyro nuts": cannot, "nutpie": cannot, "stan": cannot},
        )
    ]
