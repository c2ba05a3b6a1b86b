"""Truths of models with labels: sums over all labels, or over all partitions of the data."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.special import betaln, gammaln, logsumexp
from scipy.stats import gamma, norm

from truth.known import (
    Data,
    Draws,
    Floats,
    Truth,
    midpoints,
    normal_log_density,
    normalised,
    returned,
)


def mixture(data: Data) -> Truth:
    """Two clusters of equal weight and spread 1; centres normal(0, 2)."""
    sets = Sets(np.asarray(data["y"], float))
    clusters = [sets.normal_cluster(log_weight, 2.0) for log_weight in np.log([0.5, 0.5])]
    return _centres(clusters, "all assignments of the points to the clusters are summed")


def mixture_four(data: Data) -> Truth:
    """Four clusters of unequal weights; centres normal(0, 3)."""
    sets = Sets(np.asarray(data["y"], float))
    weights = np.log([0.4, 0.3, 0.2, 0.1])
    clusters = [sets.normal_cluster(log_weight, 3.0) for log_weight in weights]
    how = "all assignments of the points to the clusters are summed, set by set"
    return _centres(clusters, how, draws=20_000)


def mixture_dirichlet(data: Data) -> Truth:
    """Three clusters of unknown weights, centres and precisions."""
    sets = Sets(np.asarray(data["y"], float))
    how = (
        "all assignments of the points to the clusters are summed, set by set; the weights are"
        " integrated out exactly, the precisions by quadrature"
    )
    return _centres([sets.gamma_cluster(3.0)] * 3, how, error=0.01, draws=20_000)


class Cluster:
    """For every set of points: its weight, and the distribution function of its centre."""

    def __init__(self, weight: Floats, above: Floats) -> None:
        self.weight = weight
        self.above = above


class Sets:
    """All sets of the points, as bits of a number."""

    LEVELS = np.linspace(-14, 14, 141)

    def __init__(self, y: Floats) -> None:
        member = (np.arange(2 ** len(y))[:, None] >> np.arange(len(y))) & 1
        self.size, self.total, self.squares = member.sum(1), member @ y, member @ y**2

    def normal_cluster(self, log_weight: float, spread: float) -> Cluster:
        """A cluster of known weight and spread 1; its centre is normal(0, spread)."""
        log_evidence, above = self._given(1.0, spread)
        return Cluster(_scaled(log_evidence + self.size * log_weight), above)

    def gamma_cluster(self, spread: float) -> Cluster:
        """A cluster of precision gamma(2, 1), and of a weight that is one of a Dirichlet's."""
        precision = gamma.ppf(midpoints(0, 1, 100), 2.0)
        parts = [self._given(tau, spread) for tau in precision]
        log_evidence = np.array([log_evidence for log_evidence, _ in parts])
        share = np.exp(log_evidence - log_evidence.max(0))
        above = sum(s[:, None] * part for s, (_, part) in zip(share, parts, strict=True))
        whole = logsumexp(log_evidence, axis=0) + gammaln(1 + self.size)
        return Cluster(_scaled(whole), np.asarray(above) / share.sum(0)[:, None])

    def _given(self, precision: float, spread: float) -> tuple[Floats, Floats]:
        """The evidence of each set for a precision, and how likely the centre is above levels."""
        total = 1 / spread**2 + self.size * precision
        mean = precision * self.total / total
        log_evidence = 0.5 * self.size * np.log(precision) - 0.5 * precision * self.squares
        log_evidence = log_evidence + 0.5 * (total * mean**2 - np.log(total))
        above = norm.sf((self.LEVELS - mean[:, None]) * np.sqrt(total)[:, None])
        return log_evidence, above


def _scaled(log_weight: Floats) -> Floats:
    found: Floats = np.exp(log_weight - log_weight.max())
    return found


def _centres(clusters: list[Cluster], how: str, error: float = 0.0, draws: int = 10_000) -> Truth:
    """The means of the smallest and of the largest centre."""
    whole = _together([c.weight[:, None] for c in clusters])
    above = _together([c.weight[:, None] * c.above for c in clusters]) / whole
    below = _together([c.weight[:, None] * (1 - c.above) for c in clusters]) / whole
    expected = {"smallest centre": _mean(above), "largest centre": _mean(1 - below)}
    measure = returned("smallest centre", "largest centre")
    return Truth(how, expected, measure, error, draws)


def _together(parts: list[Floats]) -> Floats:
    """The sum over all ways to divide the points among the clusters of the product of the parts."""
    found = parts[0]
    for part in parts[1:-1]:
        found = _convolved(found, part)
    rest = parts[-1][::-1]  # the complement of a set has all its bits turned round
    last: Floats = (found * rest).sum(0)
    return last


def _convolved(first: Floats, second: Floats) -> Floats:
    """For every set the sum over its subsets of the first there times the second on the rest."""
    found = np.zeros(np.broadcast_shapes(first.shape, second.shape))
    indices = np.arange(len(first))
    for subset in indices:
        over = indices[indices & subset == subset]
        found[over] += first[subset] * second[over ^ subset]
    return found


