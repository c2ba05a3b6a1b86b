"""The value a program returns, as an array of nodes: what `Model.returned` is made of."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.lir.tables import Addresses, Returned
from lfppl.trace import elements
from lfppl.trace.graph import Graph, Node
from lfppl.trace.values import Batch, Items, Known, Value


@dataclass(frozen=True)
class Shaped:
    """Nodes whose rows, one after another, are the numbers of an array in row-major order.

    `rows` says how many numbers each node stands for: a constant may stand for several.
    """

    shape: tuple[int, ...]
    nodes: tuple[Node, ...]
    rows: tuple[int, ...]


def shape_returned(graph: Graph, value: Value) -> Shaped:
    """A returned value as an array; a ragged one as a flat one, no value as an empty one."""
    match value:
        case Node():
            return Shaped((), (value,), (1,))
        case Known(_, array):
            domain = graph.domains.repeated(graph.domains.root, array[0].size)
            table = graph.table(domain, array[0].reshape(-1))
            return Shaped(array.shape[1:], (table,), (domain.rows,))
        case Items(items):
            return _joined([shape_returned(graph, item) for item in items])
        case Batch(domain, body):
            if isinstance(body, Node):
                return Shaped((domain.rows,), (graph.lift_to(body, domain),), (domain.rows,))
            return _joined([shape_returned(graph, v) for v in elements.all_items(graph, value)])
        case _:
            return Shaped((0,), (), ())


def _joined(parts: list[Shaped]) -> Shaped:
    nodes = tuple(node for part in parts for node in part.nodes)
    rows = tuple(count for part in parts for count in part.rows)
    shapes = {part.shape for part in parts}
    if len(shapes) == 1:
        return Shaped((len(parts), *shapes.pop()), nodes, rows)
    return Shaped((sum(math.prod(part.shape) for part in parts),), nodes, rows)


def place_returned(
    shaped: Shaped, nodes: list[Node], addresses: Callable[[Node], Addresses]
) -> Returned:
    """The addresses of a returned value, its nodes being given in the new coordinates."""
    places: list[NDArray[np.int32]] = []
    constants: list[NDArray[np.float64]] = []
    for rows, node in zip(shaped.rows, nodes, strict=True):
        if node.is_static:
            places.append(np.full(rows, -1, dtype=np.int32))
            constants.append(np.array(np.broadcast_to(node.static_rows(), (rows,))))
        else:
            places.append(addresses(node))
            constants.append(np.zeros(rows))
    if not places:
        return Returned(np.empty(shaped.shape, np.int32), np.empty(shaped.shape))
    return Returned(
        np.concatenate(places).reshape(shaped.shape),
        np.concatenate(constants).reshape(shaped.shape),
    )
