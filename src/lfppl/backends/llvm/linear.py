"""Linear nodes: weighted sums, forwards and transposed.

Dense weights are kept in panels: `panels[k, c, :]` are the weights of column c in the rows of panel
k, one vector. Products and transposed products read them in whole vectors, one after another, and
rows beyond the last are zeros.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm import access
from lfppl.backends.llvm.access import Index, Lanes, index_of
from lfppl.backends.llvm.layout import Layout
from lfppl.backends.llvm.reduce import rest_lanes
from lfppl.backends.llvm.text import Carried, Function, constant, number, vector
from lfppl.lir.tables import Affine, Linear

FEW = {8: 24, 4: 10, 2: 6, 1: 6}
"""How many columns have their sums in registers, by vector width (32 or 16 registers)."""

UNROLL = 4
"""Independent sums per row, so that additions do not wait for one another."""


@dataclass(frozen=True)
class Dense:
    """A dense node with its weights in panels."""

    node: Linear
    panels: NDArray[np.float64]
    by_column: list[NDArray[np.float64]] = field(default_factory=list)

    @property
    def columns(self) -> int:
        """The number of inputs."""
        return int(self.panels.shape[1])


def panels_of(node: Linear, width: int) -> Dense:
    """The weights in panels of `width` rows."""
    weights = np.asarray(node.weights, dtype=np.float64)
    rows, columns = weights.shape
    count = -(-rows // width)
    raw = np.zeros(count * width * columns + 8)
    shift = (-raw.ctypes.data % 64) // 8
    panels = raw[shift : shift + count * width * columns].reshape(count, columns, width)
    padded = np.zeros((count * width, columns))
    padded[:rows] = weights
    panels[:] = padded.reshape(count, width, columns).transpose(0, 2, 1)
    return Dense(node, panels)


def columns_of(dense: Dense) -> NDArray[np.float64]:
    """The weights column after column, padded to whole vectors, for corrections by a column.

    A column in the panels is one cache line in every panel, too far apart for the processor to
    fetch ahead: 1.4 times slower where the weights exceed the second cache.
    """
    if not dense.by_column:
        count, columns, width = dense.panels.shape
        table = np.ascontiguousarray(dense.panels.transpose(1, 0, 2)).reshape(
            columns, count * width
        )
        dense.by_column.append(table)
    return dense.by_column[0]


def panel_place(fn: Function, dense: Dense, panel: str, column: str) -> str:
    """Where the vector of a panel and column begins."""
    width = dense.panels.shape[2]
    base = fn.integer("mul", panel, str(dense.columns * width))
    return fn.integer("add", base, fn.integer("mul", column, str(width)))


def _inputs(fn: Function, dense: Dense, layout: Layout) -> Index:
    """Where the inputs stand, one after another; gathered first where they do not."""
    source = index_of(fn, dense.node.inputs)
    if source.consecutive:
        return source
    room = Index(layout.region("inputs", _widest(layout)), 1)

    def copy(c: str, carried: list[str]) -> list[str]:
        value = access.load(fn, "%a0", source, Lanes(c, 1))
        access.store(fn, value, "%a0", room, Lanes(c, 1))
        return []

    fn.loop("0", str(dense.columns), 1, [], copy)
    return room


def _widest(layout: Layout) -> int:
    return max(int(n.weights.shape[1]) for n in layout.model.nodes if isinstance(n, Linear))


def forward_dense(fn: Function, dense: Dense, layout: Layout) -> None:
    """All rows: W x."""
    source = _inputs(fn, dense, layout)
    width, node = fn.module.width, dense.node
    few = dense.columns <= FEW[width]
    x = [_broadcast(fn, source, str(c)) for c in range(dense.columns)] if few else []

    def panel(k: str, lanes: Lanes) -> None:
        total = _few_products(fn, dense, k, x) if few else _many_products(fn, dense, k, source)
        _store_panel(fn, total, node, lanes)

    for_panels(fn, node.rows, panel)


def _store_panel(fn: Function, total: str, node: Linear, lanes: Lanes) -> None:
    """The rows of a panel; those of the last one in pieces, for who reads them next."""
    place = Index(node.base, 1)
    if lanes.mask is None:
        access.store(fn, total, "%a0", place, lanes)
        return
    for first, size in access.powers(node.rows % lanes.width):
        part = fn.lanes(total, vector("double", lanes.width), size, first)
        access.store(fn, part, "%a0", place, Lanes(str(int(lanes.first) + first), size))


def for_panels(fn: Function, rows: int, body: object) -> None:
    """`body(panel, lanes)` for all panels; the last one may be masked."""
    width = fn.module.width
    assert callable(body)

    def whole(k: str, carried: list[str]) -> list[str]:
        body(k, Lanes(fn.integer("mul", k, str(width)), width))
        return []

    full = rows // width
    if full:
        fn.loop("0", str(full), 1, [], whole)
    if rows % width:
        body(str(full), rest_lanes(fn, str(full * width), str(rows), width))


def _broadcast(fn: Function, source: Index, column: str) -> str:
    value = fn.load("%a0", access.first_place(fn, source, column))
    return fn.splat(value, fn.module.width)


def multiply_add(fn: Function, a: str, b: str, c: str, width: int) -> str:
    """A b + c, rounded once."""
    kind = vector("double", width)
    short = "f64" if width == 1 else f"v{width}f64"
    return fn.intrinsic(f"llvm.fma.{short}", kind, f"{kind} {a}", f"{kind} {b}", f"{kind} {c}")


def _weights(fn: Function, dense: Dense, panel: str, column: str) -> str:
    table = fn.module.table(dense.panels)
    return fn.load(table, panel_place(fn, dense, panel, column), "double", fn.module.width)


def _few_products(fn: Function, dense: Dense, panel: str, x: list[str]) -> str:
    width = fn.module.width
    totals = [constant(0.0, width)] * min(UNROLL, len(x))
    for c, value in enumerate(x):
        weights = _weights(fn, dense, panel, str(c))
        totals[c % UNROLL] = multiply_add(fn, weights, value, totals[c % UNROLL], width)
    return _summed(fn, totals)


def _many_products(fn: Function, dense: Dense, panel: str, source: Index) -> str:
    width = fn.module.width
    kind = vector("double", width)

    def step(c: str, totals: list[str], count: int) -> list[str]:
        new = list(totals)
        for offset in range(count):
            column = fn.integer("add", c, str(offset))
            value = _broadcast(fn, source, column)
            new[offset] = multiply_add(
                fn, _weights(fn, dense, panel, column), value, new[offset], width
            )
        return new

    whole = dense.columns // UNROLL * UNROLL
    carried = [Carried(kind, constant(0.0, width))] * UNROLL
    totals = fn.loop("0", str(whole), UNROLL, carried, lambda c, t: step(c, t, UNROLL))
    return _summed(fn, step(str(whole), totals, dense.columns - whole))


def _summed(fn: Function, totals: list[str]) -> str:
    kind = vector("double", fn.module.width)
    while len(totals) > 1:
        pairs = zip(totals[::2], totals[1::2], strict=False)
        odd = totals[-1:] if len(totals) % 2 else []
        totals = [fn.emit(f"fadd {kind} {a}, {b}") for a, b in pairs] + odd
    return totals[0]


def backward_dense(fn: Function, dense: Dense, layout: Layout) -> None:
    """The adjoints of the inputs: the transposed weights times those of the rows."""
    if dense.columns <= FEW[fn.module.width]:
        _backward_few(fn, dense, layout)
    else:
        _backward_many(fn, dense, layout)


def _own_adjoints(fn: Function, dense: Dense, layout: Layout) -> Index:
    slots = layout.slots_of(Affine(dense.node.base, 1), dense.node.rows)
    return index_of(fn, slots, layout.adjoints)


def _targets(fn: Function, dense: Dense, layout: Layout) -> Index:
    return index_of(fn, layout.slots_of(dense.node.inputs, dense.columns), layout.adjoints)


def _backward_few(fn: Function, dense: Dense, layout: Layout) -> None:
    width, own = fn.module.width, _own_adjoints(fn, dense, layout)
    kind, full = vector("double", width), dense.node.rows // width

    def panel(k: str, lanes: Lanes, totals: list[str]) -> list[str]:
        adjoint = _masked(fn, access.load(fn, "%a0", own, lanes), lanes)
        return [
            multiply_add(fn, _weights(fn, dense, k, str(c)), adjoint, total, width)
            for c, total in enumerate(totals)
        ]

    def whole(k: str, totals: list[str]) -> list[str]:
        return panel(k, Lanes(fn.integer("mul", k, str(width)), width), totals)

    totals = [constant(0.0, width)] * dense.columns
    if full:
        totals = fn.loop("0", str(full), 1, [Carried(kind, t) for t in totals], whole)
    if dense.node.rows % width:
        rest = rest_lanes(fn, str(full * width), str(dense.node.rows), width)
        totals = panel(str(full), rest, totals)
    targets = _targets(fn, dense, layout)
    for c, total in enumerate(totals):
        access.add(fn, fn.horizontal("fadd", total, width), "%a0", targets, Lanes(str(c), 1))


def _masked(fn: Function, value: str, lanes: Lanes) -> str:
    if lanes.mask is None:
        return value
    kind = vector("double", lanes.width)
    return fn.emit(
        f"select {vector('i1', lanes.width)} {lanes.mask}, {kind} {value}, {kind} zeroinitializer"
    )


def _backward_many(fn: Function, dense: Dense, layout: Layout) -> None:
    """Sums for all columns in memory; four panels at a time, so that the sums are read seldom."""
    width, rows = fn.module.width, dense.node.rows
    room = layout.region("transposed", _widest(layout) * width)
    _zero(fn, room, dense.columns * width)
    panels = -(-rows // width)
    groups = rows // width // UNROLL

    def group(g: str, carried: list[str]) -> list[str]:
        first = fn.integer("mul", g, str(UNROLL))
        _add_panels(
            fn, dense, layout, room, [fn.integer("add", first, str(i)) for i in range(UNROLL)]
        )
        return []

    fn.loop("0", str(groups), 1, [], group)
    for k in range(groups * UNROLL, panels):
        _add_panels(fn, dense, layout, room, [str(k)])
    _collect(fn, dense, layout, room)


def _add_panels(fn: Function, dense: Dense, layout: Layout, room: int, panels: list[str]) -> None:
    width, own, rows = fn.module.width, _own_adjoints(fn, dense, layout), dense.node.rows
    adjoints = []
    for k in panels:
        first = fn.integer("mul", k, str(width))
        last = not k.startswith("%") and (int(k) + 1) * width > rows
        lanes = rest_lanes(fn, first, str(rows), width) if last else Lanes(first, width)
        adjoints.append(_masked(fn, access.load(fn, "%a0", own, lanes), lanes))

    def column(c: str, carried: list[str]) -> list[str]:
        where = fn.integer("add", fn.integer("mul", c, str(width)), str(room))
        total = fn.load("%a0", where, "double", width)
        for k, adjoint in zip(panels, adjoints, strict=True):
            total = multiply_add(fn, _weights(fn, dense, k, c), adjoint, total, width)
        fn.store(total, "%a0", where, "double", width)
        return []

    fn.loop("0", str(dense.columns), 1, [], column)


def _collect(fn: Function, dense: Dense, layout: Layout, room: int) -> None:
    width, targets = fn.module.width, _targets(fn, dense, layout)

    def column(c: str, carried: list[str]) -> list[str]:
        where = fn.integer("add", fn.integer("mul", c, str(width)), str(room))
        total = fn.horizontal("fadd", fn.load("%a0", where, "double", width), width)
        access.add(fn, total, "%a0", targets, Lanes(c, 1))
        return []

    fn.loop("0", str(dense.columns), 1, [], column)


def _zero(fn: Function, start: int, count: int) -> None:
    name = "llvm.memset.p0.i64"
    fn.module.declare(name, f"void @{name}(ptr, i8, i64, i1)")
    fn.do(
        f"call void @{name}(ptr {fn.pointer('%a0', str(start))}, i8 0, i64 {count * 8}, i1 false)"
    )


# --- rows one by one: sparse weights, and rows that are not computed all at once -----------------


def forward_rows(fn: Function, node: Linear, dense: Dense | None, start: str, stop: str) -> None:
    """Rows start .. stop-1, one by one."""

    def row(r: str, carried: list[str]) -> list[str]:
        low, high = _row_range(fn, node, dense, r)
        source = _row_inputs(fn, node, dense)

        def step(c: str, total: list[str]) -> list[str]:
            weight = _row_weight(fn, node, dense, r, c)
            value = access.load(fn, "%a0", source, Lanes(c, 1))
            return [multiply_add(fn, weight, value, total[0], 1)]

        (total,) = fn.loop(low, high, 1, [Carried("double", number(0.0))], step)
        fn.store(total, "%a0", fn.integer("add", r, str(node.base)))
        return []

    fn.loop(start, stop, 1, [], row)


def backward_rows(
    fn: Function, node: Linear, dense: Dense | None, layout: Layout, start: str, stop: str
) -> None:
    """The adjoints of the inputs of rows start .. stop-1, one by one."""
    own = index_of(fn, layout.slots_of(Affine(node.base, 1), node.rows), layout.adjoints)
    slots = layout.slots_of(node.inputs, node.weights.shape[1])
    targets = _through_columns(fn, node, index_of(fn, slots, layout.adjoints), dense)

    def row(r: str, carried: list[str]) -> list[str]:
        adjoint = access.load(fn, "%a0", own, Lanes(r, 1))
        low, high = _row_range(fn, node, dense, r)

        def step(c: str, inner: list[str]) -> list[str]:
            share = fn.emit(f"fmul double {adjoint}, {_row_weight(fn, node, dense, r, c)}")
            access.add(fn, share, "%a0", targets, Lanes(c, 1))
            return []

        fn.loop(low, high, 1, [], step)
        return []

    fn.loop(start, stop, 1, [], row)


def _row_range(fn: Function, node: Linear, dense: Dense | None, r: str) -> tuple[str, str]:
    if dense is not None:
        return "0", str(dense.columns)
    offsets = fn.module.table(_kept(fn, node, "indptr", np.int64))
    return fn.load(offsets, r, "i64"), fn.load(offsets, fn.integer("add", r, "1"), "i64")


def _row_inputs(fn: Function, node: Linear, dense: Dense | None) -> Index:
    return _through_columns(fn, node, index_of(fn, node.inputs), dense)


def _through_columns(fn: Function, node: Linear, inputs: Index, dense: Dense | None) -> Index:
    """The place of an input for an entry of the weights."""
    if dense is not None:
        return inputs
    columns = Index(0, 1, fn.module.table(_kept(fn, node, "indices", np.int32)), Index())
    return inputs.after(columns)


def _row_weight(fn: Function, node: Linear, dense: Dense | None, r: str, c: str) -> str:
    if dense is None:
        return fn.load(fn.module.table(_kept(fn, node, "data", np.float64)), c)
    width = dense.panels.shape[2]
    panel = fn.emit(f"sdiv i64 {r}, {width}")
    lane = fn.emit(f"srem i64 {r}, {width}")
    place = fn.integer("add", panel_place(fn, dense, panel, c), lane)
    return fn.load(fn.module.table(dense.panels), place)


def _kept(fn: Function, node: Linear, name: str, type_: type) -> NDArray[np.generic]:
    """An array of sparse weights, converted once for the module."""
    key = (id(node), name)
    if key not in fn.module.converted:
        fn.module.converted[key] = np.ascontiguousarray(getattr(node.weights, name), dtype=type_)
    return fn.module.converted[key]
