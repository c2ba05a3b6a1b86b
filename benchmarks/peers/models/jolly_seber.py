"""The Jolly-Seber model of an open population (Nishimura, Dunson and Lu 2020, Biometrika 107).

Black-kneed capsids were caught, marked and released on 13 days (Jolly 1965, Biometrika 52). The
unmarked animals alive on each day are 13 unknown counts, at most 5,000 each; the births between
days have standard deviation 500; the first count has a prior of 1 / count, chances uniform ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from peers.case import Case, Draws, Floats, Truth, Version, columns

CAUGHT = np.array([54, 146, 169, 209, 220, 209, 250, 176, 172, 127, 123, 120, 142])
MARKED = np.array([0, 10, 37, 56, 53, 77, 112, 86, 110, 84, 77, 72, 95])
RELEASED = np.array([54, 143, 164, 202, 214, 207, 243, 175, 169, 126, 120, 120])
RECAUGHT = np.array([24, 80, 70, 71, 109, 101, 108, 99, 70, 58, 44, 35])
"""Of those released on a day, how many were caught again later."""
MISSED = np.array([14, 57, 71, 89, 121, 110, 132, 121, 107, 88, 60, 0])
"""Marked before a day and caught only after it, from the second day on."""
DAYS, MOST, BIRTHS = 13, 5_000, 500.0

DATA = {
    "days": DAYS,
    "u": CAUGHT - MARKED,
    "m": MARKED[1:],
    "z": MISSED,
    "lost": RELEASED - RECAUGHT,
    "births": BIRTHS,
    "most": MOST,
}

LISP = """
(defn unseen-later [k chis p phi]
  (let [i (- days (+ k 2))]
    (conj chis (- 1 (* (get phi i) (- 1 (* (- 1 (get p (+ i 1))) (last chis))))))))
(let [p (for [i (range days)] (sample (beta 1 1)))
      phi (for [i (range (- days 1))] (sample (beta 1 1)))
      unseen (for [i (range days)] (sample (discrete-uniform 0 (- most (get u i)))))
      U (map + u unseen)
      chi (loop (- days 1) [1] unseen-later p phi)]
  (factor (- (log (first U))))
  (doseq [i (range days)] (observe (binomial (get U i) (get p i)) (get u i)))
  (doseq [i (range (- days 1))]
    (let [f (get phi i) left (get unseen i) q (get p (+ i 1))]
      (observe (normal (* f left) (sqrt (+ (* births births) (* f (- 1 f) left))))
               (get U (+ i 1)))
      (factor (+ (* (get lost i) (log (get chi (- (- days 1) i))))
                 (* (+ (get z i) (get m i)) (log f))
                 (* (get z i) (log (- 1 q)))
                 (* (get m i) (log q))))))
  U)
