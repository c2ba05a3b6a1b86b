"""The update functions of nodes: rows computed anew in place, old outputs kept, the change of U."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lfppl.backends.llvm import access, linear, reduce, squares, trees
from lfppl.backends.llvm.access import Index, Lanes, index_of
from lfppl.backends.llvm.layout import output_range
from lfppl.backends.llvm.linear import multiply_add
from lfppl.backends.llvm.maps import column_access, compared
from lfppl.backends.llvm.nodes import Prepared
from lfppl.backends.llvm.programs import How
from lfppl.backends.llvm.rows import Access, Effect, RowProgram, emit_rows
from lfppl.backends.llvm.squares import Square
from lfppl.backends.llvm.tape import Tape, Value
from lfppl.backends.llvm.text import Carried, Function, Module, number
from lfppl.lir.tables import Column, Linear, Map, Reduce

SIGNATURE = ["ptr", "ptr", "i64", "i64", "ptr", "ptr", "ptr", "i64"]
"""workspace, rows, start or 0, stop or count, log of the step, inputs, kept, number of inputs."""

WIDE = 8
"""Rows per member from which a list of rows is done in vectors."""


def define(module: Module, ready: Prepared, place: int, how: How, wide: bool = True) -> str:
    """Write an update function, once; returns its name. It returns the change of U."""
    name = f"update_{how.name.lower()}_{'wide' if wide else 'one'}_{place}"
    if name not in module.defined:
        module.defined.add(name)
        fn = module.function(name, "double", SIGNATURE)
        node = ready.model.nodes[place]
        if isinstance(node, Map):
            result = _map(fn, ready, place, how, wide)
        else:
            _others(fn, ready, place, how)
            result = number(0.0)
        fn.finish(result)
    return name


# --- changes of the log density ------------------------------------------------------------------


def change(tape: Tape, new: Value, old: Value) -> tuple[Value, Value]:
    """How U changes with a row, and whether the row became impossible."""
    same = tape.apply("same", new, old)
    worse = tape.both(tape.apply("same", new, -np.inf), tape.negation(same))
    return tape.select(same, 0.0, old - new), worse


def changes(tape: Tape, pairs: list[tuple[Value, Value]]) -> Value:
    """The change of U by several rows: +inf where one became impossible."""
    total, bad = tape.number(0.0), tape.number(0.0)
    for new, old in pairs:
        step, worse = change(tape, new, old)
        total, bad = total + step, tape.either(bad, worse)
    return tape.select(bad, np.inf, total)


def quick_changes(tape: Tape, pairs: list[tuple[Value, Value]]) -> Value:
    """The same, as plain differences where the point is possible; all the care only elsewhere."""
    plain, usual, possible = tape.number(0.0), tape.number(1.0), tape.number(1.0)
    for new, old in pairs:
        (after, a), (before, b) = _possible(tape, new), _possible(tape, old)
        plain = plain + _difference(tape, b, a)
        usual, possible = tape.both(usual, before), tape.both(possible, after)
    usual = tape.both(usual, tape.apply("below", -np.inf, plain))
    quick = tape.select(possible, plain, np.inf)
    return tape.apply("usually", usual, quick, changes(tape, pairs))


def _possible(tape: Tape, x: Value) -> tuple[Value, Value]:
    """When a log density is not -inf, as far as can be seen, and what it is then."""
    if x.operation == "select":
        test, then, other = x.arguments
        if other.known == -np.inf:
            return test, then
        if then.known == -np.inf:
            return tape.negation(test), other
    return tape.number(1.0), x


def _difference(tape: Tape, a: Value, b: Value) -> Value:
    """A - b without what both have: a constant term, a constant factor."""
    if a.operation == b.operation and a.operation in ("+", "-"):
        (left, right), (other_left, other_right) = a.arguments, b.arguments
        if right == other_right and _is_finite(right):
            return _difference(tape, left, other_left)
        if left == other_left and _is_finite(left):
            pair = (right, other_right) if a.operation == "+" else (other_right, right)
            return _difference(tape, *pair)
    (factor, rest), (other_factor, other_rest) = _factored(a), _factored(b)
    return factor * (rest - other_rest) if factor == other_factor else a - b


def _is_finite(x: Value) -> bool:
    return x.known is not None and bool(np.isfinite(x.known))


def _factored(x: Value) -> tuple[float, Value]:
    """A product as a constant factor and the rest."""
    if x.operation == "*":
        for a, b in (x.arguments, x.arguments[::-1]):
            factor, rest = (a.known, None) if _is_finite(a) else _factored(a)
            if factor not in (None, 0.0, 1.0):
                assert factor is not None
                return factor, b if rest is None else rest * b
    return 1.0, x


def joined(fn: Function, a: str, b: str) -> str:
    """A + b, and +inf where one of them is."""
    if a == number(0.0):
        return b
    infinity = number(np.inf)
    first = fn.emit(f"fcmp oeq double {a}, {infinity}")
    second = fn.emit(f"fcmp oeq double {b}, {infinity}")
    either = fn.emit(f"or i1 {first}, {second}")
    total = fn.emit(f"fadd double {a}, {b}")
    return fn.emit(f"select i1 {either}, double {infinity}, double {total}")


# --- Map -----------------------------------------------------------------------------------------


def _map(fn: Function, ready: Prepared, place: int, how: How, wide: bool) -> str:
    body = ready.bodies[place]
    rows = Index() if how == How.SLICE else Index(0, 1, "%a1", Index())
    program = RowProgram(Tape())
    tape = program.tape

    def load(column_place: int, column: Column) -> Value:
        return program.leaf(("column", column_place), column_access(fn, column, rows))

    outputs = body.replay(tape, load)
    program.exact = compared(body, outputs)
    count = fn.integer("sub", "%a3", "%a2")
    olds = []
    for k, output in enumerate(outputs):
        where = Access("%a0", Index(output_range(body.node, k).start, 1).after(rows))
        old = program.leaf(("old", k), where)
        olds.append(old)
        kept = fn.integer("sub", fn.integer("mul", count, str(k)), "%a2")
        log = Access(fn.pointer("%a4", kept), Index())
        program.effects += [Effect("store", old, log), Effect("store", output, where)]
    results = _summed_changes(program, [(outputs[k], olds[k]) for k in body.factors])
    values = emit_rows(fn, program, "%a2", "%a3", fn.module.width if wide else 1)
    return _total_change(fn, values) if results else number(0.0)


def _summed_changes(program: RowProgram, pairs: list[tuple[Value, Value]]) -> bool:
    tape = program.tape
    if not pairs:
        return False
    total, bad = tape.number(0.0), tape.number(0.0)
    for new, old in pairs:
        step, worse = change(tape, new, old)
        total, bad = total + step, tape.either(bad, worse)
    program.results = [tape.total(total), tape.total(bad)]
    return True


def _total_change(fn: Function, values: list[str]) -> str:
    total, bad = values
    impossible = fn.emit(f"fcmp ogt double {bad}, {number(0.0)}")
    return fn.emit(f"select i1 {impossible}, double {number(np.inf)}, double {total}")


# --- Linear and Reduce ---------------------------------------------------------------------------


def _others(fn: Function, ready: Prepared, place: int, how: How) -> None:
    node = ready.model.nodes[place]
    if how == How.COLUMN:
        _columns(fn, ready, place)
        return
    if how == How.SQUARE:
        assert isinstance(node, Square)
        _square(fn, node)
        return
    if how == How.EXTREME:
        assert isinstance(node, Reduce)
        _extreme(fn, node)
        return
    if how == How.TREE:
        assert isinstance(node, Reduce)
        _tree(fn, ready, place, node)
        return
    whole = how == How.SLICE and isinstance(node, Linear) and place in ready.panels
    if whole and isinstance(node, Linear):
        _keep_slice(fn, node.base)
        linear.forward_rows(fn, node, ready.panels[place], "%a2", "%a3")
        return
    _each_row(fn, ready, place, how)


def _keep_slice(fn: Function, base: int) -> None:
    name = "llvm.memcpy.p0.p0.i64"
    fn.module.declare(name, f"void @{name}(ptr, ptr, i64, i1)")
    source = fn.pointer("%a0", fn.integer("add", "%a2", str(base)))
    size = fn.integer("mul", fn.integer("sub", "%a3", "%a2"), "8")
    fn.do(f"call void @{name}(ptr %a4, ptr {source}, i64 {size}, i1 false)")


def _each_row(fn: Function, ready: Prepared, place: int, how: How) -> None:
    node = ready.model.nodes[place]

    def step(r: str, carried: list[str]) -> list[str]:
        row = r if how == How.SLICE else _listed(fn, "%a1", r)
        where = fn.integer("add", row, str(node.base))
        fn.store(fn.load("%a0", where), "%a4", fn.integer("sub", r, "%a2"))
        following = fn.integer("add", row, "1")
        if isinstance(node, Linear):
            linear.forward_rows(fn, node, ready.panels.get(place), row, following)
        elif isinstance(node, Square):
            squares.forward(fn, node)
        elif place in ready.trees:
            trees.forward(fn, ready.trees[place], row, following)
        else:
            assert isinstance(node, Reduce)
            reduce.forward(fn, node, row, following)
        return []

    fn.loop("%a2", "%a3", 1, [], step)


def _listed(fn: Function, table: str, place: str) -> str:
    return fn.emit(f"sext i32 {fn.load(table, place, 'i32')} to i64")


def _tree(fn: Function, ready: Prepared, place: int, node: Reduce) -> None:
    row = _listed(fn, "%a1", "0")
    where = fn.integer("add", row, str(node.base))
    fn.store(fn.load("%a0", where), "%a4", "0")
    _refresh_tree(fn, ready, place, row, "%a5", "%a7")


def define_refresh(module: Module, ready: Prepared, place: int) -> str:
    """A function that brings a tree up to date: workspace, rows, inputs, their number."""
    name = f"refresh_{place}"
    if name not in module.defined:
        module.defined.add(name)
        fn = module.function(name, "double", ["ptr", "ptr", "ptr", "i64"])
        _refresh_tree(fn, ready, place, _listed(fn, "%a1", "0"), "%a2", "%a3")
        fn.finish(number(0.0))
    return name


def _refresh_tree(
    fn: Function, ready: Prepared, place: int, row: str, inputs: str, count: str
) -> None:
    """The partials and the value of a row after some inputs changed."""
    tree = ready.trees[place]

    def step(k: str, carried: list[str]) -> list[str]:
        return [trees.update(fn, tree, row, _listed(fn, inputs, k))]

    (value,) = fn.loop("0", count, 1, [Carried("double", number(0.0))], step)
    fn.store(value, "%a0", fn.integer("add", row, str(tree.node.base)))


def _extreme(fn: Function, node: Reduce) -> None:
    """A maximum (or minimum) where one element changed: looked for again only if that was it."""
    row = _listed(fn, "%a1", "0")
    where = fn.integer("add", row, str(node.base))
    largest = fn.load("%a0", where)
    fn.store(largest, "%a4", "0")
    source = index_of(fn, node.inputs)
    new = access.load(fn, "%a0", source, Lanes(_listed(fn, "%a5", "0"), 1))
    old = fn.load("%a0", _listed(fn, "%a6", "0"))
    beyond = fn.emit(f"fcmp {'oge' if node.kind == 'max' else 'ole'} double {new}, {largest}")
    known = fn.emit(f"select i1 {beyond}, double {new}, double {largest}")
    was_it = fn.emit(f"fcmp ueq double {old}, {largest}")
    lost = fn.emit(f"and i1 {was_it}, {fn.opposite(beyond)}")

    def again() -> list[str]:
        return [reduce.segment_value(fn, node, *reduce.segment(fn, node, row))]

    (value,) = fn.when(lost, [Carried("double", known)], again)
    fn.store(value, "%a0", where)


def _square(fn: Function, node: Square) -> None:
    fn.store(fn.load("%a0", str(node.base)), "%a4", "0")
    old_x, old_y = (fn.load("%a0", _listed(fn, "%a6", k)) for k in "01")
    squares.correct(fn, node, _listed(fn, "%a5", "0"), old_x, old_y)


def _columns(fn: Function, ready: Prepared, place: int) -> None:
    """Rows corrected by the columns of the changed inputs."""
    dense = ready.panels[place]
    source = index_of(fn, dense.node.inputs)

    def correction(k: str) -> tuple[str, str]:
        column = _listed(fn, "%a5", k)
        new = access.load(fn, "%a0", source, Lanes(column, 1))
        old = fn.load("%a0", _listed(fn, "%a6", k))
        return column, fn.emit(f"fsub double {new}, {old}")

    def later(k: str, carried: list[str]) -> list[str]:
        add_column(fn, dense, *correction(k), keep=False)
        return []

    add_column(fn, dense, *correction("0"), keep=True)
    fn.loop("1", "%a7", 1, [], later)


def add_column(fn: Function, dense: linear.Dense, column: str, delta: str, keep: bool) -> None:
    """Products with a dense matrix after one input changed by `delta`; old ones kept, or not."""
    table = linear.columns_of(dense)
    first = fn.pointer(fn.module.table(table), fn.integer("mul", column, str(table.shape[1])))

    def piece(row: str, width: int) -> None:
        lanes, place = Lanes(row, width), Index(dense.node.base, 1)
        old = access.load(fn, "%a0", place, lanes)
        weights = fn.load(first, row, "double", width)
        if keep:
            access.store(fn, old, "%a4", Index(), lanes)
        new = multiply_add(fn, weights, fn.splat(delta, width), old, width)
        access.store(fn, new, "%a0", place, lanes)

    _for_pieces(fn, dense.node.base, dense.node.rows, piece)


def _for_pieces(fn: Function, base: int, rows: int, body: Callable[[str, int], None]) -> None:
    """All rows in whole vectors where these begin at a cache line, in powers of two elsewhere.

    What one column writes the next one reads at once: quick only where nothing is masked.
    """
    width = fn.module.width
    lead = min(rows, -base % width)
    whole = lead + (rows - lead) // width * width

    def turn(row: str, carried: list[str]) -> list[str]:
        body(row, width)
        return []

    for first, size in access.powers(lead):
        body(str(first), size)
    if whole > lead:
        fn.loop(str(lead), str(whole), width, [], turn)
    for first, size in access.powers(rows - whole):
        body(str(whole + first), size)
