"""LLVM text: a builder of functions with loops and branches, so that the rest writes no labels."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.backends.llvm import functions


class Carried(NamedTuple):
    """A value that a loop hands from one turn to the next."""

    type: str
    initial: str


Names = list[str]


@lru_cache(maxsize=4096)
def number(value: float) -> str:
    """A double as LLVM writes it, exactly.

    >>> number(1.0)
    '0x3FF0000000000000'
    """
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def vector(element: str, width: int) -> str:
    """The type of `width` elements.

    >>> vector("double", 8), vector("double", 1)
    ('<8 x double>', 'double')
    """
    return element if width == 1 else f"<{width} x {element}>"


def constant(value: float, width: int) -> str:
    """The same double in all lanes."""
    return number(value) if width == 1 else f"splat (double {number(value)})"


class Module:
    """The functions of a model, what they call, and the tables they read."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.symbols: dict[str, int] = {}
        self.defined: set[str] = set()
        self.keep_alive: list[NDArray[np.generic]] = []
        self._declarations: dict[str, str] = {}
        self._functions: list[str] = []
        self._addresses: dict[int, int] = {}
        self.converted: dict[tuple[int, str], NDArray[np.generic]] = {}

    def function(
        self, name: str, result: str, parameters: Sequence[str], public: bool = False
    ) -> Function:
        """A new function with parameters `%a0`, `%a1`, ... of the given types."""
        return Function(self, name, result, parameters, public)

    def table(self, values: NDArray[np.generic]) -> str:
        """A pointer to an array that lives outside the workspace."""
        return f"inttoptr (i64 {self.address(values)} to ptr)"

    def address(self, values: NDArray[np.generic]) -> int:
        """Where an array stands that lives as long as the module."""
        known = self._addresses.get(id(values))
        if known is None:
            kept = np.ascontiguousarray(values)
            self.keep_alive += [values, kept]
            known = self._addresses[id(values)] = kept.ctypes.data
        return known

    def declare(self, name: str, signature: str) -> str:
        """Note that a function is called that is not defined here."""
        self._declarations.setdefault(name, signature)
        return name

    def native(self, operation: str, width: int) -> functions.Function:
        """A special function, declared."""
        found = functions.lookup(operation, width)
        if found.further:
            self._wrap(found)
            return found
        self.symbols[found.symbol] = found.address
        kind = vector("double", found.width)
        arguments = ", ".join([kind] * found.arity)
        self.declare(
            found.symbol, f"{kind} @{found.symbol}({arguments}) nounwind willreturn memory(none)"
        )
        return found

    def _wrap(self, found: functions.Function) -> None:
        """Define a function of numbers alone for one that takes a further argument."""
        raw = f"{found.symbol}_raw"
        if raw in self.symbols:
            return
        self.symbols[raw] = found.address
        further = found.further.split()[0]
        effects = "nounwind willreturn memory(argmem: write)"
        self.declare(raw, f"double @{raw}(double, {further}) {effects}")
        self.add(
            f"define internal double @{found.symbol}(double %x) alwaysinline {{\n"
            "  %sign = alloca i32\n"
            f"  %y = call double @{raw}(double %x, {found.further})\n"
            "  ret double %y\n}"
        )

    def add(self, text: str) -> None:
        """Take a finished function."""
        self._functions.append(text)

    def render(self) -> str:
        """The module's text."""
        declared = [f"declare {signature}" for signature in self._declarations.values()]
        return "\n".join([*declared, *self._functions]) + "\n"


