"""Terms of all rows of a product with a matrix, for a new value of one input.

One loop computes how U changes; once the move is accepted, another one writes product and terms.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from lfppl.backends.llvm import linear
from lfppl.backends.llvm.access import Index
from lfppl.backends.llvm.layout import output_range
from lfppl.backends.llvm.maps import Body, column_access
from lfppl.backends.llvm.rows import Access, Effect, RowProgram, emit_rows
from lfppl.backends.llvm.stages import Stage
from lfppl.backends.llvm.tape import Tape, Value
from lfppl.backends.llvm.text import Function, number
from lfppl.backends.llvm.updates import quick_changes
from lfppl.lir.tables import Affine, Column, Linear


@dataclass(frozen=True)
class Corrected:
    """A product with a matrix that a column corrects, once the move is accepted."""

    node: Linear
    dense: linear.Dense
    column: str
    delta: str


@dataclass(frozen=True)
class Fused:
    """A Map over all rows of a product, for a new value of one input."""

    program: RowProgram
    effects: list[Effect]
    rows: int
    shared: dict[int, str] = field(default_factory=dict)

    def decide(self, fn: Function) -> str:
        """How U changes with the rows: +inf where one becomes impossible."""
        total, bad = self._emit(fn, self.program)
        impossible = fn.emit(f"fcmp ogt double {bad}, {number(0.0)}")
        return fn.emit(f"select i1 {impossible}, double {number(np.inf)}, double {total}")

    def commit(self, fn: Function) -> None:
        """Write the product and the rows' outputs."""
        program = replace(self.program, effects=self.effects, results=[])
        self._emit(fn, program)

    def _emit(self, fn: Function, program: RowProgram) -> list[str]:
        return emit_rows(fn, program, "0", str(self.rows), fn.module.width, self.shared)


def fused_rows(fn: Function, body: Body, product: Corrected) -> Fused:
    """The Map that reads a product, row by row; all its outputs are terms of the density."""
    node, tape = body.node, Tape()
    program = RowProgram(tape, scalars={"delta": product.delta})
    table = linear.columns_of(product.dense)
    first = fn.integer("mul", product.column, str(table.shape[1]))
    column = Access(fn.pointer(fn.module.table(table), first), Index())
    place = Access("%a0", Index(product.node.base, 1))
    delta = tape.leaf("delta", Stage.BEFORE)
    y = program.leaf("y", place) + program.leaf("weights", column) * delta

    def load(k: int, source: Column) -> Value:
        if source == Affine(product.node.base, 1):
            return y
        return program.leaf(("column", k), column_access(fn, source))

    outputs = body.replay(tape, load)
    effects, pairs = [Effect("store", y, place)], []
    for k, new in enumerate(outputs):
        where = Access("%a0", Index(output_range(node, k).start, 1))
        effects.append(Effect("store", new, where))
        pairs.append((new, program.leaf(("old", k), where)))
    change = quick_changes(tape, pairs)
    impossible = tape.apply("same", change, np.inf)
    program.results = [tape.total(change), tape.total(impossible)]
    return Fused(program, effects, node.rows)
