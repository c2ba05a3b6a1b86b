"""A hidden Markov model: 100 readings of three states whose means, in order, are unknown."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from peers.case import Case, Draws, Floats, Truth, Version, columns, weighted

TIMES, SD = 100, 0.8
START = np.array([0.5, 0.3, 0.2])
TRANSITION = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]])

LISP = """
(defn step [t states mu]
  (let [state (sample (get [(categorical [0.8 0.15 0.05])
                            (categorical [0.1 0.8 0.1])
                            (categorical [0.05 0.15 0.8])] (last states)))]
    (observe (normal (get mu state) 0.8) (get y (+ t 1)))
    (conj states state)))
(let [low (sample (normal -1 2))
      gap (for [k (range 2)] (sample (gamma 2 1)))
      mu [low (+ low (first gap)) (+ low (sum gap))]
      start (sample (categorical [0.5 0.3 0.2]))]
  (observe (normal (get mu start) 0.8) (get y 0))
  (loop (- n 1) [start] step mu)
  mu)
"""

STAN = """
data {
  int n; vector[n] y; vector[3] start; matrix[3, 3] transition;
}
parameters { real low; vector<lower=0>[2] gap; }
model {
  matrix[3, n] emission;
  vector[3] mu = [low, low + gap[1], low + sum(gap)]';
  low ~ normal(-1, 2);
  gap ~ gamma(2, 1);
  for (t in 1:n)
    for (k in 1:3)
      emission[k, t] = normal_lpdf(y[t] | mu[k], 0.8);
  target += hmm_marginal(emission, transition, start);
}
"""

JAGS = """
model {
  low ~ dnorm(-1, 0.25)
  for (k in 1:2) { gap[k] ~ dgamma(2, 1) }
  mu[1] <- low
  mu[2] <- low + gap[1]
  mu[3] <- low + gap[1] + gap[2]
  state[1] ~ dcat(start)
  for (t in 2:n) { state[t] ~ dcat(transition[state[t - 1], ]) }
  for (t in 1:n) { y[t] ~ dnorm(mu[state[t]], 1.5625) }
}
"""


def numpyro_gibbs(y: Any, n: int, start: Any, transition: Any) -> None:
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist

    low = numpyro.sample("low", dist.Normal(-1, 2))
    gap = numpyro.sample("gap", dist.Gamma(2, 1).expand([2]).to_event(1))
    mu = jnp.stack([low, low + gap[0], low + gap[0] + gap[1]])
    # One variable of n labels, so that the sampler need not know n names.
    with numpyro.plate("times", n):
        state = numpyro.sample("state", dist.Categorical(jnp.full(3, 1 / 3)))
        numpyro.sample("y", dist.Normal(mu[state], SD), obs=y)
    chain = jnp.log(transition)[state[:-1], state[1:]].sum() + jnp.log(start)[state[0]]
    numpyro.factor("chain", chain)


def numpyro_enumerated(y: Any, n: int, start: Any, transition: Any) -> None:
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist
    from numpyro.contrib.control_flow import scan

    low = numpyro.sample("low", dist.Normal(-1, 2))
    gap = numpyro.sample("gap", dist.Gamma(2, 1).expand([2]).to_event(1))
    mu = jnp.stack([low, low + gap[0], low + gap[0] + gap[1]])

    def step(carry: Any, reading: Any) -> Any:
        last, t = carry
        row = jnp.where(t == 0, start, transition[last])
        state = numpyro.sample("state", dist.Categorical(row), infer={"enumerate": "parallel"})
        numpyro.sample("y", dist.Normal(mu[state], SD), obs=reading)
        return (state, t + 1), None

    scan(step, (0, 0), y)


def pymc_model(y: Any, n: int, start: Any, transition: Any) -> Any:
    import pymc as pm
    import pytensor.tensor as pt

    with pm.Model() as model:
        low, gap = pm.Normal("low", -1, 2), pm.Gamma("gap", 2, 1, shape=2)
        mu = pt.stack([low, low + gap[0], low + gap.sum()])
        state = pm.Categorical("state", p=np.full(3, 1 / 3), shape=n)
        rows = pt.as_tensor(np.log(transition))
        pm.Potential("chain", rows[state[:-1], state[1:]].sum() + pt.log(start)[state[0]])
        pm.Normal("y", mu[state], SD, observed=y)
    return model


def pymc_marginalised(y: Any, n: int, start: Any, transition: Any) -> Any:
    import pymc as pm
    import pytensor
    import pytensor.tensor as pt

    with pm.Model() as model:
        low, gap = pm.Normal("low", -1, 2), pm.Gamma("gap", 2, 1, shape=2)
        mu = pt.stack([low, low + gap[0], low + gap.sum()])
        emission = pm.logp(pm.Normal.dist(mu[None, :], SD), y[:, None])
        log_rows = pt.as_tensor(np.log(transition))

        def forward(now: Any, before: Any) -> Any:
            return now + pt.logsumexp(before[:, None] + log_rows, axis=0)

        first = emission[0] + np.log(start)
        steps = pytensor.scan(
            forward, sequences=[emission[1:]], outputs_info=[first], return_updates=False
        )
        pm.Potential("chain", pt.logsumexp(steps[-1]))
    return model


def quantities(draws: Draws) -> Floats:
    low = draws["low"][..., None]
    return columns(low, low + np.cumsum(draws["gap"], axis=2))


def readings() -> Floats:
    generator = np.random.default_rng(3)
    state, values = 0, []
    for t in range(TIMES):
        state = int(generator.choice(3, p=START if t == 0 else TRANSITION[state]))
        values.append([-1.5, 0.3, 2.5][state] + SD * generator.normal())
    return np.round(values, 3)


def truth(y: Floats) -> Truth:
    """The forward algorithm on a grid of the three means."""
    grid = np.linspace(-1.3, 1.3, 79)
    axes = (np.array([-1.5, 0.3, 2.5])[:, None] + grid[None, :]).tolist()
    mu = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)
    mu = mu[(np.diff(mu, axis=1) > 0).all(axis=1)]
    gaps = np.diff(mu, axis=1)
    log_total = -((mu[:, 0] + 1) ** 2) / 8 + (np.log(gaps) - gaps).sum(axis=1)
    forward = np.tile(START, (len(mu), 1))
    for t, reading in enumerate(y):
        forward = (forward if t == 0 else forward @ TRANSITION) * np.exp(
            -0.5 * ((reading - mu) / SD) ** 2
        )
        share = forward.sum(axis=1)
        log_total += np.log(share)
        forward /= share[:, None]
    mean, sd = weighted(mu, np.exp(log_total - log_total.max()))
    return Truth(mean, sd, "exact: forward algorithm, quadrature over the means")


def cases() -> list[Case]:
    y = readings()
    data = {"y": y, "n": TIMES, "start": START, "transition": TRANSITION}
    return [
        Case(
            name="hidden Markov",
            data=data,
            keep=("low", "gap"),
            names=("mu0", "mu1", "mu2"),
            quantities=quantities,
            truth=partial(truth, y),
            versions={
                "lfppl": Version(LISP),
                "pymc": Version(pymc_model, draws=300, warmup=300),
                "numpyro gibbs": Version(numpyro_gibbs),
                "numpyro mixed": Version(numpyro_gibbs),
                "numpyro nuts": Version(numpyro_enumerated, by_hand=True),
                "nutpie": Version(pymc_marginalised, by_hand=True),
                "stan": Version(STAN, by_hand=True),
                "jags": Version(JAGS),
            },
        )
    ]
