"""Names and shapes of what a draw holds, and the names of their elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Label: TypeAlias = str | int | float
"""What stands at a place along a named dimension."""

RETURN = "return"
"""What the value of the program is called."""


class Quantity(NamedTuple):
    """A variable, or the returned value.

    `places` has its shape; it holds the places of its elements in a draw, -1 where there is none.
    """

    name: str
    places: NDArray[np.int64]
    discrete: bool

    def array(self, draws: NDArray[np.float64]) -> NDArray[np.generic]:
        """The values in draws whose last axis is that of all places; integers where discrete."""
        values = draws[..., self.places]
        if (self.places < 0).any():
            return np.where(self.places < 0, np.nan, values)
        return values.astype(np.int64) if self.discrete else values


class Observation(NamedTuple):
    """What an observe statement (or several for the same datum) says of data.

    The rows of the pointwise log density from `start` on are its elements, `shape` their shape.
    `observed` holds the data, NaN where they are not known.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    observed: NDArray[np.float64]

    @property
    def size(self) -> int:
        """How many elements it has."""
        return int(np.prod(self.shape, dtype=np.int64))

    def array(self, pointwise: NDArray[np.float64]) -> NDArray[np.float64]:
        """Its part of arrays whose last axis is that of all observations."""
        part = pointwise[..., self.start : self.start + self.size]
        return part.reshape(*pointwise.shape[:-1], *self.shape)


def element_names(name: str, shape: tuple[int, ...]) -> Iterator[str]:
    """The names of the elements of an array, in row-major order.

    >>> list(element_names("x", ())), list(element_names("A", (1, 2)))
    (['x'], ['A[0,0]', 'A[0,1]'])
    """
    for index in np.ndindex(shape):
        yield f"{name}[{','.join(map(str, index))}]" if index else name
