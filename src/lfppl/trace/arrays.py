"""The array operations of Core, one function each, in a table by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lfppl.errors import shapes
from lfppl.source import Span
from lfppl.trace import elements
from lfppl.trace.domains import Domain
from lfppl.trace.graph import Graph, Node
from lfppl.trace.limits import MAX_RANK, MAX_ROWS
from lfppl.trace.values import (
    Batch,
    Items,
    Known,
    Value,
    batch,
    deepest,
    describe,
    home,
    is_vector,
    lift,
    rank,
    size_of,
)


@dataclass(frozen=True)
class Operands:
    """The arguments of an operation, with what is needed to combine and to complain.

    `active` marks the rows of `domain` that are not known to be in a branch not taken.
    """

    graph: Graph
    name: str
    values: Sequence[Value]
    spans: Sequence[Span]
    span: Span
    domain: Domain
    active: NDArray[np.bool_] | None

    def vector(self, i: int) -> Value:
        """Argument i, which must be a vector."""
        if not is_vector(self.values[i]):
            raise shapes.expected_vector(self.spans[i], self._role(i), describe(self.values[i]))
        return self.values[i]

    def _role(self, i: int) -> str:
        """What argument i is for, in words."""
        if not self.span.text.startswith("(") and self.name in _UNWRITTEN:
            return _UNWRITTEN[self.name]
        place = f"argument {i + 1}" if self.values[1:] else "the argument"
        return f"{place} of `{self.name}`"

    def number(self, i: int) -> Node:
        """Argument i, which must be a number."""
        value = self.values[i]
        if not isinstance(value, Node):
            raise shapes.expected_number(
                self.spans[i], f"argument {i + 1} of `{self.name}`", describe(value)
            )
        return value

    def known(self, i: int) -> Node:
        """Argument i, which must be a number known when compiling."""
        node = self.number(i)
        if not node.is_static:
            raise shapes.latent_bounds(self.spans[i], self.name)
        return node

    def relevant(self, domain: Domain) -> NDArray[np.bool_]:
        """The rows of an ancestor of the operation's domain that have active rows."""
        if self.active is None or not self.domain.is_within(domain):
            return np.ones(domain.rows, dtype=bool)
        rows = np.zeros(domain.rows, dtype=bool)
        rows[self.domain.row_in(domain)[self.active]] = True
        return rows


_UNWRITTEN = {"count": "what a loop goes through", "get": "what is taken apart"}
"""The role of the argument of operations that a form makes, which nobody wrote."""


def _vector(o: Operands) -> Value:
    if any(rank(value) >= MAX_RANK for value in o.values):
        raise shapes.too_many_dimensions(o.span, MAX_RANK)
    return elements.vector(o.graph, o.values)


def _get(o: Operands) -> Value:
    value, index = o.vector(0), o.number(1)
    if not index.is_static:
        items = elements.all_items(o.graph, value)
        if not items:
            raise shapes.nothing_to_pick(o.spans[0])
        return elements.pick(o.graph, index, items)
    _check_index(o, value, index)
    return elements.at(o.graph, value, index)


def _check_index(o: Operands, value: Value, index: Node) -> None:
    domain = deepest(o.graph, home(value, o.graph), index.domain)
    places = np.broadcast_to(np.asarray(o.graph.lift_to(index, domain).payload), (domain.rows,))
    sizes = elements.counts_of(o.graph, value, domain)
    relevant = o.relevant(domain)
    fractional = relevant & (places != np.floor(places))
    if fractional.any():
        raise shapes.fractional_index(o.spans[1], float(places[fractional][0]))
    wrong = relevant & ((places < 0) | (places >= sizes))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise shapes.index_out_of_range(o.spans[1], int(places[row]), int(sizes[row]))
    if isinstance(value, Items) and not value.items:
        raise shapes.index_out_of_range(o.spans[1], int(places[0]), 0)


def _count(o: Operands) -> Value:
    return elements.length(o.graph, o.vector(0))


def _subvec(o: Operands) -> Value:
    value, start, end = o.vector(0), o.known(1), o.known(2)
    graph = o.graph
    parent = deepest(graph, home(value, graph), start.domain, end.domain)
    first = np.broadcast_to(graph.lift_to(start, parent).payload, (parent.rows,)).astype(np.int64)
    last = np.broadcast_to(graph.lift_to(end, parent).payload, (parent.rows,)).astype(np.int64)
    sizes = elements.counts_of(graph, value, parent)
    for place, span in ((first, o.spans[1]), (last, o.spans[2])):
        wrong = o.relevant(parent) & ((place < 0) | (place > sizes))
        if wrong.any():
            row = int(np.argmax(wrong))
            raise shapes.part_out_of_range(span, int(place[row]), int(sizes[row]))
    if isinstance(value, Items) and start.operation == end.operation == "constant":
        return elements.vector(graph, value.items[int(first[0]) : int(last[0])])
    domain = graph.domains.child(parent, np.maximum(last - first, 0))
    index = graph.table(domain, (first[domain.parent_row] + domain.index).astype(np.float64))
    return batch(domain, elements.at(graph, value, index)) if domain.rows else Items(())


