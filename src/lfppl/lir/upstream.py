"""What a value depends on: a search against the direction of computing, output by output."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lfppl.lir.access import Positions, gathered, output_count, reads
from lfppl.lir.tables import Affine, Indexed, Kernel, Map, Model, Node


def coordinates_behind(model: Model, addresses: Positions) -> Positions:
    """The coordinates that the values at some addresses depend on."""
    seen = np.zeros(model.size, dtype=bool)
    frontier = np.unique(addresses)
    while len(frontier):
        seen[frontier] = True
        parts = [part for node in model.nodes for part in _sources(node, frontier)]
        before = np.unique(np.concatenate([frontier[:0], *parts]))
        frontier = before[~seen[before]]
    return np.flatnonzero(seen[: model.dimension]).astype(np.int64)


def _sources(node: Node, addresses: Positions) -> Iterator[Positions]:
    """What a node reads to compute those of the addresses that are its own."""
    size = output_count(node) * node.rows
    here = addresses[(addresses >= node.base) & (addresses < node.base + size)] - node.base
    if not len(here):
        return
    if isinstance(node, Map):
        yield from _map_sources(node, here)
    else:
        pairs = reads(node, with_zeros=False)
        yield pairs.addresses[np.isin(pairs.rows, here)]


def _map_sources(node: Map, places: Positions) -> Iterator[Positions]:
    outputs, rows = np.divmod(places, node.rows)
    for output in np.unique(outputs):
        for j in columns_behind(node.kernel, int(output)):
            column = node.columns[j]
            if isinstance(column, Affine | Indexed):
                yield gathered(column, rows[outputs == output])


def columns_behind(kernel: Kernel, output: int) -> list[int]:
    """The columns that an output of a kernel depends on.

    >>> from lfppl.lir.tables import Instruction
    >>> columns_behind(Kernel(3, (Instruction("+", (0, 2)), Instruction("exp", (1,))), (3, 4)), 0)
    [0, 2]
    """
    needed = {kernel.outputs[output]}
    for i in reversed(range(len(kernel.instructions))):
        if kernel.inputs + i in needed:
            needed |= set(kernel.instructions[i].arguments)
    return sorted(register for register in needed if register < kernel.inputs)
