"""The paper's mixture (section 6.1) with 10, 100 and 1,000 points: two centres, a label each."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from peers.case import Case, Draws, Floats, Truth, Version, columns, weighted

PAPER = np.array([-2.0, -2.5, -1.7, -1.9, -2.2, 1.5, 2.2, 3.0, 1.2, 2.8])

LISP = """
(let [mu (for [k (range 2)] (sample (normal 0 2)))
      z (for [n (range (count y))] (sample (categorical [0.5 0.5])))]
  (doseq [n (range (count y))]
    (observe (normal (get mu (get z n)) 1) (get y n)))
  mu)
"""

STAN = """
data { int n; vector[n] y; }
parameters { vector[2] mu; }
model {
  mu ~ normal(0, 2);
  for (i in 1:n)
    target += log_mix(0.5, normal_lpdf(y[i] | mu[1], 1), normal_lpdf(y[i] | mu[2], 1));
}
"""

JAGS = """
model {
  for (k in 1:2) { mu[k] ~ dnorm(0, 0.25) }
  for (i in 1:n) {
    z[i] ~ dcat(weights)
    y[i] ~ dnorm(mu[z[i]], 1)
  }
}
"""


def numpyro_model(y: Any, n: int) -> None:
    import numpyro
    import numpyro.distributions as dist

    with numpyro.plate("components", 2):
        mu = numpyro.sample("mu", dist.Normal(0, 2))
    with numpyro.plate("points", n):
        z = numpyro.sample("z", dist.Categorical(np.array([0.5, 0.5])))
        numpyro.sample("y", dist.Normal(mu[z], 1), obs=y)


def numpyro_enumerated(y: Any, n: int) -> None:
    import numpyro
    import numpyro.distributions as dist

    with numpyro.plate("components", 2):
        mu = numpyro.sample("mu", dist.Normal(0, 2))
    with numpyro.plate("points", n):
        z = numpyro.sample(
            "z", dist.Categorical(np.array([0.5, 0.5])), infer={"enumerate": "parallel"}
        )
        numpyro.sample("y", dist.Normal(mu[z], 1), obs=y)


def pymc_model(y: Floats, n: int) -> Any:
    import pymc as pm

    with pm.Model() as model:
        mu = pm.Normal("mu", 0, 2, shape=2)
        z = pm.Categorical("z", p=[0.5, 0.5], shape=n)
        pm.Normal("y", mu[z], 1, observed=y)
    return model


def pymc_marginalised(y: Floats, n: int) -> Any:
    import pymc as pm

    with pm.Model() as model:
        mu = pm.Normal("mu", 0, 2, shape=2)
        pm.NormalMixture("y", w=[0.5, 0.5], mu=mu, sigma=1, observed=y)
    return model


def log_density(y: Floats, first: Floats, second: Floats) -> Floats:
    """The log density of two centres, labels summed out, up to a constant."""
    total = -(first**2 + second**2) / 8
    for value in y:
        total = total + np.logaddexp(-0.5 * (value - first) ** 2, -0.5 * (value - second) ** 2)
    return np.asarray(total)


def quantities(y: Floats, draws: Draws) -> Floats:
    low, high = draws["mu"].min(axis=2), draws["mu"].max(axis=2)
    return columns(low, high, log_density(y, low, high))


def truth(y: Floats) -> Truth:
    grid = np.linspace(-6, 6, 2401)
    first, second = (axis.ravel() for axis in np.meshgrid(grid, grid))
    ordered = first <= second
    first, second = first[ordered], second[ordered]
    density = log_density(y, first, second)
    values = np.stack([first, second, density], axis=1)
    mean, sd = weighted(values, np.exp(density - density.max()))
    return Truth(mean, sd, "exact: quadrature, labels summed out")


def points(count: int) -> Floats:
    if count == len(PAPER):
        return PAPER
    generator = np.random.default_rng(count)
    centres = np.where(generator.random(count) < 0.5, -2.0, 2.0)
    return np.round(centres + generator.normal(size=count), 3)


def case(count: int) -> Case:
    y = points(count)
    slow = {100: (300, 300), 1000: (200, 60)}.get(count, (1000, 1000))
    fixed = {"weights": np.array([0.5, 0.5])}
    return Case(
        name=f"mixture {count}",
        data={"y": y, "n": count},
        keep=("mu",),
        names=("min mu", "max mu", "log density"),
        quantities=partial(quantities, y),
        truth=partial(truth, y),
        versions={
            "lfppl": Version(LISP),
            "pymc": Version(pymc_model, draws=slow[0], warmup=slow[1]),
            "numpyro gibbs": Version(numpyro_model),
            "numpyro mixed": Version(numpyro_model),
            "numpyro nuts": Version(numpyro_enumerated, by_hand=True),
            "nutpie": Version(pymc_marginalised, by_hand=True),
            "stan": Version(STAN, by_hand=True),
            "jags": Version((JAGS, fixed)),
        },
    )


def cases() -> list[Case]:
    return [case(count) for count in (10, 100, 1_000)]
