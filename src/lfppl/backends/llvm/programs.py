"""What a move does, as records: for each shape of cone the updates of its steps, one after another.

A record says which update function to call, on which rows, and where the old values are kept, so
that one piece of code takes any move back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm.layout import addresses_of, inputs_of, output_range, outputs_of
from lfppl.backends.llvm.nodes import Prepared
from lfppl.backends.llvm.squares import Square
from lfppl.lir.tables import ConeShape, ConeStep, Linear, Map, Reduce

Ints = NDArray[np.int32]

FEW_INPUTS = 4
"""Up to this many changed inputs, a sum is corrected; with more it is computed again."""


SHORT_EXTREME = 4096
"""A maximum of fewer elements is looked for again only when the largest one changed."""


class How(IntEnum):
    """How rows of a node are brought up to date."""

    SLICE = 0
    LIST = 1
    COLUMN = 2
    TREE = 3
    SQUARE = 4
    EXTREME = 5


@dataclass(frozen=True)
class Update:
    """The update of a step: consecutive rows start .. stop-1, or `rows[i]` for member i.

    `log` is where its old outputs are kept, output after output. `inputs[i]` are the changed inputs
    (columns of a Linear, positions in a segment of a Reduce), `kept[i]` where the log has their old
    values.
    """

    node: int
    how: How
    log: int
    start: int = 0
    stop: int = 0
    rows: Ints | None = None
    inputs: Ints | None = None
    kept: Ints | None = None

    @property
    def count(self) -> int:
        """Rows per member."""
        return self.rows.shape[1] if self.rows is not None else self.stop - self.start


@dataclass(frozen=True)
class Program:
    """The updates of a shape; `size` is the length of its log (the old coordinate comes first)."""

    shape: ConeShape
    updates: tuple[Update, ...]
    size: int


@dataclass
class _Changed:
    """The addresses changed so far, per member or the same for all, and their places in the log."""

    members: list[tuple[NDArray[np.int64], int]] = field(default_factory=list)
    common: list[tuple[NDArray[np.int64], int]] = field(default_factory=list)


def program_of(ready: Prepared, shape: ConeShape) -> Program:
    """The updates of a shape's steps."""
    changed = _Changed([(shape.members.astype(np.int64).reshape(-1, 1), 0)])
    updates: list[Update] = []
    size = 1
    for step in shape.steps:
        update = _update(ready, shape, step, changed, size, updates)
        updates.append(update)
        _note(ready, update, changed, size)
        size += update.count * outputs_of(ready.model.nodes[step.node])
    return Program(shape, tuple(updates), size)


def _update(
    ready: Prepared,
    shape: ConeShape,
    step: ConeStep,
    changed: _Changed,
    log: int,
    updates: list[Update],
) -> Update:
    node = ready.model.nodes[step.node]
    start, stop, rows = _rows_of(step, node.rows)
    if isinstance(node, Square):
        changed_x = _changed_inputs(node, changed)
        correction = _correction(updates, step.node, node, changed_x, log)
        if correction is not None:
            return correction
    if not isinstance(node, Map):
        found = _changed_inputs(node, changed)
        if found is not None:
            special = _special(
                ready, step.node, len(shape.members), found, (start, stop, rows), log
            )
            if special is not None:
                return special
    how = How.SLICE if rows is None else How.LIST
    return Update(step.node, how, log, start, stop, rows)


def _correction(
    updates: list[Update], place: int, node: Square, found: tuple[Ints, Ints] | None, log: int
) -> Update | None:
    """The update of a quadratic form where one of its x changed: from the old values of x and y."""
    if found is None or found[0].shape[1] != 1:
        return None
    inputs, kept = found
    for update in updates:
        if update.node == node.linear and (old := _old_rows(update, inputs[:, 0])) is not None:
            both = np.column_stack([kept, old]).astype(np.int32)
            columns = np.repeat(inputs, 2, axis=1)
            return Update(place, How.SQUARE, log, 0, 1, None, columns, both)
    return None


def _old_rows(update: Update, rows: Ints) -> NDArray[np.int64] | None:
    """Where the log has the old value of a row, for each member; None if one did not change."""
    if update.rows is None:
        within = (rows >= update.start) & (rows < update.stop)
        return (update.log + rows - update.start).astype(np.int64) if within.all() else None
    same = update.rows == rows[:, None]
    return update.log + same.argmax(axis=1) if same.any(axis=1).all() else None


