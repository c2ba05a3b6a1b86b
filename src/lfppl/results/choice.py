"""Which scalars of a fit are drawn: those asked for, or a few that show the most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lfppl.errors import drawing
from lfppl.results.names import RETURN, element_names

if TYPE_CHECKING:
    from lfppl.results.fit import Fit

MOST_ASKED = 40
"""Panels that a picture can hold where they were asked for by name."""


@dataclass(frozen=True)
class Choice:
    """Chosen scalars as arrays of (chain, draw) by name, and how many were left out."""

    draws: dict[str, NDArray[Any]]
    left_out: int


def choose(fit: Fit, variables: Iterable[str] | None, most: int) -> Choice:
    """The scalars that `variables` names, or at most so many of all.

    Of itself the choice takes from every variable in turn, and of an array first the elements with
    the smallest effective sample size: those show trouble first.
    """
    everything = dict(_scalars(fit))
    names = (
        _ranked(fit, everything) if variables is None else list(_asked(fit, variables, everything))
    )
    names = names[:most] if variables is None else names
    if not names:
        raise drawing.nothing_to_draw("the fit has no variables")
    order = {name: place for place, name in enumerate(everything)}
    kept = {name: everything[name] for name in sorted(names, key=order.__getitem__)}
    return Choice(kept, len(everything) - len(kept))


def check_names(names: Iterable[str], shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Refuse names to draw that a run will not have, before it.

    >>> check_names(["mu[1]", "return"], {"mu": (2,)})
    """
    for name in names:
        base = name.split("[")[0]
        elements = element_names(base, shapes.get(base, ()))
        if base != RETURN and (base not in shapes or name not in (base, *elements)):
            raise drawing.unknown_shown(name, [*shapes, RETURN])


def _scalars(fit: Fit) -> Iterator[tuple[str, NDArray[Any]]]:
    for name, array in fit.draws.items():
        flat = array.reshape(*array.shape[:2], -1)
        for i, element in enumerate(element_names(name, array.shape[2:])):
            yield element, flat[:, :, i]


def _asked(
    fit: Fit, variables: Iterable[str], everything: dict[str, NDArray[Any]]
) -> Iterator[str]:
    count = 0
    for name in [variables] if isinstance(variables, str) else variables:
        if name in everything:
            elements = [name]
        elif name in fit.draws:
            elements = list(element_names(name, fit.draws[name].shape[2:]))
        else:
            raise drawing.unknown_shown(name, fit.draws)
        count += len(elements)
        if count > MOST_ASKED:
            raise drawing.too_many_shown(name, count, MOST_ASKED)
        yield from elements


def _ranked(fit: Fit, everything: dict[str, NDArray[Any]]) -> list[str]:
    """The first scalar of every variable, then the second, and so on; none that says it again."""
    new = {name: array for name, array in everything.items() if not _is_returned(name)}
    seen = {_digest(array) for array in new.values()}
    new |= {n: a for n, a in everything.items() if n not in new and _digest(a) not in seen}
    queues: dict[str, list[str]] = {}
    for name in sorted(new, key=lambda each: _size(fit, each)):
        queues.setdefault(name.split("[")[0], []).append(name)
    longest = max(map(len, queues.values()), default=0)
    return [queue[i] for i in range(longest) for queue in queues.values() if i < len(queue)]


def _size(fit: Fit, name: str) -> float:
    """The effective sample size; what never moves is uninteresting, and comes last."""
    return float(np.nan_to_num(fit.statistics[name]["ess_bulk"], nan=np.inf))


def _is_returned(name: str) -> bool:
    return name == RETURN or name.startswith(f"{RETURN}[")


def _digest(array: NDArray[Any]) -> bytes:
    return sha256(array.astype(np.float64).tobytes()).digest()
