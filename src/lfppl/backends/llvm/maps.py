"""Map nodes: the row programs of a kernel, forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm.access import Index, compressed, index_of
from lfppl.backends.llvm.adjoint import reverse
from lfppl.backends.llvm.layout import Layout, output_range
from lfppl.backends.llvm.rows import Access, Effect, RowProgram
from lfppl.backends.llvm.stages import CHEAP
from lfppl.backends.llvm.tape import Tape, Value, evaluate_operation
from lfppl.backends.llvm.text import Function
from lfppl.lir.tables import Affine, Column, Indexed, Map, Table, Uniform

Load = Callable[[int, Column], Value]
"""The value of a column, given its position."""


@dataclass(frozen=True)
class Body:
    """A Map node with everything that only data go into computed: `extra` are such registers.

    `columns` are the node's columns and, behind them, one table for each extra register.
    """

    node: Map
    columns: tuple[Column, ...]
    extra: dict[int, int] = field(default_factory=dict)
    factors: tuple[int, ...] = ()

    def replay(self, tape: Tape, load: Load) -> list[Value]:
        """The kernel's instructions on a tape; returns the outputs."""
        registers: list[Value | None] = [None] * (
            self.node.kernel.inputs + len(self.node.kernel.instructions)
        )
        for index in self._live():
            registers[index] = self._register(tape, index, registers, load)
        outputs = (registers[index] for index in self.node.kernel.outputs)
        return [tape.value(output) for output in outputs]

    def _register(
        self, tape: Tape, index: int, registers: Sequence[Value | None], load: Load
    ) -> Value:
        kernel = self.node.kernel
        place = self.extra.get(index, index if index < kernel.inputs else None)
        if place is not None:
            column = self.columns[place]
            return tape.number(column.value) if isinstance(column, Uniform) else load(place, column)
        instruction = kernel.instructions[index - kernel.inputs]
        return tape.apply(instruction.operation, *(registers[a] for a in instruction.arguments))

    def _live(self) -> list[int]:
        kernel = self.node.kernel
        seen: set[int] = set()
        stack = list(kernel.outputs)
        while stack:
            index = stack.pop()
            if index in seen:
                continue
            seen.add(index)
            if index >= kernel.inputs and index not in self.extra:
                stack.extend(kernel.instructions[index - kernel.inputs].arguments)
        return sorted(seen)


def prepare(node: Map, factors: Sequence[int]) -> Body:
    """The node with its costly data-only registers turned into tables."""
    node = replace(node, columns=tuple(normal(c, node.rows) for c in node.columns))
    kernel = node.kernel
    values: dict[int, NDArray[np.float64] | float] = {}
    costly: set[int] = set()
    for place, column in enumerate(node.columns):
        if isinstance(column, Uniform):
            values[place] = column.value
        elif isinstance(column, Table):
            values[place] = column.values
    for offset, instruction in enumerate(kernel.instructions):
        register = kernel.inputs + offset
        if all(a in values for a in instruction.arguments):
            with np.errstate(all="ignore"):
                arguments = [np.asarray(values[a], dtype=np.float64) for a in instruction.arguments]
                values[register] = evaluate_operation(instruction.operation, *arguments)
            if instruction.operation not in CHEAP or costly.intersection(instruction.arguments):
                costly.add(register)
    extra = _tabulated(node, values, costly)
    columns = (*node.columns, *extra.values())
    places = {register: len(node.columns) + i for i, register in enumerate(extra)}
    return Body(node, columns, places, tuple(factors))


def normal(column: Column, rows: int) -> Column:
    """The column in the simplest form that reads the same.

    >>> normal(Indexed(np.array([4, 6], np.int32)), 2), normal(Affine(3, 1), 1)
    (Affine(start=4, stride=2), Affine(start=3, stride=0))
    """
    if rows == 0:
        return column
    if isinstance(column, Table):
        return _table_or_number(column.values)
    if isinstance(column, Indexed):
        return compressed(column.addresses) or column
    if isinstance(column, Affine) and rows == 1:
        return Affine(column.start, 0)
    return column


def _table_or_number(values: NDArray[np.float64]) -> Column:
    first = values.flat[0]
    if bool(np.all(values == first)):
        return Uniform(float(first))
    return Table(np.ascontiguousarray(values))


def _tabulated(
    node: Map, values: dict[int, NDArray[np.float64] | float], costly: set[int]
) -> dict[int, Column]:
    """The costly registers that something else than data needs."""
    kernel = node.kernel
    wanted = set(kernel.outputs) & costly
    for offset, instruction in enumerate(kernel.instructions):
        if kernel.inputs + offset not in values:
            wanted.update(costly.intersection(instruction.arguments))
    result: dict[int, Column] = {}
    for register in sorted(wanted):
        result[register] = _table_or_number(np.asarray(values[register], dtype=np.float64))
    return result


