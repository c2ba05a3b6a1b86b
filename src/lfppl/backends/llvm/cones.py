"""Local moves: one coordinate changed in place, and the change taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm import singles, sweeps, trees, updates
from lfppl.backends.llvm.layout import outputs_of
from lfppl.backends.llvm.nodes import Prepared
from lfppl.backends.llvm.programs import How, Program, Update, program_of
from lfppl.backends.llvm.text import Carried, Function, Module, number
from lfppl.lir.tables import Reduce

FIELDS = 12
"""Numbers in a record: case, rows, start, stop, log, base, node rows, outputs, inputs, kept, their
count, rows per member."""

CASE, ROWS, START, STOP, LOG, BASE, NODE_ROWS, OUTPUTS, INPUTS, KEPT, INPUT_COUNT, PER_MEMBER = (
    range(FIELDS)
)

MOST_STRAIGHT = 16
"""Up to this many shapes get their updates as straight code instead of records."""

LONGEST_STRAIGHT = 32
"""Cones with more steps than this are left to the records: code that long compiles slowly."""

ONE_BY_ONE = 8
"""Lists of fewer rows than this are updated one by one."""


@dataclass(frozen=True)
class Records:
    """The programs of all shapes as tables; which coordinate has which shape and place."""

    programs: list[Program]
    cases: tuple[tuple[int, How, bool], ...]
    records: NDArray[np.int64]
    offsets: NDArray[np.int64]
    shape_of: NDArray[np.int32]
    place_of: NDArray[np.int32]
    log: int
    last: int


def write(module: Module, ready: Prepared) -> None:
    """The functions `move`, `undo` and `sweep`."""
    records = _records(module, ready)
    special = singles.chosen(ready, records.programs)
    straight = _straight(records, special)
    if len(straight) + len(special) < len(records.programs):
        _write_general(module, ready, records)
        _write_general_undo(module, ready, records)
    _write_move(module, ready, records, special, straight)
    _write_undo(module, ready, records, [*straight, *special])
    sweeps.write(module, ready, records.shape_of, records.place_of, special)


def plan(ready: Prepared) -> list[Program]:
    """The programs of all shapes; makes room for the trees they need."""
    programs = [program_of(ready, shape) for shape in ready.model.cones.shapes]
    for update in (u for program in programs for u in program.updates if u.how == How.TREE):
        node = ready.model.nodes[update.node]
        if update.node not in ready.trees and isinstance(node, Reduce):
            ready.trees[update.node] = trees.tree_of(node, update.node, ready.layout, ready.width)
    return programs


def _records(module: Module, ready: Prepared) -> Records:
    programs = ready.programs
    log = ready.layout.region("log", max((p.size for p in programs), default=1))
    last = ready.layout.region("last move", 1)
    cases: dict[tuple[int, How, bool], int] = {}
    rows = []
    for program in programs:
        for update in program.updates:
            wide = update.how != How.LIST or update.count >= ONE_BY_ONE
            case = cases.setdefault((update.node, update.how, wide), len(cases))
            rows.append(_record(module, ready, update, case, log))
    offsets = np.cumsum([0, *(len(p.updates) for p in programs)]).astype(np.int64)
    table = np.asarray(rows, dtype=np.int64).reshape(-1, FIELDS)
    shape_of, place_of = _by_coordinate(ready)
    return Records(programs, tuple(cases), table, offsets, shape_of, place_of, log, last)


def _by_coordinate(ready: Prepared) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    cones, dimension = ready.model.cones, ready.model.dimension
    shape_of, place_of = np.full(dimension, -1, np.int32), np.zeros(dimension, np.int32)
    shape_of[cones.coordinates], place_of[cones.coordinates] = cones.shape_of, cones.place_in_shape
    return shape_of, place_of


def _record(module: Module, ready: Prepared, update: Update, case: int, log: int) -> list[int]:
    node = ready.model.nodes[update.node]
    record = [0] * FIELDS
    record[CASE], record[LOG] = case, log + update.log
    record[START], record[STOP] = update.start, update.stop
    record[BASE], record[NODE_ROWS], record[OUTPUTS] = node.base, node.rows, outputs_of(node)
    if update.rows is not None:
        record[ROWS], record[PER_MEMBER] = module.address(update.rows), update.count
        record[STOP] = update.count
    if update.inputs is not None and update.kept is not None:
        record[INPUTS], record[INPUT_COUNT] = module.address(update.inputs), update.inputs.shape[1]
        record[KEPT] = module.address(update.kept + np.int32(log))
    return record


class _Record:
    """The fields of a record, loaded when asked for."""

    def __init__(self, fn: Function, table: str, place: str) -> None:
        self.fn = fn
        self.base = fn.pointer(table, fn.integer("mul", place, str(FIELDS)), "i64")

    def number(self, field: int) -> str:
        """A field as a number."""
        return self.fn.load(self.base, str(field), "i64")

    def pointer(self, field: int, member: str, per_member: str) -> str:
        """A field as a pointer to the entries of a member."""
        pointer = self.fn.emit(f"inttoptr i64 {self.number(field)} to ptr")
        return self.fn.pointer(pointer, self.fn.integer("mul", member, per_member), "i32")


class _Known(_Record):
    """The same for a record that is known when the code is written."""

    def __init__(self, fn: Function, record: NDArray[np.int64]) -> None:
        self.fn = fn
        self.record = record

    def number(self, field: int) -> str:
        """A field as a number."""
        return str(int(self.record[field]))

    def pointer(self, field: int, member: str, per_member: str) -> str:
        """A field as a pointer to the entries of a member."""
        if self.record[field] == 0:
            return "null"
        base = f"inttoptr (i64 {self.record[field]} to ptr)"
        return self.fn.pointer(base, self.fn.integer("mul", member, per_member), "i32")


def _for_records(
    fn: Function,
    records: Records,
    shape: str,
    carried: list[Carried],
    body: Callable[[_Record, list[str]], list[str]],
) -> list[str]:
    offsets = fn.module.table(records.offsets)
    table = fn.module.table(records.records)
    first = fn.load(offsets, shape, "i64")
    stop = fn.load(offsets, fn.integer("add", shape, "1"), "i64")
    return fn.loop(first, stop, 1, carried, lambda k, names: body(_Record(fn, table, k), names))


def _write_general(module: Module, ready: Prepared, records: Records) -> None:
    """`double lfppl_general(w, shape, place)`: the updates of a cone, record by record."""
    fn = module.function("lfppl_general", "double", ["ptr", "i64", "i64"])
    names = [updates.define(module, ready, *case) for case in records.cases]

    def update(record: _Record, total: list[str]) -> list[str]:
        arguments = _arguments(fn, record, "%a2")
        cases = {i: _caller(fn, name, arguments) for i, name in enumerate(names)}
        value = fn.switch(record.number(CASE), cases, "double", number(0.0))
        return [updates.joined(fn, total[0], value)]

    total = _for_records(fn, records, "%a1", [Carried("double", number(0.0))], update)
    fn.finish(total[0])


def _caller(fn: Function, name: str, arguments: list[str]) -> Callable[[], str]:
    return lambda: fn.call(name, "double", *arguments)


def _straight(records: Records, special: dict[int, singles.Single]) -> list[int]:
    """The shapes with straight code: short ones, those with the most coordinates first."""
    others = [
        k
        for k, program in enumerate(records.programs)
        if k not in special and len(program.updates) <= LONGEST_STRAIGHT
    ]
    others.sort(key=lambda k: -len(records.programs[k].shape.members))
    return others[:MOST_STRAIGHT]


def _define_cone(module: Module, ready: Prepared, records: Records, shape: int) -> str:
    """Write `double cone_k(w, place)`: the updates of one shape, one after another."""
    fn = module.function(f"cone_{shape}", "double", ["ptr", "i64"])
    total = number(0.0)
    for k in range(records.offsets[shape], records.offsets[shape + 1]):
        record = _Known(fn, records.records[k])
        name = updates.define(module, ready, *records.cases[int(record.number(CASE))])
        value = fn.call(name, "double", *_arguments(fn, record, "%a1"))
        if ready.has_factor(records.cases[int(record.number(CASE))][0]):
            total = updates.joined(fn, total, value)
    fn.finish(total)
    return fn.name


def _define_restore(module: Module, ready: Prepared, records: Records, shape: int) -> str:
    """Write `double restore_k(w, place)`: the undoing of one shape's updates."""
    fn = module.function(f"restore_{shape}", "double", ["ptr", "i64"])
    for k in range(records.offsets[shape], records.offsets[shape + 1]):
        record = _Known(fn, records.records[k])
        if records.cases[int(record.number(CASE))][0] in ready.layout.recomputed:
            continue
        _restore_rows(fn, record, "%a1")
        node, how, _ = records.cases[int(record.number(CASE))]
        if how == How.TREE:
            name = updates.define_refresh(module, ready, node)
            fn.call(name, "double", *_tree_arguments(fn, record, "%a1"))
    fn.finish(number(0.0))
    return fn.name


