"""Two algebras for checking formulas: fifty digits by mpmath, and dual numbers by the partials."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np

from lfppl.core.primitives import PRIMITIVES, STRUCTURAL, Math, NumpyMath

DIGITS = 50


class Number:
    """A value of an algebra whose operators are that algebra's primitives."""

    def __init__(self, algebra: Any, value: Any, slopes: Any = 0.0) -> None:
        self.algebra, self.value, self.slopes = algebra, value, slopes

    def __neg__(self) -> Any:
        return self.algebra.apply("neg", self)

    def __add__(self, other: Any) -> Any:
        return self.algebra.apply("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return self.algebra.apply("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return self.algebra.apply("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self.algebra.apply("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return self.algebra.apply("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self.algebra.apply("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self.algebra.apply("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self.algebra.apply("/", other, self)


def _divide(a: Any, b: Any) -> Any:
    return a / b if b else mpmath.nan if not a else a * mpmath.inf


def _real_log(x: Any) -> Any:
    return mpmath.log(x) if x > 0 else mpmath.nan if x < 0 else -mpmath.inf


def _log_gamma(x: Any) -> Any:
    if x <= 0 and x == mpmath.floor(x):
        return mpmath.inf
    return mpmath.re(mpmath.loggamma(x))


def _power(a: Any, b: Any) -> Any:
    return mpmath.power(a, b)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


EXACT: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "neg": lambda x: -x,
    "exp": mpmath.exp,
    "log": _real_log,
    "log1p": lambda x: mpmath.log1p(x) if x > -1 else -mpmath.inf if x == -1 else mpmath.nan,
    "expm1": mpmath.expm1,
    "sqrt": mpmath.sqrt,
    "pow": _power,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tan": mpmath.tan,
    "atan": mpmath.atan,
    "sinh": mpmath.sinh,
    "cosh": mpmath.cosh,
    "tanh": mpmath.tanh,
    "sigmoid": _sigmoid,
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "log-gamma": _log_gamma,
    "digamma": mpmath.digamma,
    "trigamma": lambda x: mpmath.polygamma(1, x),
    "erf": mpmath.erf,
    "ndtr": mpmath.ncdf,
    "log-ndtr": lambda x: _real_log(mpmath.ncdf(x)),
    "log-i0": lambda x: mpmath.log(mpmath.besseli(0, x)),
    "i1-over-i0": lambda x: mpmath.besseli(1, x) / mpmath.besseli(0, x),
    "floor": mpmath.floor,
    "less": lambda a, b: mpmath.mpf(a < b),
    "select": lambda c, a, b: a if c != 0 else b,
    "pick": lambda index, *items: items[min(max(int(mpmath.floor(index)), 0), len(items) - 1)],
    "and": lambda a, b: mpmath.mpf(a != 0 and b != 0),
    "or": lambda a, b: mpmath.mpf(a != 0 or b != 0),
    "not": lambda a: mpmath.mpf(a == 0),
}


class PreciseMath(Math[Any]):
    """Formulas in fifty digits."""

    def number(self, value: Any) -> Any:
        """A value of this algebra; vectors element by element."""
        if isinstance(value, (list, tuple, np.ndarray)):
            return [self.number(item) for item in value]
        return value if isinstance(value, Number) else Number(self, mpmath.mpf(value))

    def apply(self, name: str, *arguments: Any) -> Any:
        return Number(self, EXACT[name](*(self.number(a).value for a in arguments)))

    def run(self, formula: Any, *arguments: Any) -> Any:
        with mpmath.workdps(max(DIGITS, mpmath.mp.dps)):
            return self.number(formula(self, *(self.number(a) for a in arguments))).value


class DualMath(Math[Any]):
    """Forward derivatives made of the primitives' partials."""

    def number(self, value: Any) -> Any:
        if isinstance(value, (list, tuple, np.ndarray)):
            return [self.number(item) for item in value]
        return value if isinstance(value, Number) else Number(self, np.float64(value))

    def run(self, formula: Any, *arguments: Any) -> Any:
        return self.number(formula(self, *(self.number(a) for a in arguments)))

    def apply(self, name: str, *arguments: Any) -> Any:
        numbers = [self.number(a) for a in arguments]
        values = [number.value for number in numbers]
        result = NumpyMath().apply(name, *values)
        return Number(self, result, self.slopes(name, result, numbers, values))

    def slopes(self, name: str, result: Any, numbers: list[Any], values: list[Any]) -> Any:
        if name == "select":
            return numbers[1].slopes if values[0] != 0 else numbers[2].slopes
        if name == "pick":
            return numbers[1 + int(np.clip(np.floor(values[0]), 0, len(values) - 2))].slopes
        if name in STRUCTURAL:
            return 0.0
        with np.errstate(all="ignore"):
            partials = PRIMITIVES[name].partials(NumpyMath(), np.float64(result), *values)
            return sum(
                np.where(number.slopes == 0, 0.0, np.multiply(partial, number.slopes))
                for number, partial in zip(numbers, partials, strict=True)
                if partial is not None
            )


class SizeMath(DualMath):
    """Keeps, in place of slopes, the size of the largest term of the sums that made a value."""

    def slopes(self, name: str, result: Any, numbers: list[Any], values: list[Any]) -> Any:
        sizes = [number.slopes for number in numbers]
        if name in ("neg", "select", "pick"):
            return max(sizes)
        if name in ("+", "-"):
            return max(sizes + [abs(value) for value in values if np.isfinite(value)])
        if name == "exp" and np.isfinite([result, *values]).all():
            return result * max(abs(values[0]), *sizes)
        return 0.0
