"""The batch contract: a model's density as pure array functions, for many chains on one device.

Every function is for one chain and can be mapped over a leading axis; `numbers` is the array of the
coordinates and all node values that the others of one point begin from. U, dU, +inf and NaN mean
what they mean in the density contract (docs/density.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from lfppl.backends.density import Space

Array = Any
"""An array of the backend's library, or what it traces."""


class Swept(NamedTuple):
    """What the coordinate updates of a colour leave: `moved` were accepted, U changed in all."""

    numbers: Array
    momentum: Array
    moved: Array
    change: Array


@dataclass(frozen=True)
class BatchDensity(Space):
    """A model's density as array functions.

        evaluate(x) -> (U, numbers)
        gradient(x) -> (U, dU/dx, numbers)      0 where x is discontinuous
        sweep(colour, numbers, eps, p, s) -> Swept
        branches(x), values(x), terms(x)        as in the density contract

    `sweep` takes the number of the colour as a value, so that one permutation can serve all chains.
    """

    evaluate: Callable[[Array], tuple[Array, Array]]
    gradient: Callable[[Array], tuple[Array, Array, Array]]
    sweep: Callable[[Array, Array, Array, Array, Array], Swept]
    branches: Callable[[Array], Array]
    values: Callable[[Array], Array]
    terms: Callable[[Array], Array]
