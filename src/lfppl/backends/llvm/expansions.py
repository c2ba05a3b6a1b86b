"""Operations that machine code makes of simpler ones: quotients, sigmoid, trigamma and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lfppl.backends.llvm.stages import Stage

if TYPE_CHECKING:
    from lfppl.backends.llvm.tape import Tape, Value


def _quotient(tape: Tape, a: Value, b: Value) -> Value | None:
    """A product with the inverse of what is the same in all rows."""
    if b.known is not None and b.known != 0.0 and np.isfinite(1.0 / b.known):
        return a * (1.0 / b.known)
    if b.stage == Stage.BEFORE and a.stage > Stage.BEFORE:
        return a * tape.apply("/", 1.0, b)
    return None


def _sigmoid(tape: Tape, x: Value) -> Value:
    small = tape.exp(-tape.apply("abs", x))
    share = 1.0 / (1.0 + small)
    return tape.select(tape.less(x, 0.0), small * share, share)


def _softplus(tape: Tape, x: Value) -> Value:
    small = tape.exp(-tape.apply("abs", x))
    return tape.select(tape.less(0.0, x), x, 0.0) + tape.log1p(small)


def _log_i0(tape: Tape, x: Value) -> Value:
    return tape.log(tape.apply("i0e", x)) + tape.apply("abs", x)


def _i1_over_i0(tape: Tape, x: Value) -> Value:
    return tape.apply("i1e", x) / tape.apply("i0e", x)


_TRIGAMMA = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
"""Bernoulli numbers B2, B4, ...: the asymptotic series (Abramowitz and Stegun 6.4.12)."""


def _trigamma(tape: Tape, x: Value) -> Value:
    positive = tape.less(0.5, x)
    z = tape.select(positive, x, 1.0 - x)
    total: Any = 0.0
    for _ in range(9):
        small = tape.less(z, 9.0)
        total = total + tape.select(small, 1.0 / (z * z), 0.0)
        z = tape.select(small, z + 1.0, z)
    inverse = 1.0 / z
    square = inverse * inverse
    series: Any = 0.0
    for coefficient in reversed(_TRIGAMMA):
        series = series * square + coefficient
    upper = total + inverse + 0.5 * square + series * square * inverse
    sine = tape.sin(float(np.pi) * (x - tape.floor(x)))
    return tape.select(positive, upper, float(np.pi**2) / (sine * sine) - upper)


EXPANSIONS: dict[str, Any] = {
    "/": _quotient,
    "sigmoid": _sigmoid,
    "softplus": _softplus,
    "log-i0": _log_i0,
    "i1-over-i0": _i1_over_i0,
    "trigamma": _trigamma,
}
