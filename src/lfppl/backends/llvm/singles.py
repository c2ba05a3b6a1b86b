"""Cones whose steps are single rows of Maps, as one straight program: for moves and for sweeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm.access import Index, compressed
from lfppl.backends.llvm.layout import output_range, outputs_of
from lfppl.backends.llvm.maps import Body, column_access, compared
from lfppl.backends.llvm.nodes import Prepared
from lfppl.backends.llvm.programs import Program
from lfppl.backends.llvm.rows import Access, Effect, RowProgram, emit_row
from lfppl.backends.llvm.stages import CHEAP, Stage
from lfppl.backends.llvm.tape import Tape, Value
from lfppl.backends.llvm.text import Function, Module
from lfppl.backends.llvm.updates import quick_changes
from lfppl.lir.tables import Affine, Column, ConeShape

MOST = 24
"""Up to this many shapes get code of their own; those with the most coordinates first."""

CHEAPER = 12
"""Up to this many plain instructions an output, old values are computed again instead of kept."""

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


class Output(NamedTuple):
    """An output of a step: before and after, where it stands, and its place in the log."""

    old: Value
    new: Value
    place: Access
    log: int


@dataclass(frozen=True)
class Cone:
    """A row program for the cones of a shape: the outputs that are stored, and dU."""

    program: RowProgram
    outputs: list[Output]
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


def recomputed(ready: Prepared) -> set[int]:
    """The nodes whose old values moves compute again: cheaper than keeping them up to date.

    Such nodes only add to the density, all cones they are in are done here, and nobody else reads
    them. So evaluations need not write them either.
    """
    special = chosen(ready, ready.programs)
    places = {u.node for single in special.values() for u in single.program.updates}
    for k, program in enumerate(ready.programs):
        if k not in special:
            places -= {u.node for u in program.updates}
    return {place for place in places if _is_cheap(ready.bodies[place]) and _is_own(ready, place)}


def _is_own(ready: Prepared, place: int) -> bool:
    node, factors = ready.model.nodes[place], ready.bodies[place].factors
    ranges = (output_range(node, k) for k in range(outputs_of(node)))
    whole = set(factors) == set(range(outputs_of(node)))
    return whole and not any(ready.layout.read[block].any() for block in ranges)


def _is_cheap(body: Body) -> bool:
    tape = Tape()
    outputs = body.replay(tape, lambda place, column: tape.leaf(place, Stage.ROW))
    cost = 0
    for index in tape.needed(outputs):
        operation = tape.operations[index]
        if operation in ("leaf", "const"):
            continue
        if operation not in CHEAP and operation not in ("pick", "floor"):
            return False
        cost += 2 * len(tape.arguments[index]) - 4 if operation == "pick" else 1
    return cost <= CHEAPER * len(outputs)


def cone(
    fn: Function,
    ready: Prepared,
    single: Single,
    members: NDArray[np.int32] | None,
    coordinate: tuple[Value, Value],
    program: RowProgram,
) -> Cone:
    """The cone computed from a coordinate's old and proposed value.

    `members` are the places in the shape that rows stand for; None means all, in order.
    """
    outputs: list[Output] = []
    pairs: list[tuple[Value, Value]] = []
    before: list[list[Value]] = []
    after: list[list[Value]] = []
    for number, update in enumerate(single.program.updates):
        assert update.rows is not None
        own = update.rows[:, 0] if members is None else update.rows[members, 0]
        step = _Step(fn, ready, single, number, table_index(fn, own), program)
        body = ready.bodies[update.node]
        news = step.replay(coordinate[1], after)
        again = update.node in ready.layout.recomputed
        olds = step.replay(coordinate[0], before) if again else step.kept()
        program.exact += compared(body, news)
        for k, (old, new) in enumerate(zip(olds, news, strict=True)):
            if not again:
                outputs.append(Output(old, new, step.place(k), update.log + k))
            if k in body.factors:
                pairs.append((new, old))
        before.append(olds)
        after.append(news)
    return Cone(program, outputs, quick_changes(program.tape, pairs))


@dataclass(frozen=True)
class _Step:
    """One step of a cone, in a row program."""

    fn: Function
    ready: Prepared
    single: Single
    number: int
    rows: Index
    program: RowProgram

    @property
    def body(self) -> Body:
        """The step's node."""
        return self.ready.bodies[self.single.shape.steps[self.number].node]

    def place(self, output: int) -> Access:
        """Where an output stands."""
        start = output_range(self.body.node, output).start
        return Access("%a0", Index(start, 1).after(self.rows))

    def kept(self) -> list[Value]:
        """The outputs as they stand in the workspace."""
        return [
            self.program.leaf(("old", self.number, k), self.place(k))
            for k in range(outputs_of(self.body.node))
        ]

    def replay(self, coordinate: Value, written: list[list[Value]]) -> list[Value]:
        """The outputs for a value of the coordinate and of the steps before."""
        step = self.single.shape.steps[self.number]

        def load(place: int, column: Column) -> Value:
            source = step.reads[place] if place < len(step.reads) else -1
            if source == 0:
                return coordinate
            if source > 0:
                return written[source - 1][step.read_outputs[place]]
            where = column_access(self.fn, column, self.rows)
            return self.program.leaf(("column", self.number, place), where)

        return self.body.replay(self.program.tape, load)


def define_move(module: Module, ready: Prepared, single: Single, log: int) -> str:
    """Write `double move_k(w, place, value)`: the cone of a member for a new value, logged."""
    fn = module.function(f"move_{single.number}", "double", ["ptr", "i64", "double"])
    program = RowProgram(Tape(), scalars={"proposal": "%a2"})
    old = program.leaf("old", Access("%a0", Index(log, 0)))
    coordinate = (old, program.tape.leaf("proposal", Stage.BEFORE))
    found = cone(fn, ready, single, None, coordinate, program)
    for output in found.outputs:
        kept = Access("%a0", Index(log + output.log, 0))
        program.effects += [
            Effect("store", output.old, kept),
            Effect("store", output.new, output.place),
        ]
    program.results = [found.change]
    results = emit_row(fn, program, "%a1")
    fn.finish(results[0])
    return f"move_{single.number}"


ALL = Affine(0, 1)
