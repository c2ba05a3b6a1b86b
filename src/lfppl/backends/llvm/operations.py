"""One instruction of a tape as LLVM code, on scalars and on vectors alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lfppl.backends.llvm.stages import TRUTHS
from lfppl.backends.llvm.text import Function, constant, vector

_ARITHMETIC = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_ROUNDED_BY_LLVM = {"sqrt": "sqrt", "floor": "floor", "abs": "fabs"}


def is_truth(operation: str) -> bool:
    """Whether the result of an operation is a bit."""
    return operation in TRUTHS


def emit(
    fn: Function,
    operation: str,
    arguments: Sequence[tuple[str, bool]],
    width: int,
    exact: bool = False,
) -> str:
    """The result of an operation; each argument comes with whether it is a bit.

    Products may be fused with sums, rounding once instead of twice, unless `exact`.
    """
    if operation in _TRUTH_RULES:
        return _TRUTH_RULES[operation](fn, arguments, width)
    values = [number(fn, name, bit, width) for name, bit in arguments]
    kind = vector("double", width)
    if operation in _ARITHMETIC:
        flag = "" if operation == "/" or exact else " contract"
        return fn.emit(f"{_ARITHMETIC[operation]}{flag} {kind} {values[0]}, {values[1]}")
    if operation == "neg":
        return fn.emit(f"fneg {kind} {values[0]}")
    if operation in _ROUNDED_BY_LLVM:
        name = f"llvm.{_ROUNDED_BY_LLVM[operation]}.{_mangled(width)}"
        return fn.intrinsic(name, kind, f"{kind} {values[0]}")
    if operation in _OWN:
        return _OWN[operation](fn, values, width)
    return special(fn, operation, values, width)


def number(fn: Function, name: str, bit: bool, width: int) -> str:
    """A value as a double."""
    if not bit:
        return name
    kind = vector("double", width)
    one, zero = constant(1.0, width), constant(0.0, width)
    return fn.emit(f"select {vector('i1', width)} {name}, {kind} {one}, {kind} {zero}")


def truth(fn: Function, name: str, bit: bool, width: int) -> str:
    """A value as a bit: whether it is not 0."""
    if bit:
        return name
    return fn.emit(f"fcmp une {vector('double', width)} {name}, {constant(0.0, width)}")


def special(fn: Function, operation: str, values: Sequence[str], width: int) -> str:
    """A function that is called, lane by lane where it has no vector form."""
    found = fn.module.native(operation, width)
    if found.width == width:
        return _call(fn, found.symbol, values, width)
    kind = vector("double", width)
    result = "poison"
    for lane in range(width):
        parts = [fn.emit(f"extractelement {kind} {value}, i64 {lane}") for value in values]
        one = _call(fn, found.symbol, parts, 1)
        result = fn.emit(f"insertelement {kind} {result}, double {one}, i64 {lane}")
    return result


def _call(fn: Function, symbol: str, values: Sequence[str], width: int) -> str:
    kind = vector("double", width)
    return fn.call(symbol, kind, *(f"{kind} {value}" for value in values))


def _mangled(width: int) -> str:
    return "f64" if width == 1 else f"v{width}f64"


def _pick(fn: Function, values: Sequence[str], width: int) -> str:
    index, *items = values
    kind, bits = vector("double", width), vector("i1", width)
    result = items[-1]
    for position in range(len(items) - 2, -1, -1):
        below = fn.emit(f"fcmp olt {kind} {index}, {constant(position + 1.0, width)}")
        result = fn.emit(f"select {bits} {below}, {kind} {items[position]}, {kind} {result}")
    return result


def _signed(fn: Function, values: Sequence[str], width: int) -> str:
    kind, whole = vector("double", width), vector("i64", width)
    if width == 1:
        one = f"double {constant(1.0, 1)}"
        unit = fn.intrinsic("llvm.copysign.f64", "double", one, f"double {values[1]}")
        return fn.emit(f"fmul double {values[0]}, {unit}")
    a, b = (fn.emit(f"bitcast {kind} {value} to {whole}") for value in values)
    sign = fn.emit(f"and {whole} {b}, splat (i64 {-(2**63)})")
    return fn.emit(f"bitcast {whole} {fn.emit(f'xor {whole} {a}, {sign}')} to {kind}")


_OWN = {"pick": _pick, "signed": _signed}


def _compare(test: str) -> Callable[[Function, Sequence[tuple[str, bool]], int], str]:
    def rule(fn: Function, arguments: Sequence[tuple[str, bool]], width: int) -> str:
        a, b = (number(fn, name, bit, width) for name, bit in arguments)
        return fn.emit(f"fcmp {test} {vector('double', width)} {a}, {b}")

    return rule


def _logical(operation: str) -> Callable[[Function, Sequence[tuple[str, bool]], int], str]:
    def rule(fn: Function, arguments: Sequence[tuple[str, bool]], width: int) -> str:
        a, b = (truth(fn, name, bit, width) for name, bit in arguments)
        return fn.emit(f"{operation} {vector('i1', width)} {a}, {b}")

    return rule


def _not(fn: Function, arguments: Sequence[tuple[str, bool]], width: int) -> str:
    a = truth(fn, *arguments[0], width)
    return fn.emit(f"xor {vector('i1', width)} {a}, {'true' if width == 1 else 'splat (i1 true)'}")


def _select(fn: Function, arguments: Sequence[tuple[str, bool]], width: int) -> str:
    test = truth(fn, *arguments[0], width)
    a, b = (number(fn, name, bit, width) for name, bit in arguments[1:])
    kind = vector("double", width)
    return fn.emit(f"select {vector('i1', width)} {test}, {kind} {a}, {kind} {b}")


_TRUTH_RULES = {
    "less": _compare("olt"),
    "same": _compare("oeq"),
    "below": _compare("olt"),
    "and": _logical("and"),
    "or": _logical("or"),
    "not": _not,
    "select": _select,
    "usually": _select,
}
