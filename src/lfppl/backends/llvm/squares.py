"""Quadratic forms x'Wx with a symmetric W, as one node.

The LIR has them as y = W x, the products x y, and their sum. Here the sum reads x and y itself: the
products are never stored; the derivative is 2 y, so that the second pass over W falls away; and
when one x changes by d, the form changes by d (old y + new y) at that place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lfppl.backends.llvm import access
from lfppl.backends.llvm.access import Index, Lanes, index_of
from lfppl.backends.llvm.layout import Layout, addresses_of, inputs_of, output_range, outputs_of
from lfppl.backends.llvm.reduce import each, fold
from lfppl.backends.llvm.text import Function, number, vector
from lfppl.lir.tables import Affine, Cones, Linear, Map, Model, Reduce


@dataclass(frozen=True)
class Square(Reduce):
    """The sum of x y: `inputs` are x, y begins at `product` and is of the node `linear`."""

    linear: int = 0
    product: int = 0


def fold_squares(model: Model) -> Model:
    """The model with its quadratic forms as `Square` nodes, their products left out."""
    nodes, gone = list(model.nodes), set()
    for place, node in enumerate(model.nodes):
        if isinstance(node, Reduce) and (found := _square(model, node)) is not None:
            product, square = found
            nodes[place] = square
            gone.add(product)
    if not gone:
        return model
    schedule = tuple(run for run in model.schedule if run.node not in gone)
    return replace(model, nodes=tuple(nodes), schedule=schedule, cones=_without(model.cones, gone))


def _without(cones: Cones, gone: set[int]) -> Cones:
    shapes = tuple(
        replace(shape, steps=tuple(step for step in shape.steps if step.node not in gone))
        for shape in cones.shapes
    )
    return replace(cones, shapes=shapes)


def _square(model: Model, node: Reduce) -> tuple[int, Square] | None:
    """The product's place, and the node that stands for the sum."""
    if node.kind != "sum" or node.rows != 1 or not isinstance(node.inputs, Affine):
        return None
    for place, product in enumerate(model.nodes):
        if (
            isinstance(product, Map)
            and node.inputs == Affine(product.base, 1)
            and _is_product(product)
        ):
            sides = _sides(model, product)
            if sides is not None and product.rows == node.offsets[-1] and _unread(model, place):
                x, linear = sides
                base = model.nodes[linear].base
                own = (node.kind, x, node.offsets, node.rows, node.base)
                return place, Square(*own, linear=linear, product=base)
    return None


def _is_product(node: Map) -> bool:
    kernel = node.kernel
    return (
        len(node.columns) == 2
        and len(kernel.instructions) == 1
        and kernel.instructions[0].operation == "*"
        and sorted(kernel.instructions[0].arguments) == [0, 1]
        and kernel.outputs == (2,)
    )


def _sides(model: Model, product: Map) -> tuple[Affine, int] | None:
    """X and the place of y = W x, where the product is of these with a symmetric W."""
    a, b = product.columns
    for x, y in ((a, b), (b, a)):
        if isinstance(x, Affine) and isinstance(y, Affine) and x.stride == 1:
            for place, linear in enumerate(model.nodes):
                if (
                    isinstance(linear, Linear)
                    and y == Affine(linear.base, 1)
                    and linear.inputs == x
                ):
                    return (x, place) if _is_symmetric(linear, product.rows) else None
    return None


def _is_symmetric(linear: Linear, rows: int) -> bool:
    weights: Any = linear.weights
    if weights.shape != (rows, rows):
        return False
    if isinstance(weights, np.ndarray):
        return bool(np.array_equal(weights, weights.T))
    return bool((weights != weights.T).nnz == 0)


def _unread(model: Model, place: int) -> bool:
    """Whether only one node, and nobody else, reads the outputs of a node."""
    node = model.nodes[place]
    own = {f.node for f in model.factors} | {p.node for p in model.predicates}
    own |= {run.node for run in model.report_schedule}
    if place in own or outputs_of(node) != 1:
        return False
    block = output_range(node, 0)
    reported = [model.returned.addresses.ravel(), *(b.values.ravel() for b in model.variables)]
    read = np.concatenate(reported)
    if np.any((read >= block.start) & (read < block.stop)):
        return False
    return sum(_reads(other, block) for other in model.nodes) == 1


def _reads(node: Map | Reduce | Linear, block: slice) -> bool:
    for gather, count in inputs_of(node):
        addresses = addresses_of(gather, count)
        if np.any((addresses >= block.start) & (addresses < block.stop)):
            return True
    return False


def forward(fn: Function, node: Square) -> None:
    """The sum of x y."""
    width = fn.module.width
    x, count = index_of(fn, node.inputs), int(node.offsets[-1])

    def term(value: str, lanes: Lanes) -> str:
        other = access.load(fn, "%a0", x, lanes)
        return fn.emit(f"fmul contract {vector('double', lanes.width)} {value}, {other}")

    y = Index(node.product, 1)
    total = fold(fn, "fadd", y, "0", str(count), width, term, count % width)
    fn.store(total, "%a0", str(node.base))


def backward(fn: Function, node: Square, layout: Layout) -> None:
    """The adjoints of x grow by 2 y times the adjoint of the sum."""
    count, width = int(node.offsets[-1]), fn.module.width
    own = index_of(fn, layout.slots_of(Affine(node.base, 1), 1), layout.adjoints)
    adjoint = access.load(fn, "%a0", own, Lanes("0", 1))
    twice = fn.emit(f"fmul double {adjoint}, {number(2.0)}")
    twices = fn.splat(twice, width)
    targets = index_of(fn, layout.slots_of(node.inputs, count), layout.adjoints)

    def share(lanes: Lanes) -> None:
        y = access.load(fn, "%a0", Index(node.product, 1), lanes)
        factor = twices if lanes.width == width else fn.splat(twice, lanes.width)
        kind = vector("double", lanes.width)
        access.add(fn, fn.emit(f"fmul contract {kind} {factor}, {y}"), "%a0", targets, lanes)

    def spread() -> list[str]:
        each(fn, "0", str(count), width, share, count % width)
        return []

    fn.when(fn.emit(f"fcmp une double {adjoint}, {number(0.0)}"), [], spread)


def correct(fn: Function, node: Square, column: str, old_x: str, old_y: str) -> None:
    """The sum after x changed at one place, and y everywhere."""
    new_x = fn.load("%a0", access.first_place(fn, index_of(fn, node.inputs), column))
    new_y = fn.load("%a0", fn.integer("add", column, str(node.product)))
    delta = fn.emit(f"fsub double {new_x}, {old_x}")
    both = fn.emit(f"fadd double {old_y}, {new_y}")
    change = fn.emit(f"fmul contract double {delta}, {both}")
    total = fn.emit(f"fadd contract double {fn.load('%a0', str(node.base))}, {change}")
    fn.store(total, "%a0", str(node.base))
