"""Sample and observe statements: the variables and the terms of the density that they make."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from lfppl.core import ast
from lfppl.core.distributions import FAMILIES
from lfppl.errors import shapes
from lfppl.source import Span
from lfppl.trace import elements
from lfppl.trace.broadcast import find_excess, over_elements
from lfppl.trace.frame import Frame
from lfppl.trace.graph import Graph, Node
from lfppl.trace.limits import MAX_NODES
from lfppl.trace.parameters import check_lengths
from lfppl.trace.records import FactorRecord, LoopIndex, SampleBlock, Trace
from lfppl.trace.values import Argument, Choice, Family, Value, batch, describe, rank


def sample(trace: Trace, e: ast.Sample, chosen: Value, frame: Frame) -> Value:
    """Record the variables of a sample statement; their value."""
    if isinstance(chosen, Choice):
        names = [family.name for _, family in chosen.cases]
        raise shapes.mixed_families(e.distribution.span, names[0], names[-1])
    if not isinstance(chosen, Family):
        raise shapes.expected_distribution(e.distribution.span, "sample", describe(chosen))
    return _sample_rows(trace, e, chosen, frame, tuple(frame.index(part) for part in e.indices))


def observe(trace: Trace, e: ast.Observe, chosen: Value, value: Value, frame: Frame) -> Value:
    """Record the terms of an observe statement; its value is 0."""
    if isinstance(chosen, Family):
        _observe_rows(trace, e, chosen, value, frame)
    elif isinstance(chosen, Choice):
        for condition, family in chosen.cases:
            _observe_rows(trace, e, family, value, frame.branch(trace.graph, condition))
    else:
        raise shapes.expected_distribution(e.distribution.span, "observe", describe(chosen))
    return trace.graph.constant(0.0)


def _sample_rows(
    trace: Trace, e: ast.Sample, chosen: Family, frame: Frame, indices: tuple[LoopIndex, ...]
) -> Value:
    """One variable per row, or per element where parameters are vectors of what is expected."""
    family = FAMILIES[chosen.name]
    excess = find_excess(family, chosen.arguments)
    if not any(excess):
        check_lengths(trace.graph, family, chosen.arguments, chosen.spans)
        return _new_block(trace, e, chosen, frame, indices)

    def one(inner: Frame, index: LoopIndex, *arguments: Value) -> Value:
        return _sample_rows(
            trace, e, replace(chosen, arguments=arguments), inner, (*indices, index)
        )

    return over_elements(trace.graph, one, chosen.arguments, excess, frame, e.span)


def _new_block(
    trace: Trace, e: ast.Sample, chosen: Family, frame: Frame, indices: tuple[LoopIndex, ...]
) -> Value:
    graph, family = trace.graph, FAMILIES[chosen.name]
    domain, parts = frame.domain, 1
    if family.is_vector:
        parts = int(elements.length(graph, chosen.arguments[0]).static_rows()[0])
        domain = graph.domains.repeated(domain, parts)
    number = len(trace.samples)
    arguments = _arguments(trace, chosen)
    leaf = graph.coordinate(domain, number)
    block = SampleBlock(
        number, e.site, e.name, indices, frame.domain, family, arguments, leaf, parts, e.span
    )
    trace.samples.append(block)
    value: Value = graph.floor(leaf) if family.is_discrete else leaf
    if family.is_vector:
        value = batch(domain, leaf)
    everywhere = frame.without_guard()
    _add_factor(trace, "sample", e.site, chosen, value, everywhere, e.span, block)
    return value


def _observe_rows(trace: Trace, e: ast.Observe, chosen: Family, value: Value, frame: Frame) -> None:
    graph, family = trace.graph, FAMILIES[chosen.name]
    if chosen.name == "factor":
        value = graph.constant(0.0)
    excess = [*find_excess(family, chosen.arguments), rank(value) > int(family.is_vector)]
    if family.is_vector and rank(value) == 0:
        raise shapes.expected_vector(e.value.span, f"a value of `{chosen.name}`", describe(value))
    if not any(excess):
        check_lengths(graph, family, chosen.arguments, chosen.spans, value, e.value.span)
        if not family.is_vector and not isinstance(value, Node):
            raise shapes.expected_number(e.value.span, "an observed value", describe(value))
        if family.is_discrete and isinstance(value, Node) and value.is_static:
            _check_integers(graph, family.name, value, frame, e.value.span)
        _add_factor(trace, "observe", e.site, chosen, value, frame, e.span)
        return

    def one(inner: Frame, index: LoopIndex, *parts: Value) -> Value:
        _observe_rows(trace, e, replace(chosen, arguments=parts[:-1]), parts[-1], inner)
        return graph.constant(0.0)

    over_elements(graph, one, (*chosen.arguments, value), excess, frame, e.span)


def _check_integers(graph: Graph, family: str, value: Node, frame: Frame, span: Span) -> None:
    """Refuse known numbers that no discrete distribution gives."""
    observed = np.broadcast_to(graph.lift_to(value, frame.domain).payload, (frame.domain.rows,))
    wrong = (observed != np.floor(observed)) & (True if frame.active is None else frame.active)
    if wrong.any():
        raise shapes.fractional_observation(span, family, float(observed[wrong][0]))


def _add_factor(
    trace: Trace,
    kind: Literal["sample", "observe"],
    site: int,
    chosen: Family,
    value: Value,
    frame: Frame,
    span: Span,
    block: SampleBlock | None = None,
) -> None:
    """Record a term, unless its branch is surely not taken."""
    guard = frame.guard
    if guard is not None and guard.operation == "constant":
        if guard.payload == 0:
            return
        guard = None
    record = FactorRecord(
        kind,
        site,
        FAMILIES[chosen.name],
        elements.as_argument(trace.graph, value),
        _arguments(trace, chosen),
        guard,
        frame.domain,
        frame.indices,
        span,
        block,
    )
    trace.factors.append(record)
    if len(trace.graph.nodes) > MAX_NODES:
        raise shapes.program_too_large(span, MAX_NODES)


def _arguments(trace: Trace, chosen: Family) -> tuple[Argument, ...]:
    return tuple(elements.as_argument(trace.graph, value) for value in chosen.arguments)