def _concat(o: Operands) -> Value:
    parts = [o.vector(i) for i in range(len(o.values)) if o.values[i] is not None]
    items: list[Value] = []
    if len(parts) == 1:
        return parts[0]
    for part in parts:
        items.extend(elements.all_items(o.graph, part))
    return elements.vector(o.graph, items)


def _put(o: Operands) -> Value:
    value, index = o.vector(0), o.known(1)
    _check_index(o, value, index)
    if index.operation != "constant":
        raise shapes.latent_bounds(o.spans[1], o.name)
    items = list(elements.all_items(o.graph, value))
    items[int(index.payload)] = o.values[2]
    return elements.vector(o.graph, items)


def _range(o: Operands) -> Value:
    start, end = o.known(0), o.known(1)
    parent = deepest(o.graph, start.domain, end.domain)
    first = np.broadcast_to(o.graph.lift_to(start, parent).payload, (parent.rows,))
    last = np.broadcast_to(o.graph.lift_to(end, parent).payload, (parent.rows,))
    counts = _counts(o, 1, np.maximum(np.ceil(last - first), 0))
    domain = o.graph.domains.child(parent, counts)
    return batch(domain, o.graph.table(domain, first[domain.parent_row] + domain.index))


def _repeat(o: Operands) -> Value:
    count = o.known(0)
    parent = deepest(o.graph, count.domain, home(o.values[1], o.graph))
    rows = np.broadcast_to(o.graph.lift_to(count, parent).payload, (parent.rows,))
    domain = o.graph.domains.child(parent, _counts(o, 0, rows))
    check_size(o.values[1], domain, o.span)
    return batch(domain, o.values[1])


def _counts(o: Operands, i: int, counts: NDArray[np.float64]) -> NDArray[np.int64]:
    """The counts that argument i asks for: whole numbers, and not too many."""
    with np.errstate(invalid="ignore"):
        wrong = (counts < 0) | (counts != np.floor(counts)) | ~np.isfinite(counts)
    if wrong.any():
        raise shapes.fractional_count(o.spans[i], o.name, float(counts[wrong][0]))
    if counts.sum() > MAX_ROWS:
        raise shapes.too_many_rows(o.spans[i], int(counts.sum()), MAX_ROWS)
    return counts.astype(np.int64)


def check_size(value: Value, domain: Domain, span: Span) -> None:
    """Refuse a vector of `value` over a domain that has too many numbers or dimensions."""
    numbers = domain.rows * size_of(value)
    if numbers > MAX_ROWS:
        raise shapes.too_many_rows(span, int(numbers), MAX_ROWS)
    if rank(value) >= MAX_RANK:
        raise shapes.too_many_dimensions(span, MAX_RANK)


def _flatten(o: Operands) -> Value:
    return flatten(o.graph, o.vector(0))


def flatten(graph: Graph, value: Value) -> Value:
    """A vector of vectors as one vector."""
    if isinstance(value, Known) and value.array.ndim >= 3:
        rows, n, m = value.array.shape[:3]
        return Known(value.domain, value.array.reshape(rows, n * m, *value.array.shape[3:]))
    if isinstance(value, Batch):
        inner = elements.as_batch(graph, value.body)
        if isinstance(inner, Known | Batch):
            return _flatten_batch(graph, value.domain, inner)
    items: list[Value] = []
    for item in elements.all_items(graph, value):
        items.extend(elements.all_items(graph, item) if is_vector(item) else [item])
    return elements.vector(graph, items)


def _flatten_batch(graph: Graph, outer: Domain, inner: Batch | Known) -> Value:
    parent = outer.parent
    assert parent is not None
    counts = elements.counts_of(graph, inner, outer)
    nested = graph.domains.child(outer, counts)
    totals = np.bincount(outer.parent_row, weights=counts, minlength=parent.rows).astype(np.int64)
    domain = graph.domains.child(parent, totals)
    body = elements.element_over(graph, inner, nested)
    rows = nested.row_in(home(body, graph))
    return batch(domain, lift(graph, body, domain, rows))


def _transpose(o: Operands) -> Value:
    if rank(o.values[0]) != 2:
        raise shapes.expected_matrix(
            o.spans[0], "the argument of `transpose`", describe(o.values[0])
        )
    rows = o.values[0].items if isinstance(o.values[0], Items) else ()
    lengths = [elements.known_length(o.graph, row) for row in rows]
    for other in lengths[1:]:
        if other != lengths[0]:
            raise shapes.lengths_differ(o.spans[0], lengths[0] or 0, other or 0)
    return transpose(o.graph, o.values[0])


def transpose(graph: Graph, value: Value) -> Value:
    """A matrix with rows and columns exchanged."""
    if isinstance(value, Known):
        return Known(value.domain, np.swapaxes(value.array, 1, 2))
    rows = [elements.all_items(graph, row) for row in elements.all_items(graph, value)]
    return elements.vector(graph, [elements.vector(graph, c) for c in zip(*rows, strict=True)])


