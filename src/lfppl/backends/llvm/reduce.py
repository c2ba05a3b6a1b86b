"""Reduce nodes: sums, maxima, minima and log-sum-exps of segments, forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lfppl.backends.llvm import access, operations
from lfppl.backends.llvm.access import Index, Lanes, index_of
from lfppl.backends.llvm.layout import Layout
from lfppl.backends.llvm.text import Carried, Function, constant, number, vector
from lfppl.lir.tables import Affine, Reduce

Term = Callable[[str, Lanes], str]
"""What an element contributes, given its value."""

FOLDS = {"sum": "fadd", "max": "fmax", "min": "fmin"}
"""The operation that reduces, by the kind of a node."""

INITIAL = {"fadd": 0.0, "fmax": -np.inf, "fmin": np.inf}


def left_over(node: Reduce, width: int) -> int | None:
    """How many elements of each segment are left after whole vectors; None where that differs."""
    lengths = np.diff(node.offsets)
    same = len(lengths) > 0 and bool(np.all(lengths == lengths[0]))
    return int(lengths[0]) % width if same else None


def segment(fn: Function, node: Reduce, row: str) -> tuple[str, str]:
    """The first position of a row's segment and the one behind its last."""
    lengths = np.diff(node.offsets)
    if len(lengths) and bool(np.all(lengths == lengths[0])):
        length = str(int(lengths[0]))
        low = fn.integer("mul", row, length)
        return low, fn.integer("add", low, length)
    offsets = fn.module.table(np.ascontiguousarray(node.offsets, dtype=np.int64))
    following = fn.integer("add", row, "1")
    return fn.load(offsets, row, "i64"), fn.load(offsets, following, "i64")


def lanes_for(fn: Function, node: Reduce) -> int:
    """The vector width that suits the segments of a node."""
    return fn.module.width if node.offsets[-1] >= fn.module.width * node.rows else 1


def fold(
    fn: Function,
    operation: str,
    source: Index,
    low: str,
    high: str,
    width: int,
    term: Term,
    left: int | None = None,
) -> str:
    """The reduction of the terms of positions low .. high-1; `left` of them after whole vectors."""
    kind, start = vector("double", width), constant(INITIAL[operation], width)

    def value_of(lanes: Lanes) -> str:
        return term(access.load(fn, "%a0", source, lanes), lanes)

    def step(lanes: Lanes, total: str) -> str:
        new = fn.combine(operation, total, value_of(lanes), kind)
        if lanes.mask is None:
            return new
        return fn.emit(f"select {vector('i1', width)} {lanes.mask}, {kind} {new}, {kind} {total}")

    count = fn.integer("sub", high, low)
    whole = fn.integer("add", low, fn.integer("and", count, str(-width)))
    carried = [Carried(kind, start)]
    (total,) = fn.loop(low, whole, width, carried, lambda r, t: [step(Lanes(r, width), t[0])])
    if left is not None:
        parts = {
            size: value_of(Lanes(fn.integer("add", whole, str(first)), size))
            for first, size in access.powers(left)
        }
        return fn.horizontal(operation, total, width, parts)
    if width > 1:

        def rest() -> list[str]:
            return [step(rest_lanes(fn, whole, high, width), total)]

        test = fn.emit(f"icmp slt i64 {whole}, {high}")
        (total,) = fn.when(test, [Carried(kind, total)], rest)
    return fn.horizontal(operation, total, width)


def rest_lanes(fn: Function, first: str, stop: str, width: int) -> Lanes:
    """The fewer than `width` rows from `first` to `stop`, under a mask."""
    kind = vector("i64", width)
    left = fn.splat(fn.integer("sub", stop, first), width, "i64")
    steps = "<" + ", ".join(f"i64 {i}" for i in range(width)) + ">"
    return Lanes(first, width, fn.emit(f"icmp slt {kind} {steps}, {left}"), stop)


def forward(fn: Function, node: Reduce, start: str, stop: str) -> None:
    """Rows start .. stop-1."""

    def row(r: str, carried: list[str]) -> list[str]:
        low, high = segment(fn, node, r)
        value = segment_value(fn, node, low, high)
        fn.store(value, "%a0", fn.integer("add", r, str(node.base)))
        return []

    fn.loop(start, stop, 1, [], row)


def segment_value(fn: Function, node: Reduce, low: str, high: str) -> str:
    """The reduction of the elements at positions low .. high-1."""
    source, width = index_of(fn, node.inputs), lanes_for(fn, node)
    if node.kind == "logsumexp":
        return _log_sum_exp(fn, source, low, high, width)
    left = left_over(node, width)
    return fold(fn, FOLDS[node.kind], source, low, high, width, lambda value, lanes: value, left)


