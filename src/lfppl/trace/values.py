"""The values of symbolic evaluation: numbers are graph nodes, vectors come in three forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lfppl.source import Span
from lfppl.trace.domains import Domain, Rows
from lfppl.trace.graph import Graph, Node


@dataclass(frozen=True, eq=False)
class Items:
    """A vector as a list of values of any kind."""

    items: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class Batch:
    """The vector a plate makes: `body` is a value over `domain`, a child of the rows it is in."""

    domain: Domain
    body: Value


@dataclass(frozen=True, eq=False)
class Known:
    """A vector or array of data: `array[r]` is the array of row r of the domain."""

    domain: Domain
    array: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Family:
    """A distribution with its parameters."""

    name: str
    arguments: tuple[Value, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, eq=False)
class Choice:
    """One of several distributions: the one whose condition holds."""

    cases: tuple[tuple[Node, Family], ...]


Value: TypeAlias = Node | Items | Batch | Known | Family | Choice | None

Argument: TypeAlias = "Node | list[Argument]"
"""A value as the formulas of distributions take it."""


def describe(value: Value) -> str:
    """What a value is, in words, for messages."""
    match value:
        case Node():
            return "a number"
        case None:
            return "nil"
        case Family(name):
            return f"a `{name}` distribution"
        case Choice():
            return "a distribution"
        case _:
            words = {1: "a vector", 2: "a matrix"}
            return words.get(rank(value), f"an array of {rank(value)} dimensions")


def is_vector(value: Value) -> bool:
    """Whether a value is a vector of whatever kind."""
    return isinstance(value, Items | Batch | Known)


def rank(value: Value) -> int:
    """The number of dimensions: 0 for a number, 1 for a vector, 2 for a matrix."""
    match value:
        case Items(items):
            return 1 + (rank(items[0]) if items else 0)
        case Batch(_, body):
            return 1 + rank(body)
        case Known(_, array):
            return array.ndim - 1
        case _:
            return 0


def size_of(value: Value) -> float:
    """How many numbers a value is, on the average of the rows of its home."""
    match value:
        case Items(items):
            return sum(map(size_of, items))
        case Batch(domain, body):
            assert domain.parent is not None
            return domain.rows / max(domain.parent.rows, 1) * size_of(body)
        case Known(_, array):
            return array[0].size if len(array) else 0
        case _:
            return 1


def home(value: Value, graph: Graph) -> Domain:
    """The domain whose rows a value has one of each for."""
    match value:
        case Node():
            return value.domain
        case Items(items):
            return deepest(graph, *(home(item, graph) for item in items))
        case Batch(domain, _):
            assert domain.parent is not None
            return domain.parent
        case Known(domain, _):
            return domain
        case Family(_, arguments):
            return deepest(graph, *(home(argument, graph) for argument in arguments))
        case Choice(cases):
            homes = [home(family, graph) for _, family in cases]
            return deepest(graph, *homes, *(condition.domain for condition, _ in cases))
        case None:
            return graph.domains.root


def deepest(graph: Graph, *domains: Domain) -> Domain:
    """The domain within all the others (they lie on one path)."""
    return max(domains, key=lambda domain: domain.depth, default=graph.domains.root)


def lift(graph: Graph, value: Value, domain: Domain, rows: Rows) -> Value:
    """The value whose row r is row `rows[r]` of the given one, rows being those of its home.

    `rows` maps into the rows of `source`, of which the value's home is an ancestor or itself.
    """
    match value:
        case Node():
            return graph.lift(value, domain, rows)
        case Items(items):
            return Items(tuple(lift_from(graph, item, value, domain, rows) for item in items))
        case Known(_, array):
            return Known(domain, array[rows])
        case Batch(inner, body):
            return _lift_batch(graph, inner, body, domain, rows)
        case Family(name, arguments, spans):
            lifted = tuple(lift_from(graph, a, value, domain, rows) for a in arguments)
            return Family(name, lifted, spans)
        case Choice(cases):
            lifted_cases = []
            for condition, family in cases:
                node = lift_from(graph, condition, value, domain, rows)
                other = lift_from(graph, family, value, domain, rows)
                assert isinstance(node, Node)
                assert isinstance(other, Family)
                lifted_cases.append((node, other))
            return Choice(tuple(lifted_cases))
        case None:
            return None


def lift_from(graph: Graph, part: Value, whole: Value, domain: Domain, rows: Rows) -> Value:
    """Lift a part of a value, whose home may be an ancestor of the whole's."""
    here, there = home(part, graph), home(whole, graph)
    return lift(graph, part, domain, rows if here is there else there.row_in(here)[rows])


def _lift_batch(graph: Graph, inner: Domain, body: Value, domain: Domain, rows: Rows) -> Batch:
    target = graph.domains.child(domain, inner.counts[rows])
    inner_rows = inner.starts[rows][target.parent_row] + target.index
    here = home(body, graph)
    if here is not inner:
        inner_rows = inner.row_in(here)[inner_rows]
    return Batch(target, lift(graph, body, target, inner_rows))


def lift_to(graph: Graph, value: Value, domain: Domain) -> Value:
    """A value of an ancestor, repeated for the rows of a domain."""
    here = home(value, graph)
    return value if here is domain else lift(graph, value, domain, domain.row_in(here))


def batch(domain: Domain, body: Value) -> Value:
    """The vector that a plate over `domain` makes; data where all of it is known."""
    assert domain.parent is not None
    count = domain.count
    if isinstance(body, Node) and body.is_static and count is not None:
        known = np.broadcast_to(np.asarray(body.payload), (body.domain.rows,))
        rows = known[domain.row_in(body.domain)]
        return Known(domain.parent, rows.reshape(domain.parent.rows, count))
    if isinstance(body, Known) and count is not None:
        array = body.array[domain.row_in(body.domain)]
        return Known(domain.parent, array.reshape(domain.parent.rows, count, *array.shape[1:]))
    return Batch(domain, body)