def column_access(fn: Function, column: Column, rows: Index | None = None) -> Access:
    """Where a column's elements are, for rows found by an index."""
    rows = rows or Index()
    if isinstance(column, Table):
        return Access(fn.module.table(column.values), Index().after(rows))
    assert not isinstance(column, Uniform)
    return Access("%a0", index_of(fn, column).after(rows))


def forward(fn: Function, body: Body, layout: Layout) -> RowProgram:
    """Outputs stored where someone reads them; the result is the sum of the factors."""
    program = RowProgram(Tape())
    outputs = body.replay(program.tape, _loader(fn, program))
    _store_outputs(program, body, layout, outputs)
    program.results = _factor_total(program, body, outputs)
    program.exact = compared(body, outputs)
    return program


def fused(fn: Function, body: Body, layout: Layout) -> RowProgram:
    """Forward, and the adjoints of the columns, for a node that only factors come from."""
    program = forward(fn, body, layout)
    outputs = body.replay(program.tape, _loader(fn, program))
    seeds = {outputs[k]: program.tape.number(0.0) for k in body.factors}
    for k in body.factors:
        seeds[outputs[k]] = seeds[outputs[k]] - 1.0
    _add_adjoints(fn, program, body, layout, seeds)
    return program


def backward(fn: Function, body: Body, layout: Layout) -> RowProgram:
    """The adjoints of the columns, from those of the outputs."""
    program = RowProgram(Tape())
    outputs = body.replay(program.tape, _loader(fn, program))
    seeds: dict[Value, Value] = {}
    for k, output in enumerate(outputs):
        seed = _seed(fn, program, body, layout, k)
        if seed is not None:
            seeds[output] = seeds[output] + seed if output in seeds else seed
    _add_adjoints(fn, program, body, layout, seeds)
    return program


def pointwise(fn: Function, body: Body, places: dict[int, int]) -> RowProgram:
    """Factor outputs written to the array `%a1`, output k from `places[k]` on."""
    program = RowProgram(Tape())
    outputs = body.replay(program.tape, _loader(fn, program))
    for k, start in places.items():
        program.effects.append(Effect("store", outputs[k], Access("%a1", Index(start, 1))))
    return program


def compared(body: Body, outputs: Sequence[Value]) -> list[Value]:
    """The outputs that other nodes may compare with something: all but the log densities."""
    return [output for k, output in enumerate(outputs) if k not in body.factors]


def _loader(fn: Function, program: RowProgram) -> Load:
    def load(place: int, column: Column) -> Value:
        return program.leaf(("column", place), column_access(fn, column))

    return load


def _store_outputs(
    program: RowProgram, body: Body, layout: Layout, outputs: Sequence[Value]
) -> None:
    for k, output in enumerate(outputs):
        if layout.is_stored(body.node, k):
            place = Access("%a0", Index(output_range(body.node, k).start, 1))
            program.effects.append(Effect("store", output, place))


def _factor_total(program: RowProgram, body: Body, outputs: Sequence[Value]) -> list[Value]:
    if not body.factors:
        return []
    total = outputs[body.factors[0]]
    for k in body.factors[1:]:
        total = total + outputs[k]
    return [program.tape.total(total)]


def _seed(
    fn: Function, program: RowProgram, body: Body, layout: Layout, output: int
) -> Value | None:
    place = output_range(body.node, output)
    if not layout.readers[place].any():
        return program.tape.number(-1.0) if output in body.factors else None
    slots = layout.slots_of(Affine(place.start, 1), body.node.rows)
    seed = program.leaf(("adjoint", output), Access("%a0", index_of(fn, slots, layout.adjoints)))
    return seed - 1.0 if output in body.factors else seed


def _add_adjoints(
    fn: Function, program: RowProgram, body: Body, layout: Layout, seeds: dict[Value, Value]
) -> None:
    wanted: dict[Value, int] = {}
    for place, is_active in enumerate(layout.active_columns(body.node)):
        leaf = program.tape.find_leaf(("column", place)) if is_active else None
        if leaf is not None:
            wanted[leaf] = place
    adjoints = reverse(program.tape, seeds, dict.fromkeys(wanted, True))
    for leaf, place in wanted.items():
        column = body.columns[place]
        assert isinstance(column, Affine | Indexed)
        slots = layout.slots_of(column, body.node.rows)
        where = Access("%a0", index_of(fn, slots, layout.adjoints))
        if layout.writes_whole(column):
            adjoint = adjoints.get(leaf, program.tape.number(0.0))
            program.effects.append(Effect("store", adjoint, where))
        elif leaf in adjoints:
            program.effects.append(Effect("add", adjoints[leaf], where))
