"""The primitives in JAX: values by its functions, derivatives by the table all backends share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
from jax.scipy import special

from lfppl.core.primitives import PRIMITIVES, Math


def _truth(condition: Any) -> Any:
    return jnp.where(condition, 1.0, 0.0)


def _pick(index: Any, *items: Any) -> Any:
    """The item at floor(index), clipped to the ends; NaN where the index is."""
    rows = jnp.stack(jnp.broadcast_arrays(*items, index)[:-1])
    unknown = jnp.isnan(index)
    inside = jnp.clip(jnp.floor(jnp.where(unknown, 0.0, index)), 0, len(items) - 1)
    places = jnp.broadcast_to(inside.astype(jnp.int32), rows.shape[1:])
    return jnp.where(unknown, jnp.nan, jnp.take_along_axis(rows, places[jnp.newaxis], 0)[0])


STRUCTURAL: dict[str, Callable[..., Any]] = {
    "less": lambda a, b: _truth(a < b),
    "select": lambda c, a, b: jnp.where(c != 0.0, a, b),
    "pick": _pick,
    "and": lambda a, b: _truth((a != 0.0) & (b != 0.0)),
    "or": lambda a, b: _truth((a != 0.0) | (b != 0.0)),
    "not": lambda a: _truth(a == 0.0),
}

VALUES: dict[str, Callable[..., Any]] = {
    "+": jnp.add,
    "-": jnp.subtract,
    "*": jnp.multiply,
    "/": jnp.divide,
    "neg": jnp.negative,
    "exp": jnp.exp,
    "log": jnp.log,
    "log1p": jnp.log1p,
    "expm1": jnp.expm1,
    "sqrt": jnp.sqrt,
    "pow": jnp.power,
    "sin": jnp.sin,
    "cos": jnp.cos,
    "tan": jnp.tan,
    "atan": jnp.arctan,
    "sinh": jnp.sinh,
    "cosh": jnp.cosh,
    "tanh": jnp.tanh,
    "sigmoid": jax.nn.sigmoid,
    "softplus": lambda x: jnp.logaddexp(0.0, x),
    "log-gamma": special.gammaln,
    "digamma": special.digamma,
    "trigamma": lambda x: special.polygamma(1, x),
    "erf": special.erf,
    "ndtr": special.ndtr,
    "log-ndtr": lambda x: special.log_ndtr(x),  # its further arguments are static
    "log-i0": lambda x: jnp.log(special.i0e(x)) + jnp.abs(x),
    "i1-over-i0": lambda x: special.i1e(x) / special.i0e(x),
    "floor": jnp.floor,
}

_BY_JAX = frozenset({"+", "-", "neg"})
"""Their derivatives are constants, which poison nothing."""


class JaxMath(Math[Any]):
    """Formulas on JAX arrays.

    The derivative of a primitive is 0 where nothing depends on its value: a branch not taken has no
    influence, not even by an infinite slope.
    """

    def apply(self, name: str, *arguments: Any) -> Any:
        """The value of a primitive or structural operation of that name."""
        if name in STRUCTURAL:
            return STRUCTURAL[name](*arguments)
        if name in _BY_JAX:
            return VALUES[name](*arguments)
        return _guarded(name)(*jnp.broadcast_arrays(*map(jnp.float64, arguments)))


MATH = JaxMath()


@cache
def _guarded(name: str) -> Callable[..., Any]:
    """A primitive with the shared table's derivative, silent where no adjoint comes in."""
    value, partials = VALUES[name], PRIMITIVES[name].partials

    def forward(*arguments: Any) -> Any:
        result = value(*arguments)
        return result, (result, arguments)

    def backward(kept: Any, adjoint: Any) -> tuple[Any, ...]:
        result, arguments = kept
        slopes = partials(MATH, result, *arguments)
        return tuple(
            jnp.zeros_like(adjoint) if s is None else jnp.where(adjoint == 0.0, 0.0, adjoint * s)
            for s in slopes
        )

    function: Any = jax.custom_vjp(value)
    function.defvjp(forward, backward)
    guarded: Callable[..., Any] = function
    return guarded
