"""The LIR as text for people, and with its neighbours as Graphviz dot and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby

import numpy as np

from lfppl.lir.dot import dot
from lfppl.lir.kernel_text import kernel_lines
from lfppl.lir.tables import (
    Affine,
    Column,
    ConeShape,
    ConeStep,
    Factor,
    Gather,
    Indexed,
    Linear,
    Map,
    Model,
    Node,
    Predicate,
    Reduce,
    Run,
    Table,
    Uniform,
    VariableBlock,
)
from lfppl.lir.tables_json import to_json

__all__ = ["dot", "text", "to_json"]

WIDTH = 100
MAX_LISTED = 24
"""Longer lists are cut, and say how much is missing."""


def text(model: Model) -> str:
    """All tables of a model, in lines of at most 100 columns."""
    sections = [
        ("", [_summary(model)]),
        ("variables", [line for v in model.variables for line in _variable(v)]),
        ("nodes", [line for n, node in enumerate(model.nodes) for line in _node(n, node)]),
        ("schedule", _schedule(model.schedule)),
        ("report", _schedule(model.report_schedule)),
        ("vertices", [_vertex(model, i) for i in range(len(model.vertices))]),
        ("factors", [_factor(factor) for factor in model.factors]),
        ("predicates", [_predicate(model, p) for p in model.predicates]),
        ("returned", [_returned(model)]),
        ("cones", _cut([_cone(shape) for shape in model.cones.shapes])),
        ("colours", _cut([_colour(c, members) for c, members in enumerate(model.colours)])),
    ]
    lines = [line for title, body in sections if body for line in _section(title, body)]
    return "\n".join(line for long in lines for line in _wrapped(long)) + "\n"


def _section(title: str, body: list[str]) -> list[str]:
    return [title, *(f"  {line}" for line in body)] if title else body


def _wrapped(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(
        line, WIDTH, subsequent_indent=indent, break_on_hyphens=False, drop_whitespace=True
    )


def _summary(model: Model) -> str:
    count = len(model.cones.coordinates)
    return (
        f"model: {_count(model.dimension, 'coordinate')} "
        f"({model.dimension - count} continuous, {count} discontinuous), "
        f"{_count(len(model.nodes), 'node')}, {_count(model.size - model.dimension, 'value')}, "
        f"{_count(len(model.colours), 'colour')}"
    )


def _variable(block: VariableBlock) -> list[str]:
    kind = "discontinuous" if block.discontinuous else "continuous"
    parts = [f"{block.name}{_elements(block.indices)} ~ {block.family}"]
    parts.append(f"x[{ranges(block.coordinates)}] -> v[{ranges(block.values)}]")
    parts.append(kind if block.transform.name == "identity" else f"{kind}, {block.transform.name}")
    if block.discontinuous:
        parts.append(f"from {_number(block.lower)} to {_number(block.upper)}")
    reasons = [f"  because {r.text} ({r.kind}, {r.span})" for r in block.reasons]
    return ["  ".join(parts), *_cut(reasons)]


def _elements(indices: np.ndarray) -> str:
    if indices.shape[1] == 0:
        return ""
    return f"[{','.join(ranges(column) for column in indices.T)}]"


def _node(number: int, node: Node) -> Iterator[str]:
    outputs = len(node.kernel.outputs) if isinstance(node, Map) else 1
    place = f"v[{_span(node.base, outputs * node.rows)}]"
    head = f"n{number}  {_count(node.rows, 'row')} -> {place}"
    if isinstance(node, Map):
        yield f"{head}  map"
        columns, long = _columns(node.columns)
        yield from (f"  {line}" for line in long)
        yield from (f"  {line}" for line in kernel_lines(node.kernel, columns))
    elif isinstance(node, Reduce):
        lengths = np.diff(node.offsets)
        yield f"{head}  {node.kind} of {ranges(lengths)} values each"
        yield f"  of {_gather(node.inputs, 'i')}"
    else:
        yield f"{head}  weighted sums, {_weights(node)}"
        yield f"  of {_gather(node.inputs, 'i')}"


def _columns(columns: tuple[Column, ...]) -> tuple[list[str], list[str]]:
    """How each column is called in the formulas, and lines that define the long names."""
    names, lines = [], []
    for j, column in enumerate(columns):
        if isinstance(column, Uniform):
            names.append(_number(column.value))
        elif isinstance(column, Affine):
            names.append(_gather(column, "r"))
        else:
            names.append(f"c{j}")
            lines.append(f"c{j} = {_column(column)}")
    return names, lines


def _column(column: Table | Indexed) -> str:
    if isinstance(column, Indexed):
        return f"v[{ranges(column.addresses)}]"
    return f"data {_numbers(column.values)}"


def _gather(gather: Gather, row: str) -> str:
    if isinstance(gather, Indexed):
        return f"v[{ranges(gather.addresses)}]"
    if gather.stride == 0:
        return f"v[{gather.start}]"
    step = row if gather.stride == 1 else f"{gather.stride}*{row}"
    return f"v[{gather.start}+{step}]" if gather.start else f"v[{step}]"


def _weights(node: Linear) -> str:
    size = f"{node.weights.shape[0]} x {node.weights.shape[1]}"
    if isinstance(node.weights, np.ndarray):
        return f"dense {size}"
    return f"sparse {size} with {_count(node.weights.nnz, 'weight')}"


def _schedule(runs: Iterable[Run]) -> list[str]:
    items = _cut([f"n{run.node}[{_span(run.start, run.stop - run.start)}]" for run in runs])
    return [" ".join(items)] if items else []


def _vertex(model: Model, i: int) -> str:
    vertex = model.vertices[i]
    before = [f"{a}" for a, b in model.arcs if b == i]
    after = f"  from {', '.join(_cut(before))}" if before else ""
    name = f" {vertex.name}" if vertex.name else ""
    return f"{i}  {vertex.kind}{name} {vertex.family} at {vertex.span}{after}"


def _factor(factor: Factor) -> str:
    vertices = ranges(np.unique(factor.vertices))
    return f"{_output(factor)} adds to vertex {vertices}"


def _predicate(model: Model, predicate: Predicate) -> str:
    sites = np.unique(predicate.sites)
    places = ", ".join(_cut([str(model.branch_spans[int(site)]) for site in sites]))
    return f"{_output(predicate)} is the `if` at {places}"


def _output(table: Factor | Predicate) -> str:
    return f"n{table.node}.{table.output}"


def _returned(model: Model) -> str:
    addresses = model.returned.addresses
    shape = " x ".join(map(str, addresses.shape)) or "a number"
    parts = []
    if (addresses >= 0).any():
        parts.append(f"v[{ranges(addresses[addresses >= 0])}]")
    if (addresses < 0).any():
        parts.append(f"constant {_numbers(model.returned.constants[addresses < 0])}")
    return f"{shape}: {', '.join(parts) or 'nothing'}"


def _cone(shape: ConeShape) -> str:
    parts = [(step.node, _step_rows(step)) for step in shape.steps]
    runs = [_joined(list(group)) for _, group in groupby(parts, key=lambda part: part[0])]
    steps = " ".join(_cut([text for run in runs for text in run]))
    kind = ", one row each" if shape.single else ""
    return f"{_count(len(shape.members), 'coordinate')} x[{ranges(shape.members)}]{kind}: {steps}"


def _joined(parts: list[tuple[int, str]]) -> list[str]:
    """Steps of one node behind one another, as one item where there are many."""
    if len(parts) <= 2:
        return [f"n{node}[{rows}]" for node, rows in parts]
    return [f"n{parts[0][0]}[{parts[0][1]} ... {parts[-1][1]}: {len(parts)} steps]"]


def _step_rows(step: ConeStep) -> str:
    if isinstance(step.rows, slice):
        return _span(step.rows.start, step.rows.stop - step.rows.start)
    return ranges(step.rows)


def _colour(number: int, members: np.ndarray) -> str:
    return f"{number}  {_count(len(members), 'coordinate')} x[{ranges(members)}]"


# --- numbers -------------------------------------------------------------------------------------


def ranges(numbers: np.ndarray) -> str:
    """Integers in their order, with runs written short.

    >>> ranges(np.array([4, 5, 6, 9]))
    '4..6,9'
    """
    flat = np.asarray(numbers).ravel().astype(np.int64)
    if not len(flat):
        return ""
    steps = np.diff(flat)
    if len(flat) > 2 and (steps == 0).all():
        return str(flat[0])
    breaks = np.flatnonzero(steps != 1) + 1
    starts, stops = [0, *breaks], [*breaks, len(flat)]
    shown = zip(starts[: MAX_LISTED + 1], stops, strict=False)
    parts = [_span(int(flat[a]), int(b - a)) for a, b in shown]
    return ",".join(_cut(parts, len(starts)))


def _span(start: int, count: int) -> str:
    if count == 0:
        return ""
    return str(start) if count == 1 else f"{start}..{start + count - 1}"


def _number(value: float) -> str:
    return f"{value:g}" if f"{value:g}" == repr(value) else repr(float(value)).removesuffix(".0")


def _numbers(values: np.ndarray) -> str:
    shown = ", ".join(f"{value:g}" for value in values[:4])
    return f"[{shown}]" if len(values) <= 4 else f"[{shown}, ... {len(values) - 4:,} more]"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _cut(items: list[str], total: int | None = None) -> list[str]:
    """The first of many items, and how many are missing."""
    rest = (total or len(items)) - MAX_LISTED
    return items if rest <= 0 else [*items[:MAX_LISTED], f"... {rest:,} more"]
