"""What speaks against a run, in words: convergence, divergences, regions never left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lfppl.results.names import element_names

if TYPE_CHECKING:
    from lfppl.results.fit import Fit

HIGHEST_R_HAT = 1.01
FEWEST_PER_CHAIN = 100
"""Fewer effective draws per chain are not to be relied on (Vehtari et al., 2021)."""
Statistics: TypeAlias = Mapping[str, Mapping[str, float]]
SHOWN = 3
"""How many names a warning lists."""


@dataclass(frozen=True)
class Branches:
    """The branching variables: the `if` each belongs to, its loop indices (-1 padded), places."""

    sites: NDArray[np.int64]
    indices: NDArray[np.int64]
    places: Mapping[int, str]


def find(fit: Fit) -> Iterator[str]:
    """Everything that can be said against a fit."""
    yield from _convergence(fit.statistics)
    yield from _sizes(fit.statistics, len(fit.used[0]))
    yield from _divergences(fit)
    yield from _branches(fit)
    if not _only_names_differ(fit.statistics):
        yield from _regions(fit)
    yield from _still_chains(fit)


def _high(statistics: Statistics) -> dict[str, float]:
    """The scalars in which the chains disagree."""
    return {n: row["r_hat"] for n, row in statistics.items() if row["r_hat"] > HIGHEST_R_HAT}


def _only_names_differ(statistics: Statistics) -> bool:
    """Whether chains disagree in variables and yet agree in what the model returns.

    >>> _only_names_differ({"mu[0]": {"r_hat": 1.5}, "return": {"r_hat": 1.0}})
    True
    """
    high, returned = _high(statistics), [name for name in statistics if _is_returned(name)]
    agrees = any(np.isfinite(statistics[name]["r_hat"]) for name in returned)
    return bool(high) and agrees and not any(map(_is_returned, high))


def _is_returned(name: str) -> bool:
    return name.partition("[")[0] == "return"


def _convergence(statistics: Statistics) -> Iterator[str]:
    high = _high(statistics)
    if not high:
        return
    worst = sorted(high, key=lambda name: -high[name])
    found = f"R-hat is above {HIGHEST_R_HAT} for {_listed(worst)} (up to {high[worst[0]]:.2f}): "
    if _only_names_differ(statistics):
        yield (
            f"{found}the chains do not agree in them, though they do in what the model returns."
            " Components that may swap their names (label switching) look like this: rely only on"
            " what does not depend on the names"
        )
    else:
        yield f"{found}the chains do not agree yet; draw more, or start elsewhere"


def _sizes(statistics: Statistics, chains: int) -> Iterator[str]:
    least = {n: min(row["ess_bulk"], row["ess_tail"]) for n, row in statistics.items()}
    if _only_names_differ(statistics):
        least = {name: size for name, size in least.items() if name not in _high(statistics)}
    low = {name: size for name, size in least.items() if size < FEWEST_PER_CHAIN * chains}
    if low:
        worst = sorted(low, key=lambda name: low[name])
        yield (
            f"the effective sample size is small for {_listed(worst)} (down to {low[worst[0]]:.0f},"
            f" at least {FEWEST_PER_CHAIN * chains} are wanted): draw more"
        )


def _divergences(fit: Fit) -> Iterator[str]:
    kinds = np.concatenate([c.statistic("divergence", recorded=False) for c in fit.chains])
    if (kinds == 1).any():
        yield (
            f"{int((kinds == 1).sum()):,} of {len(kinds):,} trajectories diverged: parts of the"
            " posterior may be missing; raise `target_acceptance`, or write the model differently"
        )
    if (kinds == 2).any():
        yield (
            f"the log density was not a number in {int((kinds == 2).sum()):,} of {len(kinds):,}"
            " trajectories, which were rejected: look for 0/0, inf - inf, or the logarithm or root"
            " of a negative number"
        )


def _branches(fit: Fit) -> Iterator[str]:
    """Branching variables that never changed; where chains differ in one, they are stuck."""
    branches, chains = fit.branches, [c for c in fit.chains if len(c.bits) and c.drawn]
    if not len(branches.sites) or not chains:
        return
    fixed = sum((chain.flips for chain in chains), np.zeros(len(branches.sites), np.int64)) == 0
    bits = np.stack([chain.bits for chain in chains])
    differ = fixed & (bits != bits[0]).any(axis=0)
    for site in np.unique(branches.sites[fixed]):
        here = branches.sites == site
        place = branches.places.get(int(site), "?")
        if (differ & here).any():
            which = int(np.flatnonzero(differ & here)[0])
            taken = ", ".join(str(c) for c in np.flatnonzero(bits[:, which]))
            index = _index(branches.indices[which])
            yield (
                f"chains are stuck: the `if` at {place}{index} is taken in chain {taken} and not in"
                " the others, and never changed in any of them"
            )
        elif (fixed & here).all() or here.sum() == 1:
            yield (
                f"the `if` at {place} never changed its branch: either the data decide it, or the"
                " chains have not found the other side"
            )


def _index(indices: NDArray[np.int64]) -> str:
    inside = [str(i) for i in indices if i >= 0]
    return f" [{','.join(inside)}]" if inside else ""


def _regions(fit: Fit) -> Iterator[str]:
    """Discrete variables that stayed at one value in every chain, but not at the same."""
    stuck: list[str] = []
    for quantity in fit.quantities:
        values = fit.draws[quantity.name]
        if quantity.discrete:
            stuck.extend(_stuck(quantity.name, values))
    if stuck:
        yield (
            f"chains are stuck: {_listed(stuck)} stayed at one value in every chain, which is not"
            " the same in all of them"
        )


def _stuck(name: str, values: NDArray[Any]) -> Iterator[str]:
    still = (values == values[:, :1]).all(axis=(0, 1))
    differ = (values[:, 0] != values[:1, 0]).any(axis=0)
    wrong = np.atleast_1d(still & differ).reshape(-1)
    if wrong.any():
        elements = list(element_names(name, values.shape[2:]))
        yield from (elements[i] for i in np.flatnonzero(wrong))


def _still_chains(fit: Fit) -> Iterator[str]:
    densities = fit.statistic("log_density")
    if densities.shape[1] < 2 or not any(len(q.places.reshape(-1)) for q in fit.quantities):
        return
    for chain in np.flatnonzero((densities == densities[:, :1]).all(axis=1)):
        if not (densities == densities[0, 0]).all():
            yield f"chain {chain} did not move: all its trajectories were rejected"


def _listed(names: list[str]) -> str:
    """Some names in words.

    >>> _listed(["a"]), _listed(["a", "b", "c", "d", "e"])
    ('`a`', '`a`, `b`, `c` and 2 more')
    """
    shown = ", ".join(f"`{name}`" for name in names[:SHOWN])
    return shown if len(names) <= SHOWN else f"{shown} and {len(names) - SHOWN} more"
