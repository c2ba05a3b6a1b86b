"""Which element of an array a row reads or writes, and the code that loads, stores and adds it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm.text import Function, vector
from lfppl.lir.tables import Affine, Gather


@dataclass(frozen=True)
class Index:
    """`start + stride * i`, where i is the row, or `table[inner]` where there is a table.

    >>> Index(2, 3).after(Index(10, 1))
    Index(start=32, stride=3, table=None, inner=None)
    """

    start: int = 0
    stride: int = 1
    table: str | None = None
    inner: Index | None = None

    def after(self, rows: Index) -> Index:
        """The index where the row itself is found by another index."""
        if self.table is not None:
            inner = self.inner.after(rows) if self.inner else rows
            return Index(self.start, self.stride, self.table, inner)
        start = self.start + self.stride * rows.start
        return Index(start, self.stride * rows.stride, rows.table, rows.inner)

    @property
    def uniform(self) -> bool:
        """Whether all rows have the same element."""
        return self.stride == 0

    @property
    def consecutive(self) -> bool:
        """Whether row r + 1 has the element after that of row r."""
        return self.stride == 1 and self.table is None


def compressed(fn_table: NDArray[np.int32]) -> Affine | None:
    """A table of addresses as start and stride, where it is one."""
    if len(fn_table) == 1:
        return Affine(int(fn_table[0]), 0)
    stride = int(fn_table[1]) - int(fn_table[0])
    regular = bool(np.all(np.diff(fn_table) == stride))
    return Affine(int(fn_table[0]), stride) if regular else None


def index_of(fn: Function, gather: Gather, offset: int = 0) -> Index:
    """The index that a column's addresses make, shifted by an offset."""
    if isinstance(gather, Affine):
        return Index(gather.start + offset, gather.stride)
    return Index(offset, 1, fn.module.table(gather.addresses), Index())


@dataclass(frozen=True)
class Lanes:
    """The rows that a piece of code works on: `width` rows from `first`, or fewer under a mask.

    `mask` is set where only the rows before `stop` count.
    """

    first: str
    width: int
    mask: str | None = None
    stop: str = ""

    def rows(self, fn: Function) -> str:
        """The rows as a vector; those that do not count repeat the last one that does."""
        if self.width == 1:
            return self.first
        kind = vector("i64", self.width)
        steps = "<" + ", ".join(f"i64 {i}" for i in range(self.width)) + ">"
        rows = fn.emit(f"add {kind} {fn.splat(self.first, self.width, 'i64')}, {steps}")
        if self.mask is None:
            return rows
        last = fn.splat(fn.integer("sub", self.stop, "1"), self.width, "i64")
        return fn.emit(
            f"select {vector('i1', self.width)} {self.mask}, {kind} {rows}, {kind} {last}"
        )


def powers(count: int) -> list[tuple[int, int]]:
    """The start and length of pieces whose lengths are powers of two, the longest first.

    What is left after whole vectors is done in such pieces: a processor hands what was stored on to
    the next load only if neither was masked.

    >>> powers(7)
    [(0, 4), (4, 2), (6, 1)]
    """
    pieces, start = [], 0
    while start < count:
        size = 1 << ((count - start).bit_length() - 1)
        pieces.append((start, size))
        start += size
    return pieces


def place(fn: Function, index: Index, lanes: Lanes) -> str:
    """The elements of all lanes, as a (vector of) integers."""
    kind = vector("i64", lanes.width)
    if index.table is None:
        inner = lanes.rows(fn)
    else:
        raw = load(fn, index.table, index.inner or Index(), lanes, "i32")
        inner = fn.emit(f"sext {vector('i32', lanes.width)} {raw} to {kind}")
    if index.stride != 1:
        inner = fn.emit(f"mul {kind} {inner}, {_integers(index.stride, lanes.width)}")
    if index.start != 0:
        inner = fn.emit(f"add {kind} {inner}, {_integers(index.start, lanes.width)}")
    return inner


def _integers(value: int, width: int) -> str:
    return str(value) if width == 1 else f"splat (i64 {value})"


def first_place(fn: Function, index: Index, row: str) -> str:
    """The element of one row."""
    if index.stride == 0:
        return str(index.start)
    if index.table is None:
        scaled = fn.integer("mul", row, str(index.stride))
        return fn.integer("add", scaled, str(index.start))
    return place(fn, index, Lanes(row, 1))


