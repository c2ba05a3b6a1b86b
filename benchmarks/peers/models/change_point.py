"""Coal-mining disasters in Britain, 1851 to 1961: a rate that changes once, in an unknown year."""

from __future__ import annotations

from typing import Any

import numpy as np

from peers.case import Case, Draws, Floats, Truth, Version, columns

YEARLY = (
    "454014340633402633545314415534252234213221111300101100310322"
    "011101010002100011023311211112420014000100000100101"
)
"""Disasters in a year (Jarrett 1979, Biometrika 66), a digit each."""

COUNTS = np.array([int(digit) for digit in YEARLY])
YEARS = len(COUNTS)
BEFORE = np.concatenate([[0], np.cumsum(COUNTS)])
"""Disasters before each possible year of the change; year 0 is one of them."""

LISP = """
(let [year (sample (discrete-uniform 0 (- n 1)))
      early (sample (exponential 1))
      late (sample (exponential 1))]
  (doseq [t (range n)]
    (observe (poisson (if (< t year) early late)) (get counts t)))
  [year early late])
"""

STAN = """
data { int n; array[n] int counts; }
parameters { real<lower=0> early; real<lower=0> late; }
model {
  vector[n] lp = rep_vector(-log(n), n);
  early ~ exponential(1);
  late ~ exponential(1);
  for (year in 1:n)
    for (t in 1:n)
      lp[year] += poisson_lpmf(counts[t] | t < year ? early : late);
  target += log_sum_exp(lp);
}
"""

JAGS = """
model {
  which ~ dcat(uniform)
  year <- which - 1
  early ~ dexp(1)
  late ~ dexp(1)
  for (t in 1:n) {
    rate[t] <- ifelse(t - 1 < year, early, late)
    counts[t] ~ dpois(rate[t])
  }
}
"""


def numpyro_model(counts: Any, n: int, enumerate_year: bool = False) -> None:
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist

    infer = {"enumerate": "parallel"} if enumerate_year else {}
    early = numpyro.sample("early", dist.Exponential(1.0))
    late = numpyro.sample("late", dist.Exponential(1.0))
    year = numpyro.sample("year", dist.DiscreteUniform(0, n - 1), infer=infer)
    rate = jnp.where(jnp.arange(n) < year[..., None], early, late)
    numpyro.sample("counts", dist.Poisson(rate).to_event(1), obs=counts)


def numpyro_enumerated(counts: Any, n: int) -> None:
    numpyro_model(counts, n, enumerate_year=True)


def pymc_model(counts: Any, n: int) -> Any:
    import pymc as pm

    with pm.Model() as model:
        year = pm.DiscreteUniform("year", lower=0, upper=n - 1)
        early, late = pm.Exponential("early", 1.0), pm.Exponential("late", 1.0)
        rate = pm.math.switch(np.arange(n) < year, early, late)
        pm.Poisson("counts", rate, observed=counts)
    return model


def pymc_marginalised(counts: Any, n: int) -> Any:
    import pymc as pm

    with pm.Model() as model:
        early, late = pm.Exponential("early", 1.0), pm.Exponential("late", 1.0)
        earlier = np.arange(n)[None, :] < np.arange(n)[:, None]
        rates = pm.math.switch(earlier, early, late)
        each = pm.logp(pm.Poisson.dist(rates), counts[None, :]).sum(axis=1)
        pm.Potential("counts", pm.math.logsumexp(each))
    return model


def year_weights(early: Floats, late: Floats) -> Floats:
    """The log weight of every year of change, along the last axis."""
    years, total = np.arange(YEARS), BEFORE[-1]
    before = BEFORE[:YEARS]
    early, late = early[..., None], late[..., None]
    first = before * np.log(early) - years * early
    return np.asarray(first + (total - before) * np.log(late) - (YEARS - years) * late)


def drawn_years(early: Floats, late: Floats) -> Floats:
    """A year for every draw, from its conditional: for versions that summed the year out."""
    from scipy.special import logsumexp

    generator = np.random.default_rng(1)
    weights = year_weights(early, late)
    share = np.cumsum(np.exp(weights - logsumexp(weights, axis=-1, keepdims=True)), axis=-1)
    return np.asarray((share < generator.random(early.shape)[..., None]).sum(axis=-1))


def quantities(draws: Draws) -> Floats:
    early, late = draws["early"], draws["late"]
    year = draws["year"] if "year" in draws else drawn_years(early, late)
    return columns(year, early, late)


def truth() -> Truth:
    """Given the year, both rates are gamma."""
    from scipy.special import gammaln, logsumexp

    years, before = np.arange(YEARS), BEFORE[:YEARS]
    shapes = np.stack([before + 1, BEFORE[-1] - before + 1], axis=1)
    scales = 1 / np.stack([years + 1, YEARS - years + 1], axis=1)
    log_weights = (gammaln(shapes) + shapes * np.log(scales)).sum(axis=1)
    weights = np.exp(log_weights - logsumexp(log_weights))
    means, squares = shapes * scales, shapes * (shapes + 1) * scales**2
    first = weights @ np.column_stack([years, means])
    second = weights @ np.column_stack([years**2, squares])
    return Truth(first, np.sqrt(second - first**2), "exact: every year, rates integrated")


def cases() -> list[Case]:
    return [
        Case(
            name="change point",
            data={"counts": COUNTS, "n": YEARS},
            keep=("year", "early", "late"),
            names=("year", "early", "late"),
            quantities=quantities,
            truth=truth,
            versions={
                "lfppl": Version(LISP),
                "pymc": Version(pymc_model),
                "numpyro gibbs": Version(numpyro_model),
                "numpyro mixed": Version(numpyro_model),
                "numpyro nuts": Version(numpyro_enumerated, by_hand=True),
                "nutpie": Version(pymc_marginalised, by_hand=True),
                "stan": Version(STAN, by_hand=True),
                "jags": Version((JAGS, {"uniform": np.full(YEARS, 1 / YEARS)})),
            },
        )
    ]