def _reduction(kind: str) -> Callable[[Operands], Value]:
    def reduction(o: Operands) -> Value:
        value = o.vector(0)
        if rank(value) != 1:
            raise shapes.expected_vector(o.spans[0], f"the argument of `{o.name}`", describe(value))
        return reduce_vector(o.graph, kind, value, o.spans[0])

    return reduction


def reduce_vector(graph: Graph, kind: str, value: Value, span: Span) -> Node:
    """The sum, maximum, minimum or logsumexp of a vector of numbers."""
    if isinstance(value, Items):
        nodes = [item for item in value.items if isinstance(item, Node)]
        if len(nodes) != len(value.items):
            wrong = next(item for item in value.items if not isinstance(item, Node))
            raise shapes.expected_number(span, "every element", describe(wrong))
        if not nodes:
            return graph.constant(0.0 if kind == "sum" else (np.inf if kind == "min" else -np.inf))
        if kind == "sum" and len(nodes) <= elements.SMALL_VECTOR:
            return graph.sum(nodes) if len(nodes) > 1 else nodes[0]
        value = elements.as_batch(graph, value)
    if isinstance(value, Known):
        domain = graph.domains.repeated(value.domain, value.array.shape[1])
        return graph.reduce(kind, graph.table(domain, value.array.reshape(-1)), domain)
    assert isinstance(value, Batch)
    if not isinstance(value.body, Node):
        raise shapes.expected_number(span, "an element", describe(value.body))
    return graph.reduce(kind, value.body, value.domain)


def _dot(o: Operands) -> Value:
    a, b = o.vector(0), o.vector(1)
    if rank(a) > 1 or rank(b) > 1:
        return _mat_mul(o)
    return dot(o.graph, a, b, o.span)


def dot(graph: Graph, a: Value, b: Value, span: Span) -> Node:
    """The inner product of two vectors of numbers."""
    product = elements.zip_values(graph, lambda x, y: graph.apply("*", x, y), (a, b), span)
    return reduce_vector(graph, "sum", product, span)


def _mat_mul(o: Operands) -> Value:
    a, b = o.vector(0), o.vector(1)
    graph, ranks = o.graph, (rank(a), rank(b))
    _check_inner(o, a, b)
    if isinstance(a, Known) and isinstance(b, Known) and a.array.shape[0] == b.array.shape[0] == 1:
        product = a.array[0] @ b.array[0]
        return Known(a.domain, product[None]) if product.ndim else graph.constant(float(product))
    if ranks == (1, 1):
        return dot(graph, a, b, o.span)
    if ranks == (1, 2):
        return _times_vector(o, transpose(graph, b), a)
    if ranks == (2, 1):
        return _times_vector(o, a, b)
    columns = transpose(graph, b)
    return elements.zip_values(
        graph, lambda row: _times_vector(o, columns, row), (a,), o.span, within=home(b, graph)
    )


def _times_vector(o: Operands, matrix: Value, vector: Value) -> Value:
    graph = o.graph
    vector = elements.as_batch(graph, vector)
    root = graph.domains.root
    if isinstance(matrix, Known) and isinstance(vector, Batch) and matrix.domain is root:
        body = vector.body
        if vector.domain.parent is root and isinstance(body, Node) and body.domain is vector.domain:
            domain = graph.domains.repeated(root, matrix.array.shape[1])
            return batch(domain, graph.linear(np.ascontiguousarray(matrix.array[0]), body, domain))
    return elements.zip_values(
        graph,
        lambda row: dot(graph, row, vector, o.span),
        (matrix,),
        o.span,
        within=home(vector, graph),
    )


def _check_inner(o: Operands, a: Value, b: Value) -> None:
    first, second = _shape(o.graph, a), _shape(o.graph, b)
    if len(first) > 2 or len(second) > 2:
        raise shapes.expected_matrix(
            o.spans[0 if len(first) > 2 else 1], f"the argument of `{o.name}`", "an array"
        )
    if first and second and first[-1] != second[0]:
        raise shapes.shapes_differ(o.span, first, second)


def _shape(graph: Graph, value: Value) -> tuple[int, ...]:
    shape: list[int] = []
    while is_vector(value):
        size = elements.length(graph, value)
        count = int(size.static_rows()[0])
        shape.append(count)
        if not count:
            break
        value = elements.at(graph, value, graph.constant(0.0))
    return tuple(shape)


OPERATIONS: dict[str, Callable[[Operands], Value]] = {
    "vector": _vector,
    "get": _get,
    "count": _count,
    "subvec": _subvec,
    "concat": _concat,
    "put": _put,
    "range": _range,
    "repeat": _repeat,
    "flatten": _flatten,
    "transpose": _transpose,
    "sum": _reduction("sum"),
    "largest": _reduction("max"),
    "smallest": _reduction("min"),
    "log-sum-exp": _reduction("logsumexp"),
    "dot": _dot,
    "mat-mul": _mat_mul,
}
