"""The scalar primitives: their meaning on floats and their derivatives, each stated once.

Log densities, the interpreter, the expression graph, kernels and their gradients are all written in
these. Values of a `Math` combine by the ordinary operators and by its methods.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from lfppl.core import special

V = TypeVar("V")
Partials = Callable[..., tuple[Any, ...]]
"""`(m, result, *arguments) -> (d result / d argument, ...)`; None where it is 0 everywhere."""


@dataclass(frozen=True)
class Primitive:
    """A primitive: argument count, value on NumPy floats, partial derivatives, and a summary.

    A primitive is analytic on the interior of its domain unless `jumps` (then it is piecewise
    constant with jumps). One that is `internal` appears in derivatives only: it is no name of the
    language and its own derivative may be missing.
    """

    name: str
    arity: int
    evaluate: Callable[..., Any]
    partials: Partials
    summary: str
    jumps: bool = False
    internal: bool = False


class Math(ABC, Generic[V]):
    """An algebra of scalars in which formulas are written: NumPy floats, graph expressions, ...

    >>> m = NumpyMath()
    >>> float(m.select(m.less(1.0, 2.0), m.exp(0.0), 5.0))
    1.0
    """

    @abstractmethod
    def apply(self, name: str, *arguments: Any) -> V:
        """The value of a primitive or structural operation of that name."""

    def __getattr__(self, name: str) -> Callable[..., V]:
        """`m.log_gamma(x)` is the primitive `log-gamma` of x."""
        operation = name.replace("_", "-")
        if operation not in PRIMITIVES:
            raise AttributeError(name)
        return lambda *arguments: self.apply(operation, *arguments)

    def run(self, formula: Callable[..., Any], *arguments: Any) -> Any:
        """The value of a formula `(m, *arguments)` in this algebra."""
        return formula(self, *arguments)

    def less(self, a: Any, b: Any) -> V:
        """1 where a < b, else 0."""
        return self.apply("less", a, b)

    def select(self, condition: Any, then: Any, otherwise: Any) -> V:
        """`then` where the condition is not 0, else `otherwise`; the other one has no influence."""
        return self.apply("select", condition, then, otherwise)

    def pick(self, index: Any, items: Sequence[Any]) -> V:
        """The item at position floor(index)."""
        return self.apply("pick", index, *items)

    def both(self, a: Any, b: Any) -> V:
        """1 where both truth values are 1."""
        return self.apply("and", a, b)

    def either(self, a: Any, b: Any) -> V:
        """1 where one of the truth values is 1."""
        return self.apply("or", a, b)

    def negation(self, a: Any) -> V:
        """1 where the truth value is 0."""
        return self.apply("not", a)

    def sum(self, items: Sequence[Any]) -> Any:
        """The sum of a vector's elements."""
        total: Any = 0.0
        for item in items:
            total = total + item
        return total

    def largest(self, items: Sequence[Any]) -> Any:
        """The largest of a vector's elements."""
        best = items[0]
        for item in items[1:]:
            best = self.select(self.less(best, item), item, best)
        return best

    def smallest(self, items: Sequence[Any]) -> Any:
        """The smallest of a vector's elements."""
        best = items[0]
        for item in items[1:]:
            best = self.select(self.less(item, best), item, best)
        return best

    def log_sum_exp(self, items: Sequence[Any]) -> Any:
        """The log of the sum of the exponentials, without overflow."""
        top = self.largest(items)
        return top + self.log(self.sum([self.exp(item - top) for item in items]))


def _pick(index: Any, *items: Any) -> Any:
    """Element by element; the index is clipped to the ends, and where it is NaN so is the value."""
    *rows, wide_index = np.broadcast_arrays(*items, index)
    unknown = np.isnan(wide_index)
    inside = np.clip(np.floor(np.where(unknown, 0.0, wide_index)), 0, len(items) - 1).astype(int)
    picked = np.take_along_axis(np.stack(rows), inside[np.newaxis], 0)[0]
    return np.where(unknown, np.nan, picked)


STRUCTURAL: dict[str, Callable[..., Any]] = {
    "less": lambda a, b: np.where(np.less(a, b), 1.0, 0.0),
    "select": lambda c, a, b: np.where(np.not_equal(c, 0.0), a, b),
    "pick": _pick,
    "and": lambda a, b: np.where(np.logical_and(a, b), 1.0, 0.0),
    "or": lambda a, b: np.where(np.logical_or(a, b), 1.0, 0.0),
    "not": lambda a: np.where(a, 0.0, 1.0),
}
"""Operations of formulas and kernels that are no primitives: choices and truth values."""


class NumpyMath(Math[Any]):
    """Formulas on floats and NumPy arrays."""

    def apply(self, name: str, *arguments: Any) -> Any:
        """Evaluate on NumPy values, letting infinities and NaN pass silently."""
        with np.errstate(all="ignore"):
            if name in STRUCTURAL:
                return STRUCTURAL[name](*arguments)
            return PRIMITIVES[name].evaluate(*(_number(a) for a in arguments))

    def run(self, formula: Callable[..., Any], *arguments: Any) -> Any:
        """Evaluate a formula on NumPy values, letting infinities and NaN pass silently."""
        with np.errstate(all="ignore"):
            return formula(self, *(_number(a) for a in arguments))


def _number(value: Any) -> Any:
    """A Python number as a NumPy float, which divides by 0 without an exception."""
    if isinstance(value, (list, tuple)):
        return [_number(item) for item in value]
    return (
        value.astype(np.float64, copy=False) if isinstance(value, np.ndarray) else np.float64(value)
    )