def _arguments(fn: Function, record: _Record, member: str) -> list[str]:
    """The arguments of an update function."""
    inputs = record.number(INPUT_COUNT)
    rows = record.pointer(ROWS, member, record.number(PER_MEMBER))
    changed, kept = (record.pointer(f, member, inputs) for f in (INPUTS, KEPT))
    log = fn.pointer("%a0", record.number(LOG))
    start, stop = record.number(START), record.number(STOP)
    return [
        "ptr %a0",
        f"ptr {rows}",
        f"i64 {start}",
        f"i64 {stop}",
        f"ptr {log}",
        f"ptr {changed}",
        f"ptr {kept}",
        f"i64 {inputs}",
    ]


def _tree_arguments(fn: Function, record: _Record, member: str) -> list[str]:
    inputs = record.number(INPUT_COUNT)
    rows = record.pointer(ROWS, member, record.number(PER_MEMBER))
    return [
        "ptr %a0",
        f"ptr {rows}",
        f"ptr {record.pointer(INPUTS, member, inputs)}",
        f"i64 {inputs}",
    ]


def _write_move(
    module: Module,
    ready: Prepared,
    records: Records,
    special: dict[int, singles.Single],
    straight: list[int],
) -> None:
    """`double lfppl_move(w, b, value)`."""
    fn = module.function("lfppl_move", "double", ["ptr", "i64", "double"], public=True)
    shape, place = find(fn, records.shape_of, records.place_of, "%a1")
    fn.store("%a1", "%a0", str(records.last), "i64")
    fn.store(fn.load("%a0", "%a1"), "%a0", str(records.log))
    fn.store("%a2", "%a0", "%a1")
    names = {
        s: singles.define_move(module, ready, single, records.log) for s, single in special.items()
    }
    arguments = ["ptr %a0", f"i64 {place}", "double %a2"]
    cases = {s: _caller(fn, name, arguments) for s, name in names.items()}
    for s in straight:
        name = _define_cone(module, ready, records, s)
        cases[s] = _caller(fn, name, ["ptr %a0", f"i64 {place}"])
    if len(cases) == len(records.programs):
        fn.finish(fn.switch(shape, cases, "double", number(0.0)))
        return
    general = _caller(fn, "lfppl_general", ["ptr %a0", f"i64 {shape}", f"i64 {place}"])
    fn.finish(fn.switch(shape, cases, "double", general))


