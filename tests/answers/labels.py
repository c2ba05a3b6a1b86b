"""Programs with labels and switches: exact answers by enumeration and by forward-backward."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.special import logsumexp
from scipy.stats import norm

from answers.answer import Answer, Draws, Floats, by_index, normal_log_density, normalised

MIXTURE = """
(let [mu (for [k (range {clusters})] (sample (normal 0 2)))
      z (for [n (range (count y))] (sample (categorical {weights})))]
  (doseq [n (range (count y))]
    (observe (normal (get mu (get z n)) (get {scales} (get z n))) (get y n)))
  mu)"""

PAPER_DATA = np.array([-2.0, -2.5, -1.7, -1.9, -2.2, 1.5, 2.2, 3.0, 1.2, 2.8])


def papers_mixture() -> Answer:
    """The ten points of the paper; all 1,024 vectors of labels."""
    weights, scales = np.array([0.5, 0.5]), np.ones(2)
    labels, share, mean, variance = enumerated(PAPER_DATA, weights, scales)
    spread = np.sqrt(variance.sum(1))
    gap = (mean[:, 1] - mean[:, 0]) / spread
    least = mean[:, 0] * norm.cdf(gap) + mean[:, 1] * norm.cdf(-gap) - spread * norm.pdf(gap)
    apart = (labels[:, 0] != labels[:, 5]).astype(float)
    expected = {
        "min mu": float(share @ least),
        "max mu": float(share @ (mean.sum(1) - least)),
        "apart": float(share @ apart),
    }
    assert abs(expected["min mu"] + 1.9448) < 5e-5
    assert abs(expected["max mu"] - 2.0398) < 5e-5

    def measure(draws: Draws) -> dict[str, Floats]:
        z = draws["z"]
        return {**ordered(draws), "apart": (z[..., 0] != z[..., 5]).astype(float)}

    source = MIXTURE.format(clusters=2, weights=[0.5, 0.5], scales=[1, 1])
    return Answer(source, {"y": PAPER_DATA}, expected, measure, draws=10_000)


def four_clusters() -> Answer:
    """Four clusters with unequal weights and scales; 1,024 vectors of labels."""
    y = np.array([-2.5, -0.3, 0.4, 1.2, 3.1])
    weights, scales = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.5, 1.0, 0.7, 1.5])
    labels, share, mean, variance = enumerated(y, weights, scales)
    first = share @ (labels[:, :1] == np.arange(4))
    expected = {
        **by_index("mu", share @ mean),
        **by_index("mu squared", share @ (mean**2 + variance)),
        **by_index("z[0] is", first),
    }

    def measure(draws: Draws) -> dict[str, Floats]:
        first = (draws["z"][..., :1] == np.arange(4)).astype(float)
        mu = draws["mu"]
        return {
            **by_index("mu", mu),
            **by_index("mu squared", mu**2),
            **by_index("z[0] is", first),
        }

    source = MIXTURE.format(clusters=4, weights=weights.tolist(), scales=scales.tolist())
    return Answer(source, {"y": y}, expected, measure, draws=10_000)


def enumerated(y: Floats, weights: Floats, scales: Floats) -> tuple[Floats, ...]:
    """All vectors of labels, their probabilities, and the normals of the centres given them."""
    labels = np.array(list(product(range(len(weights)), repeat=len(y))))
    member = labels[:, :, None] == np.arange(len(weights))
    precision = 0.25 + (member / scales**2).sum(1)
    mean = (member * y[:, None] / scales**2).sum(1) / precision
    log_weight = np.log(weights[labels] / scales[labels]).sum(1)
    log_weight -= 0.5 * (y**2 / scales[labels] ** 2).sum(1)
    log_weight += 0.5 * (precision * mean**2 - np.log(precision)).sum(1)
    return labels, normalised(log_weight), mean, 1.0 / precision


def thousand_points() -> Answer:
    """A thousand points; the two centres on a grid, their labels summed out."""
    rng = np.random.default_rng(5)
    left = rng.random(1000) < 0.4
    y = np.where(left, rng.normal(-1.5, 1, 1000), rng.normal(1.5, 1, 1000))
    low, high = np.meshgrid(np.linspace(-1.9, -1.1, 81), np.linspace(1.1, 1.9, 81), indexing="ij")
    parts = np.stack(
        [
            np.log(0.4) + normal_log_density(y[:, None, None], low, 1.0),
            np.log(0.6) + normal_log_density(y[:, None, None], high, 1.0),
        ]
    )
    prior = normal_log_density(low, 0, 2) + normal_log_density(high, 0, 2)
    share = normalised(prior + logsumexp(parts, 0).sum(0))
    right = 1.0 / (1.0 + np.exp(parts[0] - parts[1]))
    expected = {
        "mu[0]": float((share * low).sum()),
        "mu[1]": float((share * high).sum()),
        "mu[0] squared": float((share * low**2).sum()),
        "mu[1] squared": float((share * high**2).sum()),
        "labels": float((share * right.sum(0)).sum()),
    }

    def measure(draws: Draws) -> dict[str, Floats]:
        mu = draws["mu"]
        return {
            **by_index("mu", mu),
            "mu[0] squared": mu[..., 0] ** 2,
            "mu[1] squared": mu[..., 1] ** 2,
            "labels": draws["z"].sum(-1).astype(float),
        }

    source = MIXTURE.format(clusters=2, weights=[0.4, 0.6], scales=[1, 1])
    start = {"mu": [-1.5, 1.5], "z": (y > 0).astype(float)}
    return Answer(source, {"y": y}, expected, measure, draws=2000, options={"initial": start})


def spike_and_slab() -> Answer:
    """Eight predictors; 256 models, the slopes integrated out."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=(40, 8))
    x[:, 1] = 0.8 * x[:, 0] + 0.6 * x[:, 1]
    y = x @ np.array([0.7, 0, 0, -0.25, 0.25, 0, 0.15, 0]) + 0.8 * rng.normal(size=40)
    switches = np.array(list(product(range(2), repeat=8)))
    log_weight, mean = np.empty(256), np.zeros((256, 8))
    for i, on in enumerate(switches):
        chosen = x * on
        covariance = 0.64 * np.eye(40) + chosen @ chosen.T
        solved = np.linalg.solve(covariance, y)
        log_weight[i] = -0.5 * (y @ solved + np.linalg.slogdet(covariance)[1])
        log_weight[i] += (on * np.log(0.3) + (1 - on) * np.log(0.7)).sum()
        mean[i] = chosen.T @ solved
    share = normalised(log_weight)
    expected = {
        **by_index("on", share @ switches),
        **by_index("beta", (share @ mean)[[0, 1, 3, 4]]),
    }

    def measure(draws: Draws) -> dict[str, Floats]:
        return {
            **by_index("on", draws["on"].astype(float)),
            **by_index("beta", draws["return"][..., [0, 1, 3, 4]]),
        }

    source = """
    (let [on (for [j (range 8)] (sample (bernoulli 0.3)))
          slope (for [j (range 8)] (sample (normal 0 1)))
          beta (map * on slope)]
      (doseq [i (range (count X))]
        (observe (normal (dot (get X i) beta) 0.8) (get y i)))
      beta)"""
    return Answer(source, {"X": x, "y": y}, expected, measure, draws=10_000)