_ROOT_TAU = float(np.sqrt(2.0 * np.pi))
_FAR_TAIL = -50.0  # below it five terms of the series are exact to rounding
_HAZARD_SERIES = (1.0, 1.0, -2.0, 10.0, -74.0, 706.0)


def _log_ndtr_slope(m: Any, y: Any, x: Any) -> tuple[Any]:
    """The normal hazard: as a quotient, and far in the left tail by its asymptotic series."""
    near = m.exp(-0.5 * x * x - y) / _ROOT_TAU
    inverse_square = 1.0 / (x * x)
    series: Any = 0.0
    for coefficient in reversed(_HAZARD_SERIES):
        series = coefficient + inverse_square * series
    return (m.select(m.less(x, _FAR_TAIL), -x * series, near),)


def _power_partials(m: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """Finite where the power is analytic: `pow(0, 0)` and the exponent's slope at base 0 are 0."""
    return m.select(b, b * m.pow(a, b - 1.0), 0.0), m.select(a, y * m.log(a), 0.0)


def _quotient_partials(m: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    inverse = 1.0 / b
    return inverse, -y * inverse


def _bessel_ratio_partials(m: Any, y: Any, x: Any) -> tuple[Any]:
    return (m.select(x, 1.0 - y / x - y * y, 0.5),)


_TABLE = (
    Primitive("+", 2, np.add, lambda m, y, a, b: (1.0, 1.0), "sum"),
    Primitive("-", 2, np.subtract, lambda m, y, a, b: (1.0, -1.0), "difference"),
    Primitive("*", 2, np.multiply, lambda m, y, a, b: (b, a), "product"),
    Primitive("/", 2, np.divide, _quotient_partials, "quotient"),
    Primitive("neg", 1, np.negative, lambda m, y, x: (-1.0,), "negative"),
    Primitive("exp", 1, np.exp, lambda m, y, x: (y,), "exponential"),
    Primitive("log", 1, np.log, lambda m, y, x: (1.0 / x,), "natural logarithm"),
    Primitive("log1p", 1, np.log1p, lambda m, y, x: (1.0 / (1.0 + x),), "log(1 + x)"),
    Primitive("expm1", 1, np.expm1, lambda m, y, x: (y + 1.0,), "exp(x) - 1"),
    Primitive("sqrt", 1, np.sqrt, lambda m, y, x: (0.5 / y,), "square root"),
    Primitive("pow", 2, np.power, _power_partials, "power"),
    Primitive("sin", 1, np.sin, lambda m, y, x: (m.cos(x),), "sine"),
    Primitive("cos", 1, np.cos, lambda m, y, x: (-m.sin(x),), "cosine"),
    Primitive("tan", 1, np.tan, lambda m, y, x: (1.0 + y * y,), "tangent"),
    Primitive("atan", 1, np.arctan, lambda m, y, x: (1.0 / (1.0 + x * x),), "inverse tangent"),
    Primitive("sinh", 1, np.sinh, lambda m, y, x: (m.cosh(x),), "hyperbolic sine"),
    Primitive("cosh", 1, np.cosh, lambda m, y, x: (m.sinh(x),), "hyperbolic cosine"),
    Primitive("tanh", 1, np.tanh, lambda m, y, x: (1.0 - y * y,), "hyperbolic tangent"),
    Primitive("sigmoid", 1, special.expit, lambda m, y, x: (y * (1.0 - y),), "1 / (1 + exp(-x))"),
    Primitive(
        "softplus",
        1,
        lambda x: np.logaddexp(0.0, x),
        lambda m, y, x: (m.sigmoid(x),),
        "log(1 + exp(x)), without overflow",
    ),
    Primitive("log-gamma", 1, special.gammaln, lambda m, y, x: (m.digamma(x),), "log of |gamma|"),
    Primitive("digamma", 1, special.digamma, lambda m, y, x: (m.trigamma(x),), "its derivative"),
    Primitive(
        "trigamma",
        1,
        lambda x: special.polygamma(1, x),
        lambda m, y, x: (None,),
        "its second",
        internal=True,
    ),
    Primitive(
        "erf",
        1,
        special.erf,
        lambda m, y, x: (m.exp(-x * x) * (2.0 / float(np.sqrt(np.pi))),),
        "error function",
    ),
    Primitive(
        "ndtr",
        1,
        special.ndtr,
        lambda m, y, x: (m.exp(-0.5 * x * x) / _ROOT_TAU,),
        "cumulative normal",
    ),
    Primitive("log-ndtr", 1, special.log_ndtr, _log_ndtr_slope, "its logarithm"),
    Primitive(
        "log-i0",
        1,
        lambda x: np.log(special.i0e(x)) + np.abs(x),
        lambda m, y, x: (m.i1_over_i0(x),),
        "log of the Bessel function I0",
    ),
    Primitive(
        "i1-over-i0",
        1,
        lambda x: special.i1e(x) / special.i0e(x),
        _bessel_ratio_partials,
        "ratio of Bessel functions I1 / I0",
    ),
    Primitive("floor", 1, np.floor, lambda m, y, x: (None,), "largest integer below", jumps=True),
)

PRIMITIVES: dict[str, Primitive] = {primitive.name: primitive for primitive in _TABLE}
"""All primitives by name. Core writes `neg` as `(- x)`."""
