"""Sweeps: the coordinate updates of a whole colour (paper, Algorithm 1; DESIGN, errata 2).

Coordinates with cones of one shape are a loop over rows without branches; the others are moved one
by one. The update: x* = x + eps s sign(p); kept if s |p| > dU, then p -= sign(p) dU / s; otherwise
p = -p.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm import singles
from lfppl.backends.llvm.access import Index
from lfppl.backends.llvm.local import Local
from lfppl.backends.llvm.nodes import Prepared
from lfppl.backends.llvm.rows import Access, Effect, RowProgram, emit_row, emit_rows
from lfppl.backends.llvm.singles import Single
from lfppl.backends.llvm.stages import Stage
from lfppl.backends.llvm.tape import Tape, Value
from lfppl.backends.llvm.text import Carried, Function, Module, number
from lfppl.lir.tables import VariableBlock

FEW = 4
"""Fewer coordinates than this are moved one by one."""

MOST_LOOPS = 48
"""Up to this many row loops are written."""

MOST_LOCAL = 16
"""Up to this many shapes are updated in registers."""

LONGEST = 32
"""Cones with more steps than this are left to moves: code that long compiles slowly."""

SIGNATURE = ["ptr", "i64", "double", "ptr", "ptr", "ptr"]
"""workspace, colour, eps, p, s, moved."""


def write(
    module: Module,
    ready: Prepared,
    shape_of: NDArray[np.int32],
    place_of: NDArray[np.int32],
    special: dict[int, Single],
) -> None:
    """`double lfppl_sweep(w, colour, eps, p, s, moved)`."""
    loops: dict[int, list[str]] = {}
    rest: list[NDArray[np.int32]] = []
    for colour, coordinates in enumerate(ready.model.colours):
        ordered = np.sort(np.asarray(coordinates, dtype=np.int32))
        left = np.ones(len(ordered), dtype=bool)
        for shape, single in special.items():
            mine = shape_of[ordered] == shape
            if mine.sum() >= FEW and sum(map(len, loops.values())) < MOST_LOOPS:
                members = np.sort(place_of[ordered[mine]])
                name = _define_loop(module, ready, single, members, colour)
                loops.setdefault(colour, []).append(name)
                left &= ~mine
        rest.append(ordered[left])
    if any(map(len, rest)):
        _define_one(module)
    local = _define_locals(module, ready, special, shape_of, rest)
    _define_sweep(module, loops, rest, _Shapes(shape_of, place_of, local))


class _Shapes(NamedTuple):
    """The shape of each coordinate, its place there, and the shapes with functions of their own."""

    shape_of: NDArray[np.int32]
    place_of: NDArray[np.int32]
    local: dict[int, str]


def _define_locals(
    module: Module,
    ready: Prepared,
    special: dict[int, Single],
    shape_of: NDArray[np.int32],
    rest: list[NDArray[np.int32]],
) -> dict[int, str]:
    """Functions for the commonest shapes whose coordinates are moved one by one."""
    counts = np.bincount(shape_of[np.concatenate(rest)]) if rest else np.zeros(0, int)
    common = [int(k) for k in np.argsort(-counts, kind="stable") if counts[k]]
    chosen = [k for k in common if k not in special and len(ready.programs[k].updates) <= LONGEST]
    names = {k: _define_local(module, ready, k) for k in chosen[:MOST_LOCAL]}
    return {k: _guarded(module, ready, k, name) for k, name in names.items() if name}


def _define_sweep(
    module: Module, loops: dict[int, list[str]], rest: list[NDArray[np.int32]], shapes: _Shapes
) -> None:
    fn = module.function("lfppl_sweep", "double", SIGNATURE, public=True)
    arguments = _handed_on(SIGNATURE)
    total = number(0.0)
    if loops:
        cases = {colour: _calls(fn, names, arguments) for colour, names in loops.items()}
        total = fn.switch("%a1", cases, "double", number(0.0))
    counts = np.cumsum([0, *map(len, rest)]).astype(np.int64)
    if counts[-1]:
        total = _one_by_one(fn, counts, np.concatenate(rest), shapes, total)
    fn.finish(total)


def _handed_on(signature: list[str]) -> list[str]:
    """A function's own arguments, for a call."""
    return [f"{kind} %a{i}" for i, kind in enumerate(signature)]


def _calls(fn: Function, names: list[str], arguments: list[str]) -> Callable[[], str]:
    def calls() -> str:
        total, *others = [fn.call(name, "double", *arguments) for name in names]
        for other in others:
            total = fn.emit(f"fadd double {total}, {other}")
        return total

    return calls


