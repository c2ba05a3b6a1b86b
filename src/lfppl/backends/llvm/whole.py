"""The functions that see the whole model: evaluate, gradient, branches, values, terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm import maps, nodes
from lfppl.backends.llvm.layout import Layout, addresses_of, output_range
from lfppl.backends.llvm.nodes import Kind, Prepared
from lfppl.backends.llvm.rows import emit_rows
from lfppl.backends.llvm.text import Carried, Function, Module, number
from lfppl.lir.tables import Affine, Run

DIRECT = 64
"""Up to this many runs are calls one after another; more are rows of a table."""


def evaluate(module: Module, ready: Prepared) -> None:
    """U and all nodes from x."""
    fn = module.function("lfppl_evaluate", "double", ["ptr"], public=True)
    total = _run_all(fn, ready, ready.model.schedule, dict.fromkeys(ready.ranges, "forward"))
    fn.finish(fn.emit(f"fneg double {total}"))


def gradient(module: Module, ready: Prepared) -> None:
    """U and dU/dx: forwards, sinks with their adjoints at once, then backwards."""
    layout, model = ready.layout, ready.model
    fn = module.function("lfppl_gradient", "double", ["ptr", "ptr"], public=True)
    active = {run.node for run in model.schedule if layout.is_active(model.nodes[run.node])}
    sinks = {p for p in active if p in ready.bodies and layout.is_sink(model.nodes[p])}
    _zero_adjoints(fn, layout)
    kinds: dict[int, Kind] = {p: "fused" if p in sinks else "forward" for p in ready.ranges}
    total = _run_all(fn, ready, model.schedule, kinds)
    read = {p for p in active - sinks if not layout.is_sink(model.nodes[p])}
    inner: dict[int, Kind] = dict.fromkeys(read, "backward")
    back = [run for run in reversed(model.schedule) if run.node in inner]
    _run_all(fn, ready, back, inner)
    _copy_gradient(fn, layout)
    fn.finish(fn.emit(f"fneg double {total}"))


def _run_all(fn: Function, ready: Prepared, runs: Iterable[Run], kinds: Mapping[int, Kind]) -> str:
    """Call the nodes' functions for all runs; returns the sum of what they return."""
    runs = list(runs)
    total = number(0.0)
    if len(runs) > DIRECT:
        return _run_table(fn, ready, runs, kinds)
    for run in runs:
        total = _added(fn, ready, run.node, total, _call(fn, ready, run, kinds[run.node]))
    return total


def _added(fn: Function, ready: Prepared, place: int, total: str, value: str) -> str:
    if not ready.has_factor(place):
        return total
    return value if total == number(0.0) else fn.emit(f"fadd double {total}, {value}")


def _call(fn: Function, ready: Prepared, run: Run, kind: Kind) -> str:
    name = nodes.define(fn.module, ready, run.node, kind)
    return fn.call(name, "double", "ptr %a0", f"i64 {run.start}", f"i64 {run.stop}")


def _run_table(fn: Function, ready: Prepared, runs: list[Run], kinds: Mapping[int, Kind]) -> str:
    rows = np.asarray([tuple(run) for run in runs], dtype=np.int32)
    table = fn.module.table(rows)

    def entry(k: str, column: int) -> str:
        place = fn.integer("add", fn.integer("mul", k, "3"), str(column))
        return fn.emit(f"sext i32 {fn.load(table, place, 'i32')} to i64")

    def turn(k: str, total: list[str]) -> list[str]:
        place, start, stop = (entry(k, column) for column in range(3))
        cases = {
            p: _case(fn, ready, p, kinds[p], start, stop) for p in sorted({r.node for r in runs})
        }
        value = fn.switch(place, cases, "double", number(0.0))
        return [fn.emit(f"fadd double {total[0]}, {value}")]

    return fn.loop("0", str(len(runs)), 1, [Carried("double", number(0.0))], turn)[0]


def _case(
    fn: Function, ready: Prepared, place: int, kind: Kind, start: str, stop: str
) -> Callable[[], str]:
    name = nodes.define(fn.module, ready, place, kind)
    return lambda: fn.call(name, "double", "ptr %a0", f"i64 {start}", f"i64 {stop}")


def _zero_adjoints(fn: Function, layout: Layout) -> None:
    if layout.slot_count == 0:
        return
    name = "llvm.memset.p0.i64"
    fn.module.declare(name, f"void @{name}(ptr, i8, i64, i1)")
    start = fn.pointer("%a0", str(layout.adjoints))
    fn.do(f"call void @{name}(ptr {start}, i8 0, i64 {layout.shared_slots * 8}, i1 false)")


def _copy_gradient(fn: Function, layout: Layout) -> None:
    """g[i] from the adjoint of coordinate i, in stretches."""
    name = "llvm.memcpy.p0.p0.i64"
    fn.module.declare(name, f"void @{name}(ptr, ptr, i64, i1)")
    slots = layout.slots[layout.derived]
    for start, stop in stretches(layout.derived, slots):
        source = fn.pointer("%a0", str(layout.adjoints + int(slots[start])))
        target = fn.pointer("%a1", str(int(layout.derived[start])))
        fn.do(f"call void @{name}(ptr {target}, ptr {source}, i64 {(stop - start) * 8}, i1 false)")


