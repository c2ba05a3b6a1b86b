"""Balanced trees of partial reductions: one changed input costs a few vectors, not a segment.

A chunk is eight vectors of inputs; its partial is their reduction lane by lane, one vector.
Partials are the inputs of the next level, until one chunk is left, whose lanes are then reduced.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lfppl.backends.llvm import access, operations
from lfppl.backends.llvm.access import Index, Lanes, index_of
from lfppl.backends.llvm.layout import Layout
from lfppl.backends.llvm.reduce import INITIAL, segment
from lfppl.backends.llvm.text import Carried, Function, constant, vector
from lfppl.lir.tables import Reduce

VECTORS = 8
"""Vectors in a chunk."""


@dataclass(frozen=True)
class Tree:
    """The levels of partials of a Reduce node's rows: `starts` in a row, `chunks` below each."""

    node: Reduce
    base: int
    starts: tuple[int, ...]
    chunks: tuple[int, ...]
    size: int


def tree_of(node: Reduce, place: int, layout: Layout, width: int) -> Tree:
    """Room for the partials of a node."""
    longest = int(np.diff(node.offsets).max())
    starts, chunks, size = [], [-(-longest // (VECTORS * width))], 0
    while chunks[-1] > 1:
        padded = -(-chunks[-1] // VECTORS) * VECTORS
        starts.append(size)
        size += padded * width
        chunks.append(padded // VECTORS)
    base = layout.region(f"tree {place}", size * node.rows)
    return Tree(node, base, tuple(starts), tuple(chunks), size)


def fill(fn: Function, tree: Tree, row: str) -> str:
    """All partials of a row; returns its value."""
    width = fn.module.width

    def level(number_: int) -> None:
        def chunk(j: str, carried: list[str]) -> list[str]:
            _refresh(fn, tree, row, number_, j)
            return []

        padded = -(-tree.chunks[number_] // VECTORS) * VECTORS
        fn.loop("0", str(padded), 1, [], chunk)

    for place in range(len(tree.starts)):
        level(place)
    return _reduced_lanes(fn, tree, _partial(fn, tree, row, len(tree.starts), "0"), width)


def update(fn: Function, tree: Tree, row: str, position: str) -> str:
    """The partials above one input; returns the row's value."""
    width = fn.module.width
    chunk = fn.emit(f"sdiv i64 {position}, {VECTORS * width}")
    for level in range(len(tree.starts)):
        _refresh(fn, tree, row, level, chunk)
        chunk = fn.emit(f"sdiv i64 {chunk}, {VECTORS}")
    return _reduced_lanes(fn, tree, _partial(fn, tree, row, len(tree.starts), "0"), width)


def _level_start(fn: Function, tree: Tree, row: str, level: int) -> str:
    offset = fn.integer("mul", row, str(tree.size))
    return fn.integer("add", offset, str(tree.base + tree.starts[level]))


def _refresh(fn: Function, tree: Tree, row: str, level: int, chunk: str) -> None:
    width = fn.module.width
    partial = _partial(fn, tree, row, level, chunk)
    place = fn.integer("mul", chunk, str(width))
    place = fn.integer("add", place, _level_start(fn, tree, row, level))
    fn.store(partial, "%a0", place, "double", width)


def _partial(fn: Function, tree: Tree, row: str, level: int, chunk: str) -> str:
    width = fn.module.width
    first = fn.integer("mul", chunk, str(VECTORS * width))
    if level == 0:
        return _partial_of_inputs(fn, tree, row, first)
    start = fn.integer("add", first, _level_start(fn, tree, row, level - 1))
    items = [
        fn.load("%a0", fn.integer("add", start, str(i * width)), "double", width)
        for i in range(VECTORS)
    ]
    return _combined(fn, tree, items)


def _partial_of_inputs(fn: Function, tree: Tree, row: str, first: str) -> str:
    width = fn.module.width
    kind = vector("double", width)
    low, high = segment(fn, tree.node, row)
    source = index_of(fn, tree.node.inputs)
    start = fn.integer("add", low, first)
    end = fn.integer("add", start, str(VECTORS * width))
    inside = fn.emit(f"icmp sle i64 {end}, {high}")

    def whole() -> list[str]:
        lanes = [Lanes(fn.integer("add", start, str(i * width)), width) for i in range(VECTORS)]
        return [_combined(fn, tree, [access.load(fn, "%a0", source, part) for part in lanes])]

    def partly() -> list[str]:
        parts = [_clamped(fn, tree, source, start, i * width, high) for i in range(VECTORS)]
        return [_combined(fn, tree, parts)]

    outside = fn.emit(f"xor i1 {inside}, true")
    (part,) = fn.when(outside, [Carried(kind, constant(0.0, width))], partly)
    return fn.when(inside, [Carried(kind, part)], whole)[0]


def _clamped(fn: Function, tree: Tree, source: Index, start: str, offset: int, high: str) -> str:
    """A vector of inputs, neutral where there are none."""
    width = fn.module.width
    kind, integers, bits = vector("double", width), vector("i64", width), vector("i1", width)
    rows = Lanes(fn.integer("add", start, str(offset)), width).rows(fn)
    stops = fn.splat(high, width, "i64")
    valid = fn.emit(f"icmp slt {integers} {rows}, {stops}")
    neutral = constant(INITIAL[_operation(tree)], width)
    if source.consecutive:
        first = access.first_place(fn, source, fn.integer("add", start, str(offset)))
        return access.masked_load(fn, fn.pointer("%a0", first), valid, neutral, width)
    last = fn.splat(fn.integer("sub", high, "1"), width, "i64")
    safe = fn.emit(f"select {bits} {valid}, {integers} {rows}, {integers} {last}")
    if source.table is not None:
        found = access.gather(fn, source.table, safe, width, "i32")
        safe = fn.emit(f"sext {vector('i32', width)} {found} to {integers}")
    if source.stride != 1:
        safe = fn.emit(f"mul {integers} {safe}, {fn.splat(str(source.stride), width, 'i64')}")
    safe = fn.emit(f"add {integers} {safe}, {fn.splat(str(source.start), width, 'i64')}")
    items = access.gather(fn, "%a0", safe, width)
    return fn.emit(f"select {bits} {valid}, {kind} {items}, {kind} {neutral}")


def _operation(tree: Tree) -> str:
    return {"sum": "fadd", "max": "fmax", "min": "fmin", "logsumexp": "fmax"}[tree.node.kind]


def _combined(fn: Function, tree: Tree, items: list[str]) -> str:
    width = fn.module.width
    kind = vector("double", width)
    best = _pairwise(fn, _operation(tree), items, kind)
    if tree.node.kind != "logsumexp":
        return best
    shift = _finite(fn, best, width)
    terms = [
        operations.special(fn, "exp", [fn.emit(f"fsub {kind} {item}, {shift}")], width)
        for item in items
    ]
    total = operations.special(fn, "log", [_pairwise(fn, "fadd", terms, kind)], width)
    return fn.emit(f"fadd {kind} {shift}, {total}")


def _pairwise(fn: Function, operation: str, items: list[str], kind: str) -> str:
    while len(items) > 1:
        pairs = zip(items[::2], items[1::2], strict=True)
        items = [fn.combine(operation, a, b, kind) for a, b in pairs]
    return items[0]


def _finite(fn: Function, value: str, width: int) -> str:
    """The value, or 0 where it is infinite."""
    kind, short = vector("double", width), "f64" if width == 1 else f"v{width}f64"
    size = fn.intrinsic(f"llvm.fabs.{short}", kind, f"{kind} {value}")
    infinite = fn.emit(f"fcmp oeq {kind} {size}, {constant(np.inf, width)}")
    zero = constant(0.0, width)
    return fn.emit(f"select {vector('i1', width)} {infinite}, {kind} {zero}, {kind} {value}")


def _reduced_lanes(fn: Function, tree: Tree, value: str, width: int) -> str:
    best = fn.horizontal(_operation(tree), value, width)
    if tree.node.kind != "logsumexp":
        return best
    shift = _finite(fn, best, 1)
    kind = vector("double", width)
    difference = fn.emit(f"fsub {kind} {value}, {fn.splat(shift, width)}")
    terms = operations.special(fn, "exp", [difference], width)
    total = operations.special(fn, "log", [fn.horizontal("fadd", terms, width)], 1)
    return fn.emit(f"fadd double {shift}, {total}")


def forward(fn: Function, tree: Tree, start: str, stop: str) -> None:
    """Rows start .. stop-1 with all their partials."""

    def row(r: str, carried: list[str]) -> list[str]:
        fn.store(fill(fn, tree, r), "%a0", fn.integer("add", r, str(tree.node.base)))
        return []

    fn.loop(start, stop, 1, [], row)
