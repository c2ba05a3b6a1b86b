"""Two models without discontinuities: eight schools and a logistic regression."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from peers.case import Case, Draws, Floats, Truth, Version, columns, weighted

# --- eight schools (Rubin 1981), not centred ------------------------------------------

EFFECTS = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
ERRORS = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])

SCHOOLS_LISP = """
(let [mu (sample (normal 0 5))
      tau (sample (half-cauchy 5))
      eta (for [j (range n)] (sample (normal 0 1)))]
  (doseq [j (range n)]
    (observe (normal (+ mu (* tau (get eta j))) (get s j)) (get y j)))
  mu)
"""

SCHOOLS_STAN = """
data { int n; vector[n] y; vector[n] s; }
parameters { real mu; real<lower=0> tau; vector[n] eta; }
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 5);
  eta ~ std_normal();
  y ~ normal(mu + tau * eta, s);
}
"""

SCHOOLS_JAGS = """
model {
  mu ~ dnorm(0, 0.04)
  tau ~ dt(0, 0.04, 1) T(0,)
  for (j in 1:n) {
    eta[j] ~ dnorm(0, 1)
    y[j] ~ dnorm(mu + tau * eta[j], pow(s[j], -2))
  }
}
"""


def schools_numpyro(y: Any, s: Any, n: int) -> None:
    import numpyro
    import numpyro.distributions as dist

    mu = numpyro.sample("mu", dist.Normal(0, 5))
    tau = numpyro.sample("tau", dist.HalfCauchy(5))
    with numpyro.plate("schools", n):
        eta = numpyro.sample("eta", dist.Normal(0, 1))
        numpyro.sample("y", dist.Normal(mu + tau * eta, s), obs=y)


def schools_pymc(y: Floats, s: Floats, n: int) -> Any:
    import pymc as pm

    with pm.Model() as model:
        mu = pm.Normal("mu", 0, 5)
        tau = pm.HalfCauchy("tau", 5)
        eta = pm.Normal("eta", 0, 1, shape=n)
        pm.Normal("y", mu + tau * eta, s, observed=y)
    return model


def schools_quantities(draws: Draws) -> Floats:
    mu, tau = draws["mu"][..., None], draws["tau"][..., None]
    return columns(mu, tau, mu + tau * draws["eta"])


def schools_truth() -> Truth:
    """Given the mean and the spread of the schools, effects are normal."""
    mus = np.linspace(-25, 35, 601)
    log_taus = np.linspace(-12, 8, 1001)
    mu, log_tau = (axis.ravel()[:, None] for axis in np.meshgrid(mus, log_taus, indexing="ij"))
    tau = np.exp(log_tau)
    spread = tau**2 + ERRORS**2
    fit = -0.5 * ((EFFECTS - mu) ** 2 / spread + np.log(spread)).sum(axis=1, keepdims=True)
    log_weight = (fit - mu**2 / 50 - np.log1p((tau / 5) ** 2) + log_tau)[:, 0]
    mean = (mu * ERRORS**2 + EFFECTS * tau**2) / spread
    variance = ERRORS**2 * tau**2 / spread
    weights = np.exp(log_weight - log_weight.max())
    first, sd = weighted(np.hstack([mu, tau, mean]), weights)
    extra = weights @ variance / weights.sum()
    sd[2:] = np.sqrt(sd[2:] ** 2 + extra)
    return Truth(first, sd, "exact: quadrature over mean and spread")


def schools() -> Case:
    return Case(
        name="eight schools",
        data={"y": EFFECTS, "s": ERRORS, "n": len(EFFECTS)},
        keep=("mu", "tau", "eta"),
        names=("mu", "tau", *(f"theta{j}" for j in range(len(EFFECTS)))),
        quantities=schools_quantities,
        truth=schools_truth,
        versions={
            "lfppl": Version(SCHOOLS_LISP),
            "pymc": Version(schools_pymc),
            "numpyro nuts": Version(schools_numpyro),
            "nutpie": Version(schools_pymc),
            "stan": Version(SCHOOLS_STAN),
            "jags": Version(SCHOOLS_JAGS),
        },
        without=NO_DISCRETE,
        smooth=True,
    )


# --- logistic regression ----------------------------------------

LOGISTIC_LISP = """
(let [b (for [j (range p)] (sample (normal 0 1)))
      eta (mat-mul X b)]
  (doseq [i (range n)]
    (observe (bernoulli-logit (get eta i)) (get y i)))
  b)
