"""One coordinate's update with all that changes in registers, written back only if it is accepted.

For cones of a few rows: single rows of Maps, sums and extremes of which one element changes,
products with a matrix, quadratic forms. No log, no undo: the next coordinate waits for few stores.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm import access, linear, reduce
from lfppl.backends.llvm.access import Index, Lanes, index_of
from lfppl.backends.llvm.fused import Corrected, Fused, fused_rows
from lfppl.backends.llvm.layout import addresses_of, output_range, outputs_of
from lfppl.backends.llvm.maps import Body, column_access, compared
from lfppl.backends.llvm.nodes import Prepared
from lfppl.backends.llvm.programs import How, Program, Update, position
from lfppl.backends.llvm.rows import RowProgram, emit_row
from lfppl.backends.llvm.singles import table_index
from lfppl.backends.llvm.squares import Square
from lfppl.backends.llvm.stages import Stage
from lfppl.backends.llvm.tape import Tape, Value
from lfppl.backends.llvm.text import Carried, Function, number, vector
from lfppl.backends.llvm.updates import add_column, changes, joined
from lfppl.lir.tables import Affine, Column, Gather, Linear, Map, Reduce, Table, Uniform

Addresses = NDArray[np.int64]

CANCELLED = 2.0**10
"""A sum that shrinks by more than this is computed again: what is left would be rounding."""


@dataclass(frozen=True)
class Changed:
    """A number that changes: its address for each member of the shape, old and new value."""

    addresses: Addresses
    old: str
    new: str


class Local:
    """The cone of the member `place` of a shape, for a new value of its coordinate."""

    def __init__(
        self, fn: Function, ready: Prepared, program: Program, place: str, old: str, new: str
    ) -> None:
        self.fn, self.ready, self.program, self.place = fn, ready, program, place
        members = program.shape.members.astype(np.int64)
        self.changed = [Changed(members, old, new)]
        self.corrected: list[Corrected] = []
        self.stores: list[tuple[str, str]] = []
        self.pairs: list[tuple[str, str]] = []
        self.totals: list[str] = []
        self.fused: list[tuple[Corrected, Fused]] = []

    def write(self) -> bool:
        """Write the code of all steps; whether that can be done this way."""
        return all(self._step(update) for update in self.program.updates)

    def change(self) -> str:
        """How U changes: plain differences, with care where these tell of infinities or NaN."""
        fn = self.fn
        steps = [fn.emit(f"fsub double {old}, {new}") for new, old in self.pairs]
        plain, *others = [*steps, *self.totals] or [number(0.0)]
        for other in others:
            plain = fn.emit(f"fadd double {plain}, {other}")
        usual = fn.emit(f"fcmp ogt double {plain}, {number(-np.inf)}")
        initial = [Carried("double", plain)]
        return fn.when(fn.opposite(usual), initial, lambda: [self._careful_change()])[0]

    def _careful_change(self) -> str:
        program = RowProgram(Tape())
        pairs = []
        for names in self.pairs:
            keys = [(len(program.scalars) + i, name) for i, name in enumerate(names)]
            program.scalars.update({key: key[1] for key in keys})
            new, old = (program.tape.leaf(key, Stage.BEFORE) for key in keys)
            pairs.append((new, old))
        program.results = [changes(program.tape, pairs)]
        total = emit_row(self.fn, program, "0")[0]
        for other in self.totals:
            total = joined(self.fn, other, total)
        return total

    def commit(self) -> None:
        """Write what changed."""
        for value, where in self.stores:
            self.fn.store(value, "%a0", where)
        for _, rows in self.fused:
            rows.commit(self.fn)
        done = [found for found, _ in self.fused]
        for found in self.corrected:
            if found not in done:
                add_column(self.fn, found.dense, found.column, found.delta, keep=False)

    # --- steps

    def _step(self, update: Update) -> bool:
        node, rows = self.ready.model.nodes[update.node], self._rows(update)
        if isinstance(node, Linear) and update.how == How.COLUMN:
            return self._column(update, node)
        if rows is None:
            return isinstance(node, Map) and self._all_rows(update, node)
        if isinstance(node, Linear):
            return self._product(node, rows)
        if isinstance(node, Square):
            return update.how == How.SQUARE and self._square(update, node)
        if isinstance(node, Reduce):
            return self._reduce(update, node, rows)
        return self._map(self.ready.bodies[update.node], rows)

    def _rows(self, update: Update) -> Addresses | None:
        """The row of each member, where it is one."""
        if update.count != 1:
            return None
        if update.rows is not None:
            return update.rows[:, 0].astype(np.int64)
        return np.full(len(self.changed[0].addresses), update.start, dtype=np.int64)

    def _index(self, addresses: Addresses) -> Index:
        return table_index(self.fn, addresses.astype(np.int32))

    def _where(self, addresses: Addresses) -> str:
        """The address that belongs to the member."""
        return access.first_place(self.fn, self._index(addresses), self.place)

    def _note(self, addresses: Addresses, new: str) -> str:
        """A new value, to be stored; returns the old one."""
        where = self._where(addresses)
        old = self.fn.load("%a0", where)
        self.changed.append(Changed(addresses, old, new))
        self.stores.append((new, where))
        return old

    def _untouched(self, addresses: Addresses) -> bool:
        """Whether no product with a matrix that changes stands there."""
        blocks = [output_range(c.node, 0) for c in self.corrected]
        for _, fused in self.fused:
            starts = [effect.access.index.start for effect in fused.effects]
            blocks += [slice(start, start + fused.rows) for start in starts]
        return not any(bool(((addresses >= b.start) & (addresses < b.stop)).any()) for b in blocks)

    # --- Map

    def _map(self, body: Body, rows: Addresses) -> bool:
        node, program = body.node, RowProgram(Tape())
        sources = {
            k: self._source(addresses_of(column, node.rows)[rows])
            for k, column in enumerate(body.columns)
            if not isinstance(column, Table | Uniform)
        }
        if None in sources.values():
            return False
        index = self._index(rows)

        def load(k: int, column: Column) -> Value:
            source = sources.get(k, -1)
            if source is None or source < 0:
                return program.leaf(("column", k), column_access(self.fn, column, index))
            program.scalars["changed", source] = self.changed[source].new
            return program.tape.leaf(("changed", source), Stage.BEFORE)

        outputs = body.replay(program.tape, load)
        program.exact, program.results = compared(body, outputs), outputs
        for k, new in enumerate(emit_row(self.fn, program, self.place)):
            old = self._note(output_range(node, k).start + rows, new)
            if k in body.factors:
                self.pairs.append((new, old))
        return True

    def _source(self, addresses: Addresses) -> int | None:
        """Which changed number a column reads: -1 for none, None where members differ."""
        for k, changed in enumerate(self.changed):
            same = addresses == changed.addresses
            if same.any():
                return k if same.all() else None
        return -1 if self._untouched(addresses) else None

    def _all_rows(self, update: Update, node: Map) -> bool:
        """Terms of all rows of a product: it and they are computed once more when accepted."""
        body = self.ready.bodies[update.node]
        found = [c for c in self.corrected if Affine(c.node.base, 1) in body.columns]
        whole = update.rows is None and (update.start, update.stop) == (0, node.rows)
        terms = set(body.factors) == set(range(outputs_of(node)))
        if len(found) != 1 or self.fused or not whole or not terms:
            return False
        (product,) = found
        others = [
            addresses_of(c, node.rows)
            for c in body.columns
            if not isinstance(c, Table | Uniform) and c != Affine(product.node.base, 1)
        ]
        if product.node.rows != node.rows or any(map(self._is_changed, others)):
            return False
        fused = fused_rows(self.fn, body, product)
        self.totals.append(fused.decide(self.fn))
        self.fused.append((product, fused))
        return True

    def _is_changed(self, addresses: Addresses) -> bool:
        """Whether a member may change what stands there."""
        touched = any(bool(np.isin(addresses, c.addresses).any()) for c in self.changed)
        return touched or not self._untouched(addresses)

    # --- Reduce

    def _reduce(self, update: Update, node: Reduce, rows: Addresses) -> bool:
        if node.kind == "logsumexp" or update.how == How.TREE:
            return False
        found = self._element(
            node.inputs, int(node.offsets[-1]), node.offsets[rows], node.offsets[rows + 1]
        )
        if found is None:
            return False
        changed, positions = found
        total = self.fn.load("%a0", self._where(node.base + rows))
        write = self._sum if node.kind == "sum" else self._extreme
        self._note(node.base + rows, write(node, rows, changed, self._where(positions), total))
        return True

    def _element(
        self, inputs: Gather, count: int, low: Addresses | int, high: Addresses | int
    ) -> tuple[Changed, Addresses] | None:
        """The one changed element of the inputs low .. high-1, and its position."""
        addresses = addresses_of(inputs, count)
        order = np.argsort(addresses, kind="stable")
        ordered = addresses[order]
        if np.any(ordered[1:] == ordered[:-1]) or not self._untouched(addresses):
            return None
        found = []
        for changed in self.changed:
            positions = position(ordered, order, changed.addresses)
            within = (positions >= low) & (positions < high)
            if within.any():
                found.append((changed, positions, bool(within.all())))
        if len(found) != 1 or not found[0][2]:
            return None
        return found[0][:2]

    def _sum(self, node: Reduce, rows: Addresses, changed: Changed, at: str, total: str) -> str:
        """The sum corrected, or computed again where little or nothing finite is left of it."""
        fn = self.fn
        step = fn.emit(f"fsub double {changed.new}, {changed.old}")
        new = fn.emit(f"fadd double {total}, {step}")
        before, after = (
            fn.intrinsic("llvm.fabs.f64", "double", f"double {v}") for v in (total, new)
        )
        finite = fn.emit(f"fcmp olt double {after}, {number(np.inf)}")
        bound = fn.emit(f"fmul double {after}, {number(CANCELLED)}")
        large = fn.emit(f"fcmp ole double {before}, {bound}")
        fine = fn.emit(f"and i1 {finite}, {large}")
        again = [Carried("double", new)]
        return fn.when(fn.opposite(fine), again, lambda: [self._fold(node, rows, changed, at)])[0]

    def _extreme(self, node: Reduce, rows: Addresses, changed: Changed, at: str, total: str) -> str:
        """The extreme, looked for again only where it was the element that changed."""
        fn, test = self.fn, "oge" if node.kind == "max" else "ole"
        beyond = fn.emit(f"fcmp {test} double {changed.new}, {total}")
        known = fn.emit(f"select i1 {beyond}, double {changed.new}, double {total}")
        was_it = fn.emit(f"fcmp ueq double {changed.old}, {total}")
        lost = fn.emit(f"and i1 {was_it}, {fn.opposite(beyond)}")
        again = [Carried("double", known)]
        return fn.when(lost, again, lambda: [self._fold(node, rows, changed, at)])[0]

    def _fold(self, node: Reduce, rows: Addresses, changed: Changed, at: str) -> str:
        """The reduction with the new value in its place."""
        fn, width = self.fn, reduce.lanes_for(self.fn, node)

        def term(value: str, lanes: Lanes) -> str:
            kind, whole, bits = (vector(t, lanes.width) for t in ("double", "i64", "i1"))
            element, new = fn.splat(at, lanes.width, "i64"), fn.splat(changed.new, lanes.width)
            here = fn.emit(f"icmp eq {whole} {lanes.rows(fn)}, {element}")
            return fn.emit(f"select {bits} {here}, {kind} {new}, {kind} {value}")

        low, high = reduce.segment(fn, node, self._where(rows))
        operation, source = reduce.FOLDS[node.kind], index_of(fn, node.inputs)
        left = reduce.left_over(node, width)
        return reduce.fold(fn, operation, source, low, high, width, term, left)

    # --- Linear and Square

    def _column(self, update: Update, node: Linear) -> bool:
        columns = int(node.weights.shape[1])
        found = self._element(node.inputs, columns, 0, columns)
        if found is None:
            return False
        changed, positions = found
        dense = self.ready.panels[update.node]
        self.corrected.append(Corrected(node, dense, self._where(positions), self._growth(changed)))
        return True

    def _growth(self, changed: Changed) -> str:
        return self.fn.emit(f"fsub double {changed.new}, {changed.old}")

    def _product(self, node: Linear, rows: Addresses) -> bool:
        """A single weighted sum."""
        columns = int(node.weights.shape[1])
        found = self._element(node.inputs, columns, 0, columns)
        if found is None or not isinstance(node.weights, np.ndarray):
            return False
        changed, positions = found
        weights = np.ascontiguousarray(node.weights[rows, positions], dtype=np.float64)
        weight = self.fn.load(self.fn.module.table(weights), self.place)
        old = self.fn.load("%a0", self._where(node.base + rows))
        new = linear.multiply_add(self.fn, weight, self._growth(changed), old, 1)
        self._note(node.base + rows, new)
        return True

    def _square(self, update: Update, node: Square) -> bool:
        """The form changes by d (old y + new y) where one x changes by d."""
        fn, found = self.fn, self._element(node.inputs, int(node.offsets[-1]), 0, node.offsets[-1])
        if found is None:
            return False
        x, positions = found
        y = self._factor_of(node, positions)
        if y is None:
            return False
        both = fn.emit(f"fadd double {y.old}, {y.new}")
        total = fn.load("%a0", str(node.base))
        form = linear.multiply_add(fn, self._growth(x), both, total, 1)
        self._note(np.full(len(positions), node.base, dtype=np.int64), form)
        return True

    def _factor_of(self, node: Square, positions: Addresses) -> Changed | None:
        """The other factor of the product that changes."""
        fn, addresses = self.fn, node.product + positions
        for changed in self.changed:
            if np.array_equal(changed.addresses, addresses):
                return changed
        for product in self.corrected:
            if product.node is self.ready.model.nodes[node.linear]:
                table = linear.columns_of(product.dense)
                diagonal = fn.integer("mul", product.column, str(table.shape[1] + 1))
                weight = fn.load(fn.module.table(table), diagonal)
                old = fn.load("%a0", fn.integer("add", product.column, str(node.product)))
                new = linear.multiply_add(fn, weight, product.delta, old, 1)
                return Changed(addresses, old, new)
        return None