def find(
    fn: Function, shape_of: NDArray[np.int32], place_of: NDArray[np.int32], b: str
) -> tuple[str, str]:
    """The shape of a coordinate's cone, and its place there."""
    tables = (fn.module.table(shape_of), fn.module.table(place_of))
    return tuple(fn.emit(f"sext i32 {fn.load(t, b, 'i32')} to i64") for t in tables)  # type: ignore[return-value]


def _write_undo(module: Module, ready: Prepared, records: Records, straight: list[int]) -> None:
    """`int64_t lfppl_undo(w)`: the coordinate and the outputs from the log, then the trees anew."""
    fn = module.function("lfppl_undo", "i64", ["ptr"], public=True)
    b = fn.load("%a0", str(records.last), "i64")
    shape, place = find(fn, records.shape_of, records.place_of, b)
    fn.store(fn.load("%a0", str(records.log)), "%a0", b)
    cases = {
        s: _caller(fn, _define_restore(module, ready, records, s), ["ptr %a0", f"i64 {place}"])
        for s in straight
    }
    general = ["ptr %a0", f"i64 {shape}", f"i64 {place}"]
    whole = len(cases) == len(records.programs)
    other = number(0.0) if whole else _caller(fn, "lfppl_general_undo", general)
    fn.switch(shape, cases, "double", other)
    fn.finish("0")