def stretches(*arrays: NDArray[np.integer]) -> list[tuple[int, int]]:
    """The longest stretches in which all arrays grow by one.

    >>> stretches(np.array([0, 1, 5, 6]), np.array([2, 3, 4, 5]))
    [(0, 2), (2, 4)]
    """
    if len(arrays[0]) == 0:
        return []
    broken = np.zeros(len(arrays[0]) - 1, dtype=bool)
    for array in arrays:
        broken |= np.diff(array) != 1
    cuts = [0, *(np.flatnonzero(broken) + 1).tolist(), len(arrays[0])]
    return list(pairwise(cuts))


# --- what the numbers mean -----------------------------------------------------------------------


def branches(module: Module, ready: Prepared) -> None:
    """The branching variables, one byte each."""
    fn = module.function("lfppl_branches", "i64", ["ptr", "ptr"], public=True)
    _report(fn, ready)
    count = 0
    for predicate in ready.model.predicates:
        place = output_range(ready.model.nodes[predicate.node], predicate.output)
        _copy_bits(fn, place.start, count, place.stop - place.start)
        count += place.stop - place.start
    fn.finish(str(count))


def _report(fn: Function, ready: Prepared) -> None:
    """Bring up to date what only branches and values need."""
    _run_all(fn, ready, ready.model.report_schedule, dict.fromkeys(ready.ranges, "forward"))


def _copy_bits(fn: Function, source: int, target: int, count: int) -> None:
    def body(r: str, carried: list[str]) -> list[str]:
        value = fn.load("%a0", fn.integer("add", r, str(source)))
        bit = fn.emit(f"fcmp une double {value}, {number(0.0)}")
        fn.store(fn.emit(f"zext i1 {bit} to i8"), "%a1", fn.integer("add", r, str(target)), "i8")
        return []

    fn.loop("0", str(count), 1, [], body)


def values(module: Module, ready: Prepared) -> None:
    """The natural values of all variables, then the return value."""
    fn = module.function("lfppl_values", "i64", ["ptr", "ptr"], public=True)
    _report(fn, ready)
    count = 0
    for block in ready.model.variables:
        _copy_values(fn, block.values.ravel(), count, whole=block.discrete)
        count += block.values.size
    returned = ready.model.returned
    _copy_values(fn, returned.addresses.ravel(), count, constants=returned.constants.ravel())
    fn.finish(str(count + returned.addresses.size))


def _copy_values(
    fn: Function,
    addresses: NDArray[np.int32],
    target: int,
    whole: bool = False,
    constants: NDArray[np.float64] | None = None,
) -> None:
    """Values at addresses to the array `%a1`; an address -1 means the constant at that place."""
    if len(addresses) == 0:
        return
    table = fn.module.table(np.ascontiguousarray(addresses, dtype=np.int32))
    fixed = constants is not None and bool((addresses < 0).any())
    kept = fn.module.table(np.ascontiguousarray(constants, dtype=np.float64)) if fixed else ""

    def body(r: str, carried: list[str]) -> list[str]:
        address = fn.emit(f"sext i32 {fn.load(table, r, 'i32')} to i64")
        value = _value_or_constant(fn, address, r, kept) if fixed else fn.load("%a0", address)
        if whole:
            value = fn.intrinsic("llvm.floor.f64", "double", f"double {value}")
        fn.store(value, "%a1", fn.integer("add", r, str(target)))
        return []

    fn.loop("0", str(len(addresses)), 1, [], body)


def _value_or_constant(fn: Function, address: str, row: str, constants: str) -> str:
    missing = fn.emit(f"icmp slt i64 {address}, 0")
    safe = fn.emit(f"select i1 {missing}, i64 0, i64 {address}")
    computed, fixed = fn.load("%a0", safe), fn.load(constants, row)
    return fn.emit(f"select i1 {missing}, double {fixed}, double {computed}")


def terms(module: Module, ready: Prepared) -> None:
    """All rows of all factors, copied where they are stored, else computed."""
    fn = module.function("lfppl_terms", "i64", ["ptr", "ptr"], public=True)
    fn.call("lfppl_evaluate", "double", "ptr %a0")
    count = 0
    for factor in ready.model.factors:
        node = ready.model.nodes[factor.node]
        if ready.layout.is_stored(node, factor.output):
            addresses = addresses_of(Affine(output_range(node, factor.output).start, 1), node.rows)
            _copy_stretch(fn, int(addresses[0]), count, node.rows)
        else:
            program = maps.pointwise(fn, ready.bodies[factor.node], {factor.output: count})
            emit_rows(fn, program, "0", str(node.rows), fn.module.width)
        count += node.rows
    fn.finish(str(count))


def _copy_stretch(fn: Function, source: int, target: int, count: int) -> None:
    name = "llvm.memcpy.p0.p0.i64"
    fn.module.declare(name, f"void @{name}(ptr, ptr, i64, i1)")
    a, b = fn.pointer("%a0", str(source)), fn.pointer("%a1", str(target))
    fn.do(f"call void @{name}(ptr {b}, ptr {a}, i64 {count * 8}, i1 false)")
