"""Cones whose steps are single rows of Maps, as one straight program: for moves and for sweeps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm.access import Index, compressed
from lfppl.backends.llvm.layout import output_range
from lfppl.backends.llvm.maps import column_access, compared
from lfppl.backends.llvm.nodes import Prepared
from lfppl.backends.llvm.programs import Program
from lfppl.backends.llvm.rows import Access, Effect, RowProgram, emit_row
from lfppl.backends.llvm.stages import Stage
from lfppl.backends.llvm.tape import Tape, Value
from lfppl.backends.llvm.text import Function, Module
from lfppl.backends.llvm.updates import changes
from lfppl.lir.tables import Affine, Column, ConeShape

MOST = 24
"""Up to this many shapes get code of their own; those with the most coordinates first."""

STEPS = 16
"""Cones with more steps than this are updated by the general code."""


@dataclass(frozen=True)
class Single:
    """A shape of cones made of single rows of Maps."""

    number: int
    program: Program

    @property
    def shape(self) -> ConeShape:
        """The shape."""
        return self.program.shape


@dataclass(frozen=True)
class Cone:
    """A row program for the cones of a shape: old and new outputs with their places, dU."""

    program: RowProgram
    outputs: list[tuple[Value, Value, Access]]
    change: Value


def chosen(ready: Prepared, programs: list[Program]) -> dict[int, Single]:
    """The shapes that get code of their own."""
    fitting = [
        (len(p.shape.members), k)
        for k, p in enumerate(programs)
        if p.shape.single and len(p.updates) <= STEPS and all(u.rows is not None for u in p.updates)
    ]
    return {k: Single(k, programs[k]) for _, k in sorted(fitting, reverse=True)[:MOST]}


def table_index(fn: Function, table: NDArray[np.int32]) -> Index:
    """An index for a table of numbers, one per member."""
    affine = compressed(table)
    if affine is not None:
        return Index(affine.start, affine.stride)
    return Index(0, 1, fn.module.table(np.ascontiguousarray(table, dtype=np.int32)), Index())


def cone(
    fn: Function,
    ready: Prepared,
    single: Single,
    members: NDArray[np.int32] | None,
    proposal: Value,
    program: RowProgram,
) -> Cone:
    """The cone computed from a proposed coordinate.

    `members` are the places in the shape that rows stand for; None means all, in order.
    """
    tape, outputs, pairs = program.tape, [], []
    written: list[list[Value]] = []
    for number, update in enumerate(single.program.updates):
        assert update.rows is not None
        own = update.rows[:, 0] if members is None else update.rows[members, 0]
        rows = table_index(fn, own)
        news = _step(fn, ready, single, number, rows, proposal, written, program)
        body = ready.bodies[update.node]
        program.exact += compared(body, news)
        for k, new in enumerate(news):
            place = Access("%a0", Index(output_range(body.node, k).start, 1).after(rows))
            old = program.leaf(("old", number, k), place)
            outputs.append((old, new, place))
            if k in body.factors:
                pairs.append((new, old))
        written.append(news)
    return Cone(program, outputs, changes(tape, pairs) if pairs else tape.number(0.0))


def _step(
    fn: Function,
    ready: Prepared,
    single: Single,
    number: int,
    rows: Index,
    proposal: Value,
    written: list[list[Value]],
    program: RowProgram,
) -> list[Value]:
    step = single.shape.steps[number]
    body = ready.bodies[step.node]

    def load(place: int, column: Column) -> Value:
        source = step.reads[place] if place < len(step.reads) else -1
        if source == 0:
            return proposal
        if source > 0:
            return written[source - 1][step.read_outputs[place]]
        return program.leaf(("column", number, place), column_access(fn, column, rows))

    return body.replay(program.tape, load)


def define_move(module: Module, ready: Prepared, single: Single, log: int) -> str:
    """Write `double move_k(w, place, value)`: the cone of a member for a new value, logged."""
    fn = module.function(f"move_{single.number}", "double", ["ptr", "i64", "double"])
    program = RowProgram(Tape(), scalars={"proposal": "%a2"})
    proposal = program.tape.leaf("proposal", Stage.BEFORE)
    found = cone(fn, ready, single, None, proposal, program)
    for offset, (old, new, place) in enumerate(found.outputs):
        kept = Access("%a0", Index(log + 1 + offset, 0))
        program.effects += [Effect("store", old, kept), Effect("store", new, place)]
    program.results = [found.change]
    results = emit_row(fn, program, "%a1")
    fn.finish(results[0])
    return f"move_{single.number}"


ALL = Affine(0, 1)
