"""Points drawn statement by statement: from the prior, and as starting points of chains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.core.distributions import FAMILIES
from lfppl.errors import running
from lfppl.lir.tables import Model as Tables
from lfppl.lir.tables import VariableBlock
from lfppl.runs import transforms
from lfppl.runs.drawing import draw_many
from lfppl.runs.numbers import Numbers
from lfppl.trace.records import SampleBlock, Trace, index_table

Floats = NDArray[np.float64]

RADIUS = 2.0
"""Coordinates start in (-RADIUS, RADIUS), where transforms are well behaved (Stan's choice)."""


@dataclass(frozen=True)
class Rows:
    """Rows of a sample block with one change of variables: `places` in the block, `slots` in x."""

    transform: str
    is_drawn: bool
    places: NDArray[np.int64]
    slots: NDArray[np.int64]


@dataclass(frozen=True)
class Placed:
    """A sample block with the indices of its rows, and where they stand in x."""

    block: SampleBlock
    indices: NDArray[np.int64]
    rows: tuple[Rows, ...]


@dataclass(frozen=True)
class Points:
    """Points in the sampler's coordinates, a row each, and all their numbers."""

    coordinates: Floats
    numbers: Numbers


def placed_blocks(trace: Trace, tables: Tables) -> tuple[Placed, ...]:
    """The sample blocks of a trace in their order, with their places in the x of a LIR."""
    groups: dict[tuple[str, int], list[SampleBlock]] = {}
    for block in trace.samples:
        groups.setdefault((block.name, block.site), []).append(block)
    variables = iter(tables.variables)
    found: dict[int, Placed] = {}
    for group in groups.values():
        for placed in _placed_group(group, variables):
            found[placed.block.number] = placed
    return tuple(found[block.number] for block in trace.samples)


def draw_points(
    trace: Trace,
    blocks: Sequence[Placed],
    dimension: int,
    generator: np.random.Generator,
    count: int,
    given: Mapping[str, Floats] | None = None,
) -> Points:
    """Starting points: discontinuous variables from their priors, the others near 0 in x.

    Values of `given` (natural, NaN where there is none) are taken instead.
    """
    numbers = Numbers(count)
    coordinates = np.zeros((count, dimension))
    for placed in blocks:
        parameters = _parameters(numbers, placed.block)
        values = draw_many(generator, placed.block.family, parameters)
        wanted = _given_rows(placed, given or {})
        for rows in placed.rows:
            bounds = _bounds(placed.block, parameters, rows.places)
            states = _states(generator, rows, values[:, rows.places], bounds)
            if wanted is not None:
                states = _overridden(placed, rows, states, wanted[rows.places], bounds)
            coordinates[:, rows.slots] = states
            values[:, rows.places] = transforms.natural(rows.transform, states, bounds)
        numbers.set(placed.block.leaf, values.reshape(count, -1))
    return Points(coordinates, numbers)


def draw_prior(trace: Trace, generator: np.random.Generator, count: int) -> Numbers:
    """Draws from the prior: every sample statement, whatever is observed."""
    numbers = Numbers(count)
    for block in trace.samples:
        values = draw_many(generator, block.family, _parameters(numbers, block))
        numbers.set(block.leaf, values.reshape(count, -1))
    return numbers


# --- pieces --------------------------------------------------------------------------------------


def _placed_group(group: list[SampleBlock], variables: Iterator[VariableBlock]) -> Iterator[Placed]:
    """The blocks of one statement; the LIR has them in one variable block or in two."""
    tables = [index_table(block.indices, block.domain) for block in group]
    total = sum(len(table) for table in tables)
    parts = [next(variables)]
    if len(parts[0].indices) < total:
        parts.append(next(variables))
    starts = np.concatenate([[0], np.cumsum([len(table) for table in tables])])
    owners = _owners(np.concatenate(tables), parts)
    for block, table, start in zip(group, tables, starts[:-1], strict=True):
        rows = tuple(_rows_of(part, owners[k], start, len(table)) for k, part in enumerate(parts))
        yield Placed(block, table, tuple(r for r in rows if len(r.places)))


def _owners(indices: NDArray[np.int64], parts: list[VariableBlock]) -> list[NDArray[np.int64]]:
    """For each part, the rows of the statement that its rows are, in order."""
    if len(parts) == 1:
        return [np.arange(len(indices))]
    first = {tuple(row) for row in parts[0].indices.tolist()}
    mine = np.array([tuple(row) in first for row in indices.tolist()])
    return [np.flatnonzero(mine), np.flatnonzero(~mine)]


def _rows_of(part: VariableBlock, owner: NDArray[np.int64], start: int, count: int) -> Rows:
    here = (owner >= start) & (owner < start + count)
    places = owner[here] - start
    slots = np.asarray(part.coordinates[here], np.int64)
    name = part.transform.name
    is_drawn = name == "floor" or (part.discontinuous and name != "simplex")
    if not FAMILIES[part.family].is_vector:
        slots = slots.reshape(len(places))
    return Rows(name, is_drawn, places, slots)


def _parameters(numbers: Numbers, block: SampleBlock) -> list[Floats]:
    return [numbers.argument(parameter, block.domain) for parameter in block.parameters]


def _bounds(
    block: SampleBlock, parameters: list[Floats], places: NDArray[np.int64]
) -> transforms.Bounds:
    if block.family.support.kind != "interval":
        return None, None
    chosen = [parameter[:, places] for parameter in parameters]
    return transforms.bounds_of(block.family, chosen)


def _states(
    generator: np.random.Generator, rows: Rows, values: Floats, bounds: transforms.Bounds
) -> Floats:
    if not rows.is_drawn:
        shape = (len(values), *rows.slots.shape)
        return generator.uniform(-RADIUS, RADIUS, shape)
    if rows.transform == "floor":
        return np.asarray(values + generator.random(values.shape))  # anywhere in the cell
    return values


def _given_rows(placed: Placed, given: Mapping[str, Floats]) -> Floats | None:
    if placed.block.name not in given:
        return None
    return np.asarray(given[placed.block.name][tuple(placed.indices.T)]).reshape(
        len(placed.indices), *((placed.block.parts,) if placed.block.family.is_vector else ())
    )


def _overridden(
    placed: Placed, rows: Rows, states: Floats, wanted: Floats, bounds: transforms.Bounds
) -> Floats:
    """The states, except where natural values are wanted."""
    values = np.broadcast_to(wanted, (len(states), *wanted.shape))
    chosen = transforms.coordinate(rows.transform, values, bounds)
    is_wanted = np.isfinite(values)
    if rows.transform == "simplex":
        is_wanted = np.broadcast_to(is_wanted.all(-1, keepdims=True), states.shape)
    if not np.isfinite(chosen[is_wanted]).all():
        raise running.initial_outside_support(placed.block.name, placed.block.span)
    return np.where(is_wanted, chosen, states)
