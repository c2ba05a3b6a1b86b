"""The variables of the LIR: sample blocks joined by statement, with coordinates and reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis.discontinuity import Discontinuity
from lfppl.analysis.marks import kinds
from lfppl.lir.coordinates import BlockCoordinates, Coordinates
from lfppl.lir.tables import Addresses, Transform, VariableBlock
from lfppl.trace.graph import Node
from lfppl.trace.records import index_table


@dataclass(frozen=True)
class _Rows:
    """All rows of the blocks of one statement; row r is of block `owners[r]`."""

    blocks: list[BlockCoordinates]
    owners: NDArray[np.int64]
    indices: NDArray[np.int64]
    slots: NDArray[np.int32]
    values: Addresses
    marks: NDArray[np.int64]


def variable_blocks(
    coordinates: Coordinates, found: Discontinuity, addresses: Callable[[Node], Addresses]
) -> tuple[VariableBlock, ...]:
    """The variables in the order of their statements; those partly in Γ in two blocks."""
    groups: dict[tuple[str, int], list[BlockCoordinates]] = {}
    for block in coordinates.blocks:
        groups.setdefault((block.block.name, block.block.site), []).append(block)
    result: list[VariableBlock] = []
    for group in groups.values():
        result.extend(_split(_joined(group, found, addresses), found))
    return tuple(result)


def _joined(
    group: list[BlockCoordinates],
    found: Discontinuity,
    addresses: Callable[[Node], Addresses],
) -> _Rows:
    blocks = [block.block for block in group]
    values = []
    for block in group:
        identity = block.transform == "identity"
        places = block.slots if identity else addresses(block.natural)
        values.append(places.reshape(block.block.domain.rows, -1))
    return _Rows(
        group,
        np.repeat(np.arange(len(group)), [block.domain.rows for block in blocks]),
        np.concatenate([index_table(block.indices, block.domain) for block in blocks]),
        np.concatenate([block.slots for block in group]),
        np.concatenate(values),
        np.concatenate([found.by_block[block.number] for block in blocks]),
    )


def _split(rows: _Rows, found: Discontinuity) -> Iterator[VariableBlock]:
    for discontinuous in (False, True):
        chosen = (rows.marks >= 0) == discontinuous
        if chosen.all():
            yield _variable(rows, slice(None), discontinuous, found)
        elif chosen.any():
            yield _variable(rows, chosen, discontinuous, found)


def _variable(
    rows: _Rows, chosen: NDArray[np.bool_] | slice, discontinuous: bool, found: Discontinuity
) -> VariableBlock:
    blocks = [rows.blocks[k] for k in kinds(rows.owners[chosen])]
    first = blocks[0]
    family = first.block.family
    name = first.transform if not discontinuous or first.transform == "simplex" else "identity"
    lows, highs = zip(*(block.bounds for block in blocks), strict=True)
    widen = 1.0 if family.is_discrete else 0.0
    is_natural = name == "identity" and discontinuous
    marks = kinds(rows.marks[chosen])
    return VariableBlock(
        name=first.block.name,
        indices=rows.indices[chosen],
        family=family.name,
        coordinates=rows.slots[chosen],
        values=rows.values[chosen],
        discontinuous=discontinuous,
        discrete=family.is_discrete,
        transform=Transform("floor" if family.is_discrete else name),  # type: ignore[arg-type]
        reasons=tuple(dict.fromkeys(found.reasons[mark] for mark in marks if mark >= 0)),
        lower=min(lows) if is_natural else -np.inf,
        upper=max(highs) + widen if is_natural else np.inf,
        span=first.block.span,
    )