def _rows_of(step: ConeStep, count: int) -> tuple[int, int, Ints | None]:
    if isinstance(step.rows, slice):
        start, stop, _ = step.rows.indices(count)
        return start, stop, None
    rows = np.ascontiguousarray(step.rows, dtype=np.int32)
    return 0, 0, rows.reshape(len(rows), -1)


def _special(
    ready: Prepared,
    place: int,
    members: int,
    found: tuple[Ints, Ints],
    where: tuple[int, int, Ints | None],
    log: int,
) -> Update | None:
    node, (inputs, kept), (start, stop, rows) = ready.model.nodes[place], found, where
    if isinstance(node, Linear):
        whole = rows is None and (start, stop) == (0, node.rows)
        if whole and place in ready.panels and inputs.shape[1] <= FEW_INPUTS:
            return Update(place, How.COLUMN, log, start, stop, None, inputs, kept)
        return None
    assert isinstance(node, Reduce)
    if isinstance(node, Square):
        return None
    longest = int(np.diff(node.offsets).max())
    one_row = stop - start == 1 if rows is None else rows.shape[1] == 1
    if not one_row or inputs.shape[1] > FEW_INPUTS:
        return None
    row = np.full((members, 1), start, np.int32) if rows is None else rows
    extreme = node.kind in ("max", "min") and inputs.shape[1] == 1
    if extreme and longest < SHORT_EXTREME:
        return Update(place, How.EXTREME, log, 0, 0, row, inputs, kept)
    if longest < ready.long_segment:
        return None
    return Update(
        place, How.TREE, log, 0, 0, row, inputs - node.offsets[row].astype(np.int32), kept
    )


def _changed_inputs(node: Linear | Reduce, changed: _Changed) -> tuple[Ints, Ints] | None:
    """Which inputs changed, per member, and where their old values are; None where too many did."""
    gather, count = inputs_of(node)[0]
    addresses = addresses_of(gather, count)
    order = np.argsort(addresses, kind="stable")
    ordered = addresses[order]
    if np.any(ordered[1:] == ordered[:-1]):
        return None
    members = len(changed.members[0][0])
    inputs, kept = [], []
    for table, log in changed.members:
        for column in range(table.shape[1]):
            found = position(ordered, order, table[:, column])
            inputs.append(found)
            kept.append(np.full(members, log + column))
    for shared, log in changed.common:
        found = position(ordered, order, shared)
        for place in np.flatnonzero(found >= 0)[: FEW_INPUTS + 1]:
            inputs.append(np.full(members, found[place]))
            kept.append(np.full(members, log + place))
    return _packed(np.stack(inputs, axis=1), np.stack(kept, axis=1))


def position(
    ordered: NDArray[np.int64], order: NDArray[np.int64], wanted: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The positions of addresses among inputs in order; -1 for those that are none."""
    if len(ordered) == 0:
        return np.full(len(wanted), -1)
    place = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    return np.where(ordered[place] == wanted, order[place], -1)


def _packed(inputs: NDArray[np.int64], kept: NDArray[np.int64]) -> tuple[Ints, Ints] | None:
    """The inputs that did change, moved to the front; None where members differ in their number."""
    hit = inputs >= 0
    counts = hit.sum(axis=1)
    if len(counts) == 0 or counts[0] == 0 or np.any(counts != counts[0]):
        return None
    order = np.argsort(~hit, axis=1, kind="stable")[:, : counts[0]]
    chosen = [np.take_along_axis(table, order, axis=1) for table in (inputs, kept)]
    return tuple(np.ascontiguousarray(c, dtype=np.int32) for c in chosen)  # type: ignore[return-value]


def _note(ready: Prepared, update: Update, changed: _Changed, log: int) -> None:
    node = ready.model.nodes[update.node]
    for k in range(outputs_of(node)):
        base = output_range(node, k).start
        here = log + k * update.count
        if update.rows is None:
            changed.common.append((np.arange(base + update.start, base + update.stop), here))
        else:
            changed.members.append((base + update.rows.astype(np.int64), here))