class Function:
    """A function being written: every method adds code and returns the name of its value."""

    def __init__(
        self, module: Module, name: str, result: str, parameters: Sequence[str], public: bool
    ) -> None:
        self.module = module
        self.name = name
        self.result = result
        self.parameters = tuple(parameters)
        self._public = public
        self._lines: list[str] = []
        self._entry: list[str] = []
        self._count = 0
        self._block = "entry"

    # --- single instructions

    def emit(self, code: str) -> str:
        """An instruction with a value."""
        self._count += 1
        name = f"%v{self._count}"
        self._lines.append(f"  {name} = {code}")
        return name

    def do(self, code: str) -> None:
        """An instruction without a value."""
        self._lines.append(f"  {code}")

    def call(self, name: str, result: str, *arguments: str) -> str:
        """Call a function; arguments are written with their types."""
        return self.emit(f"call {result} @{name}({', '.join(arguments)})")

    def intrinsic(self, name: str, result: str, *arguments: str) -> str:
        """Call one of LLVM's own functions."""
        types = ", ".join(
            argument.split(" ", 1)[0]
            if not argument.startswith("<")
            else argument[: argument.index(">") + 1]
            for argument in arguments
        )
        self.module.declare(name, f"{result} @{name}({types})")
        return self.call(name, result, *arguments)

    def room(self, type_: str, count: int) -> str:
        """A pointer to room on the stack."""
        self._count += 1
        name = f"%v{self._count}"
        self._entry.append(f"  {name} = alloca {type_}, i64 {count}, align 64")
        return name

    def pointer(self, base: str, index: str, type_: str = "double") -> str:
        """The address of element `index`."""
        if index == "0":
            return base
        return self.emit(f"getelementptr {type_}, ptr {base}, i64 {index}")

    def load(self, base: str, index: str, type_: str = "double", width: int = 1) -> str:
        """Consecutive elements from `index` on."""
        place = self.pointer(base, index, type_)
        return self.emit(f"load {vector(type_, width)}, ptr {place}, align {_ALIGNMENT[type_]}")

    def store(
        self, value: str, base: str, index: str, type_: str = "double", width: int = 1
    ) -> None:
        """Write consecutive elements from `index` on."""
        place = self.pointer(base, index, type_)
        self.do(f"store {vector(type_, width)} {value}, ptr {place}, align {_ALIGNMENT[type_]}")

    def integer(self, operation: str, a: str, b: str) -> str:
        """`add`, `sub`, `mul`, ... on 64-bit integers, folded where both are known."""
        if (folded := _fold(operation, a, b)) is not None:
            return folded
        return self.emit(f"{operation} i64 {a}, {b}")

    def integer_test(self, test: str, a: str, b: str) -> str:
        """`eq`, `ne`, `slt`, ... of 64-bit integers; known where both are."""
        if test == "ne" and not a.startswith("%") and not b.startswith("%"):
            return "true" if int(a) != int(b) else "false"
        return self.emit(f"icmp {test} i64 {a}, {b}")

    def opposite(self, bit: str) -> str:
        """Not."""
        if bit in ("true", "false"):
            return "false" if bit == "true" else "true"
        return self.emit(f"xor i1 {bit}, true")

    def splat(self, value: str, width: int, type_: str = "double") -> str:
        """The same scalar in all lanes."""
        if width == 1:
            return value
        if not value.startswith("%"):
            return f"splat ({type_} {value})"
        kind = vector(type_, width)
        first = self.emit(f"insertelement {kind} poison, {type_} {value}, i64 0")
        zeros = f"<{width} x i32> zeroinitializer"
        return self.emit(f"shufflevector {kind} {first}, {kind} poison, {zeros}")

    def horizontal(
        self, operation: str, value: str, width: int, parts: Mapping[int, str] | None = None
    ) -> str:
        """The reduction (`fadd`, `fmax`, `fmin`) of a vector's lanes and of narrower `parts`."""
        while width > 1:
            half = width // 2
            kind, small = vector("double", width), vector("double", half)
            low, high = (self.lanes(value, kind, half, first) for first in (0, half))
            value, width = self.combine(operation, low, high, small), half
            if parts and half in parts:
                value = self.combine(operation, value, parts[half], small)
        return value

    def lanes(self, value: str, kind: str, count: int, low: int) -> str:
        """Some consecutive lanes of a vector."""
        if count == 1:
            return self.emit(f"extractelement {kind} {value}, i64 {low}")
        mask = ", ".join(f"i32 {low + lane}" for lane in range(count))
        return self.emit(f"shufflevector {kind} {value}, {kind} poison, <{count} x i32> <{mask}>")

    def combine(self, operation: str, a: str, b: str, kind: str) -> str:
        """A + b, or the larger or smaller of the two (a where they are equal)."""
        if operation == "fadd":
            return self.emit(f"fadd {kind} {a}, {b}")
        test = "ogt" if operation == "fmax" else "olt"
        bits = kind.replace("double", "i1")
        chosen = self.emit(f"fcmp {test} {kind} {b}, {a}")
        return self.emit(f"select {bits} {chosen}, {kind} {b}, {kind} {a}")

    # --- structure

    def block(self, name: str) -> None:
        """Begin a block."""
        self._lines.append(f"{name}:")
        self._block = name

    def label(self) -> str:
        """A new name for a block."""
        self._count += 1
        return f"b{self._count}"

    def loop(
        self,
        start: str,
        stop: str,
        step: int | str,
        carried: Sequence[Carried],
        body: Callable[[str, Names], Names],
    ) -> Names:
        """`for r in range(start, stop, step): carried = body(r, carried)`; returns `carried`."""
        head, inside, after = self.label(), self.label(), self.label()
        before = self._block
        self.do(f"br label %{head}")
        self.block(head)
        counter = self.emit("")
        place = len(self._lines) - 1
        names = [self.emit("") for _ in carried]
        test = self.emit(f"icmp slt i64 {counter}, {stop}")
        self.do(f"br i1 {test}, label %{inside}, label %{after}")
        self.block(inside)
        results = body(counter, names)
        following = self.emit(f"add i64 {counter}, {step}")
        self.do(f"br label %{head}")
        phis = [("i64", start, following, counter)]
        phis += [(c.type, c.initial, r, n) for c, r, n in zip(carried, results, names, strict=True)]
        for offset, (type_, initial, new, name) in enumerate(phis):
            incoming = f"[ {initial}, %{before} ], [ {new}, %{self._block} ]"
            self._lines[place + offset] = f"  {name} = phi {type_} {incoming}"
        self.block(after)
        return names

    def when(self, test: str, carried: Sequence[Carried], body: Callable[[], Names]) -> Names:
        """`if test: carried = body()`; returns `carried`."""
        if test in ("true", "false"):
            return body() if test == "true" else [c.initial for c in carried]
        inside, after = self.label(), self.label()
        before = self._block
        self.do(f"br i1 {test}, label %{inside}, label %{after}")
        self.block(inside)
        results = body()
        end = self._block
        self.do(f"br label %{after}")
        self.block(after)
        return [
            self.emit(f"phi {c.type} [ {c.initial}, %{before} ], [ {r}, %{end} ]")
            for c, r in zip(carried, results, strict=True)
        ]

    def switch(
        self,
        value: str,
        cases: dict[int, Callable[[], str]],
        result: str,
        default: str | Callable[[], str],
    ) -> str:
        """The result of the case that `value` names."""
        after, other, labels = self.label(), self.label(), {key: self.label() for key in cases}
        targets = " ".join(f"i64 {key}, label %{label}" for key, label in labels.items())
        self.do(f"switch i64 {value}, label %{other} [ {targets} ]")
        self.block(other)
        incoming = [f"[ {default if isinstance(default, str) else default()}, %{self._block} ]"]
        self.do(f"br label %{after}")
        for key, case in cases.items():
            self.block(labels[key])
            incoming.append(f"[ {case()}, %{self._block} ]")
            self.do(f"br label %{after}")
        self.block(after)
        return self.emit(f"phi {result} {', '.join(incoming)}")

    def finish(self, value: str) -> None:
        """Return a value and hand the function to its module."""
        self.do(f"ret {self.result} {value}" if self.result != "void" else "ret void")
        parameters = ", ".join(f"{type_} %a{i}" for i, type_ in enumerate(self.parameters))
        linkage = "" if self._public else "internal "
        head = f"define {linkage}{self.result} @{self.name}({parameters}) nounwind {{\nentry:"
        self.module.add("\n".join([head, *self._entry, *self._lines, "}"]))


_ALIGNMENT = {"double": 8, "i64": 8, "i32": 4, "i8": 1}


def _fold(operation: str, a: str, b: str) -> str | None:
    if operation == "add" and "0" in (a, b):
        return b if a == "0" else a
    if operation == "mul" and "1" in (a, b):
        return b if a == "1" else a
    if a.startswith("%") or b.startswith("%"):
        return None
    known = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__, "and": int.__and__}
    return str(known[operation](int(a), int(b))) if operation in known else None