"""

STAN = """
data {
  int days; array[days] int u; array[days - 1] int m; array[days - 1] int z;
  array[days - 1] int lost; real births; int most;
}
transformed data { vector[days] low = to_vector(u); }
parameters {
  vector<lower=0, upper=1>[days] p;
  vector<lower=0, upper=1>[days - 1] phi;
  vector<lower=low, upper=most>[days] U;
}
model {
  real chi = 1;
  target += -log(U[1]);
  for (i in 1:days)
    target += lgamma(U[i] + 1) - lgamma(U[i] - u[i] + 1)
              + u[i] * log(p[i]) + (U[i] - u[i]) * log1m(p[i]);
  for (k in 1:(days - 1)) {
    int i = days - k;
    real left = U[i] - u[i];
    chi = 1 - phi[i] * (1 - (1 - p[i + 1]) * chi);
    U[i + 1] ~ normal(phi[i] * left, sqrt(square(births) + phi[i] * (1 - phi[i]) * left));
    target += lost[i] * log(chi) + (z[i] + m[i]) * log(phi[i])
              + z[i] * log1m(p[i + 1]) + m[i] * log(p[i + 1]);
  }
}
"""

JAGS = """
model {
  for (i in 1:days) {
    p[i] ~ dbeta(1, 1)
    real[i] ~ dunif(low[i] - 0.5, most + 0.5)
    U[i] <- round(real[i])
    u[i] ~ dbin(p[i], U[i])
  }
  chi[days] <- 1
  zero[days] ~ dpois(log(U[1]))
  for (i in 1:(days - 1)) {
    phi[i] ~ dbeta(1, 1)
    left[i] <- U[i] - u[i]
    chi[i] <- 1 - phi[i] * (1 - (1 - p[i + 1]) * chi[i + 1])
    variance[i] <- births * births + phi[i] * (1 - phi[i]) * left[i]
    recapture[i] <- lost[i] * log(chi[i]) + (z[i] + m[i]) * log(phi[i])
                    + z[i] * log(1 - p[i + 1]) + m[i] * log(p[i + 1])
    birth[i] <- -0.5 * log(variance[i]) - 0.5 * pow(U[i + 1] - phi[i] * left[i], 2) / variance[i]
    zero[i] ~ dpois(3000 - recapture[i] - birth[i])
  }
}
"""
"""Recaptures and births by Poisson observations of zero; the 3,000 keeps their rates positive."""


def numpyro_model(
    days: int, u: Any, m: Any, z: Any, lost: Any, births: float, most: int, counts: bool = True
) -> None:
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist
    from jax.scipy.special import gammaln

    with numpyro.plate("days", days):
        p = numpyro.sample("p", dist.Beta(1, 1))
        prior = dist.DiscreteUniform(0, most) if counts else dist.Uniform(u, most)
        total = numpyro.sample("U", prior)
    with numpyro.plate("nights", days - 1):
        phi = numpyro.sample("phi", dist.Beta(1, 1))
    left = total - u
    safe = jnp.maximum(left, 0)
    first = gammaln(safe + u + 1.0) - gammaln(safe + 1.0) + u * jnp.log(p) + safe * jnp.log1p(-p)
    numpyro.factor("first", jnp.where(left < 0, -1e6, first).sum() - jnp.log(safe[0] + u[0]))
    variance = births**2 + phi * (1 - phi) * safe[:-1]
    born = (total[1:] - phi * safe[:-1]) ** 2 / variance
    numpyro.factor("births", -0.5 * (born + jnp.log(variance)).sum())
    chi, chis = 1.0, list[Any]()
    for i in reversed(range(days - 1)):
        chi = 1 - phi[i] * (1 - (1 - p[i + 1]) * chi)
        chis.insert(0, chi)
    later = lost * jnp.log(jnp.stack(chis)) + (z + m) * jnp.log(phi)
    numpyro.factor("later", (later + z * jnp.log1p(-p[1:]) + m * jnp.log(p[1:])).sum())


def numpyro_continuous(**data: Any) -> None:
    numpyro_model(**data, counts=False)


def pymc_model(
    days: int, u: Any, m: Any, z: Any, lost: Any, births: float, most: int, counts: bool = True
) -> Any:
    import pymc as pm
    import pytensor.tensor as pt

    with pm.Model() as model:
        p = pm.Beta("p", 1, 1, shape=days)
        phi = pm.Beta("phi", 1, 1, shape=days - 1)
        if counts:
            total = pm.DiscreteUniform("U", lower=u, upper=most, shape=days, initval=u + 500)
        else:
            total = pm.Uniform("U", lower=u, upper=most, shape=days)
        left = total - u
        first = pt.gammaln(total + 1.0) - pt.gammaln(left + 1.0)
        pm.Potential("first", (first + u * pt.log(p) + left * pt.log1p(-p)).sum())
        pm.Potential("prior", -pt.log(total[0]))
        variance = births**2 + phi * (1 - phi) * left[:-1]
        born = (total[1:] - phi * left[:-1]) ** 2 / variance
        pm.Potential("births", -0.5 * (born + pt.log(variance)).sum())
        chi, chis = pt.as_tensor(1.0), list[Any]()
        for i in reversed(range(days - 1)):
            chi = 1 - phi[i] * (1 - (1 - p[i + 1]) * chi)
            chis.insert(0, chi)
        later = lost * pt.log(pt.stack(chis)) + (z + m) * pt.log(phi)
        pm.Potential("later", (later + z * pt.log1p(-p[1:]) + m * pt.log(p[1:])).sum())
    return model


def pymc_continuous(**data: Any) -> Any:
    return pymc_model(**data, counts=False)


def quantities(draws: Draws) -> Floats:
    total = draws["U"] if "U" in draws else draws["unseen"] + DATA["u"]
    return columns(total, draws["p"], draws["phi"])


def truth() -> Truth:
    """By a long run of a slice sampler."""
    from peers.models.jolly_seber_truth import truth

    return truth()


def cases() -> list[Case]:
    names = [f"U{i}" for i in range(DAYS)] + [f"p{i}" for i in range(DAYS)]
    extra = {"zero": np.zeros(DAYS, int), "low": DATA["u"]}
    real = "U as real numbers"
    return [
        Case(
            name="Jolly-Seber",
            data=DATA,
            keep=("U", "unseen", "p", "phi"),
            names=(*names, *(f"phi{i}" for i in range(DAYS - 1))),
            quantities=quantities,
            truth=truth,
            versions={
                "lfppl": Version(LISP),
                "pymc": Version(pymc_model),
                "numpyro gibbs": Version(numpyro_model, draws=100, warmup=100),
                "numpyro mixed": Version(numpyro_model),
                "numpyro nuts": Version(numpyro_continuous, by_hand=True, note=real),
                "nutpie": Version(pymc_continuous, by_hand=True, note=real),
                "stan": Version(STAN, by_hand=True, note=real),
                "jags": Version((JAGS, extra)),
            },
        )
    ]
