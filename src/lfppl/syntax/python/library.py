"""What functions of Python, `math`, NumPy and SciPy are called, and their scalar formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python.arrays import call, number

Expression = surface.Expression
CONSTANTS: frozenset[str] = frozenset()


def words(text: str) -> frozenset[str]:
    """The words of a text.

    >>> sorted(words("sum mean"))
    ['mean', 'sum']
    """
    return frozenset(text.split())


METHODS = words(
    "sum mean max min prod std var dot cumsum cumprod clip round copy tolist astype flatten ravel "
    "reshape repeat squeeze swapaxes diagonal take trace ptp argmax argmin "
    "transpose append extend insert pop remove sort reverse clear keys values items get "
    "to_numpy item any all count index format join upper lower strip"
)
"""Methods of arrays, lists, tables and texts that are looked at when they are called."""


class Scalar(NamedTuple):
    """A function of numbers that arrays pass element by element.

    `native` where the program's operation works on whole vectors.
    """

    formula: Callable[..., Expression]
    least: int = 1
    most: int = 1
    native: bool = True
    truth: bool = False


def _named(name: str) -> Callable[..., Expression]:
    return lambda span, *parts: call(name, *parts, span=span)


def _plain(name: str, arity: int = 1) -> Scalar:
    return Scalar(_named(name), arity, arity)


def _branching(name: str, arity: int = 1) -> Scalar:
    return Scalar(_named(name), arity, arity, native=False)


def _comparing(name: str, arity: int = 2) -> Scalar:
    return Scalar(_named(name), arity, arity, native=False, truth=True)


def _scaled_log(base: float) -> Scalar:
    def formula(span: Span, x: Expression) -> Expression:
        return call("/", call("log", x, span=span), number(math.log(base), span), span=span)

    return Scalar(formula)


def _log(span: Span, x: Expression, base: Expression | None = None) -> Expression:
    if base is None:
        return call("log", x, span=span)
    return call("/", call("log", x, span=span), call("log", base, span=span), span=span)


def _exp2(span: Span, x: Expression) -> Expression:
    return call("exp", call("*", number(math.log(2), span), x, span=span), span=span)


def _hypot(span: Span, x: Expression, y: Expression) -> Expression:
    squares = [call("square", each, span=span) for each in (x, y)]
    return call("sqrt", call("+", *squares, span=span), span=span)


def _logaddexp(span: Span, x: Expression, y: Expression) -> Expression:
    both = surface.VectorLiteral((x, y), span)
    return call("log-sum-exp", both, span=span)


def _logit(span: Span, p: Expression) -> Expression:
    rest = call("log1p", call("-", p, span=span), span=span)
    return call("-", call("log", p, span=span), rest, span=span)


def _gamma(span: Span, x: Expression) -> Expression:
    return call("exp", call("log-gamma", x, span=span), span=span)


def _log_expit(span: Span, x: Expression) -> Expression:
    return call("log", call("sigmoid", x, span=span), span=span)


def _log_beta(span: Span, a: Expression, b: Expression) -> Expression:
    parts = [call("log-gamma", each, span=span) for each in (a, b, call("+", a, b, span=span))]
    return call("-", call("+", *parts[:2], span=span), parts[2], span=span)


def _x_log_y(span: Span, x: Expression, y: Expression) -> Expression:
    """`x log y`, which is 0 for x = 0."""
    zero = number(0, span)
    product = call("*", x, call("log", y, span=span), span=span)
    return surface.If(call("=", x, zero, span=span), zero, product, span)


def _floor_divide(span: Span, a: Expression, b: Expression) -> Expression:
    return call("floor", call("/", a, b, span=span), span=span)


def _whole(span: Span, x: Expression) -> Expression:
    return call("quot", x, number(1, span), span=span)


def _to_truth(span: Span, x: Expression) -> Expression:
    return call("not=", x, number(0, span), span=span)


_SAME = words("exp log1p expm1 sqrt sin cos tan sinh cosh tanh floor ceil")

UFUNCS: dict[str, Scalar] = {
    **{name: _plain(name) for name in _SAME},
    "log": _plain("log"),
    "arctan": _plain("atan"),
    "rint": _plain("round"),
    "absolute": _branching("abs"),
    "fabs": _branching("abs"),
    "sign": _branching("sign"),
    "maximum": _branching("max", 2),
    "minimum": _branching("min", 2),
    "fmax": _branching("max", 2),
    "fmin": _branching("min", 2),
    "add": _plain("+", 2),
    "subtract": _plain("-", 2),
    "multiply": _plain("*", 2),
    "divide": _plain("/", 2),
    "power": _plain("pow", 2),
    "float_power": _plain("pow", 2),
    "remainder": _plain("mod", 2),
    "floor_divide": Scalar(_floor_divide, 2, 2),
    "negative": _plain("-"),
    "square": _plain("square"),
    "reciprocal": _plain("/"),
    "log2": _scaled_log(2),
    "log10": _scaled_log(10),
    "exp2": Scalar(_exp2),
    "hypot": Scalar(_hypot, 2, 2),
    "logaddexp": Scalar(_logaddexp, 2, 2, native=False),
    "less": _comparing("<"),
    "greater": _comparing(">"),
    "less_equal": _comparing("<="),
    "greater_equal": _comparing(">="),
    "equal": _comparing("="),
    "not_equal": _comparing("not="),
    "logical_and": _comparing("and"),
    "logical_or": _comparing("or"),
    "logical_not": _comparing("not", 1),
    "expit": _plain("sigmoid"),
    "logit": Scalar(_logit),
    "gammaln": _plain("log-gamma"),
    "psi": _plain("digamma"),
    "erf": _plain("erf"),
    "log_ndtr": _plain("log-ndtr"),
    "log_expit": Scalar(_log_expit),
    "betaln": Scalar(_log_beta, 2, 2),
    "xlogy": Scalar(_x_log_y, 2, 2, native=False),
    "ndtr": _plain("ndtr"),
}
"""NumPy's and SciPy's functions of arrays, by their names."""

_MATH: dict[str, Scalar] = {
    **{name: _plain(name) for name in _SAME},
    "log": Scalar(_log, 1, 2),
    "log2": _scaled_log(2),
    "log10": _scaled_log(10),
    "atan": _plain("atan"),
    "fabs": _branching("abs"),
    "pow": _plain("pow", 2),
    "fmod": _plain("rem", 2),
    "hypot": Scalar(_hypot, 2, 2),
    "lgamma": _plain("log-gamma"),
    "gamma": Scalar(_gamma),
    "erf": _plain("erf"),
    "exp2": Scalar(_exp2),
    "trunc": Scalar(_whole, native=False),
}

SCALARS: dict[str, Scalar] = {
    **{f"ufunc.{name}": scalar for name, scalar in UFUNCS.items()},
    **{f"math.{name}": scalar for name, scalar in _MATH.items()},
    "builtins.abs": _branching("abs"),
    "builtins.pow": _plain("pow", 2),
    "builtins.int": Scalar(_whole, native=False),
    "builtins.bool": Scalar(_to_truth, native=False, truth=True),
}
"""Functions of numbers, by their full names."""

STATIC_ONLY = words(
    """numpy.linspace numpy.logspace numpy.eye numpy.identity numpy.unique numpy.sort numpy.argsort
    numpy.bincount numpy.quantile numpy.percentile numpy.median numpy.cov numpy.corrcoef
    numpy.linalg.inv numpy.linalg.solve numpy.linalg.cholesky numpy.linalg.det numpy.linalg.slogdet
    numpy.linalg.pinv numpy.linalg.eigh numpy.linalg.qr numpy.isin numpy.tri numpy.meshgrid
    numpy.ix_ numpy.nonzero numpy.flatnonzero numpy.isclose numpy.allclose numpy.full_like
    numpy.array_equal numpy.geomspace numpy.vander numpy.kron numpy.polyval numpy.interp
    numpy.nanmean numpy.nansum numpy.nanstd numpy.nanmax numpy.nanmin numpy.split numpy.indices
    numpy.tril_indices numpy.triu_indices numpy.diag_indices numpy.around numpy.einsum numpy.cross
    numpy.convolve numpy.gradient numpy.histogram numpy.linalg.eig
    numpy.linalg.svd numpy.linalg.matrix_rank numpy.trapezoid ufunc.isnan ufunc.isfinite ufunc.isinf
    ufunc.arcsin ufunc.arccos ufunc.arcsinh ufunc.arccosh ufunc.arctanh ufunc.arctan2 ufunc.cbrt
    ufunc.deg2rad ufunc.radians ufunc.trunc ufunc.gamma ufunc.beta ufunc.comb ufunc.ndtri math.comb
    math.factorial math.perm math.gcd math.isnan math.isfinite math.isinf math.isqrt math.radians
    math.degrees math.copysign math.asin math.acos math.atan2 math.dist math.fsum math.isclose
    math.asinh math.acosh math.atanh math.cbrt builtins.str builtins.repr builtins.divmod
    builtins.round builtins.sorted builtins.set builtins.frozenset builtins.chr builtins.ord
    scipy.special.comb scipy.special.factorial scipy.special.softmax"""
)
"""Functions that values known now may go through, and sampled ones may not."""

Special: TypeAlias = tuple[Callable[..., Any] | None, Callable[..., Any]]
"""What does a function with values known now (None: its rule does), and its rule."""

SPECIAL: dict[str, Any] = {}
"""Functions with a rule of their own; filled by `functions`."""


def full_name(value: Any) -> str | None:
    """The full name of a function or class that models may call, or None.

    >>> full_name(np.exp), full_name(math.exp), full_name(len), full_name(open)
    ('ufunc.exp', 'math.exp', 'builtins.len', None)
    """
    name = written_name(value)
    return name if name in SCALARS or name in STATIC_ONLY or name in SPECIAL else None


def written_name(value: Any) -> str | None:
    """The full name of any function or class."""
    if isinstance(value, np.ufunc):
        return f"ufunc.{value.__name__}"
    name, module = getattr(value, "__name__", None), getattr(value, "__module__", None)
    if not isinstance(name, str) or not isinstance(module, str):
        return None
    if module.startswith("scipy.special"):
        module = "scipy.special"
    if module in ("lfppl.distributions", "lfppl.statements"):
        module = {"lfppl.distributions": "distribution", "lfppl.statements": "lfppl"}[module]
    return f"{module}.{name}"
