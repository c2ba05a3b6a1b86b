"""The paper's heavy tail (section 6.2) with A = I: exp(-|x|) in a box, less by e in its shell."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from peers.case import Case, Draws, Floats, Truth, Version, columns

INNER, OUTER = 3.0, 6.0

LISP = """
(let [x (for [i (range d)] (sample (uniform -6 6)))
      potential (sqrt (sum (map * x x)))]
  (if (> (reduce max (map abs x)) 3)
    (factor (- (- potential) 1))
    (factor (- potential)))
  potential)
"""

STAN = """
data { int d; }
parameters { vector<lower=-6, upper=6>[d] x; }
model {
  target += -sqrt(dot_self(x));
  if (max(abs(x)) > 3) target += -1;
}
"""

JAGS = """
model {
  for (i in 1:d) { x[i] ~ dunif(-6, 6) }
  potential <- sqrt(inprod(x, x)) + step(max(max(x), -min(x)) - 3)
  zero ~ dpois(potential)
}
"""
"""The usual trick with a Poisson observation of zero, whose log probability is minus its rate."""


def numpyro_model(d: int) -> None:
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist

    with numpyro.plate("coordinates", d):
        x = numpyro.sample("x", dist.Uniform(-6, 6))
    outside = jnp.max(jnp.abs(x)) > INNER
    numpyro.factor("potential", -jnp.sqrt(jnp.sum(x**2)) - jnp.where(outside, 1.0, 0.0))


def pymc_model(d: int) -> Any:
    import pymc as pm

    with pm.Model() as model:
        x = pm.Uniform("x", -6, 6, shape=d)
        outside = pm.math.gt(pm.math.max(pm.math.abs(x)), INNER)
        pm.Potential("potential", -pm.math.sqrt((x**2).sum()) - pm.math.switch(outside, 1.0, 0.0))
    return model


def quantities(draws: Draws) -> Floats:
    x = draws["x"]
    return columns(np.sqrt((x**2).sum(axis=2)), x)


def truth(d: int) -> Truth:
    """By exp(-r) as a mixture of normals over their variance v: a box is then a product.

    exp(-r) is the integral of exp(-r²/2v) exp(-v/2) / sqrt(2 pi v) over v, and r exp(-r) the same
    with a factor v - 1, r² exp(-r) with v² - 3v.
    """
    from scipy.special import erf

    v = np.exp(np.linspace(-12, 12, 40_001))
    weight = v * np.exp(-v / 2) / np.sqrt(2 * np.pi * v)
    total, radius, square = 0.0, 0.0, 0.0
    for edge, share in ((INNER, 1 - np.exp(-1)), (OUTER, np.exp(-1))):
        log_box = d * np.log(np.sqrt(2 * np.pi * v) * erf(edge / np.sqrt(2 * v)))
        box = share * weight * np.exp(log_box - d * np.log(2 * OUTER))
        total += box.sum()
        radius += (box * (v - 1)).sum()
        square += (box * (v * v - 3 * v)).sum()
    mean, second = radius / total, square / total
    means = np.concatenate([[mean], np.zeros(d)])
    sds = np.concatenate([[np.sqrt(second - mean**2)], np.full(d, np.sqrt(second / d))])
    return Truth(means, sds, "exact: quadrature over a mixture of normals")


def case(d: int) -> Case:
    return Case(
        name=f"heavy tail {d}",
        data={"d": d},
        keep=("x",),
        names=("|x|", *(f"x{i}" for i in range(d))),
        quantities=quantities,
        truth=partial(truth, d),
        versions={
            "lfppl": Version(LISP),
            "pymc": Version(pymc_model),
            "numpyro nuts": Version(numpyro_model),
            "nutpie": Version(pymc_model),
            "stan": Version(STAN),
            "jags": Version((JAGS, {"zero": 0})),
        },
        without={
            "numpyro gibbs": "no discrete variable in the model",
            "numpyro mixed": "no discrete variable in the model",
        },
    )


def cases() -> list[Case]:
    return [case(d) for d in (10, 50, 100)]
