"""Simplifications of scalar instructions that hold for every value, infinities and NaN included."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lfppl.backends.llvm.stages import TRUTHS

if TYPE_CHECKING:
    from lfppl.backends.llvm.tape import Tape, Value


WHOLE = 2.0**52
"""Below this, a whole number and the next one are told apart by every double between them."""


def _sum(tape: Tape, a: Value, b: Value) -> Value | None:
    if a.known == 0.0:
        return b
    if b.known == 0.0:
        return a
    if b.operation == "neg":
        return a - b.arguments[0]
    return b - a.arguments[0] if a.operation == "neg" else None


def _difference(tape: Tape, a: Value, b: Value) -> Value | None:
    if b.known == 0.0:
        return a
    if a.known == 0.0:
        return -b
    return a + b.arguments[0] if b.operation == "neg" else None


def _product(tape: Tape, a: Value, b: Value) -> Value | None:
    for x, y in ((a, b), (b, a)):
        if x.known == 1.0:
            return y
        if x.known == -1.0:
            return -y
        if y.operation == "neg":
            return -(x * y.arguments[0])
    return None


def _negative(tape: Tape, a: Value) -> Value | None:
    if a.operation == "neg":
        return a.arguments[0]
    if a.operation == "-":
        return a.arguments[1] - a.arguments[0]
    if a.operation == "*" and a.arguments[0].known is not None:
        return a.arguments[1] * -a.arguments[0].known
    if a.operation == "*" and a.arguments[1].known is not None:
        return a.arguments[0] * -a.arguments[1].known
    return None


def _select(tape: Tape, test: Value, a: Value, b: Value) -> Value | None:
    if test.known is not None:
        return b if test.known == 0.0 else a
    if a == b:
        return a
    if a.known == 1.0 and b.known == 0.0 and test.operation in TRUTHS:
        return test
    if test.operation == "not":
        return tape.select(test.arguments[0], b, a)
    return None


def _both(tape: Tape, a: Value, b: Value) -> Value | None:
    for x, y in ((a, b), (b, a)):
        if x.known is not None:
            return tape.number(0.0) if x.known == 0.0 else _as_truth(tape, y)
    return _as_truth(tape, a) if a == b else None


def _either(tape: Tape, a: Value, b: Value) -> Value | None:
    for x, y in ((a, b), (b, a)):
        if x.known is not None:
            return tape.number(1.0) if x.known != 0.0 else _as_truth(tape, y)
    return _as_truth(tape, a) if a == b else None


def _as_truth(tape: Tape, a: Value) -> Value:
    return a if a.operation in TRUTHS else tape.negation(tape.negation(a))


def _not(tape: Tape, a: Value) -> Value | None:
    inner = a.arguments[0] if a.operation == "not" else None
    return inner if inner is not None and inner.operation in TRUTHS else None


def _power(tape: Tape, a: Value, b: Value) -> Value | None:
    table: dict[float | None, Callable[[], Value]] = {
        0.0: lambda: tape.number(1.0),
        1.0: lambda: a,
        2.0: lambda: a * a,
        3.0: lambda: a * a * a,
        -1.0: lambda: 1.0 / a,
        -2.0: lambda: 1.0 / (a * a),
    }
    return table[b.known]() if b.known in table else None


def _less(tape: Tape, a: Value, b: Value) -> Value | None:
    """A whole number against a rounded one: against the number itself."""
    if b.known == 0.0 and a.operation == "-":
        return tape.less(*a.arguments)
    if a.operation == "floor" and _is_whole(b):
        return tape.less(a.arguments[0], b)
    if b.operation == "floor" and _is_whole(a):
        return tape.less(np.nextafter(float(a.known or 0.0) + 1.0, -np.inf), b.arguments[0])
    return None


def _is_whole(a: Value) -> bool:
    return a.known is not None and abs(a.known) < WHOLE and a.known == np.floor(a.known)


def _pick(tape: Tape, index: Value, *items: Value) -> Value | None:
    return tape.pick(index.arguments[0], items) if index.operation == "floor" else None


RULES: dict[str, Any] = {
    "+": _sum,
    "-": _difference,
    "*": _product,
    "neg": _negative,
    "select": _select,
    "and": _both,
    "or": _either,
    "not": _not,
    "pow": _power,
    "less": _less,
    "pick": _pick,
}
