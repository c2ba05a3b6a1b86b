"""Effective sample size, R-hat and Monte Carlo error of many quantities (Vehtari et al., 2021).

Every function takes draws as (chain, draw, quantity) and gives a number for each quantity, NaN
where it never moved: that says nothing about how well it was explored.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FEWEST_DRAWS = 8
"""Chains shorter than this cannot be halved and compared."""
TAILS = (0.05, 0.95)


def r_hat(draws: Floats) -> Floats:
    """Rank-normalised split R-hat: the larger of that of the bulk and that of the tails.

    >>> generator = np.random.default_rng(1)
    >>> bool(r_hat(generator.normal(size=(4, 500, 1)))[0] < 1.01)
    True
    """
    if draws.shape[1] < FEWEST_DRAWS:
        return np.full(draws.shape[2], np.nan)
    halves = split(draws)
    folded = np.abs(halves - np.median(halves, axis=(0, 1)))
    bulk, tails = _r_hat(rank_normalised(halves)), _r_hat(rank_normalised(folded))
    return np.asarray(np.fmax(bulk, tails))


def ess_bulk(draws: Floats) -> Floats:
    """How many independent draws the mean is worth.

    >>> generator = np.random.default_rng(1)
    >>> bool(ess_bulk(generator.normal(size=(4, 500, 1)))[0] > 1000)
    True
    """
    return ess(rank_normalised(split(draws))) if draws.shape[1] >= FEWEST_DRAWS else _unknown(draws)


def ess_tail(draws: Floats) -> Floats:
    """How many independent draws the 5% and 95% quantiles are worth, the smaller of the two."""
    if draws.shape[1] < FEWEST_DRAWS:
        return _unknown(draws)
    quantiles = np.quantile(draws, TAILS, axis=(0, 1))
    below = [ess(split((draws <= quantile).astype(np.float64))) for quantile in quantiles]
    size = 2.0 * draws.shape[0] * (draws.shape[1] // 2)
    # Where no draw is beyond a quantile, nothing about it is uncertain.
    sizes = [np.where(np.isnan(each), size, each) for each in below]
    return np.where(np.ptp(draws, axis=(0, 1)) == 0.0, np.nan, np.minimum(*sizes))


def mcse_mean(draws: Floats) -> Floats:
    """The standard error of the mean of the draws."""
    if draws.shape[1] < FEWEST_DRAWS:
        return _unknown(draws)
    sizes = ess(split(draws))
    return np.asarray(draws.std(axis=(0, 1), ddof=1) / np.sqrt(sizes))


def split(draws: Floats) -> Floats:
    """Every chain as two halves; the middle draw of an odd one is left out."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, draws.shape[1] - half :]])


def rank_normalised(draws: Floats) -> Floats:
    """Normal scores of the ranks among all chains; ties share their mean rank."""
    flat = draws.reshape(-1, draws.shape[2])
    ranks = np.empty_like(flat)
    for column in range(flat.shape[1]):
        ranks[:, column] = _ranks(flat[:, column])
    places = (2.0 * ranks).astype(np.int64) - 2
    return np.asarray(_normal_scores(len(flat))[places].reshape(draws.shape))


def ess(draws: Floats) -> Floats:
    """The effective sample size of the mean by Geyer's initial monotone sequence."""
    chains, count = draws.shape[:2]
    means = draws.mean(axis=1)
    covariance = _autocovariance(draws).mean(axis=0) * count / (count - 1.0)
    total = covariance[0] * (count - 1.0) / count
    if chains > 1:
        total = total + means.var(axis=0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = 1.0 - (covariance[0] - covariance * (count - 1.0) / count) / total
    constant = ~np.isfinite(correlation[0]) | (np.ptp(draws, axis=(0, 1)) == 0.0)
    correlation[:, constant] = 0.0
    correlation[0] = 1.0
    size = chains * count / _time(correlation, chains * count)
    return np.where(constant, np.nan, size)


# --- pieces --------------------------------------------------------------------------------------


def _unknown(draws: Floats) -> Floats:
    return np.full(draws.shape[2], np.nan)


def _r_hat(draws: Floats) -> Floats:
    count = draws.shape[1]
    within = draws.var(axis=1, ddof=1).mean(axis=0)
    between = count * draws.mean(axis=1).var(axis=0, ddof=1)
    within[np.ptp(draws, axis=1).max(axis=0) == 0.0] = 0.0  # rounding may leave more
    between[np.ptp(draws, axis=(0, 1)) == 0.0] = 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.sqrt((between / within + count - 1.0) / count))


def _ranks(values: Floats) -> Floats:
    """Ranks from 1; ties share their mean."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    sizes = np.diff(np.concatenate([starts, [len(values)]]))
    ranks = np.empty(len(values))
    ranks[order] = np.repeat(starts + (sizes + 1) / 2.0, sizes)
    return ranks


@lru_cache(maxsize=8)
def _normal_scores(count: int) -> Floats:
    """The normal scores of the ranks 1, 1.5, 2, ..., count."""
    from statistics import NormalDist

    quantile = NormalDist().inv_cdf
    ranks = (1.0 + place / 2.0 for place in range(2 * count - 1))
    return np.array([quantile((rank - 0.375) / (count + 0.25)) for rank in ranks])


def fast_length(least: int) -> int:
    """A length not below `least` that a Fourier transform takes quickly.

    >>> fast_length(2000), fast_length(1)
    (2048, 1)
    """
    power = 1 << max(least - 1, 0).bit_length()
    parts = (power * part // 16 for part in (9, 10, 12, 15, 16) if power >= 16)
    return min((length for length in parts if length >= least), default=power)


def _autocovariance(draws: Floats) -> Floats:
    """The autocovariance of each chain at every lag, divided by the number of draws."""
    count = draws.shape[1]
    centred = draws - draws.mean(axis=1, keepdims=True)
    length = fast_length(2 * count)
    spectrum = np.fft.rfft(centred, length, axis=1)
    products = np.fft.irfft(spectrum * np.conjugate(spectrum), length, axis=1)
    return np.asarray(products[:, :count] / count)


def _time(correlation: Floats, total: int) -> Floats:
    """The autocorrelation time of each quantity, from the correlations at all lags."""
    pairs = (len(correlation) - 1) // 2
    sums = correlation[0 : 2 * pairs : 2] + correlation[1 : 2 * pairs : 2]
    positive = np.logical_and.accumulate(sums > 0.0, axis=0)
    lasting = np.minimum.accumulate(np.where(positive, sums, 0.0), axis=0)
    stop = np.minimum(positive.sum(axis=0), pairs - 1)
    lasting[np.arange(pairs)[:, None] >= stop] = 0.0
    # The first even correlation after the positive pairs counts once where it is positive.
    after = np.take_along_axis(correlation, 2 * stop[None], axis=0)
    time = -1.0 + 2.0 * lasting.sum(axis=0) + np.maximum(after[0], 0.0)
    return np.asarray(np.maximum(time, 1.0 / np.log10(total)))
