"""A tape of scalar instructions for one row of a table: folded, shared, staged by when they run.

A value's stage tells when it can be computed: once before the rows, per row, or after the rows
(sums over them). Gradients add their instructions to the tape of the value itself.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable
from typing import Any

import numpy as np

from lfppl.backends.llvm.expansions import EXPANSIONS
from lfppl.backends.llvm.simplify import RULES
from lfppl.backends.llvm.stages import Stage
from lfppl.core.primitives import PRIMITIVES, STRUCTURAL, Math
from lfppl.errors import CompilerBug

# `below` compares what is decided here, not in the model: rounding may differ. `signed`
# is a with its sign turned where b has one; `usually` is `select` with a third argument that is
# computed only when some row needs it.
_INTERNAL: dict[str, Callable[..., Any]] = {
    **STRUCTURAL,
    "abs": np.abs,
    "same": lambda a, b: np.where(np.equal(a, b), 1.0, 0.0),
    "below": STRUCTURAL["less"],
    "signed": lambda a, b: a * np.copysign(1.0, b),
    "usually": STRUCTURAL["select"],
}


class Value:
    """A register of a tape, with the ordinary operators."""

    __slots__ = ("index", "tape")

    def __init__(self, tape: Tape, index: int) -> None:
        self.tape = tape
        self.index = index

    @property
    def stage(self) -> Stage:
        """When the value can be computed."""
        return self.tape.stages[self.index]

    @property
    def operation(self) -> str:
        """The operation the value is the result of."""
        return self.tape.operations[self.index]

    @property
    def known(self) -> float | None:
        """The number, where it is a constant."""
        return float(self.tape.payloads[self.index]) if self.stage == Stage.CONSTANT else None

    @property
    def arguments(self) -> tuple[Value, ...]:
        """What the operation is applied to."""
        return tuple(Value(self.tape, i) for i in self.tape.arguments[self.index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and other.index == self.index and other.tape is self.tape

    def __hash__(self) -> int:
        return hash(self.index)

    def __add__(self, other: Any) -> Value:
        return self.tape.apply("+", self, other)

    def __radd__(self, other: Any) -> Value:
        return self.tape.apply("+", other, self)

    def __sub__(self, other: Any) -> Value:
        return self.tape.apply("-", self, other)

    def __rsub__(self, other: Any) -> Value:
        return self.tape.apply("-", other, self)

    def __mul__(self, other: Any) -> Value:
        return self.tape.apply("*", self, other)

    def __rmul__(self, other: Any) -> Value:
        return self.tape.apply("*", other, self)

    def __truediv__(self, other: Any) -> Value:
        return self.tape.apply("/", self, other)

    def __rtruediv__(self, other: Any) -> Value:
        return self.tape.apply("/", other, self)

    def __neg__(self) -> Value:
        return self.tape.apply("neg", self)


class Tape(Math[Value]):
    """The instructions of a row.

    >>> tape = Tape()
    >>> x = tape.leaf("x", Stage.ROW)
    >>> (x * 1.0) is not None and (x * 1.0) == x
    True
    >>> (tape.exp(x) + 2.0) == (tape.exp(x) + 2.0)
    True
    """

    def __init__(self) -> None:
        self.operations: list[str] = []
        self.arguments: list[tuple[int, ...]] = []
        self.payloads: list[Any] = []
        self.stages: list[Stage] = []
        self.expansions: dict[int, int] = {}
        self._known: dict[Hashable, int] = {}

    def value(self, x: Any) -> Value:
        """A number or register as a register."""
        return x if isinstance(x, Value) else self.number(float(x))

    def number(self, x: float) -> Value:
        """A constant."""
        key = ("const", np.float64(x).tobytes())
        return self._add("const", (), x, Stage.CONSTANT, key)

    def leaf(self, key: Hashable, stage: Stage) -> Value:
        """A value that is loaded from somewhere."""
        return self._add("leaf", (), key, stage, ("leaf", key))

    def find_leaf(self, key: Hashable) -> Value | None:
        """A leaf that was made before."""
        index = self._known.get(("leaf", key))
        return None if index is None else Value(self, index)

    def apply(self, name: str, *arguments: Any) -> Value:
        """An instruction, unless its value is already known."""
        values = [self.value(a) for a in arguments]
        if all(v.stage == Stage.CONSTANT for v in values):
            return self._folded(name, values)
        rule = RULES.get(name)
        simple: Value | None = rule(self, *values) if rule else None
        if simple is not None:
            return simple
        stage = max(v.stage for v in values)
        indices = tuple(v.index for v in values)
        result = self._add(name, indices, None, stage, (name, indices))
        if name in EXPANSIONS and result.index not in self.expansions:
            expansion = EXPANSIONS[name](self, *values)
            if expansion is not None:
                self.expansions[result.index] = expansion.index
        return result

    def expanded(self, index: int, exact: Container[int] = ()) -> int:
        """The register to compute for one: another one where the operation is made of simpler ones.

        Derivatives are taken of the operation, code is made of the expansion. A quotient that must
        be exact is not made of a product.
        """
        if self.operations[index] == "/" and index in exact:
            return index
        return self.expansions.get(index, index)

    def exactly(self, needed: Iterable[int], wanted: Iterable[Value]) -> set[int]:
        """The registers whose rounding can decide a comparison: no shortcuts in these.

        `wanted` are values that others may compare.
        """
        roots = list(wanted)
        for index in needed:
            arguments = self.arguments[index]
            if self.operations[index] in ("less", "floor"):
                roots += [Value(self, a) for a in arguments]
            elif self.operations[index] == "pick":
                roots.append(Value(self, arguments[0]))
        return set(self.needed(roots, {*range(len(self.operations))}))

    def total(self, x: Value) -> Value:
        """The sum of a value over all rows."""
        if x.stage <= Stage.BEFORE:
            return x * self.leaf("count", Stage.BEFORE)
        if (parts := self._split_total(x)) is not None:
            return parts
        return self._add("total", (x.index,), None, Stage.AFTER, ("total", x.index))

    def _split_total(self, x: Value) -> Value | None:
        """What is the same in all rows, taken out of the sum."""
        shared = [a.stage <= Stage.BEFORE for a in x.arguments]
        if x.operation == "neg":
            return -self.total(x.arguments[0])
        if x.operation == "*" and any(shared):
            rows, factor = x.arguments if shared[1] else x.arguments[::-1]
            return factor * self.total(rows)
        if x.operation in "+-" and any(shared):
            return self.apply(x.operation, *map(self.total, x.arguments))
        if x.operation == "select" and shared[0]:
            return self.select(x.arguments[0], *map(self.total, x.arguments[1:]))
        return None

    def chosen(self, index: Value, position: int, count: int) -> Value:
        """Whether `pick` with that index takes the item at `position` of `count`."""
        above = None if position == 0 else self.negation(self.less(index, float(position)))
        below = None if position == count - 1 else self.less(index, float(position + 1))
        if above is None or below is None:
            return above or below or self.number(1.0)
        return self.both(above, below)

    def needed(self, roots: Iterable[Value], exact: Container[int] = ()) -> list[int]:
        """All registers that the roots are made from, in order."""
        seen: set[int] = set()
        stack = [root.index for root in roots]
        while stack:
            index = self.expanded(stack.pop(), exact)
            if index not in seen:
                seen.add(index)
                stack.extend(self.arguments[index])
        return sorted(seen)

    def _folded(self, name: str, values: list[Value]) -> Value:
        numbers = [float(v.known) for v in values]  # type: ignore[arg-type]
        with np.errstate(all="ignore"):
            return self.number(float(evaluate_operation(name, *map(np.float64, numbers))))

    def _add(
        self, name: str, arguments: tuple[int, ...], payload: Any, stage: Stage, key: Hashable
    ) -> Value:
        index = self._known.get(key)
        if index is None:
            index = len(self.operations)
            self._known[key] = index
            self.operations.append(name)
            self.arguments.append(arguments)
            self.payloads.append(payload)
            self.stages.append(stage)
        return Value(self, index)


def evaluate_operation(name: str, *arguments: Any) -> Any:
    """The value of an instruction on NumPy numbers or arrays."""
    if name in _INTERNAL:
        return _INTERNAL[name](*arguments)
    if name in PRIMITIVES:
        return PRIMITIVES[name].evaluate(*arguments)
    raise CompilerBug(f"no operation `{name}`")
