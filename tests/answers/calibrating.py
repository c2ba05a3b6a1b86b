"""Simulation-based calibration (Talts and others, 2018): parameters and data from the model itself.

If the sampler is right the parameters are one more draw from the posterior of their data, so the
rank of each quantity among posterior draws is uniform. The simulators below are written in NumPy,
apart from the programs, so that a mistake in either shows. Ties are broken at random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import chi2, norm, poisson

import lfppl
from answers.answer import Floats

RANKS = 32
"""Posterior draws that a rank is taken among, and one more is the number of ranks."""
THIN = 20
BINS = 11
"""Of the 33 ranks, three to a bin."""

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Simulator:
    """A program, and its parameters and data drawn independently of it.

    `measure` takes quantities from draws (..., *shape) by name; among the parameters stands the log
    likelihood of the data under the name `log likelihood`.
    """

    source: str
    simulate: Callable[[np.random.Generator], tuple[Values, Values]]
    measure: Callable[[Values], Mapping[str, Floats]]


def mixture() -> Simulator:
    """Three clusters with unequal weights and scales."""
    weights, scales = np.array([0.2, 0.3, 0.5]), np.array([0.6, 1.0, 1.5])
    source = """
    (let [mu (for [k (range 3)] (sample (normal k 2)))
          z (for [n (range (count y))] (sample (categorical [0.2 0.3 0.5])))]
      (doseq [n (range (count y))]
        (observe (normal (get mu (get z n)) (get [0.6 1.0 1.5] (get z n))) (get y n))))"""

    def simulate(rng: np.random.Generator) -> tuple[Values, Values]:
        mu, z = rng.normal(np.arange(3), 2), rng.choice(3, size=8, p=weights)
        y = rng.normal(mu[z], scales[z])
        log_likelihood = norm.logpdf(y, mu[z], scales[z]).sum()
        return {"mu": mu, "z": z, "log likelihood": log_likelihood}, {"y": y}

    def measure(values: Values) -> Mapping[str, Floats]:
        mu, z = values["mu"], values["z"]
        return {
            **{f"mu[{k}]": mu[..., k] for k in range(3)},
            "z[0] is 1": (z[..., 0] == 1) * 1.0,
            "z[5] is 2": (z[..., 5] == 2) * 1.0,
            "z[0] is z[1]": (z[..., 0] == z[..., 1]) * 1.0,
            "log likelihood": values["log likelihood"],
        }

    return Simulator(source, simulate, measure)


def change_point() -> Simulator:
    """Poisson counts of fifteen years with a rate that changes once."""
    source = """
    (let [tau (sample (uniform 0 15)) early (sample (gamma 2 1)) late (sample (gamma 2 0.5))]
      (doseq [t (range 15)]
        (observe (poisson (if (< t tau) early late)) (get counts t))))"""

    def simulate(rng: np.random.Generator) -> tuple[Values, Values]:
        tau, early, late = rng.uniform(0, 15), rng.gamma(2, 1), rng.gamma(2, 2)
        rate = np.where(np.arange(15) < tau, early, late)
        counts = rng.poisson(rate)
        values = {"tau": tau, "early": early, "late": late}
        log_likelihood = poisson.logpmf(counts, rate).sum()
        return {**values, "log likelihood": log_likelihood}, {"counts": counts.astype(float)}

    def measure(values: Values) -> Mapping[str, Floats]:
        tau = np.asarray(values["tau"])
        branches = {f"{t} < tau": (t < tau) * 1.0 for t in (3, 7, 12)}
        names = ("tau", "early", "late", "log likelihood")
        return {**{name: np.asarray(values[name]) for name in names}, **branches}

    return Simulator(source, simulate, measure)


def switches() -> Simulator:
    """A regression with a threshold and two coefficients that may be switched off."""
    rng = np.random.default_rng(7)
    x = np.round(rng.normal(size=(16, 2)), 3)
    source = """
    (let [on (for [j (range 2)] (sample (bernoulli 0.4)))
          slope (for [j (range 2)] (sample (normal 0 1.5)))
          edge (sample (normal 0 1))
          lift (sample (normal 1 1))
          level (mat-mul X (map * on slope))]
      (doseq [i (range 16)]
        (let [jump (if (< (get (get X i) 0) edge) 0 lift)]
          (observe (normal (+ (get level i) jump) 0.7) (get y i)))))"""

    def simulate(rng: np.random.Generator) -> tuple[Values, Values]:
        on, slope = rng.binomial(1, 0.4, 2), rng.normal(0, 1.5, 2)
        edge, lift = rng.normal(0, 1), rng.normal(1, 1)
        mean = x @ (on * slope) + np.where(x[:, 0] < edge, 0, lift)
        y = rng.normal(mean, 0.7)
        values = {"on": on, "slope": slope, "edge": edge, "lift": lift}
        return {**values, "log likelihood": norm.logpdf(y, mean, 0.7).sum()}, {"X": x, "y": y}

    def measure(values: Values) -> Mapping[str, Floats]:
        on, slope, edge = values["on"], values["slope"], np.asarray(values["edge"])
        return {
            "on[0]": on[..., 0] * 1.0,
            "on[1]": on[..., 1] * 1.0,
            "beta[0]": on[..., 0] * slope[..., 0],
            "edge": edge,
            "branch of row 3": (x[3, 0] < edge) * 1.0,
            "lift": np.asarray(values["lift"]),
            "log likelihood": values["log likelihood"],
        }

    return Simulator(source, simulate, measure)


SIMULATORS = {"mixture": mixture, "change point": change_point, "switches": switches}


def rank(simulator: Simulator, rng: np.random.Generator, **options: Any) -> dict[str, int]:
    """The rank of each quantity in one simulation."""
    truth, data = simulator.simulate(rng)
    settings = {"warmup": 500, "chains": 1, "workers": 1, "progress": False, **options}
    fit = lfppl.compile(simulator.source, data).sample(
        draws=RANKS * THIN, thin=THIN, seed=int(rng.integers(2**32)), **settings
    )
    observed = sum(np.asarray(each)[0].sum(-1) for each in fit.log_likelihood.values())
    draws = {name: np.asarray(values)[0] for name, values in fit.draws.items()}
    found = simulator.measure({**draws, "log likelihood": observed})
    true = simulator.measure({name: np.asarray(value) for name, value in truth.items()})
    return {name: ranked(float(true[name]), found[name], rng) for name in found}


def ranked(value: float, draws: Floats, rng: np.random.Generator) -> int:
    """How many draws are below a value; equal ones count with a number drawn at random."""
    # Sums of log densities of equal terms may differ in the last bits.
    near = np.isclose(draws, value, rtol=1e-9, atol=1e-12)
    below = int(((draws < value) & ~near).sum())
    return below + int(rng.integers(int(near.sum()) + 1))


def p_values(simulator: Simulator, replicates: int, seed: int, **options: Any) -> dict[str, float]:
    """The chi-squared test of uniform ranks for each quantity."""
    rng = np.random.default_rng(seed)
    found = [rank(simulator, rng, **options) for _ in range(replicates)]
    return {name: uniformity([one[name] for one in found]) for name in found[0]}


def uniformity(ranks: list[int]) -> float:
    """The p-value of ranks 0 .. RANKS falling equally often into bins."""
    counts = np.bincount(np.array(ranks) * BINS // (RANKS + 1), minlength=BINS)
    expected = len(ranks) / BINS
    return float(chi2.sf(((counts - expected) ** 2 / expected).sum(), BINS - 1))