def _one_by_one(
    fn: Function,
    counts: NDArray[np.int64],
    coordinates: NDArray[np.int32],
    shapes: _Shapes,
    total: str,
) -> str:
    offsets, table = fn.module.table(counts), fn.module.table(coordinates)
    first = fn.load(offsets, "%a1", "i64")
    stop = fn.load(offsets, fn.integer("add", "%a1", "1"), "i64")

    def update(k: str, sums: list[str]) -> list[str]:
        b = fn.emit(f"sext i32 {fn.load(table, k, 'i32')} to i64")
        arguments = ["ptr %a0", f"i64 {b}", "double %a2", "ptr %a3", "ptr %a4", "ptr %a5"]
        other = _calls(fn, ["lfppl_update"], arguments)
        change = _with_shape(fn, shapes, b, arguments, other) if shapes.local else other()
        return [fn.emit(f"fadd double {sums[0]}, {change}")]

    return fn.loop(first, stop, 1, [Carried("double", total)], update)[0]


def _with_shape(
    fn: Function, shapes: _Shapes, b: str, arguments: list[str], other: Callable[[], str]
) -> str:
    """The function of a coordinate's shape, or the one for all others."""
    shape, place = (
        fn.emit(f"sext i32 {fn.load(fn.module.table(table), b, 'i32')} to i64")
        for table in (shapes.shape_of, shapes.place_of)
    )
    cases = {
        k: _calls(fn, [name], [*arguments, f"i64 {place}"]) for k, name in shapes.local.items()
    }
    return fn.switch(shape, cases, "double", other)


def _define_one(module: Module) -> None:
    """`double lfppl_update(w, b, eps, p, s, moved)`: one coordinate by move and undo."""
    fn = module.function("lfppl_update", "double", SIGNATURE)
    proposal, kinetic, _, p, s = _proposed(fn)
    change = fn.call("lfppl_move", "double", "ptr %a0", "i64 %a1", f"double {proposal}")
    accepted = _accepted(fn, kinetic, change, p)
    undo = fn.opposite(accepted)
    fn.when(undo, [], lambda: [fn.call("lfppl_undo", "i64", "ptr %a0")][:0])
    _finish(fn, accepted, change, p, s)


def _define_local(module: Module, ready: Prepared, shape: int) -> str | None:
    """`double local_k(w, b, eps, p, s, moved, place)`: the same in registers, where that can be."""
    fn = module.function(f"local_{shape}", "double", [*SIGNATURE, "i64"])
    proposal, kinetic, x, p, s = _proposed(fn)
    cone = Local(fn, ready, ready.programs[shape], "%a6", x, proposal)
    if not cone.write():
        return None
    change = cone.change()
    accepted = _accepted(fn, kinetic, change, p)

    def commit() -> list[str]:
        fn.store(proposal, "%a0", "%a1")
        cone.commit()
        return []

    fn.when(accepted, [], commit)
    _finish(fn, accepted, change, p, s)
    return fn.name


def _guarded(module: Module, ready: Prepared, shape: int, name: str) -> str:
    """The same, where the cone matters: not beyond the bounds, nor within the cell of an integer.

    A coordinate turns round at its bounds, and goes on in its cell: U stays what it is.
    """
    members = ready.programs[shape].shape.members
    block = next((b for b in ready.model.variables if np.isin(members, b.coordinates).all()), None)
    if block is None or not np.isfinite([block.lower, block.upper]).any():
        return name
    fn = module.function(f"guarded_{shape}", "double", [*SIGNATURE, "i64"])
    proposal, kinetic, x, p, _ = _proposed(fn)
    outside = _is_outside(fn, block, proposal)
    needed = fn.opposite(outside)
    fn.when(outside, [], lambda: _turn(fn, p))
    if block.discrete:
        stays = fn.emit(f"and i1 {needed}, {_in_cell(fn, x, proposal)}")
        stays = fn.emit(f"and i1 {stays}, {_accepted(fn, kinetic, number(0.0), p)}")
        fn.when(stays, [], lambda: _go_on(fn, proposal))
        needed = fn.emit(f"and i1 {needed}, {fn.opposite(stays)}")
    calls = _calls(fn, [name], _handed_on([*SIGNATURE, "i64"]))
    fn.finish(fn.when(needed, [Carried("double", number(0.0))], lambda: [calls()])[0])
    return fn.name


def _is_outside(fn: Function, block: VariableBlock, value: str) -> str:
    below = fn.emit(f"fcmp olt double {value}, {number(block.lower)}")
    test = "oge" if block.discrete else "ogt"
    above = fn.emit(f"fcmp {test} double {value}, {number(block.upper)}")
    return fn.emit(f"or i1 {below}, {above}")


