"""Cutting: what is stored, what is computed again, and which rows one kernel computes together."""

from __future__ import annotations

from lfppl.lir.kernels import Output, cut, live
from lfppl.lir.tables import Instruction
from lfppl.trace.domains import Domains
from lfppl.trace.graph import Graph, Node


def latents(graph: Graph, count: int) -> list[Node]:
    return [graph.coordinate(graph.domains.root, i) for i in range(count)]


def term(node: Node) -> Output:
    return Output(node, "term")


def test_a_kernel_is_straight_code_over_its_leaves() -> None:
    graph = Graph()
    (x,) = latents(graph, 1)
    (piece,) = cut([term(graph.exp(x * x + 2.0))])
    assert [leaf.operation for leaf in piece.leaves] == ["coordinate", "constant"]
    assert piece.kernel.inputs == 2
    assert piece.kernel.instructions == (
        Instruction("*", (0, 0)),
        Instruction("+", (2, 1)),
        Instruction("exp", (3,)),
    )
    assert piece.kernel.outputs == (4,)


def test_outputs_that_read_the_same_share_a_kernel() -> None:
    graph = Graph()
    x, y = latents(graph, 2)
    pieces = cut([term(graph.exp(x * y)), term(graph.sin(x * y)), term(graph.exp(x))])
    assert sorted(len(piece.outputs) for piece in pieces) == [1, 2]
    (pair,) = (piece for piece in pieces if len(piece.outputs) == 2)
    assert sum(step.operation == "*" for step in pair.kernel.instructions) == 1


def test_a_costly_expression_of_several_kernels_is_stored_once() -> None:
    graph = Graph()
    x, y, z = latents(graph, 3)
    shared = graph.exp(x)
    pieces = cut([term(graph.sin(shared * y)), term(graph.sin(shared * z))])
    stored = [output.node for piece in pieces for output in piece.outputs]
    assert shared in stored
    operations = [step.operation for piece in pieces for step in piece.kernel.instructions]
    assert operations.count("exp") == 1


def test_a_cheap_expression_of_several_kernels_is_computed_again() -> None:
    graph = Graph()
    x, y, z = latents(graph, 3)
    shared = x + 1.0
    pieces = cut([term(graph.sin(shared * y)), term(graph.sin(shared * z))])
    assert shared not in [output.node for piece in pieces for output in piece.outputs]


def test_chains_that_share_every_step_are_cut_in_linear_size() -> None:
    graph = Graph()
    (x,) = latents(graph, 1)
    node = x
    for _ in range(400):
        node = graph.select(graph.less(node, 0.0), node + 1.0, node * node)
    pieces = cut([term(node)])
    assert sum(len(piece.kernel.instructions) for piece in pieces) <= 4 * 400


def test_what_a_reduction_reads_is_stored() -> None:
    graph = Graph()
    plate = graph.domains.repeated(graph.domains.root, 5)
    xs = graph.coordinate(plate, 0)
    squares = graph.exp(xs)
    total = graph.reduce("max", squares, plate)
    pieces = cut([term(total + 1.0)])
    stored = [output.node for piece in pieces for output in piece.outputs]
    assert squares in stored
    assert {piece.rows for piece in pieces} == {1, 5}


def test_what_is_given_is_a_leaf() -> None:
    graph = Graph()
    (x,) = latents(graph, 1)
    known = graph.exp(x)
    (piece,) = cut([term(graph.sin(known))], given={known.number})
    assert piece.leaves == [known]
    assert [node.number for node in live([graph.sin(known)], {known.number})] == [
        known.number,
        graph.sin(known).number,
    ]


def test_rows_of_different_plates_are_different_kernels() -> None:
    graph = Graph()
    domains: Domains = graph.domains
    few, many = (domains.repeated(domains.root, n) for n in (2, 9))
    pieces = cut([term(graph.exp(graph.coordinate(d, i))) for i, d in enumerate((few, many))])
    assert sorted(piece.rows for piece in pieces) == [2, 9]
