"""Vectors element by element: lengths, elements at known and latent indices, zipping, choosing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from lfppl.errors import shapes
from lfppl.source import Span
from lfppl.trace.domains import Domain, Rows
from lfppl.trace.graph import Graph, Node
from lfppl.trace.values import (
    Argument,
    Batch,
    Choice,
    Family,
    Items,
    Known,
    Value,
    batch,
    deepest,
    describe,
    home,
    is_vector,
    lift,
)

SMALL_VECTOR = 16
"""Up to so many separate elements are combined one by one; more become rows of one node."""

Mask = NDArray[np.bool_]


def vector(graph: Graph, items: Sequence[Value]) -> Value:
    """A vector of values; data where all of them are known numbers of the whole program."""
    numbers = [
        item.payload for item in items if isinstance(item, Node) and item.operation == "constant"
    ]
    if items and len(numbers) == len(items):
        return Known(graph.domains.root, np.array([numbers], dtype=np.float64))
    if items and all(isinstance(item, Known) and item.array.shape[0] == 1 for item in items):
        arrays = [item.array[0] for item in items if isinstance(item, Known)]
        if len({array.shape for array in arrays}) == 1:
            return Known(graph.domains.root, np.stack(arrays)[None])
    return Items(tuple(items))


def length(graph: Graph, value: Value) -> Node:
    """The number of elements of a vector, as a known number."""
    match value:
        case Items(items):
            return graph.constant(len(items))
        case Known(_, array):
            return graph.constant(array.shape[1])
        case Batch(domain, _):
            assert domain.parent is not None
            return graph.table(domain.parent, domain.counts.astype(np.float64))
        case _:
            raise AssertionError("not a vector")


def known_length(graph: Graph, value: Value) -> int | None:
    """The number of elements, where it is the same in all rows; None for what is no vector."""
    if not is_vector(value):
        return None
    size = length(graph, value)
    return int(size.payload) if size.operation == "constant" else None


def has_items(graph: Graph, value: Value) -> bool:
    """Whether a vector is not known to be empty."""
    return known_length(graph, value) != 0


def counts_of(graph: Graph, value: Value, parent: Domain) -> Rows:
    """The number of elements of a vector in each row of a domain within its home."""
    node = graph.lift_to(length(graph, value), parent)
    counts: Rows = np.broadcast_to(np.asarray(node.payload), (parent.rows,)).astype(np.int64)
    return counts


class VaryingLength(Exception):
    """A vector whose length differs between rows, where its elements are needed one by one."""


def all_items(graph: Graph, value: Value) -> tuple[Value, ...]:
    """The elements of a vector, of known and equal length in all rows, one by one."""
    if isinstance(value, Items):
        return value.items
    size = length(graph, value)
    if size.operation != "constant":
        raise VaryingLength
    return tuple(at(graph, value, graph.constant(i)) for i in range(int(size.payload)))


def as_argument(graph: Graph, value: Value) -> Argument:
    """A value as formulas take it: a node, or nested lists of nodes."""
    if isinstance(value, Node):
        return value
    return [as_argument(graph, item) for item in all_items(graph, value)]


def latent_nodes(argument: Argument) -> Iterator[Node]:
    """The nodes of an argument that are not known when compiling."""
    if isinstance(argument, Node):
        if not argument.is_static:
            yield argument
    else:
        for item in argument:
            yield from latent_nodes(item)


def as_batch(graph: Graph, value: Value) -> Value:
    """A list of numbers as rows of one node; other vectors as they are."""
    if isinstance(value, Items) and value.items and all(isinstance(i, Node) for i in value.items):
        stacked = graph.stack([item for item in value.items if isinstance(item, Node)])
        return batch(stacked.domain, stacked)
    return value


def at(graph: Graph, value: Value, index: Node) -> Value:
    """The element of a vector at a known index, which must be in range (it is clipped)."""
    if isinstance(value, Items):
        if index.operation == "constant":
            return value.items[int(index.payload)]
        value = as_batch(graph, value)
        if isinstance(value, Items):
            return pick(graph, index, value.items)
    domain = deepest(graph, home(value, graph), index.domain)
    places = np.asarray(graph.lift_to(index, domain).payload).astype(np.int64)
    places = np.broadcast_to(places, (domain.rows,))
    if isinstance(value, Known):
        array = value.array[
            domain.row_in(value.domain), np.clip(places, 0, value.array.shape[1] - 1)
        ]
        return graph.table(domain, array) if array.ndim == 1 else Known(domain, array)
    assert isinstance(value, Batch)
    return _row_of_batch(graph, value, domain, places)


def _row_of_batch(graph: Graph, value: Batch, domain: Domain, places: Rows) -> Value:
    inner = value.domain
    assert inner.parent is not None
    outer = domain.row_in(inner.parent)
    rows = inner.starts[outer] + np.clip(places, 0, inner.counts[outer] - 1)
    here = home(value.body, graph)
    return lift(graph, value.body, domain, rows if here is inner else inner.row_in(here)[rows])


def pick(graph: Graph, index: Node, items: Sequence[Value]) -> Value:
    """The item at a latent index: numbers are picked, vectors and distributions part by part."""
    if all(isinstance(item, Node) for item in items):
        return graph.pick(index, items)
    if all(isinstance(item, Family | Choice) for item in items):
        return _pick_distribution(graph, index, items)
    columns = small_columns(graph, items)
    if columns is not None:
        return vector(graph, [pick(graph, index, column) for column in columns])
    return zip_values(graph, lambda *parts: pick(graph, index, parts), items, within=index.domain)


def small_columns(graph: Graph, values: Sequence[Value]) -> list[tuple[Value, ...]] | None:
    """The first elements of some short vectors of one length, the second ones, and so on."""
    if not all(is_vector(value) for value in values):
        return None
    sizes = {length(graph, value) for value in values}
    size = sizes.pop()
    if sizes or size.operation != "constant" or size.payload > SMALL_VECTOR:
        return None
    return list(zip(*(all_items(graph, value) for value in values), strict=True))


def _pick_distribution(graph: Graph, index: Node, items: Sequence[Value]) -> Value:
    families = [item for item in items if isinstance(item, Family)]
    if len(families) == len(items) and len({family.name for family in families}) == 1:
        columns = zip(*(family.arguments for family in families), strict=True)
        arguments = tuple(pick(graph, index, column) for column in columns)
        return Family(families[0].name, arguments, families[0].spans)
    cases: list[tuple[Node, Family]] = []
    last = len(items) - 1
    for k, item in enumerate(items):
        above = graph.negation(graph.less(index, float(k))) if k else graph.constant(1.0)
        here = graph.both(above, graph.less(index, k + 1.0)) if k < last else above
        cases.extend(guarded(graph, here, item))
    return Choice(tuple(cases))


def guarded(graph: Graph, condition: Node, value: Value) -> list[tuple[Node, Family]]:
    """The cases of a distribution, each under a further condition."""
    if isinstance(value, Family):
        return [(condition, value)]
    assert isinstance(value, Choice)
    return [(graph.both(condition, inner), family) for inner, family in value.cases]


def select(graph: Graph, condition: Node, then: Value, otherwise: Value, span: Span) -> Value:
    """The value of an `if`: `then` where the condition holds."""
    if condition.operation == "constant":
        return then if condition.payload else otherwise
    if then is None or otherwise is None:
        return None  # not to be computed with: one of the branches has no value
    if isinstance(then, Node) and isinstance(otherwise, Node):
        return graph.select(condition, then, otherwise)
    if isinstance(then, Family | Choice) and isinstance(otherwise, Family | Choice):
        return _select_distribution(graph, condition, then, otherwise)
    if not (is_vector(then) and is_vector(otherwise)):
        raise shapes.branches_differ(span, describe(then), describe(otherwise))
    sizes = [known_length(graph, value) for value in (then, otherwise)]
    if None not in sizes and sizes[0] != sizes[1]:
        raise shapes.branches_differ(span, *(f"a vector of {size}" for size in sizes))
    columns = small_columns(graph, (then, otherwise))
    if columns is not None:
        return vector(graph, [select(graph, condition, a, b, span) for a, b in columns])
    return zip_values(
        graph,
        lambda a, b: select(graph, condition, a, b, span),
        (then, otherwise),
        span,
        within=condition.domain,
    )


def _select_distribution(graph: Graph, condition: Node, then: Value, otherwise: Value) -> Value:
    if isinstance(then, Family) and isinstance(otherwise, Family) and then.name == otherwise.name:
        pairs = zip(then.arguments, otherwise.arguments, then.spans, strict=True)
        chosen = tuple(select(graph, condition, a, b, span) for a, b, span in pairs)
        return Family(then.name, chosen, then.spans)
    cases = guarded(graph, condition, then)
    cases += guarded(graph, graph.negation(condition), otherwise)
    return Choice(tuple(cases))


def zip_values(
    graph: Graph,
    function: Callable[..., Value],
    values: Sequence[Value],
    span: Span | None = None,
    within: Domain | None = None,
) -> Value:
    """Apply a function to vectors element by element; numbers are repeated.

    `within` is the domain of what else the function reads.
    """
    vectors = [value for value in values if is_vector(value)]
    separate = any(isinstance(v, Items) for v in vectors)
    if separate and all(isinstance(v, Items) and _is_small(v) for v in vectors):
        return _zip_items(graph, function, values, span)
    values = [as_batch(graph, value) for value in values]
    if any(isinstance(value, Items) for value in values):
        return _zip_items(graph, function, values, span)
    parent = deepest(graph, *(home(value, graph) for value in values), within or graph.domains.root)
    counts = [counts_of(graph, value, parent) for value in values if is_vector(value)]
    for other in counts[1:]:
        _check_lengths(counts[0], other, span)
    domain = graph.domains.child(parent, counts[0])
    return batch(domain, function(*(element_over(graph, value, domain) for value in values)))


def element_over(graph: Graph, value: Value, domain: Domain) -> Value:
    """The elements of a vector over the rows of a domain made for them; others as they are."""
    if not is_vector(value):
        return value
    if isinstance(value, Batch) and value.domain is domain:
        return value.body
    return at(graph, value, graph.table(domain, domain.index.astype(np.float64)))


def _is_small(value: Value) -> bool:
    return isinstance(value, Items) and len(value.items) <= SMALL_VECTOR


def _zip_items(
    graph: Graph, function: Callable[..., Value], values: Sequence[Value], span: Span | None
) -> Value:
    columns = [all_items(graph, value) if is_vector(value) else value for value in values]
    lengths = [len(column) for column in columns if isinstance(column, tuple)]
    for other in lengths[1:]:
        _check_lengths(np.array([lengths[0]]), np.array([other]), span)
    rows = [
        tuple(column[i] if isinstance(column, tuple) else column for column in columns)
        for i in range(lengths[0])
    ]
    return vector(graph, [function(*row) for row in rows])


def _check_lengths(first: Rows, second: Rows, span: Span | None) -> None:
    if not np.array_equal(first, second):
        row = int(np.argmax(first != second))
        assert span is not None, "parts of different lengths"
        raise shapes.lengths_differ(span, int(first[row]), int(second[row]))
