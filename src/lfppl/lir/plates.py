"""Cones of plates: where row r of every node reads element r alone, there is nothing to search.

The search in `cones` makes dozens of passes over all rows; here it is a look at the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lfppl.lir.access import input_count, output_count
from lfppl.lir.cones import MAX_SINGLE, RowIndex, cone_shape
from lfppl.lir.tables import Affine, Cones, ConeShape, Gather, Indexed, Map, Node, Run

Slots: TypeAlias = NDArray[np.int32]


class _Entangled(Exception):
    """A block that is no plate: some row reads another element than its own, or several."""


def plate_cones(
    index: RowIndex, schedule: Sequence[Run], blocks: Sequence[Slots]
) -> tuple[Cones, tuple[Slots, ...]] | None:
    """The cones and the colours of blocks of coordinates if all are plates; else None."""
    whole = {r.node for r in schedule if (r.start, r.stop) == (0, index.nodes[r.node].rows)}
    try:
        shapes = [_shape(index, whole, block) for block in blocks]
    except _Entangled:
        return None
    return _cones(sorted(shapes, key=lambda s: int(s.members[0]))), tuple(blocks)


def _cones(shapes: list[ConeShape]) -> Cones:
    none = np.empty(0, dtype=np.int32)
    sizes = [len(shape.members) for shape in shapes]
    return Cones(
        np.concatenate([none, *(shape.members for shape in shapes)]),
        tuple(shapes),
        np.repeat(np.arange(len(shapes), dtype=np.int32), sizes),
        np.concatenate([none, *(np.arange(size, dtype=np.int32) for size in sizes)]),
    )


def _shape(index: RowIndex, whole: set[int], block: Slots) -> ConeShape:
    """The shape of the cones of a block: member i changes row i of some nodes and nothing else."""
    size, spans, steps = len(block), {int(block[0])}, []
    if not bool((np.diff(block) == 1).all()):
        raise _Entangled
    for number in index.order:
        node = index.nodes[number]
        if _follows(node, spans, size):
            steps.append(number)
            spans.update(node.base + k * node.rows for k in range(output_count(node)))
    readers = [n for n in index.order if _follows(index.nodes[n], spans, size)]
    if readers != steps or not whole.issuperset(steps) or len(steps) > MAX_SINGLE:
        raise _Entangled
    table = index.starts[steps] + np.arange(size)[:, None]
    return cone_shape(index, block.astype(np.int64), table)


def _follows(node: Node, spans: set[int], size: int) -> bool:
    """Whether row r of a node reads element r of spans of that size; False if it reads none."""
    if not isinstance(node, Map):
        return _touches(node.inputs, input_count(node), spans, size, alone=False)
    gathers = [column for column in node.columns if isinstance(column, Affine | Indexed)]
    found = [_touches(g, node.rows, spans, size, alone=node.rows == size) for g in gathers]
    return any(found)


def _touches(gather: Gather, count: int, spans: set[int], size: int, *, alone: bool) -> bool:
    """Whether a gather reads a span, one element after another; it must if it reads any of it."""
    if isinstance(gather, Indexed):
        low, high = gather.addresses, gather.addresses
    else:
        if alone and gather.start in spans and (gather.stride == 1 or count == 1):
            return True
        low = np.asarray(gather.start)
        high = low + gather.stride * (count - 1)
    if count and any(bool(((low < span + size) & (high >= span)).any()) for span in spans):
        raise _Entangled
    return False