TRANSITIONS = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.25, 0.7]])
START = np.array([0.2, 0.3, 0.5])
LEVELS, SCALES = np.array([-1.0, 0.0, 1.5]), np.array([1.0, 0.7, 1.3])


def hidden_markov() -> Answer:
    """Three states at twelve times, by forward-backward."""
    y = np.array([-1.2, -0.4, -1.9, 0.3, 0.1, -0.2, 0.9, 2.4, 1.1, 0.2, 0.4, -1.0])
    likelihood = np.exp(normal_log_density(y[:, None], LEVELS, SCALES))
    share = forward_backward(likelihood)
    middle, last = share[[0, 4, 6, 11]], share @ np.arange(3)
    expected = {f"state[{t}] is 1": middle[i, 1] for i, t in enumerate((0, 4, 6, 11))}
    expected |= {f"state[{t}]": float(last[t]) for t in range(0, 12, 2)}

    def measure(draws: Draws) -> dict[str, Floats]:
        states = draws["return"]
        found = {f"state[{t}] is 1": (states[..., t] == 1).astype(float) for t in (0, 4, 6, 11)}
        return found | {f"state[{t}]": states[..., t].astype(float) for t in range(0, 12, 2)}

    source = """
    (let [start (sample (categorical [0.2 0.3 0.5]))]
      (observe (normal (get level start) (get scale start)) (first y))
      (loop 11 [start]
        (fn [t states]
          (let [state (sample (categorical (get P (last states))))]
            (observe (normal (get level state) (get scale state)) (get y (+ t 1)))
            (conj states state)))))"""
    data = {"y": y, "P": TRANSITIONS, "level": LEVELS, "scale": SCALES}
    return Answer(source, data, expected, measure, draws=10_000)


def forward_backward(likelihood: Floats) -> Floats:
    """The probability of each state at each time, given everything."""
    forward, backward = np.empty_like(likelihood), np.ones_like(likelihood)
    forward[0] = START * likelihood[0]
    for t in range(1, len(likelihood)):
        forward[t] = likelihood[t] * (forward[t - 1] @ TRANSITIONS)
    for t in range(len(likelihood) - 2, -1, -1):
        backward[t] = TRANSITIONS @ (likelihood[t + 1] * backward[t + 1])
    share = forward * backward
    return share / share.sum(1, keepdims=True)


def ordered(draws: Draws) -> dict[str, Floats]:
    """The smaller and the larger of two means, which do not depend on the names of clusters."""
    return {"min mu": draws["mu"].min(-1), "max mu": draws["mu"].max(-1)}
