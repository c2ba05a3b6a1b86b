"""A loop over rows around the instructions of a tape: vectors, then a masked one for the rest."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal

from lfppl.backends.llvm import access, operations
from lfppl.backends.llvm.access import Index, Lanes
from lfppl.backends.llvm.stages import CHEAP, Stage
from lfppl.backends.llvm.tape import Tape, Value
from lfppl.backends.llvm.text import Carried, Function, constant, number, vector

LIGHT = 64
"""Up to this many more instructions, the rows after whole vectors are done in shorter ones."""

PLAIN = CHEAP | {"leaf", "const", "total", "pick", "floor", "sqrt", "/", "signed", "usually"}
"""Operations that are one instruction, or few."""


@dataclass(frozen=True)
class Access:
    """An element of an array for each row: a pointer and an index."""

    base: str
    index: Index


@dataclass(frozen=True)
class Effect:
    """A value written, or added, to memory: per row, or once where all rows share a place."""

    kind: Literal["store", "add"]
    value: Value
    access: Access


@dataclass
class RowProgram:
    """What is done for each of some rows, and the numbers that come out at the end.

    `loads` says where leaves come from; a leaf that is missing there is given by `scalars`. `exact`
    are values that other programs may compare with something; `poisoned` are sums that any
    NaN among unusual values makes NaN.
    """

    tape: Tape
    loads: dict[Hashable, Access] = field(default_factory=dict)
    scalars: dict[Hashable, str] = field(default_factory=dict)
    effects: list[Effect] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)
    exact: list[Value] = field(default_factory=list)
    poisoned: list[Value] = field(default_factory=list)

    def leaf(self, key: Hashable, where: Access) -> Value:
        """A value that is loaded for each row, or once where all rows share it."""
        self.loads[key] = where
        return self.tape.leaf(key, Stage.BEFORE if where.index.uniform else Stage.ROW)


class _Emitter:
    """Writes one row program into a function."""

    def __init__(self, fn: Function, program: RowProgram, width: int) -> None:
        self.fn, self.program, self.tape, self.width = fn, program, program.tape, width
        roots = [effect.value for effect in program.effects] + program.results
        self.exact = self.tape.exactly(self.tape.needed(roots), program.exact)
        self.needed = self.tape.needed(roots, self.exact)
        self.usual = self._usual(roots)
        self.totals = [i for i in self.needed if self.tape.operations[i] == "total"]
        self.poisoned = {self._expanded(value.index) for value in program.poisoned}
        self.sums: list[str] = []
        self.scalars: dict[int, str] = {}
        self.splats: dict[tuple[int, int], str] = {}
        self.parts: dict[int, list[str]] = {}
        self.one_row: dict[int, str] = {}

    def _usual(self, roots: list[Value]) -> set[int]:
        """The registers that are needed even where all is as usual."""
        seen: set[int] = set()
        stack = [root.index for root in roots]
        while stack:
            index = self._expanded(stack.pop())
            if index not in seen:
                seen.add(index)
                arguments = self.tape.arguments[index]
                rare = self._per_row(index) and self.tape.operations[index] == "usually"
                stack.extend(arguments[:2] if rare else arguments)
        return seen

    def run(self, start: str, stop: str) -> list[str]:
        """The whole loop; returns the results."""
        self._before(start, stop)
        return self._finished(self._rows(start, stop))

    def run_one(self, row: str) -> list[str]:
        """The same for a single row."""
        self._before("0", "1")
        sums = self._body(Lanes(row, 1), [constant(0.0, 1) for _ in self.totals])
        return self._finished(sums, self.one_row)

    def _finished(self, sums: list[str], row: dict[int, str] | None = None) -> list[str]:
        for place, (index, total) in enumerate(zip(self.totals, sums, strict=True)):
            parts = {size: totals[place] for size, totals in self.parts.items()}
            self.scalars[index] = self.fn.horizontal("fadd", total, self.width, parts)
        for index in self.needed:
            if self.tape.stages[index] == Stage.AFTER and index not in self.scalars:
                self.scalars[index] = self._instruction(index, {}, 1)
        self._effects_once(row or {})
        return [self._number(value.index, row or {}, 1) for value in self.program.results]

    def _before(self, start: str, stop: str) -> None:
        for index in self.needed:
            if self.tape.stages[index] == Stage.BEFORE and index not in self.scalars:
                self.scalars[index] = self._scalar(index, start, stop)
        self._splat_all(self.width)

    def _splat_all(self, width: int) -> None:
        if width > 1:
            for index in self._used_per_row():
                type_ = "i1" if self._is_truth(index) else "double"
                self.splats[width, index] = self.fn.splat(self.scalars[index], width, type_)

    def _used_per_row(self) -> list[int]:
        rows = [i for i in self.needed if self._per_row(i) or i in self.totals]
        used = {self._expanded(a) for i in rows for a in self.tape.arguments[i]}
        used |= {
            self._expanded(e.value.index)
            for e in self.program.effects
            if not e.access.index.uniform
        }
        return sorted(i for i in used if self.tape.stages[i] == Stage.BEFORE)

    def _expanded(self, index: int) -> int:
        return self.tape.expanded(index, self.exact)

    def _per_row(self, index: int) -> bool:
        return self.tape.stages[index] == Stage.ROW

    def _scalar(self, index: int, start: str, stop: str) -> str:
        key = self.tape.payloads[index]
        if self.tape.operations[index] != "leaf":
            return self._instruction(index, {}, 1)
        if key == "count":
            if not start.startswith("%") and not stop.startswith("%"):
                return number(float(int(stop) - int(start)))
            return self.fn.emit(f"sitofp i64 {self.fn.integer('sub', stop, start)} to double")
        if key in self.program.scalars:
            return self.program.scalars[key]
        where = self.program.loads[key]
        return self.fn.load(where.base, str(where.index.start))

    def _rows(self, start: str, stop: str) -> list[str]:
        kind = vector("double", self.width)
        carried = [Carried(kind, constant(0.0, self.width)) for _ in self.totals]
        if not carried and not any(not e.access.index.uniform for e in self.program.effects):
            return []
        if self.width == 1:
            return self._scalar_rows(start, stop, carried)
        fn, width = self.fn, self.width
        count = fn.integer("sub", stop, start)
        whole = fn.integer("add", start, fn.integer("and", count, str(-width)))
        sums = self._whole_vectors(start, whole, carried)
        return self._rest(whole, stop, [Carried(kind, total) for total in sums])

    def _scalar_rows(self, start: str, stop: str, carried: list[Carried]) -> list[str]:
        if not stop.startswith("%") and not start.startswith("%") and int(stop) - int(start) == 1:
            return self._body(Lanes(start, 1), [c.initial for c in carried])
        return self.fn.loop(start, stop, 1, carried, lambda r, sums: self._body(Lanes(r, 1), sums))

    def _whole_vectors(self, start: str, whole: str, carried: list[Carried]) -> list[str]:
        if start == whole:
            return [c.initial for c in carried]
        if not whole.startswith("%") and int(whole) - int(start) == self.width:
            return self._body(Lanes(start, self.width), [c.initial for c in carried])
        return self.fn.loop(
            start,
            whole,
            self.width,
            carried,
            lambda r, sums: self._body(Lanes(r, self.width), sums),
        )

    def _rest(self, whole: str, stop: str, carried: list[Carried]) -> list[str]:
        fn, width = self.fn, self.width
        if whole == stop:
            return [c.initial for c in carried]

        def body() -> list[str]:
            kind = vector("i64", width)
            left = fn.splat(fn.integer("sub", stop, whole), width, "i64")
            steps = "<" + ", ".join(f"i64 {i}" for i in range(width)) + ">"
            mask = fn.emit(f"icmp slt {kind} {steps}, {left}")
            return self._body(Lanes(whole, width, mask, stop), [c.initial for c in carried])

        if not stop.startswith("%") and not whole.startswith("%"):
            pieces = access.powers(int(stop) - int(whole))
            if self._is_light(len(pieces)):
                self._pieces(int(whole), pieces)
                return [c.initial for c in carried]
            return body()
        return fn.when(fn.emit(f"icmp slt i64 {whole}, {stop}"), carried, body)

    def _is_light(self, times: int) -> bool:
        """Whether repeating the code of a row for shorter vectors is cheaper than a mask."""
        mine = [self.tape.operations[i] for i in self.needed if self._per_row(i)]
        return len(mine) * times <= LIGHT and all(o in PLAIN for o in mine)

    def _pieces(self, start: int, pieces: list[tuple[int, int]]) -> None:
        for first, size in pieces:
            self._splat_all(size)
            zeros = [constant(0.0, size) for _ in self.totals]
            self.parts[size] = self._body(Lanes(str(start + first), size), zeros)

    def _body(self, lanes: Lanes, sums: list[str]) -> list[str]:
        known = self.one_row = {}
        self.sums = list(sums)
        for index in self.needed:
            if self._per_row(index) and index in self.usual:
                known[index] = self._row_value(index, known, lanes)
        for effect in self.program.effects:
            if not effect.access.index.uniform:
                value = self._number(effect.value.index, known, lanes.width)
                write = access.store if effect.kind == "store" else access.add
                write(self.fn, value, effect.access.base, effect.access.index, lanes)
        pairs = zip(self.totals, self.sums, strict=True)
        return [self._added(index, total, known, lanes) for index, total in pairs]

    def _row_value(self, index: int, known: dict[int, str], lanes: Lanes) -> str:
        if self.tape.operations[index] == "usually":
            return self._usually(index, known, lanes)
        if self.tape.operations[index] != "leaf":
            return self._instruction(index, known, lanes.width)
        where = self.program.loads[self.tape.payloads[index]]
        return access.load(self.fn, where.base, where.index, lanes)

    def _usually(self, index: int, known: dict[int, str], lanes: Lanes) -> str:
        """The plain value; what it would be else is computed only where some row asks for it."""
        fn, width, (test, plain, careful) = self.fn, lanes.width, self.tape.arguments[index]
        kind, bits = vector("double", width), vector("i1", width)
        usual, value = (self._name(a, known, width) for a in (test, plain))
        rare = fn.opposite(usual) if width == 1 else self._some_not(usual, width)

        def repaired() -> list[str]:
            inside = dict(known)
            for k in self.tape.needed([Value(self.tape, careful)], self.exact):
                if self._per_row(k) and k not in inside:
                    inside[k] = self._row_value(k, inside, lanes)
            other = self._name(careful, inside, width)
            chosen = fn.emit(f"select {bits} {usual}, {kind} {value}, {kind} {other}")
            nan = fn.emit(f"fcmp uno {kind} {chosen}, {chosen}")
            lost = fn.emit(f"select {bits} {nan}, {kind} {chosen}, {kind} {constant(0.0, width)}")
            sums = [fn.emit(f"fadd {kind} {self.sums[i]}, {lost}") for i in poisoned]
            return [chosen, *sums]

        poisoned = [i for i, t in enumerate(self.totals) if t in self.poisoned]
        carried = [Carried(kind, value), *(Carried(kind, self.sums[i]) for i in poisoned)]
        result, *sums = fn.when(rare, carried, repaired)
        for i, total in zip(poisoned, sums, strict=True):
            self.sums[i] = total
        return result

    def _some_not(self, truths: str, width: int) -> str:
        bits = self.fn.emit(f"bitcast {vector('i1', width)} {truths} to i{width}")
        return self.fn.emit(f"icmp ne i{width} {bits}, -1")

    def _added(self, index: int, total: str, known: dict[int, str], lanes: Lanes) -> str:
        kind, bits = vector("double", lanes.width), vector("i1", lanes.width)
        test, value = self._added_where(self._expanded(self.tape.arguments[index][0]), known, lanes)
        new = self.fn.emit(f"fadd contract {kind} {total}, {value}")
        for mask in (test, lanes.mask):
            if mask is not None:
                new = self.fn.emit(f"select {bits} {mask}, {kind} {new}, {kind} {total}")
        return new

    def _added_where(
        self, index: int, known: dict[int, str], lanes: Lanes
    ) -> tuple[str | None, str]:
        """What a sum grows by, and where: 1 for a truth, or what is chosen against 0."""
        width, arguments = lanes.width, self.tape.arguments[index]
        if self._is_truth(index):
            return self._name(index, known, width), constant(1.0, width)
        if self.tape.operations[index] == "select":
            test, then, other = (Value(self.tape, a) for a in arguments)
            if other.known == 0.0 and test.index in known and self._is_truth(test.index):
                return known[test.index], self._number(then.index, known, width)
        return None, self._number(index, known, width)

    def _effects_once(self, row: dict[int, str]) -> None:
        for effect in self.program.effects:
            if effect.access.index.uniform:
                value = self._number(effect.value.index, row, 1)
                write = access.store if effect.kind == "store" else access.add
                write(self.fn, value, effect.access.base, effect.access.index, Lanes("0", 1))

    def _instruction(self, index: int, known: dict[int, str], width: int) -> str:
        arguments = [
            (self._name(a, known, width), self._is_truth(a)) for a in self.tape.arguments[index]
        ]
        exact = index in self.exact
        return operations.emit(self.fn, self.tape.operations[index], arguments, width, exact)

    def _number(self, index: int, known: dict[int, str], width: int) -> str:
        name = self._name(index, known, width)
        return operations.number(self.fn, name, self._is_truth(index), width)

    def _is_truth(self, index: int) -> bool:
        return operations.is_truth(self.tape.operations[self._expanded(index)])

    def _name(self, index: int, known: dict[int, str], width: int) -> str:
        index = self._expanded(index)
        if self.tape.stages[index] == Stage.CONSTANT:
            return constant(self.tape.payloads[index], width)
        if index in known:
            return known[index]
        if width > 1:
            return self.splats[width, index]
        return self.scalars[index]


def emit_row(fn: Function, program: RowProgram, row: str) -> list[str]:
    """The code of a row program for one row; returns its results."""
    emitter = _Emitter(fn, program, 1)
    return emitter.run_one(row)


def emit_rows(
    fn: Function,
    program: RowProgram,
    start: str,
    stop: str,
    width: int,
    shared: dict[int, str] | None = None,
) -> list[str]:
    """The code of a row program for rows start .. stop-1; returns its results.

    `shared` keeps what is the same in all rows, for a later program of the same tape.
    """
    emitter = _Emitter(fn, program, width)
    if shared is not None:
        emitter.scalars = shared
    return emitter.run(start, stop)