"""

LOGISTIC_STAN = """
data { int n; int p; matrix[n, p] X; array[n] int y; }
parameters { vector[p] b; }
model {
  b ~ std_normal();
  y ~ bernoulli_logit_glm(X, 0, b);
}
"""

LOGISTIC_JAGS = """
model {
  for (j in 1:p) { b[j] ~ dnorm(0, 1) }
  eta <- X %*% b
  for (i in 1:n) { y[i] ~ dbern(ilogit(eta[i])) }
}
"""


def logistic_numpyro(X: Any, y: Any, n: int, p: int) -> None:  # noqa: N803
    import numpyro
    import numpyro.distributions as dist

    with numpyro.plate("columns", p):
        b = numpyro.sample("b", dist.Normal(0, 1))
    with numpyro.plate("rows", n):
        numpyro.sample("y", dist.Bernoulli(logits=X @ b), obs=y)


def logistic_pymc(X: Floats, y: Floats, n: int, p: int) -> Any:  # noqa: N803
    import pymc as pm

    with pm.Model() as model:
        b = pm.Normal("b", 0, 1, shape=p)
        pm.Bernoulli("y", logit_p=pm.math.dot(X, b), observed=y)
    return model


def logistic_quantities(draws: Draws) -> Floats:
    return columns(draws["b"])


def logistic_data(rows: int, width: int) -> tuple[Floats, Any]:
    generator = np.random.default_rng(10)
    design = np.round(generator.normal(size=(rows, width)), 4)
    design[:, 0] = 1.0
    slopes = np.linspace(-1, 1, width)
    chance = 1 / (1 + np.exp(-design @ slopes))
    return design, (generator.random(rows) < chance).astype(np.int64)


def logistic_density(design: Floats, y: Any, b: Floats) -> Floats:
    eta = b @ design.T
    return np.asarray(eta @ y - np.logaddexp(0, eta).sum(axis=1) - 0.5 * (b**2).sum(axis=1))


def logistic_truth(design: Floats, y: Any, draws: int = 400_000) -> Truth:
    """Importance sampling from a multivariate t around the mode: no Markov chain is involved."""
    width, generator = design.shape[1], np.random.default_rng(1)
    mode = np.zeros(width)
    for _ in range(30):
        chance = 1 / (1 + np.exp(-design @ mode))
        precision = (design * (chance * (1 - chance))[:, None]).T @ design + np.eye(width)
        mode = mode + np.linalg.solve(precision, design.T @ (y - chance) - mode)
    root = np.linalg.cholesky(np.linalg.inv(precision))
    df, chunks, log_weights = 10.0, [], []
    for _ in range(draws // 10_000):
        z = generator.normal(size=(10_000, width))
        z /= np.sqrt(generator.chisquare(df, size=(10_000, 1)) / df)
        proposal = -(df + width) / 2 * np.log1p((z**2).sum(axis=1) / df)
        chunks.append(mode + z @ root.T)
        log_weights.append(logistic_density(design, y, chunks[-1]) - proposal)
    weights = np.concatenate(log_weights)
    mean, sd = weighted(np.concatenate(chunks), np.exp(weights - weights.max()))
    return Truth(mean, sd, f"importance sampling, {draws:,} draws around the mode")


def logistic() -> Case:
    rows, width = 1_000, 10
    design, y = logistic_data(rows, width)
    return Case(
        name="logistic regression",
        data={"X": design, "y": y, "n": rows, "p": width},
        keep=("b",),
        names=tuple(f"b{j}" for j in range(width)),
        quantities=logistic_quantities,
        truth=partial(logistic_truth, design, y),
        versions={
            "lfppl": Version(LOGISTIC_LISP),
            "pymc": Version(logistic_pymc),
            "numpyro nuts": Version(logistic_numpyro),
            "nutpie": Version(logistic_pymc),
            "stan": Version(LOGISTIC_STAN),
            "jags": Version(LOGISTIC_JAGS, draws=200, warmup=200),
        },
        without=NO_DISCRETE,
        smooth=True,
    )


NO_DISCRETE = {
    "numpyro gibbs": "no discrete variable in the model",
    "numpyro mixed": "no discrete variable in the model",
}


def cases() -> list[Case]:
    return [schools(), logistic()]
