"""The observe statements of a model by the names of their data, one element for each datum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.core import ast
from lfppl.lir.tables import Model as Tables
from lfppl.results.names import Observation
from lfppl.runs.layout import Integers, Observed, Sums, grid, observed_terms, summing
from lfppl.trace.graph import Node
from lfppl.trace.records import FactorRecord, Trace, index_table

Floats = NDArray[np.float64]


class Statement(NamedTuple):
    """An observe statement: the data its value is taken from, and the branches around it."""

    site: int
    data: frozenset[str]
    branches: tuple[tuple[int, bool], ...]


@dataclass(frozen=True)
class Observations:
    """All observe statements: their elements, and how terms are summed to a row for each.

    `records[i]` and `rows[i]`: the factor records of observation i with, for each of their rows,
    its element.
    """

    all: tuple[Observation, ...]
    sums: Sums
    records: tuple[tuple[tuple[FactorRecord, Integers], ...], ...]


def find_observations(
    core: ast.Expression, data: Mapping[str, Any], trace: Trace, tables: Tables
) -> Observations:
    """The observations of a model; statements of one datum in opposite branches are joined."""
    terms = {observed.site: observed for observed in observed_terms(tables)}
    groups = list(_grouped([s for s in statements(core, data) if s.site in terms], terms))
    names = _distinct_names([group[0] for group in groups])
    found, sums, records, start = [], [], [], 0
    for name, group in zip(names, groups, strict=True):
        indices = terms[group[0].site].indices
        members = _records(trace, [statement.site for statement in group], indices)
        shape = grid(indices)
        observed = _observed(members, len(indices)).reshape(shape)
        found.append(Observation(name, start, shape, observed))
        sums.append(_joined([terms[statement.site] for statement in group]))
        records.append(tuple(members))
        start += len(indices)
    count = sum(len(factor.vertices) for factor in tables.factors)
    return Observations(tuple(found), summing(sums, count), tuple(records))


def statements(core: ast.Expression, data: Mapping[str, Any]) -> list[Statement]:
    """The observe statements of a program, in the order of their sites."""
    found: list[Statement] = []
    observes: list[tuple[ast.Observe, tuple[tuple[int, bool], ...]]] = []
    bound: dict[str, ast.Expression] = {}
    waiting: list[tuple[Any, tuple[tuple[int, bool], ...]]] = [(core, ())]
    while waiting:
        node, branches = waiting.pop()
        match node:
            case ast.If():
                waiting.append((node.test, branches))
                waiting.append((node.then, (*branches, (node.site, True))))
                waiting.append((node.otherwise, (*branches, (node.site, False))))
                continue
            case ast.Let():
                bound[node.name] = node.value
            case ast.Observe():
                observes.append((node, branches))
        waiting.extend((child, branches) for child in _children(node))
    for observe, branches in observes:
        names = _data_in(observe.value, bound, data)
        is_factor = getattr(observe.distribution, "name", "") == "factor"
        names = frozenset({"factor"}) if is_factor else names
        found.append(Statement(observe.site, names, branches))
    return sorted(found)


# --- pieces --------------------------------------------------------------------------------------


def _children(node: Any) -> Iterator[Any]:
    for field in fields(node):
        value = getattr(node, field.name)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, _EXPRESSIONS):
                yield child


_EXPRESSIONS = tuple(ast.Expression.__args__)


def _data_in(
    value: ast.Expression, bound: Mapping[str, ast.Expression], data: Mapping[str, Any]
) -> frozenset[str]:
    """The data an expression is taken from, those used as indices left out."""
    names, seen, waiting = set(), set(), [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Variable):
            if node.name in bound and node.name not in seen:
                seen.add(node.name)
                waiting.append(bound[node.name])
            elif node.name in data:
                names.add(node.name)
        elif isinstance(node, ast.Operation) and node.name in ("get", "subvec"):
            waiting.append(node.arguments[0])
        else:
            waiting.extend(_children(node))
    return frozenset(names)


def _grouped(
    all_statements: list[Statement], terms: Mapping[int, Observed]
) -> list[list[Statement]]:
    groups: list[list[Statement]] = []
    for statement in all_statements:
        for group in groups:
            if all(_are_alternatives(statement, other, terms) for other in group):
                group.append(statement)
                break
        else:
            groups.append([statement])
    return groups


def _are_alternatives(a: Statement, b: Statement, terms: Mapping[int, Observed]) -> bool:
    """Whether two statements stand in opposite branches of an `if` and observe the same datum."""
    opposite = any((site, not branch) in b.branches for site, branch in a.branches)
    if not opposite or a.data != b.data or len(a.data) != 1:
        return False
    return np.array_equal(terms[a.site].indices, terms[b.site].indices)


def _distinct_names(chosen: list[Statement]) -> list[str]:
    """A name for each: that of its datum, with a number where it has been given already."""
    names: list[str] = []
    for statement in chosen:
        name = next(iter(statement.data)) if len(statement.data) == 1 else "observed"
        number = 1 + sum(other == name or other.startswith(f"{name}_") for other in names)
        names.append(name if number == 1 else f"{name}_{number}")
    return names


def _joined(parts: list[Observed]) -> tuple[Integers, Integers]:
    terms = np.concatenate([part.terms for part in parts])
    return terms, np.concatenate([part.points for part in parts])


def _records(
    trace: Trace, sites: list[int], indices: Integers
) -> list[tuple[FactorRecord, Integers]]:
    """The records of some sites, with the element that each of their rows is."""
    element = {tuple(row): i for i, row in enumerate(indices.tolist())}
    found = []
    for record in trace.factors:
        if record.kind == "observe" and record.site in sites:
            labels = index_table(record.indices, record.domain)
            rows = [element.get(tuple(row), -1) for row in labels.tolist()]
            found.append((record, np.array(rows, np.int64)))
    return found


def _observed(members: list[tuple[FactorRecord, Integers]], count: int) -> Floats:
    """The data of each element, NaN where the value is computed, is a vector, or is a factor's."""
    values = np.full(count, np.nan)
    for record, rows in members:
        value = record.value
        if isinstance(value, Node) and value.is_static and not record.family.observed_only:
            data = value.static_rows()
            if len(data) > 1 and value.domain is not record.domain:
                data = data[record.domain.row_in(value.domain)]
            inside = rows >= 0
            values[rows[inside]] = np.broadcast_to(data, len(rows))[inside]
    return values