def load(fn: Function, base: str, index: Index, lanes: Lanes, type_: str = "double") -> str:
    """The elements of all lanes; lanes that do not count repeat one that does."""
    width = lanes.width
    if index.stride == 0:
        return fn.splat(fn.load(base, str(index.start), type_), width, type_)
    if width == 1:
        return fn.load(base, first_place(fn, index, lanes.first), type_)
    if index.consecutive:
        return _load_consecutive(fn, base, index, lanes, type_)
    return gather(fn, base, place(fn, index, lanes), width, type_)


def _load_consecutive(fn: Function, base: str, index: Index, lanes: Lanes, type_: str) -> str:
    start = first_place(fn, index, lanes.first)
    if lanes.mask is None:
        return fn.load(base, start, type_, lanes.width)
    fill = fn.splat(fn.load(base, start, type_), lanes.width, type_)
    return masked_load(fn, fn.pointer(base, start, type_), lanes.mask, fill, lanes.width, type_)


def masked_load(
    fn: Function, pointer: str, mask: str, fill: str, width: int, type_: str = "double"
) -> str:
    """Consecutive elements where the mask holds, `fill` elsewhere."""
    kind, size = vector(type_, width), {"double": 8, "i32": 4}[type_]
    return fn.intrinsic(
        f"llvm.masked.load.v{width}{_SHORT[type_]}.p0",
        kind,
        f"ptr {pointer}",
        f"i32 {size}",
        f"{vector('i1', width)} {mask}",
        f"{kind} {fill}",
    )


_SHORT = {"double": "f64", "i32": "i32"}


def gather(fn: Function, base: str, places: str, width: int, type_: str = "double") -> str:
    """Elements at any places."""
    pointers = fn.emit(f"getelementptr {type_}, ptr {base}, {vector('i64', width)} {places}")
    kind, short = vector(type_, width), f"v{width}{_SHORT[type_]}"
    size = {"double": 8, "i32": 4}[type_]
    return fn.intrinsic(
        f"llvm.masked.gather.{short}.v{width}p0",
        kind,
        f"<{width} x ptr> {pointers}",
        f"i32 {size}",
        f"{vector('i1', width)} splat (i1 true)",
        f"{kind} poison",
    )


def store(fn: Function, value: str, base: str, index: Index, lanes: Lanes) -> None:
    """Write the lanes that count."""
    width = lanes.width
    if width == 1 or (index.consecutive and lanes.mask is None):
        fn.store(value, base, first_place(fn, index, lanes.first), "double", width)
        return
    kind, mask = vector("double", width), lanes.mask or "splat (i1 true)"
    bits = f"{vector('i1', width)} {mask}"
    if index.consecutive:
        pointer = fn.pointer(base, first_place(fn, index, lanes.first))
        name = f"llvm.masked.store.v{width}f64.p0"
        fn.module.declare(name, f"void @{name}({kind}, ptr, i32, {vector('i1', width)})")
        fn.do(f"call void @{name}({kind} {value}, ptr {pointer}, i32 8, {bits})")
        return
    places = place(fn, index, lanes)
    pointers = fn.emit(f"getelementptr double, ptr {base}, {vector('i64', width)} {places}")
    name = f"llvm.masked.scatter.v{width}f64.v{width}p0"
    pointer_kind = f"<{width} x ptr>"
    fn.module.declare(name, f"void @{name}({kind}, {pointer_kind}, i32, {vector('i1', width)})")
    fn.do(f"call void @{name}({kind} {value}, {pointer_kind} {pointers}, i32 8, {bits})")


def add(fn: Function, value: str, base: str, index: Index, lanes: Lanes) -> None:
    """Add to the elements of the lanes that count; lanes may share elements."""
    width = lanes.width
    if width > 1 and index.consecutive:
        old = load(fn, base, index, lanes)
        store(fn, fn.emit(f"fadd {vector('double', width)} {old}, {value}"), base, index, lanes)
        return
    if width == 1:
        _add_one(fn, value, base, first_place(fn, index, lanes.first))
        return
    kind = vector("double", width)
    if lanes.mask is not None:
        bits = vector("i1", width)
        value = fn.emit(f"select {bits} {lanes.mask}, {kind} {value}, {kind} zeroinitializer")
    places = place(fn, index, lanes)
    for lane in range(width):
        where = fn.emit(f"extractelement {vector('i64', width)} {places}, i64 {lane}")
        _add_one(fn, fn.emit(f"extractelement {kind} {value}, i64 {lane}"), base, where)


def _add_one(fn: Function, value: str, base: str, where: str) -> None:
    pointer = fn.pointer(base, where)
    old = fn.emit(f"load double, ptr {pointer}, align 8")
    new = fn.emit(f"fadd double {old}, {value}")
    fn.do(f"store double {new}, ptr {pointer}, align 8")
