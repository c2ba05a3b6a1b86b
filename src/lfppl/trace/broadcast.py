"""Statements over vectors: a scalar distribution with vector parameters is one for each element."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lfppl.core.distributions.contract import DistributionFamily
from lfppl.errors import shapes
from lfppl.source import Span
from lfppl.trace import elements
from lfppl.trace.frame import Frame
from lfppl.trace.graph import Graph
from lfppl.trace.parameters import expected_rank
from lfppl.trace.values import Items, Value, batch, rank


def find_excess(family: DistributionFamily, arguments: Sequence[Value]) -> list[bool]:
    """For each parameter, whether it has more dimensions than the family takes."""
    pairs = zip(family.parameters, arguments, strict=True)
    return [rank(argument) > expected_rank(parameter) for parameter, argument in pairs]


def over_elements(
    graph: Graph,
    function: Callable[..., Value],
    values: Sequence[Value],
    excess: Sequence[bool],
    frame: Frame,
    span: Span,
) -> Value:
    """Apply `function(frame, index, *parts)` once for all elements of the vectors in `excess`."""
    values = [
        elements.as_batch(graph, v) if many else v for v, many in zip(values, excess, strict=True)
    ]
    vectors = [v for v, many in zip(values, excess, strict=True) if many]
    counts = [elements.counts_of(graph, v, frame.domain) for v in vectors]
    for other in counts[1:]:
        if not np.array_equal(counts[0], other):
            raise shapes.lengths_differ(span, int(counts[0][0]), int(other[0]))
    if any(isinstance(v, Items) for v in vectors):
        return _over_items(graph, function, values, excess, frame, int(counts[0][0]))
    domain = graph.domains.child(frame.domain, counts[0])
    parts = [
        elements.element_over(graph, v, domain) if many else v
        for v, many in zip(values, excess, strict=True)
    ]
    return batch(domain, function(frame.enter(domain, ""), domain, *parts))


def _over_items(
    graph: Graph,
    function: Callable[..., Value],
    values: Sequence[Value],
    excess: Sequence[bool],
    frame: Frame,
    count: int,
) -> Value:
    results = []
    for i in range(count):
        parts = [
            elements.at(graph, v, graph.constant(i)) if many else v
            for v, many in zip(values, excess, strict=True)
        ]
        results.append(function(frame.round("", i), i, *parts))
    return elements.vector(graph, results)