def _write_general_undo(module: Module, ready: Prepared, records: Records) -> None:
    fn = module.function("lfppl_general_undo", "double", ["ptr", "i64", "i64"])

    def restore(record: _Record, carried: list[str]) -> list[str]:
        _restore_rows(fn, record, "%a2")
        _restore_tree(fn, ready, records, record, "%a2")
        return []

    _for_records(fn, records, "%a1", [], restore)
    fn.finish(number(0.0))


def _restore_rows(fn: Function, record: _Record, place: str) -> None:
    start, stop, per_member = (record.number(f) for f in (START, STOP, PER_MEMBER))
    rows = record.pointer(ROWS, place, per_member)
    count = fn.integer("sub", stop, start)
    log, base, node_rows = (record.number(f) for f in (LOG, BASE, NODE_ROWS))
    listed = fn.integer_test("ne", per_member, "0")

    def output(k: str, carried: list[str]) -> list[str]:
        source = fn.integer("add", log, fn.integer("mul", k, count))
        target = fn.integer("add", base, fn.integer("mul", k, node_rows))
        _restore_list(fn, listed, rows, count, source, target)
        _restore_slice(fn, listed, count, source, fn.integer("add", target, start))
        return []

    fn.loop("0", record.number(OUTPUTS), 1, [], output)


def _restore_list(
    fn: Function, listed: str, rows: str, count: str, source: str, target: str
) -> None:
    def copy(j: str, carried: list[str]) -> list[str]:
        row = fn.emit(f"sext i32 {fn.load(rows, j, 'i32')} to i64")
        value = fn.load("%a0", fn.integer("add", source, j))
        fn.store(value, "%a0", fn.integer("add", target, row))
        return []

    fn.when(listed, [], lambda: fn.loop("0", count, 1, [], copy))


def _restore_slice(fn: Function, listed: str, count: str, source: str, target: str) -> None:
    name = "llvm.memcpy.p0.p0.i64"
    fn.module.declare(name, f"void @{name}(ptr, ptr, i64, i1)")

    def copy() -> list[str]:
        a, b = fn.pointer("%a0", source), fn.pointer("%a0", target)
        fn.do(f"call void @{name}(ptr {b}, ptr {a}, i64 {fn.integer('mul', count, '8')}, i1 false)")
        return []

    fn.when(fn.opposite(listed), [], copy)


def _restore_tree(
    fn: Function, ready: Prepared, records: Records, record: _Record, place: str
) -> None:
    with_tree = [
        (case, node) for case, (node, how, _) in enumerate(records.cases) if how == How.TREE
    ]
    if not with_tree:
        return
    arguments = _tree_arguments(fn, record, place)
    cases = {
        case: _caller(fn, updates.define_refresh(fn.module, ready, node), arguments)
        for case, node in with_tree
    }
    fn.switch(record.number(CASE), cases, "double", number(0.0))
