"""Truths of models of counts and change points: sums, with the rates integrated out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, gammaln
from scipy.stats import beta

from truth.known import Data, Floats, Truth, midpoints, normalised, returned

Integers = NDArray[np.int64]


def change_point(data: Data) -> Truth:
    """Rates gamma(2, 1); the answer is the time and the ratio of the rates."""
    counts = np.asarray(data["counts"], float)
    share, first, second = _one_change(counts, 2.0, 1.0)
    ratio = second[0] / second[1] * first[1] / (first[0] - 1)
    times = np.arange(len(counts)) + 0.5
    expected = {"change": float(share @ times), "late / early": float(share @ ratio)}
    how = "in every interval between two counts the rates are integrated out exactly"
    return Truth(how, expected, returned(*expected), draws=20_000)


def coal_mining(data: Data) -> Truth:
    """Rates exponential(1), which is gamma(1, 1); the answer is the year and the ratio."""
    counts = np.asarray(data["disasters"], float)
    share, first, second = _one_change(counts, 1.0, 1.0)
    years = 1851 + np.arange(len(counts)) + 0.5
    some = second[0] > 1  # with no disaster after the change the ratio has no mean, nor any weight
    inverse = second[1][some] / (second[0][some] - 1)
    ratio = np.zeros_like(share)
    ratio[some] = first[0][some] / first[1][some] * inverse
    expected = {"year": float(share @ years), "early / late": float(share @ ratio)}
    how = "for a change within each of the years the rates are integrated out exactly"
    return Truth(how, expected, returned(*expected), draws=20_000)


def _one_change(counts: Floats, shape: float, rate: float) -> tuple[Floats, Floats, Floats]:
    """The probability of each unit interval, and the gammas of the two rates there."""
    size = np.arange(1, len(counts) + 1)  # a change between t and t + 1 leaves t + 1 counts before
    total = np.cumsum(counts)
    first = np.stack([shape + total, rate + size])
    second = np.stack([shape + total[-1] - total, rate + len(counts) - size])
    return normalised(_log_evidence(first) + _log_evidence(second)), first, second


def _log_evidence(posterior: Floats) -> Floats:
    found: Floats = gammaln(posterior[0]) - posterior[0] * np.log(posterior[1])
    return found


def change_points(data: Data) -> Truth:
    """Rates gamma(2, 0.5); the second change is uniform after the first."""
    counts = np.asarray(data["counts"], float)
    n, fine = len(counts), 20
    first, within = np.arange(n), midpoints(0, 1, fine)
    total = np.concatenate([[0.0], np.cumsum(counts)])

    def evidence(start: Integers, stop: Integers) -> Floats:
        posterior = np.stack([2 + total[stop] - total[start], 0.5 + stop - start])
        return _log_evidence(posterior)

    i, j = np.meshgrid(first, first, indexing="ij")
    i, j = i[i <= j], j[i <= j]
    zero, end = np.zeros_like(i), np.full_like(i, n)
    log_weight = evidence(zero, i + 1) + evidence(i + 1, j + 1) + evidence(j + 1, end)
    start = i[:, None] + within  # the first change, in small steps; the second is from low to high
    low = np.maximum(start, j[:, None])
    length = j[:, None] + 1 - low
    share = normalised(log_weight[:, None] + np.log(length / (n - start)))
    expected = {
        "first change": float((share * start).sum()),
        "second change": float((share * (low + length / 2)).sum()),
    }
    how = "for each pair of intervals the three rates are integrated out exactly"
    return Truth(how, expected, returned(*expected), error=0.01, draws=20_000)


def capture_recapture(data: Data) -> Truth:
    """The probability to be caught is integrated out; the number of animals is summed."""
    first, second = (int(caught) for caught in data["caught"])
    both = int(data["recaught"])
    unseen = np.arange(400)
    n = first + second - both + unseen
    prior = unseen * np.log(40) - gammaln(unseen + 1)
    p = betaln(1 + first + second, 1 + 2 * n - first - second)
    caught = _log_choose(n, first) + _log_choose(n, second)
    marked = _log_choose(n - first, second - both) - _log_choose(n, second)
    share = normalised(prior + p + caught + marked)
    expected = {"animals": float(share @ n)}
    how = "the number of animals is summed; the probability to be caught is integrated out"
    return Truth(how, expected, returned("animals"), draws=20_000)


def _log_choose(n: Integers, k: int) -> Floats:
    found: Floats = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return found


def serial_numbers(data: Data) -> Truth:
    """The number of machines is summed."""
    seen = np.asarray(data["seen"], int)
    total = np.arange(seen.max(), 20_000)
    share = normalised(total * np.log(1 - 0.002) - len(seen) * np.log(total))
    expected = {"machines": float(share @ total)}
    how = "the number of machines is summed"
    return Truth(how, expected, returned("machines"), draws=20_000)


def jolly_seber(data: Data) -> Truth:
    """Every day by itself: both probabilities by quadrature, the number without a mark summed."""
    columns = ("released", "again", "marked", "missed", "fresh")
    days = zip(*(np.asarray(data[name], int) for name in columns), strict=True)
    means = [_unmarked(*day) for day in days]
    expected = {f"unmarked on day {t + 2}": mean for t, mean in enumerate(means)}
    how = (
        "every day is independent of the others; the number without a mark is summed, and the two"
        " probabilities, whose posteriors would be beta without it, are integrated by quadrature"
    )
    return Truth(how, expected, returned(*expected), error=0.01, draws=10_000)


def _unmarked(released: int, again: int, marked: int, missed: int, fresh: int) -> float:
    """The mean number without a mark on one day, when it is 0 to 3000 with equal probability."""
    middle = midpoints(0, 1, 300)
    later = beta.ppf(middle, 1 + again, 1 + released - again)
    share = beta.ppf(middle, 1 + marked, 1 + missed)[:, None]
    odds = share * later / (1 - share)
    caught = np.linspace(0.01, 0.8, 400)[:, None]
    number = np.arange(fresh, 3001)
    ways = _log_choose(number, fresh)
    weight = np.exp(ways + fresh * np.log(caught) + (number - fresh) * np.log1p(-caught))
    total = np.interp(odds / (1 + odds), caught[:, 0], weight.sum(1))
    first = np.interp(odds / (1 + odds), caught[:, 0], weight @ number)
    return float(first.sum() / total.sum())