def _mean(above: Floats) -> float:
    """The mean of a number from how likely it is above each level."""
    levels = Sets.LEVELS
    return float(levels[0] + np.trapezoid(above, levels))


def hidden_markov(data: Data) -> Truth:
    """Three states; forward and backward sums."""
    step = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]])
    readings = np.asarray(data["readings"], float)
    likelihood = np.exp(normal_log_density(readings[:, None], np.array([-2.0, 0.0, 3.0]), 0.8))
    forward, backward = [np.array([0.33, 0.33, 0.34]) @ step * likelihood[0]], [np.ones(3)]
    for seen in likelihood[1:]:
        forward.append(forward[-1] @ step * seen)
    for seen in likelihood[:0:-1]:
        backward.append(step @ (seen * backward[-1]))
    share = np.array(forward) * np.array(backward[::-1])
    share /= share.sum(1, keepdims=True)
    times = (0, 1, 2, 5, 8)
    expected = {
        f"state[{t}] is {k}": share[t, k] for t, k in zip(times, (0, 0, 1, 1, 1), strict=True)
    }

    def measure(draws: Draws) -> dict[str, Floats]:
        state = draws["state"]
        values = zip(times, (0, 0, 1, 1, 1), strict=True)
        return {f"state[{t}] is {k}": (state[..., t] == k) * 1.0 for t, k in values}

    return Truth("the forward-backward algorithm", expected, measure, draws=10_000)


def spike_and_slab(data: Data) -> Truth:
    """Sixteen sets of switches; the noise by quadrature, the slopes exactly."""
    x, y = np.asarray(data["X"], float), np.asarray(data["y"], float)
    noise = midpoints(0.05, 3, 600)
    switches = np.array(list(product(range(2), repeat=x.shape[1])))
    log_weight, mean = np.empty((16, 600)), np.empty((16, 600, x.shape[1]))
    for i, on in enumerate(switches):
        for j, sd in enumerate(noise):
            chosen = x * on
            precision = np.eye(x.shape[1]) / 4 + chosen.T @ chosen / sd**2
            mean[i, j] = on * np.linalg.solve(precision, chosen.T @ y / sd**2)
            fit = y @ y / sd**2 - mean[i, j] @ precision @ mean[i, j]
            size = len(y) * np.log(sd) + 0.5 * np.linalg.slogdet(4 * precision)[1]
            log_weight[i, j] = -0.5 * fit - size - 0.5 * sd**2
    share = normalised(log_weight)
    beta = (share[..., None] * mean).sum((0, 1))
    expected = {f"on[{k}]": float(share.sum(1) @ switches[:, k]) for k in (1, 3)}
    expected |= {f"beta[{k}]": float(beta[k]) for k in range(4)}

    def measure(draws: Draws) -> dict[str, Floats]:
        found = {f"on[{k}]": draws["on"][..., k] * 1.0 for k in (1, 3)}
        return found | {f"beta[{k}]": draws["return"][..., k] for k in range(4)}

    how = "all sixteen sets of switches; the slopes integrated out, the noise by quadrature"
    return Truth(how, expected, measure, error=0.01, draws=10_000)


def ising(data: Data) -> Truth:
    """All 256 states of the ring."""
    field = np.asarray(data["field"], float)
    spins = np.array(list(product((-1, 1), repeat=len(field))))
    energy = data["coupling"] * (spins * np.roll(spins, -1, axis=1)).sum(1) + spins @ field
    share = normalised(energy)
    mean = spins.mean(1)
    expected = {
        "mean spin": float(share @ mean),
        "its square": float(share @ mean**2),
        "all agree": float(share @ (abs(mean) == 1)),
    }

    def measure(draws: Draws) -> dict[str, Floats]:
        mean = draws["return"]
        return {"mean spin": mean, "its square": mean**2, "all agree": (abs(mean) == 1) * 1.0}

    return Truth("all 256 states of the ring are summed", expected, measure, draws=10_000)


def zero_inflated(data: Data) -> Truth:
    """How many of the empty days were idle is summed, the rate integrated out."""
    empty, caught = int(data["empty"]), np.asarray(data["caught"], float)
    idle = np.arange(empty + 1)
    fished = empty - idle + len(caught)
    shape, rate = 2 + caught.sum(), 0.5 + fished
    ways = gammaln(empty + 1) - gammaln(idle + 1) - gammaln(empty - idle + 1)
    share = normalised(ways + betaln(1 + idle, 1 + fished) - shape * np.log(rate))
    expected = {
        "share of idle days": float(share @ ((1 + idle) / (2 + idle + fished))),
        "rate": float(share @ (shape / rate)),
        "idle days": float(share @ idle),
    }
    how = "the number of idle days is summed; share and rate are integrated out"
    return Truth(how, expected, returned(*expected), draws=10_000)
