"""The LIR evaluated in plain NumPy, run by run: the reference for every backend."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.core.distributions import FAMILIES
from lfppl.core.primitives import NumpyMath
from lfppl.lir.access import Positions, gathered
from lfppl.lir.tables import (
    Column,
    Factor,
    Floats,
    Linear,
    Map,
    Model,
    Predicate,
    Reduce,
    Run,
    Table,
    Uniform,
    VariableBlock,
)

Bit = tuple[int, tuple[int, ...]]
"""The name of a branching variable: its `if`'s site and its loop indices."""

_MATH = NumpyMath()


@dataclass(frozen=True)
class Evaluation:
    """Everything a model says about a point.

    `numbers` is the array v; `terms` are all rows of all factors in order, and `vertex_terms` their
    sum for each vertex; `variables` holds the natural values by name.
    """

    numbers: Floats
    log_density: float
    terms: Floats
    vertex_terms: Floats
    bits: dict[Bit, bool]
    variables: dict[str, Floats]
    returned: Floats


def evaluate(model: Model, x: NDArray[np.float64]) -> Evaluation:
    """All values of a model at the coordinates x."""
    numbers = np.full(model.size, np.nan)  # what is read too early is NaN
    numbers[: model.dimension] = x
    with np.errstate(all="ignore"):
        for run in model.whole_schedule:
            _compute(model, run, numbers)
        terms = _terms(model, numbers)
        vertex_terms = _by_vertex(model, terms)
        log_density = float(terms.sum()) if not (terms == -np.inf).any() else -np.inf
    return Evaluation(
        numbers,
        log_density,
        terms,
        vertex_terms,
        _bits(model, numbers),
        _variables(model, numbers),
        _returned(model, numbers),
    )


# --- nodes ---------------------------------------------------------------------------------------


def _compute(model: Model, run: Run, numbers: Floats) -> None:
    node = model.nodes[run.node]
    rows = np.arange(run.start, run.stop, dtype=np.int64)
    if isinstance(node, Map):
        _map(node, rows, numbers)
    elif not len(rows):
        return
    elif isinstance(node, Reduce):
        numbers[node.base + rows] = _reduce(node, rows, numbers)
    else:
        numbers[node.base + rows] = _linear(node, rows, numbers)


def _map(node: Map, rows: Positions, numbers: Floats) -> None:
    registers = [_column(column, rows, numbers) for column in node.columns]
    for operation, arguments in node.kernel.instructions:
        registers.append(_MATH.apply(operation, *(registers[a] for a in arguments)))
    for output, register in enumerate(node.kernel.outputs):
        numbers[node.base + output * node.rows + rows] = registers[register]


def _column(column: Column, rows: Positions, numbers: Floats) -> Floats:
    if isinstance(column, Uniform):
        return np.full(len(rows), column.value)
    if isinstance(column, Table):
        return column.values[rows]
    return numbers[gathered(column, rows)]


def _reduce(node: Reduce, rows: Positions, numbers: Floats) -> Floats:
    first, last = int(node.offsets[rows[0]]), int(node.offsets[rows[-1] + 1])
    items = numbers[gathered(node.inputs, np.arange(first, last, dtype=np.int64))]
    starts = (node.offsets[rows] - first).astype(np.int64)
    lengths = np.diff(node.offsets)[rows]
    result = np.full(len(rows), 0.0 if node.kind == "sum" else _EXTREMES[node.kind])
    filled = lengths > 0
    if filled.any():
        result[filled] = _reduced(node.kind, items, starts[filled], lengths[filled])
    return result


_EXTREMES = {"max": -np.inf, "min": np.inf, "logsumexp": -np.inf}
"""The reductions of no items, other than the sum."""


def _reduced(kind: str, items: Floats, starts: Positions, lengths: Positions) -> Floats:
    if kind == "sum":
        return np.add.reduceat(items, starts)
    if kind == "min":
        return np.minimum.reduceat(items, starts)
    largest = np.maximum.reduceat(items, starts)
    if kind == "max":
        return largest
    finite = np.where(np.isfinite(largest), largest, 0.0)
    return np.log(np.add.reduceat(np.exp(items - np.repeat(finite, lengths)), starts)) + finite


def _linear(node: Linear, rows: Positions, numbers: Floats) -> Floats:
    items = numbers[gathered(node.inputs, np.arange(node.weights.shape[1], dtype=np.int64))]
    return np.asarray(node.weights[rows[0] : rows[-1] + 1] @ items, dtype=np.float64)


# --- what they mean ------------------------------------------------------------------------------


def _rows_of(model: Model, table: Factor | Predicate, numbers: Floats) -> Floats:
    node = model.nodes[table.node]
    start = node.base + table.output * node.rows
    return numbers[start : start + node.rows]


def _terms(model: Model, numbers: Floats) -> Floats:
    parts = [_rows_of(model, factor, numbers) for factor in model.factors]
    return np.concatenate([np.zeros(0), *parts])


def _by_vertex(model: Model, terms: Floats) -> Floats:
    vertices = [factor.vertices for factor in model.factors]
    if not vertices:
        return np.zeros(len(model.vertices))
    totals = np.bincount(np.concatenate(vertices), terms, len(model.vertices))
    return np.asarray(totals, dtype=np.float64)


def _bits(model: Model, numbers: Floats) -> dict[Bit, bool]:
    bits: dict[Bit, bool] = {}
    for predicate in model.predicates:
        values = _rows_of(model, predicate, numbers)
        rows = zip(predicate.sites, predicate.indices, values, strict=True)
        for site, indices, value in rows:
            bits[int(site), tuple(int(i) for i in indices if i >= 0)] = bool(value != 0.0)
    return bits


def _variables(model: Model, numbers: Floats) -> dict[str, Floats]:
    blocks: dict[str, list[VariableBlock]] = {}
    for block in model.variables:
        blocks.setdefault(block.name, []).append(block)
    return {name: _assembled(parts, numbers) for name, parts in blocks.items()}


def _assembled(blocks: list[VariableBlock], numbers: Floats) -> Floats:
    """The array of a variable; elements that no block has are NaN."""
    values = [_natural(block, numbers) for block in blocks]
    indices = np.concatenate([block.indices for block in blocks])
    shape = (*(int(i) + 1 for i in indices.max(axis=0, initial=0)), *values[0].shape[1:])
    result = np.full(shape, np.nan)
    for block, rows in zip(blocks, values, strict=True):
        result[tuple(block.indices.T)] = rows if block.indices.shape[1] else rows[0]
    return result


def _natural(block: VariableBlock, numbers: Floats) -> Floats:
    """The natural values of a block's rows: numbers, or vectors where the family has them."""
    values = numbers[block.values]
    if block.transform.name == "floor":
        values = np.floor(values)  # the coordinate itself, of which the value is the cell
    if values.ndim == 2 and not FAMILIES[block.family].is_vector:
        return values[:, 0]
    return values


def _returned(model: Model, numbers: Floats) -> Floats:
    addresses = model.returned.addresses
    result = np.array(model.returned.constants, dtype=np.float64)
    computed = addresses >= 0
    result[computed] = numbers[addresses[computed]]
    return result