def _log_sum_exp(fn: Function, source: Index, low: str, high: str, width: int) -> str:
    largest = fold(fn, "fmax", source, low, high, width, lambda value, lanes: value)
    size = fn.intrinsic("llvm.fabs.f64", "double", f"double {largest}")
    infinite = fn.emit(f"fcmp oeq double {size}, {number(np.inf)}")
    shift = fn.emit(f"select i1 {infinite}, double {number(0.0)}, double {largest}")
    shifts, kind = fn.splat(shift, width), vector("double", width)

    def term(value: str, lanes: Lanes) -> str:
        difference = fn.emit(f"fsub {kind} {value}, {shifts}")
        return operations.special(fn, "exp", [difference], width)

    total = fold(fn, "fadd", source, low, high, width, term)
    return fn.emit(f"fadd double {shift}, {operations.special(fn, 'log', [total], 1)}")


def backward(fn: Function, node: Reduce, layout: Layout, start: str, stop: str) -> None:
    """The adjoints of the inputs of rows start .. stop-1."""
    own = index_of(fn, layout.slots_of(Affine(node.base, 1), node.rows), layout.adjoints)

    def row(r: str, carried: list[str]) -> list[str]:
        adjoint = access.load(fn, "%a0", own, Lanes(r, 1))
        low, high = segment(fn, node, r)

        def spread() -> list[str]:
            _SPREAD[node.kind](fn, node, layout, r, adjoint, low, high)
            return []

        fn.when(fn.emit(f"fcmp une double {adjoint}, {number(0.0)}"), [], spread)
        return []

    fn.loop(start, stop, 1, [], row)


def _targets(fn: Function, node: Reduce, layout: Layout) -> Index:
    slots = layout.slots_of(node.inputs, int(node.offsets[-1]))
    return index_of(fn, slots, layout.adjoints)


def _spread_sum(
    fn: Function, node: Reduce, layout: Layout, r: str, adjoint: str, low: str, high: str
) -> None:
    targets = _targets(fn, node, layout)
    each(
        fn,
        low,
        high,
        lanes_for(fn, node),
        lambda lanes: access.add(fn, fn.splat(adjoint, lanes.width), "%a0", targets, lanes),
        left_over(node, lanes_for(fn, node)),
    )


def _spread_softmax(
    fn: Function, node: Reduce, layout: Layout, r: str, adjoint: str, low: str, high: str
) -> None:
    targets, source, width = (
        _targets(fn, node, layout),
        index_of(fn, node.inputs),
        lanes_for(fn, node),
    )
    kind = vector("double", width)
    value = fn.load("%a0", fn.integer("add", r, str(node.base)))
    empty = fn.emit(f"fcmp oeq double {value}, {number(-np.inf)}")
    factor = fn.splat(fn.emit(f"select i1 {empty}, double {number(0.0)}, double {adjoint}"), width)
    shift = fn.splat(fn.emit(f"select i1 {empty}, double {number(0.0)}, double {value}"), width)

    def body(lanes: Lanes) -> None:
        item = access.load(fn, "%a0", source, lanes)
        share = operations.special(fn, "exp", [fn.emit(f"fsub {kind} {item}, {shift}")], width)
        access.add(fn, fn.emit(f"fmul {kind} {share}, {factor}"), "%a0", targets, lanes)

    each(fn, low, high, width, body)


def _spread_extreme(
    fn: Function, node: Reduce, layout: Layout, r: str, adjoint: str, low: str, high: str
) -> None:
    """All goes to the first element that is the extreme one."""
    targets, source = _targets(fn, node, layout), index_of(fn, node.inputs)
    value = fn.load("%a0", fn.integer("add", r, str(node.base)))

    def body(c: str, carried: list[str]) -> list[str]:
        item = access.load(fn, "%a0", source, Lanes(c, 1))
        same = fn.emit(f"fcmp oeq double {item}, {value}")
        share = fn.emit(f"select i1 {same}, double {carried[0]}, double {number(0.0)}")
        access.add(fn, share, "%a0", targets, Lanes(c, 1))
        return [fn.emit(f"select i1 {same}, double {number(0.0)}, double {carried[0]}")]

    fn.loop(low, high, 1, [Carried("double", adjoint)], body)


def each(
    fn: Function,
    low: str,
    high: str,
    width: int,
    body: Callable[[Lanes], None],
    left: int | None = None,
) -> None:
    """`body` for positions low .. high-1, in vectors, and pieces of `left` or a masked rest."""

    def whole_body(r: str, carried: list[str]) -> list[str]:
        body(Lanes(r, width))
        return []

    count = fn.integer("sub", high, low)
    whole = fn.integer("add", low, fn.integer("and", count, str(-width)))
    fn.loop(low, whole, width, [], whole_body)
    if left is not None:
        for first, size in access.powers(left):
            body(Lanes(fn.integer("add", whole, str(first)), size))
    elif width > 1:

        def rest() -> list[str]:
            body(rest_lanes(fn, whole, high, width))
            return []

        fn.when(fn.emit(f"icmp slt i64 {whole}, {high}"), [], rest)


_SPREAD = {
    "sum": _spread_sum,
    "max": _spread_extreme,
    "min": _spread_extreme,
    "logsumexp": _spread_softmax,
}
