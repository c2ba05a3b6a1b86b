"""The laid-out graph: its nodes and arcs are the model's, and no two nodes overlap."""

from itertools import combinations

import numpy as np
import pytest

import lfppl
import run_models
from lfppl.display.graph import MOST_VERTICES, drawing_of
from lfppl.errors import ModelError


@pytest.mark.parametrize("name", run_models.NAMES)
def test_nodes_lie_in_the_box_and_overlap_nowhere(name):
    drawing = drawing_of(run_models.example(name).lir)
    places = np.array([node.place for node in drawing.nodes])
    sizes = np.array([node.size for node in drawing.nodes])
    assert (places - sizes / 2 >= -0.5).all()
    assert (places + sizes / 2 <= np.array([drawing.width, drawing.height]) + 0.5).all()
    for i, j in combinations(range(len(places)), 2):
        assert (abs(places[i] - places[j]) > (sizes[i] + sizes[j]) / 2 - 0.5).any()


@pytest.mark.parametrize("name", run_models.NAMES)
def test_arcs_begin_and_end_at_their_nodes(name):
    drawing = drawing_of(run_models.example(name).lir)
    nodes = {node.key: node for node in drawing.nodes}
    for edge in drawing.edges:
        assert len(edge.curve) % 3 == 1
        assert _is_on(nodes[edge.source], edge.curve[0])
        assert _is_on(nodes[edge.target], edge.tip)


def _is_on(node, point):
    inside = np.abs(np.subtract(point, node.place)) <= np.array(node.size) / 2 + 1.5
    return inside.all()


def test_the_graph_of_the_change_point_is_that_of_the_paper():
    drawing = drawing_of(run_models.example("change-point").lir)
    labels = {node.key: node.label[0] for node in drawing.nodes}
    assert sorted(labels.values()) == ["early", "if", "late", "observe", "tau"]
    arcs = {(labels[e.source], labels[e.target], e.dashed) for e in drawing.edges}
    assert arcs == {
        ("tau", "observe", False),
        ("early", "observe", False),
        ("late", "observe", False),
        ("tau", "if", True),
    }
    assert [node.label[0] for node in drawing.nodes if node.discontinuous] == ["tau"]


def test_a_graph_without_vertices_and_one_with_too_many_say_so():
    with pytest.raises(ModelError, match="no random variables"):
        drawing_of(lfppl.compile("(+ 1 2)").lir)
    many = " ".join(f"(sample (normal {i} 1))" for i in range(MOST_VERTICES + 1))
    with pytest.raises(ModelError, match="a picture holds 120"):
        drawing_of(lfppl.compile(f"(do {many})").lir)
