"""From a model's tables to its density in JAX."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from lfppl.backends.batch import BatchDensity
from lfppl.backends.jax.nodes import Array, compute
from lfppl.backends.jax.sweeps import sweep_of
from lfppl.backends.space import space_of
from lfppl.errors import native
from lfppl.lir.tables import Factor, Model, Predicate

MOST_PARTS = 2_000
"""Runs and steps of cones; XLA compiles some hundred of them in a second."""


def batch_density_of(model: Model) -> BatchDensity:
    """The density of a model as array functions, to be called with 64-bit numbers enabled."""
    _check_size(model)
    space = space_of(model)
    evaluate = _evaluation(model)
    continuous = np.zeros(model.dimension, bool)
    continuous[space.continuous] = True
    slope = jax.value_and_grad(evaluate, has_aux=True)

    def gradient(x: Array) -> tuple[Array, Array, Array]:
        (u, numbers), found = slope(x)
        return u, jnp.where(continuous, found, 0.0), numbers

    return BatchDensity(
        **vars(space),
        evaluate=evaluate,
        gradient=gradient,
        sweep=sweep_of(model),
        branches=lambda x: _told(model, model.predicates, _everything(model, x)) != 0.0,
        values=lambda x: _values(model, _everything(model, x)),
        terms=lambda x: _told(model, model.factors, evaluate(x)[1]),
    )


def _check_size(model: Model) -> None:
    steps = sum(len(shape.steps) for shape in model.cones.shapes)
    parts = len(model.whole_schedule) + steps
    if parts > MOST_PARTS:
        raise native.too_many_parts(parts, MOST_PARTS)


def _evaluation(model: Model) -> Callable[[Array], tuple[Array, Array]]:
    def evaluate(x: Array) -> tuple[Array, Array]:
        numbers = compute(model, model.schedule, _begun(model, x))
        terms = _told(model, model.factors, numbers)
        impossible = (terms == -jnp.inf).any()
        return jnp.where(impossible, jnp.inf, -terms.sum()), numbers

    return evaluate


def _begun(model: Model, x: Array) -> Array:
    return jnp.concatenate([jnp.float64(x), jnp.zeros(model.size - model.dimension)])


def _everything(model: Model, x: Array) -> Array:
    """All numbers, those of the report too."""
    return compute(model, model.whole_schedule, _begun(model, x))


def _told(model: Model, tables: tuple[Factor | Predicate, ...], numbers: Array) -> Array:
    """The rows that factors or predicates name, one table after another."""
    found = [jnp.zeros(0)]
    for table in tables:
        node = model.nodes[table.node]
        start = node.base + table.output * node.rows
        found.append(numbers[start : start + node.rows])
    return jnp.concatenate(found)


def _values(model: Model, numbers: Array) -> Array:
    """The natural values of all variables, then the returned value."""
    found = [jnp.zeros(0)]
    for block in model.variables:
        values = numbers[block.values.ravel()]
        found.append(jnp.floor(values) if block.discrete else values)
    addresses = model.returned.addresses.ravel()
    constants = np.asarray(model.returned.constants, np.float64).ravel()
    found.append(jnp.where(addresses < 0, constants, numbers[np.maximum(addresses, 0)]))
    return jnp.concatenate(found)
