"""Quadratic forms x'Wx with a symmetric W: their derivative is 2 Wx, which forwards has computed.

The LIR has them as Linear, product with the same inputs, sum. Backwards, the product's adjoint is the
sum's, the Linear's would be W'(s x); where W is symmetric that is s y with y = W x, and the second
pass over W falls away.
"""

from __future__ import annotations

import numpy as np

from lfppl.backends.llvm.layout import Layout
from lfppl.lir.tables import Affine, Linear, Map, Model, Reduce


def quadratic_forms(model: Model, layout: Layout) -> dict[int, tuple[int, int]]:
    """For each product that makes a quadratic form: its Linear node, and its column that reads x."""
    runs = np.bincount([run.node for run in model.schedule], minlength=len(model.nodes))
    found: dict[int, tuple[int, int]] = {}
    for place, node in enumerate(model.nodes):
        if isinstance(node, Map) and runs[place] == 1 and _is_product(node):
            for own, other in ((0, 1), (1, 0)):
                linear = _symmetric_source(model, layout, node, own, other)
                if linear is not None and runs[linear] == 1 and _only_summed(model, layout, place):
                    found[place] = (linear, own)
                    break
    return found


def _is_product(node: Map) -> bool:
    kernel = node.kernel
    return (
        len(node.columns) == 2
        and len(kernel.instructions) == 1
        and kernel.instructions[0].operation == "*"
        and sorted(kernel.instructions[0].arguments) == [0, 1]
        and kernel.outputs == (2,)
    )


def _symmetric_source(
    model: Model, layout: Layout, node: Map, own: int, other: int
) -> int | None:
    """The symmetric dense Linear of the column `own` that the column `other` reads."""
    x, y = node.columns[own], node.columns[other]
    if not isinstance(x, Affine) or not isinstance(y, Affine):
        return None
    for place, linear in enumerate(model.nodes):
        if not isinstance(linear, Linear) or y != Affine(linear.base, 1) or linear.inputs != x:
            continue
        weights = linear.weights
        square = isinstance(weights, np.ndarray) and weights.shape == (node.rows, node.rows)
        once = bool((layout.readers[linear.base : linear.base + linear.rows] == 1).all())
        if square and once and x.stride == 1 and np.array_equal(weights, weights.T):
            return place
    return None


def _only_summed(model: Model, layout: Layout, place: int) -> bool:
    """Whether the product goes into one sum and nothing else with a derivative."""
    node = model.nodes[place]
    sums = [
        n for n in model.nodes
        if isinstance(n, Reduce) and n.kind == "sum" and n.rows == 1
        and n.inputs == Affine(node.base, 1) and n.offsets[-1] == node.rows
    ]
    read = layout.readers[node.base : node.base + node.rows]
    return len(sums) == 1 and bool((read == 1).all()) and all(f.node != place for f in model.factors)