def _in_cell(fn: Function, x: str, y: str) -> str:
    floors = [fn.intrinsic("llvm.floor.f64", "double", f"double {each}") for each in (x, y)]
    return fn.emit(f"fcmp oeq double {floors[0]}, {floors[1]}")


def _turn(fn: Function, p: str) -> list[str]:
    fn.store(fn.emit(f"fneg double {p}"), "%a3", "%a1")
    return []


def _go_on(fn: Function, proposal: str) -> list[str]:
    fn.store(proposal, "%a0", "%a1")
    _count(fn, "1")
    return []


def _proposed(fn: Function) -> list[str]:
    """The proposal of a coordinate, its kinetic energy, and x, p, s."""
    program = RowProgram(Tape())
    update = _Update(program, Index(0, 1))
    program.results = [update.proposal, update.kinetic, update.x, update.p, update.s]
    return emit_row(fn, program, "%a1")


def _accepted(fn: Function, kinetic: str, change: str, p: str) -> str:
    enough = fn.emit(f"fcmp ogt double {kinetic}, {change}")
    wanted = fn.emit(f"fcmp one double {p}, {number(0.0)}")
    return fn.emit(f"and i1 {enough}, {wanted}")


def _finish(fn: Function, accepted: str, change: str, p: str, s: str) -> None:
    """The momentum afterwards; the function returns the change of U."""
    after = RowProgram(Tape(), scalars={"change": change, "p": p, "s": s})
    tape = after.tape
    leaf = {key: tape.leaf(key, Stage.BEFORE) for key in ("change", "p", "s")}
    after.results = [_kicked(tape, leaf["p"], leaf["s"], leaf["change"]), -leaf["p"]]
    new, turned = emit_row(fn, after, "0")
    fn.store(fn.emit(f"select i1 {accepted}, double {new}, double {turned}"), "%a3", "%a1")
    _count(fn, fn.emit(f"zext i1 {accepted} to i64"))
    nan = fn.emit(f"fcmp uno double {change}, {change}")
    either = fn.emit(f"or i1 {accepted}, {nan}")
    fn.finish(fn.emit(f"select i1 {either}, double {change}, double {number(0.0)}"))


def _count(fn: Function, more: str) -> None:
    moved = fn.load("%a5", "0", "i64")
    fn.store(fn.integer("add", moved, more), "%a5", "0", "i64")


class _Update:
    """The values of a coordinate update, for the coordinates found by an index."""

    def __init__(self, program: RowProgram, coordinates: Index) -> None:
        tape = program.tape
        program.scalars["eps"] = "%a2"
        eps = tape.leaf("eps", Stage.BEFORE)
        self.x = program.leaf("x", Access("%a0", coordinates))
        self.p = program.leaf("p", Access("%a3", coordinates))
        self.s = program.leaf("s", Access("%a4", coordinates))
        step = eps * self.s
        self.proposal = self.x + tape.apply("signed", step, self.p)
        self.kinetic = self.s * tape.apply("abs", self.p)


def _kicked(tape: Tape, p: Value, s: Value, change: Value) -> Value:
    """P - sign(p) change / s."""
    return p - tape.apply("signed", change / s, p)


def _define_loop(
    module: Module, ready: Prepared, single: Single, places: NDArray[np.int32], colour: int
) -> str:
    """A row loop over the members of a shape that have one colour."""
    name = f"sweep_{single.number}_{colour}"
    fn = module.function(name, "double", SIGNATURE)
    program = RowProgram(Tape())
    tape = program.tape
    coordinates = singles.table_index(fn, single.shape.members[places])
    update = _Update(program, coordinates)
    found = singles.cone(fn, ready, single, places, (update.x, update.proposal), program)
    change = found.change
    moving = tape.apply("below", 0.0, update.kinetic)
    accepted = tape.both(moving, tape.apply("below", change, update.kinetic))
    turned = tape.select(accepted, _kicked(tape, update.p, update.s, change), -update.p)
    new_x = tape.select(accepted, update.proposal, update.x)
    writes = [(new_x, Access("%a0", coordinates)), (turned, Access("%a3", coordinates))]
    writes += [(tape.select(accepted, o.new, o.old), o.place) for o in found.outputs]
    program.effects = [Effect("store", value, place) for value, place in writes]
    program.poisoned = [tape.total(tape.select(accepted, change, 0.0))]
    program.results = [*program.poisoned, tape.total(accepted)]
    total, moved = emit_rows(fn, program, "0", str(len(places)), module.width)
    _count(fn, fn.emit(f"fptosi double {moved} to i64"))
    fn.finish(total)
    return name
