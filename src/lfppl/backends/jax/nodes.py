"""The rows of nodes computed from the array of numbers: all rows of a run, or chosen ones."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lfppl.backends.jax.primitives import MATH
from lfppl.lir.tables import (
    Affine,
    Column,
    Gather,
    Linear,
    Map,
    Model,
    Node,
    Reduce,
    Run,
    Table,
    Uniform,
)

Array = Any

NEUTRAL = {"sum": 0.0, "max": -np.inf, "min": np.inf, "logsumexp": -np.inf}
"""The reductions of no items."""


def compute(model: Model, runs: tuple[Run, ...], numbers: Array) -> Array:
    """The numbers with the rows of some runs computed in order."""
    for number, start, stop in runs:
        if stop > start:
            node = model.nodes[number]
            numbers = write(numbers, node, start, _run_rows(node, start, stop, numbers))
    return numbers


def write(numbers: Array, node: Node, start: int, outputs: list[Array]) -> Array:
    """The numbers with consecutive rows of a node replaced."""
    for k, values in enumerate(outputs):
        first = node.base + k * node.rows + start
        numbers = jax.lax.dynamic_update_slice(numbers, values, (first,))
    return numbers


def addresses(node: Node, output: int, rows: Array) -> Array:
    """Where an output of some rows stands."""
    return node.base + output * node.rows + rows


def read(numbers: Array, gather: Gather, places: Array) -> Array:
    """What a gather reads at some places."""
    if not isinstance(gather, Affine):
        return numbers[jnp.asarray(gather.addresses)[places]]
    if gather.stride == 0:
        return numbers[gather.start]
    return numbers[gather.start + gather.stride * places]


def column(numbers: Array, source: Column, rows: Array) -> Array:
    """What a kernel reads in a column for some rows."""
    if isinstance(source, Uniform):
        return source.value
    if isinstance(source, Table):
        return jnp.asarray(source.values)[rows]
    return read(numbers, source, rows)


def run_kernel(node: Map, columns: list[Array], shape: tuple[int, ...]) -> list[Array]:
    """The outputs of a kernel, one array of the shape each."""
    registers = list(columns)
    for operation, arguments in node.kernel.instructions:
        registers.append(MATH.apply(operation, *(registers[a] for a in arguments)))
    found = [registers[register] for register in node.kernel.outputs]
    return [jnp.broadcast_to(jnp.float64(value), shape) for value in found]


def chosen_rows(node: Map | Reduce, rows: Array, numbers: Array) -> list[Array]:
    """Rows of a node that are known only when running, from what stands in the numbers."""
    if isinstance(node, Map):
        return run_kernel(node, [column(numbers, c, rows) for c in node.columns], rows.shape)
    lengths = np.diff(node.offsets)
    within = np.arange(int(lengths.max(initial=0)))
    positions = jnp.asarray(node.offsets)[rows][:, None] + within
    inside = within < jnp.asarray(lengths)[rows][:, None]
    items = read(numbers, node.inputs, jnp.where(inside, positions, 0))
    return [_reduced(node.kind, jnp.where(inside, items, NEUTRAL[node.kind]))]


def _run_rows(node: Node, start: int, stop: int, numbers: Array) -> list[Array]:
    rows = np.arange(start, stop)
    if isinstance(node, Map):
        columns = [_consecutive(numbers, c, start, stop) for c in node.columns]
        return run_kernel(node, columns, rows.shape)
    if isinstance(node, Linear):
        return [weighted(node, rows, numbers)]
    lengths = np.diff(node.offsets)[start:stop]
    if (lengths == lengths[0]).all():
        return [_reduced(node.kind, _even_groups(node, start, stop, numbers))]
    return [_ragged(node, start, stop, numbers)]


def _consecutive(numbers: Array, source: Column, start: int, stop: int) -> Array:
    """A column for consecutive rows: a slice where the addresses are consecutive too."""
    if isinstance(source, Affine) and source.stride == 1:
        return numbers[source.start + start : source.start + stop]
    return column(numbers, source, np.arange(start, stop))


def _items(node: Reduce, first: int, last: int, numbers: Array) -> Array:
    return jnp.broadcast_to(read(numbers, node.inputs, np.arange(first, last)), (last - first,))


def _even_groups(node: Reduce, start: int, stop: int, numbers: Array) -> Array:
    items = _items(node, int(node.offsets[start]), int(node.offsets[stop]), numbers)
    return items.reshape(stop - start, -1)


def _reduced(kind: str, groups: Array) -> Array:
    """The reduction of each line of a matrix."""
    if groups.shape[1] == 0:
        return jnp.full(groups.shape[0], NEUTRAL[kind])
    if kind == "sum":
        return groups.sum(axis=1)
    if kind == "min":
        return groups.min(axis=1)
    top = groups.max(axis=1)
    return (
        top if kind == "max" else _log_sum(top, lambda shift: groups - shift[:, None], _sum_lines)
    )


def _sum_lines(lines: Array) -> Array:
    return lines.sum(axis=1)


def _log_sum(top: Array, shifted: Any, total: Any) -> Array:
    """The log of sums of exponentials, shifted by the largest item where that is finite."""
    shift = jax.lax.stop_gradient(jnp.where(jnp.isfinite(top), top, 0.0))
    return MATH.log(total(MATH.exp(shifted(shift)))) + shift


def _ragged(node: Reduce, start: int, stop: int, numbers: Array) -> Array:
    """Groups of different lengths, by their numbers."""
    items = _items(node, int(node.offsets[start]), int(node.offsets[stop]), numbers)
    groups = np.repeat(np.arange(stop - start), np.diff(node.offsets)[start:stop])

    def total(values: Array) -> Array:
        return jax.ops.segment_sum(values, groups, stop - start, indices_are_sorted=True)

    if node.kind == "sum":
        return total(items)
    if node.kind == "min":
        return jax.ops.segment_min(items, groups, stop - start, indices_are_sorted=True)
    top = jax.ops.segment_max(items, groups, stop - start, indices_are_sorted=True)
    return top if node.kind == "max" else _log_sum(top, lambda s: items - s[groups], total)


def weighted(node: Linear, rows: Any, numbers: Array) -> Array:
    """Rows of a weighted sum, all their terms."""
    items = read(numbers, node.inputs, np.arange(node.weights.shape[1]))
    if isinstance(node.weights, np.ndarray):
        return jnp.asarray(node.weights[rows]) @ jnp.broadcast_to(items, node.weights.shape[1:])
    part = node.weights[rows]
    owners = np.repeat(np.arange(len(rows)), np.diff(part.indptr))
    terms = jnp.asarray(part.data) * items[part.indices]
    return jax.ops.segment_sum(terms, owners, len(rows), indices_are_sorted=True)
