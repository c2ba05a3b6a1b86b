"""Predictions: draws from the prior, and data drawn anew given parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis import shape_of
from lfppl.lir.returned import shape_returned
from lfppl.results.names import RETURN
from lfppl.runs.ancestral import draw_prior
from lfppl.runs.drawing import draw_many
from lfppl.runs.layout import Integers
from lfppl.runs.numbers import Numbers
from lfppl.runs.observations import Observations
from lfppl.trace.graph import Node
from lfppl.trace.records import FactorRecord, SampleBlock, Trace, index_table

Floats = NDArray[np.float64]
Arrays = dict[str, Floats]

MOST_NUMBERS = 4_000_000
"""How many numbers of a graph are held at once; more points are taken in portions."""


def prior_draws(
    trace: Trace, observations: Observations, generator: np.random.Generator, count: int
) -> tuple[Arrays, Arrays]:
    """Draws of the variables and the returned value, and data predicted from them."""
    parts = []
    for portion in _portions(trace, count):
        numbers = draw_prior(trace, generator, portion)
        parts.append((variables(trace, numbers), predicted(observations, numbers, generator)))
    return _joined([first for first, _ in parts]), _joined([second for _, second in parts])


def predictions(
    trace: Trace,
    observations: Observations,
    generator: np.random.Generator,
    draws: Mapping[str, Floats],
) -> Arrays:
    """Data predicted from draws of all variables: arrays whose first axis is that of the draws."""
    count = len(next(iter(draws.values()))) if draws else 1
    parts, start = [], 0
    for portion in _portions(trace, count):
        here = slice(start, start + portion)
        numbers = numbers_at(trace, {name: array[here] for name, array in draws.items()}, portion)
        parts.append(predicted(observations, numbers, generator))
        start += portion
    return _joined(parts)


def numbers_at(trace: Trace, draws: Mapping[str, Floats], count: int) -> Numbers:
    """The numbers of a model at given values of all variables."""
    numbers = Numbers(count)
    for block in trace.samples:
        indices = index_table(block.indices, block.domain)
        values = np.asarray(draws[block.name], np.float64)[(slice(None), *indices.T)]
        numbers.set(block.leaf, values.reshape(count, -1))
    return numbers


def variables(trace: Trace, numbers: Numbers) -> Arrays:
    """The variables and the returned value by name: arrays of (point, *shape)."""
    groups: dict[str, list[SampleBlock]] = {}
    for block in trace.samples:
        groups.setdefault(block.name, []).append(block)
    found = {name: _variable(numbers, blocks) for name, blocks in groups.items()}
    returned = _returned(trace, numbers)
    if returned.size:
        found[RETURN] = returned
    return found


def predicted(
    observations: Observations, numbers: Numbers, generator: np.random.Generator
) -> Arrays:
    """Data drawn from the observe statements; NaN where a statement's branch is not taken."""
    found = {}
    for observation, members in zip(observations.all, observations.records, strict=True):
        if all(_is_plain(record) for record, _ in members):
            shape = (numbers.points, observation.size)
            values = np.full(shape, np.nan)
            for record, elements in members:
                _predict(values, record, elements, numbers, generator)
            found[observation.name] = values.reshape(numbers.points, *observation.shape)
    return found


# --- pieces --------------------------------------------------------------------------------------


def _is_plain(record: FactorRecord) -> bool:
    """Whether a statement observes single numbers of a distribution that can be drawn from."""
    return not record.family.observed_only and not record.family.is_vector


def _predict(
    values: Floats,
    record: FactorRecord,
    elements: Integers,
    numbers: Numbers,
    generator: np.random.Generator,
) -> None:
    inside = elements >= 0
    parameters = [numbers.argument(p, record.domain)[:, inside] for p in record.parameters]
    drawn = draw_many(generator, record.family, parameters)
    old = values[:, elements[inside]]
    drawn = np.broadcast_to(drawn, old.shape)
    if record.guard is not None:
        holds = numbers.argument(record.guard, record.domain)[:, inside] != 0.0
        drawn = np.where(holds, drawn, old)
    values[:, elements[inside]] = drawn


def _variable(numbers: Numbers, blocks: Sequence[SampleBlock]) -> Floats:
    result = np.full((numbers.points, *shape_of(list(blocks))), np.nan)
    for block in blocks:
        indices = index_table(block.indices, block.domain)
        values = numbers.of(block.leaf)
        if block.family.is_vector:
            values = values.reshape(numbers.points, block.domain.rows, block.parts)
        if indices.shape[1]:
            result[(slice(None), *indices.T)] = values
        else:
            result[...] = values[:, 0]
    return result


def _returned(trace: Trace, numbers: Numbers) -> Floats:
    shaped = shape_returned(trace.graph, trace.returned)
    parts = [_rows(numbers, node) for node in shaped.nodes]
    if not parts:
        return np.empty((numbers.points, 0))
    return np.concatenate(parts, axis=1).reshape(numbers.points, *shaped.shape)


def _rows(numbers: Numbers, node: Node) -> Floats:
    return numbers.of(node)


def _portions(trace: Trace, count: int) -> Iterator[int]:
    """Sizes of portions of points that keep the numbers of the graph within bounds."""
    total = sum(node.domain.rows for node in trace.graph.nodes if not node.is_static)
    most = max(1, MOST_NUMBERS // max(total, 1))
    while count > 0:
        yield min(count, most)
        count -= most


def _joined(parts: Sequence[Arrays]) -> Arrays:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
