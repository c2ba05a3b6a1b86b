"""The functions of single nodes: rows start .. stop-1 forwards, backwards, and term by term."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from lfppl.backends.llvm import linear, maps, reduce, squares, trees
from lfppl.backends.llvm.layout import Layout
from lfppl.backends.llvm.linear import Dense
from lfppl.backends.llvm.maps import Body
from lfppl.backends.llvm.rows import RowProgram, emit_rows
from lfppl.backends.llvm.squares import Square
from lfppl.backends.llvm.text import Function, Module
from lfppl.backends.llvm.trees import Tree
from lfppl.lir.tables import Linear, Map, Model, Node, Reduce

if TYPE_CHECKING:
    from lfppl.backends.llvm.programs import Program

Kind = Literal["forward", "fused", "backward"]

FEW_ROWS = 3
"""Up to this many rows are done one by one, not as a masked vector."""


LONG = 32
"""Vectors in a segment from which a tree of partial results pays."""


@dataclass(frozen=True)
class Prepared:
    """A model's nodes ready for code generation."""

    model: Model
    layout: Layout
    bodies: dict[int, Body]
    panels: dict[int, Dense]
    ranges: dict[int, tuple[int, int] | None]
    width: int
    trees: dict[int, Tree] = field(default_factory=dict)
    programs: list[Program] = field(default_factory=list)

    @property
    def long_segment(self) -> int:
        """From this length on, a reduction keeps a tree of partial results."""
        return LONG * self.width

    def rows(self, place: int) -> tuple[str, str]:
        """First and last row of a node's functions: numbers where it runs once, else parameters."""
        known = self.ranges[place]
        return (str(known[0]), str(known[1])) if known else ("%a1", "%a2")

    def has_factor(self, place: int) -> bool:
        """Whether rows of a node add to the log density."""
        return place in self.bodies and bool(self.bodies[place].factors)


def prepared(model: Model, layout: Layout, width: int) -> Prepared:
    """Nodes with data computed, weights packed, and their runs counted."""
    bodies: dict[int, Body] = {}
    panels: dict[int, Dense] = {}
    for place, node in enumerate(model.nodes):
        if isinstance(node, Map):
            factors = [f.output for f in model.factors if f.node == place]
            bodies[place] = maps.prepare(node, factors)
        elif isinstance(node, Linear) and isinstance(node.weights, np.ndarray):
            panels[place] = linear.panels_of(node, width)
    ranges: dict[int, tuple[int, int] | None] = {}
    for run in model.whole_schedule:
        ranges[run.node] = None if run.node in ranges else (run.start, run.stop)
    return Prepared(model, layout, bodies, panels, ranges, width)


def define(module: Module, ready: Prepared, place: int, kind: Kind) -> str:
    """Write a function of a node, once; returns its name."""
    name = f"{kind}_{place}"
    if name in module.defined:
        return name
    module.defined.add(name)
    fn = module.function(name, "double", ["ptr", "i64", "i64"])
    fn.finish(_BUILDERS[type(ready.model.nodes[place])](fn, ready, place, kind))
    return name


def row_width(fn: Function, ready: Prepared, place: int) -> int:
    """The vector width for the rows of a Map: 1 where it always runs a few rows at a time."""
    known = ready.ranges[place]
    longest = (
        known[1] - known[0]
        if known
        else max(run.stop - run.start for run in ready.model.whole_schedule if run.node == place)
    )
    return 1 if longest <= FEW_ROWS else fn.module.width


def _map(fn: Function, ready: Prepared, place: int, kind: Kind) -> str:
    builders: dict[str, Callable[[Function, Body, Layout], RowProgram]] = {
        "forward": maps.forward,
        "fused": maps.fused,
        "backward": maps.backward,
    }
    program = builders[kind](fn, ready.bodies[place], ready.layout)
    start, stop = ready.rows(place)
    results = emit_rows(fn, program, start, stop, row_width(fn, ready, place))
    return results[0] if results else _ZERO


def _reduce(fn: Function, ready: Prepared, place: int, kind: Kind) -> str:
    node = ready.model.nodes[place]
    assert isinstance(node, Reduce)
    start, stop = ready.rows(place)
    if isinstance(node, Square):
        squares.backward(fn, node, ready.layout) if kind == "backward" else squares.forward(
            fn, node
        )
    elif kind == "backward":
        reduce.backward(fn, node, ready.layout, start, stop)
    elif place in ready.trees:
        trees.forward(fn, ready.trees[place], start, stop)
    else:
        reduce.forward(fn, node, start, stop)
    return _ZERO


def _linear(fn: Function, ready: Prepared, place: int, kind: Kind) -> str:
    node, dense = ready.model.nodes[place], ready.panels.get(place)
    assert isinstance(node, Linear)
    start, stop = ready.rows(place)
    whole = dense is not None and (start, stop) == ("0", str(node.rows))
    if kind == "backward":
        if whole and dense:
            linear.backward_dense(fn, dense, ready.layout)
        else:
            linear.backward_rows(fn, node, dense, ready.layout, start, stop)
    elif whole and dense:
        linear.forward_dense(fn, dense, ready.layout)
    else:
        linear.forward_rows(fn, node, dense, start, stop)
    return _ZERO


_ZERO = "0x0000000000000000"

_BUILDERS: dict[type[Node], Callable[[Function, Prepared, int, Kind], str]] = {
    Map: _map,
    Reduce: _reduce,
    Square: _reduce,
    Linear: _linear,
}
