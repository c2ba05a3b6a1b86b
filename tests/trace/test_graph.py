"""The expression graph: equal expressions are one node, what is known is folded."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from lfppl.core.primitives import NumpyMath
from lfppl.trace.domains import Domain, Domains
from lfppl.trace.graph import Graph, Node


def numbers(node: Node, values: dict[int, NDArray[np.float64]]) -> NDArray[np.float64]:
    """The rows of a node, coordinates being given by block."""
    if node.operation == "coordinate":
        return values[node.payload]
    if node.is_static:
        return np.broadcast_to(node.static_rows(), (node.domain.rows,))
    parts = [numbers(argument, values) for argument in node.arguments]
    match node.operation:
        case "lift":
            return parts[0][node.payload]
        case "linear":
            return np.asarray(node.payload @ parts[0])
        case "reduce":
            _, inner = node.payload
            pieces = np.split(parts[0], inner.starts[1:])
            return np.array([piece.sum() for piece in pieces])
        case "stack":
            rows = [np.broadcast_to(part, (node.domain.rows // len(parts),)) for part in parts]
            return np.stack(rows, axis=1).reshape(-1)
        case operation:
            wide = [np.broadcast_to(part, (node.domain.rows,)) for part in parts]
            return np.asarray(NumpyMath().apply(operation, *wide))


def latent(graph: Graph, domain: Domain, block: int = 0) -> Node:
    return graph.coordinate(domain, block)


def test_equal_expressions_are_one_node() -> None:
    graph = Graph()
    x = latent(graph, graph.domains.root)
    assert graph.exp(x + 1.0) is graph.exp(x + 1.0)


def test_a_twin_is_another_node() -> None:
    graph = Graph()
    node = graph.exp(latent(graph, graph.domains.root))
    twin = graph.again(node)
    assert twin is not node
    assert (twin.operation, twin.arguments) == (node.operation, node.arguments)


@pytest.mark.parametrize(
    "simplify",
    [
        lambda g, x: x + 0.0,
        lambda g, x: 1.0 * x,
        lambda g, x: x / 1.0,
        lambda g, x: x - 0.0,
        lambda g, x: g.select(1.0, x, 2.0),
        lambda g, x: g.select(g.less(x, 0.0), x, x),
        lambda g, x: g.pick(g.floor(x), [x, x, x]),
        lambda g, x: g.pick(1.4, [x + 1.0, x]),
        lambda g, x: g.both(1.0, x),
        lambda g, x: g.either(x, x),
    ],
)
def test_what_changes_nothing_is_left_out(simplify: Any) -> None:
    graph = Graph()
    x = latent(graph, graph.domains.root)
    assert simplify(graph, x) is x


def test_zero_times_a_number_is_not_forgotten() -> None:
    """It is NaN where the number is infinite."""
    graph = Graph()
    assert not (0.0 * latent(graph, graph.domains.root)).is_static


def test_known_rows_are_folded() -> None:
    graph = Graph()
    plate = graph.domains.repeated(graph.domains.root, 3)
    table = graph.table(plate, np.array([1.0, 2.0, 3.0]))
    assert graph.reduce("sum", table * 2.0, plate).payload == 12.0
    assert graph.reduce("max", table, plate).payload == 3.0
    assert graph.table(plate, np.ones(3)).operation == "constant"
    signs = graph.table(plate, np.array([0.0, -0.0, 0.0]))
    assert signs.operation == "table"


def test_repeating_twice_is_repeating_once() -> None:
    graph = Graph()
    outer = graph.domains.repeated(graph.domains.root, 2)
    inner = graph.domains.repeated(outer, 3)
    x = latent(graph, graph.domains.root)
    twice = graph.lift_to(graph.lift_to(x, outer), inner)
    assert twice.arguments == (x,)
    assert twice is graph.lift_to(x, inner)


def test_a_sum_of_data_times_repeated_latents_is_linear() -> None:
    graph = Graph()
    wide = graph.domains.repeated(graph.domains.root, 3)
    rows = graph.domains.repeated(graph.domains.root, 4)
    cells = graph.domains.repeated(rows, 3)
    weights = np.arange(12.0)
    x = latent(graph, wide)
    product = graph.table(cells, weights) * graph.lift(x, cells, np.tile(np.arange(3), 4))
    total = graph.reduce("sum", product, cells)
    assert total.operation == "linear"
    values = {0: np.array([1.0, -2.0, 0.5])}
    np.testing.assert_allclose(numbers(total, values), weights.reshape(4, 3) @ values[0])


def test_a_product_with_a_matrix_leaves_the_order_of_its_rows_alone() -> None:
    graph = Graph()
    wide = graph.domains.repeated(graph.domains.root, 3)
    inner = graph.domains.repeated(graph.domains.root, 3)
    turned = graph.lift(latent(graph, wide), inner, np.array([2, 1, 0]))
    data = graph.table(inner, np.array([0.3, -1.2, 2.0]))
    first = graph.reduce("sum", data * turned, inner)
    second = graph.reduce("sum", data * turned, inner)
    assert first is second
    assert turned.payload.tolist() == [2, 1, 0]
    assert first.payload.tolist() == [[2.0, -1.2, 0.3]]


def test_an_operation_on_a_choice_is_done_for_each_item() -> None:
    graph = Graph()
    plate = graph.domains.repeated(graph.domains.root, 5)
    k = graph.floor(latent(graph, plate, 0))
    means = [latent(graph, graph.domains.root, 1), latent(graph, graph.domains.root, 2)]
    chosen = graph.exp(graph.pick(k, [graph.lift_to(mean, plate) for mean in means]))
    assert chosen.operation == "pick"
    values = {0: np.array([0.1, 1.2, 1.9, 0.7, 0.0]), 1: np.array([0.3]), 2: np.array([-1.0])}
    np.testing.assert_allclose(numbers(chosen, values), np.exp([0.3, -1, -1, 0.3, 0.3]))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=5))
def test_rows_of_a_ragged_plate_know_their_place(counts: list[int]) -> None:
    domains = Domains()
    outer = domains.repeated(domains.root, len(counts))
    ragged = domains.child(outer, np.array(counts))
    expected = [(i, j) for i, count in enumerate(counts) for j in range(count)]
    found = zip(ragged.parent_row.tolist(), ragged.index.tolist(), strict=True)
    assert list(found) == expected
    assert ragged.row_in(domains.root).tolist() == [0] * len(expected)
    assert ragged.is_within(outer)
    assert not outer.is_within(ragged)
    assert ragged.count == (counts[0] if len(set(counts)) == 1 else None)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(0, 100))
def test_sums_of_ragged_rows_are_sums(counts: list[int], seed: int) -> None:
    graph = Graph()
    outer = graph.domains.repeated(graph.domains.root, len(counts))
    ragged = graph.domains.child(outer, np.array(counts))
    table = np.random.default_rng(seed).normal(size=ragged.rows)
    found = graph.reduce("sum", graph.table(ragged, table), ragged)
    bounds = np.cumsum([0, *counts])
    expected = [table[a:b].sum() for a, b in pairwise(bounds)]
    np.testing.assert_allclose(np.broadcast_to(found.static_rows(), (len(counts),)), expected)
