"""Binomial counts with unknown size N and chance p (Raftery 1988): a long curved ridge."""

from __future__ import annotations

from typing import Any

import numpy as np

from peers.case import Case, Draws, Floats, Truth, Version, columns

WATERBUCK = np.array([53, 57, 66, 67, 72])
"""Animals counted on five occasions (Raftery 1988, Biometrika 75)."""
LOW, HIGH = 72, 500

LISP = """
(let [size (sample (discrete-uniform 72 500))
      chance (sample (beta 1 1))]
  (doseq [k (range (count counts))]
    (observe (binomial size chance) (get counts k)))
  size)
"""

STAN = """
data { int low; int high; int n; array[n] int counts; }
parameters { real<lower=0, upper=1> chance; }
model {
  vector[high - low + 1] lp;
  for (size in low:high)
    lp[size - low + 1] = binomial_lpmf(counts | size, chance);
  target += log_sum_exp(lp);
}
"""

JAGS = """
model {
  which ~ dcat(uniform)
  size <- which + low - 1
  chance ~ dbeta(1, 1)
  for (k in 1:n) { counts[k] ~ dbin(chance, size) }
}
"""


def numpyro_model(counts: Any, n: int, low: int, high: int, infer: Any = None) -> None:
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist

    chance = numpyro.sample("chance", dist.Beta(1, 1))
    # From 0: NumPyro enumerates indices, and is silently wrong where a support starts elsewhere.
    above = numpyro.sample("above", dist.DiscreteUniform(0, high - low), infer=infer or {})
    total = low + jnp.asarray(above)[..., None]
    numpyro.sample("counts", dist.Binomial(total, chance).to_event(1), obs=counts)


def numpyro_enumerated(counts: Any, n: int, low: int, high: int) -> None:
    numpyro_model(counts, n, low, high, {"enumerate": "parallel"})


def pymc_model(counts: Any, n: int, low: int, high: int) -> Any:
    import pymc as pm

    with pm.Model() as model:
        size = pm.DiscreteUniform("size", lower=low, upper=high)
        chance = pm.Beta("chance", 1, 1)
        pm.Binomial("counts", n=size, p=chance, observed=counts)
    return model


def pymc_marginalised(counts: Any, n: int, low: int, high: int) -> Any:
    import pymc as pm

    with pm.Model() as model:
        chance = pm.Beta("chance", 1, 1)
        sizes = np.arange(low, high + 1)[:, None]
        each = pm.logp(pm.Binomial.dist(n=sizes, p=chance), counts[None, :]).sum(axis=1)
        pm.Potential("counts", pm.math.logsumexp(each))
    return model


SIZES = np.arange(LOW, HIGH + 1)
FAILURES = len(WATERBUCK) * SIZES - WATERBUCK.sum()


def choices() -> Floats:
    """The log of the number of ways to catch the counts out of every size, up to a constant."""
    from scipy.special import gammaln

    return np.asarray(
        (gammaln(SIZES[:, None] + 1) - gammaln(SIZES[:, None] - WATERBUCK + 1)).sum(axis=1)
    )


def drawn_sizes(chance: Floats) -> Floats:
    """A size for every draw, from its conditional: for versions that summed the size out."""
    from scipy.special import logsumexp

    generator = np.random.default_rng(1)
    weights = choices() + FAILURES * np.log1p(-chance)[..., None]
    share = np.cumsum(np.exp(weights - logsumexp(weights, axis=-1, keepdims=True)), axis=-1)
    return np.asarray(LOW + (share < generator.random(chance.shape)[..., None]).sum(axis=-1))


def quantities(draws: Draws) -> Floats:
    chance = draws["chance"]
    if "above" in draws:
        size = LOW + draws["above"]
    else:
        size = draws["size"] if "size" in draws else drawn_sizes(chance)
    return columns(size, chance, size * chance)


def truth() -> Truth:
    """Given the size, the chance is beta."""
    from scipy.special import betaln, logsumexp

    a, b = WATERBUCK.sum() + 1, FAILURES + 1
    log_weights = choices() + betaln(a, b)
    weights = np.exp(log_weights - logsumexp(log_weights))
    chance, square = a / (a + b), a * (a + 1) / ((a + b) * (a + b + 1))
    first = weights @ np.column_stack([SIZES, chance, SIZES * chance])
    second = weights @ np.column_stack([SIZES**2, square, SIZES**2 * square])
    return Truth(first, np.sqrt(second - first**2), "exact: every size, chance integrated")


def cases() -> list[Case]:
    uniform = np.full(HIGH - LOW + 1, 1 / (HIGH - LOW + 1))
    return [
        Case(
            name="binomial",
            data={"counts": WATERBUCK, "n": len(WATERBUCK), "low": LOW, "high": HIGH},
            keep=("size", "above", "chance"),
            names=("size", "chance", "size * chance"),
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
                "jags": Version((JAGS, {"uniform": uniform})),
            },
        )
    ]
