"""Which colours can run the same code: those with equally many cones of each shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.lir.tables import Model

Places = NDArray[np.int32]


@dataclass(frozen=True)
class Part:
    """Members with cones of one shape: line j are those of the j-th colour, as places in it."""

    shape: int
    places: Places


@dataclass(frozen=True)
class Kinds:
    """The kinds of colours, each with its parts; the kind of every colour and its line there."""

    parts: tuple[tuple[Part, ...], ...]
    kind_of: NDArray[np.int32]
    line_of: NDArray[np.int32]


def kinds_of_colours(model: Model) -> Kinds:
    """Colours grouped by the shapes of their members' cones."""
    found: dict[tuple[tuple[int, int], ...], list[dict[int, Places]]] = {}
    kind_of, line_of = [], []
    for members in model.colours:
        shapes = _by_shape(model, members)
        key = tuple((shape, len(places)) for shape, places in shapes.items())
        lines = found.setdefault(key, [])
        kind_of.append(list(found).index(key))
        line_of.append(len(lines))
        lines.append(shapes)
    parts = tuple(_stacked(lines) for lines in found.values())
    return Kinds(parts, np.array(kind_of, np.int32), np.array(line_of, np.int32))


def _by_shape(model: Model, members: Places) -> dict[int, Places]:
    """The places of some coordinates in their shapes, by shape."""
    cones = model.cones
    positions = np.searchsorted(cones.coordinates, members)
    shapes, places = cones.shape_of[positions], cones.place_in_shape[positions]
    return {int(shape): places[shapes == shape] for shape in np.unique(shapes)}


def _stacked(lines: list[dict[int, Places]]) -> tuple[Part, ...]:
    return tuple(Part(shape, np.stack([line[shape] for line in lines])) for shape in lines[0])
