"""The invariants of cones and colours, checked by an independent search of what rows read."""

from __future__ import annotations

import numpy as np

from lfppl.errors import CompilerBug
from lfppl.lir.access import Positions, RowGraph, gathered, written
from lfppl.lir.tables import Affine, ConeShape, ConeStep, Indexed, Map, Model

SEARCH_LIMIT = 300
"""Coordinates whose cones are searched; of larger models an evenly spread part is."""


def check_cones(model: Model) -> None:
    """Every discontinuous coordinate has a cone, which holds all that depends on it, in order."""
    _check_places(model)
    for k, shape in enumerate(model.cones.shapes):
        _check_shape(model, shape, f"cone shape {k}")
    graph = RowGraph(model)
    count = len(model.cones.coordinates)
    for i in range(0, count, -(-count // SEARCH_LIMIT) if count else 1):
        _check_cone(model, graph, i)


def check_colours(model: Model) -> None:
    """Colours partition the discontinuous coordinates; cones inside a colour share no row."""
    coloured = np.concatenate([np.zeros(0, dtype=np.int32), *model.colours])
    known = np.sort(model.cones.coordinates)
    if not np.array_equal(np.sort(coloured), known):
        raise _broken("colours partition the discontinuous coordinates")
    places = {int(b): i for i, b in enumerate(model.cones.coordinates)}
    graph = RowGraph(model)
    for colour, members in enumerate(model.colours):
        rows = [cone_rows(model, graph, places[int(b)]) for b in members]
        together = np.concatenate([np.zeros(0, dtype=np.int64), *rows])
        if len(np.unique(together)) != len(together):
            raise _broken("cones inside a colour share no row", f"colour {colour}")


def cone_rows(model: Model, graph: RowGraph, i: int) -> Positions:
    """The numbers of the rows in the cone of coordinate `cones.coordinates[i]`, in order."""
    shape = model.cones.shapes[model.cones.shape_of[i]]
    place = int(model.cones.place_in_shape[i])
    parts = [graph.first[step.node] + step_rows(step, place) for step in shape.steps]
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def step_rows(step: ConeStep, place: int) -> Positions:
    """The rows of a step for one member of its shape."""
    if isinstance(step.rows, slice):
        return np.arange(step.rows.start, step.rows.stop, dtype=np.int64)
    return np.atleast_1d(step.rows[place]).astype(np.int64)


def _broken(invariant: str, where: str = "") -> CompilerBug:
    return CompilerBug(f"LIR invariant broken: {invariant}{f' ({where})' if where else ''}")


def _check_places(model: Model) -> None:
    cones = model.cones
    blocks = [block.coordinates.ravel() for block in model.variables if block.discontinuous]
    discontinuous = np.sort(np.concatenate([np.zeros(0, dtype=np.int32), *blocks]))
    if not np.array_equal(np.sort(cones.coordinates), discontinuous):
        raise _broken("every discontinuous coordinate has a cone, and no other")
    if not len(cones.shape_of) == len(cones.place_in_shape) == len(cones.coordinates):
        raise _broken("a shape and a place per cone")
    for b, k, place in zip(cones.coordinates, cones.shape_of, cones.place_in_shape, strict=True):
        members = cones.shapes[k].members if 0 <= k < len(cones.shapes) else ()
        if not (0 <= place < len(members) and members[place] == b):
            raise _broken("a cone's place is its member of the shape", f"coordinate {b}")
    if sum(len(shape.members) for shape in cones.shapes) != len(cones.coordinates):
        raise _broken("members of the shapes are the discontinuous coordinates")


def _check_shape(model: Model, shape: ConeShape, where: str) -> None:
    single = True
    for s, step in enumerate(shape.steps):
        here = f"{where}, step {s}"
        if not 0 <= step.node < len(model.nodes):
            raise _broken("steps are of nodes", here)
        node = model.nodes[step.node]
        single = single and isinstance(node, Map) and _is_one_row(step)
        _check_rows(step, node.rows, len(shape.members), here)
        columns = len(node.columns) if isinstance(node, Map) else 0
        if len(step.reads) not in (0, columns) or len(step.reads) != len(step.read_outputs):
            raise _broken("a step tells of every column what it reads", here)
    if shape.single and not single:
        raise _broken("a single shape has one row of a Map per step", where)


def _check_rows(step: ConeStep, rows: int, members: int, where: str) -> None:
    if isinstance(step.rows, slice):
        sound = step.rows.step in (None, 1) and 0 <= step.rows.start < step.rows.stop <= rows
    else:
        inside = (step.rows >= 0) & (step.rows < rows)
        sound = len(step.rows) == members and bool(inside.all())
    if not sound:
        raise _broken("steps have rows for every member, or a slice of rows", where)


def _is_one_row(step: ConeStep) -> bool:
    return not isinstance(step.rows, slice) and step.rows.ndim == 1


def _check_cone(model: Model, graph: RowGraph, i: int) -> None:
    coordinate = int(model.cones.coordinates[i])
    where = f"coordinate {coordinate}"
    rows = cone_rows(model, graph, i)
    if len(np.unique(rows)) != len(rows):
        raise _broken("a cone has every row once", where)
    start = np.array([coordinate], dtype=np.int64)
    if not np.isin(graph.reachable(start), rows).all():
        raise _broken("a cone holds every row that depends on its coordinate", where)
    if not np.isin(graph.readers(graph.written(rows)), rows).all():
        raise _broken("no row outside a cone reads what is written in it", where)
    _check_steps(model, graph, i, where)


class _Writers:
    """Which step of a cone writes an address: 0 the coordinate itself, -1 none."""

    def __init__(self, model: Model, coordinate: int, shape: ConeShape, place: int) -> None:
        self.step = np.full(model.size, -1, dtype=np.int64)
        self.output = np.zeros(model.size, dtype=np.int64)
        self.step[coordinate] = 0
        for s, step in enumerate(shape.steps):
            addresses = written(model.nodes[step.node], step_rows(step, place))
            self.step[addresses] = s + 1
            self.output[addresses] = np.arange(len(addresses))[:, None]


def _check_steps(model: Model, graph: RowGraph, i: int, where: str) -> None:
    """In order: what a step reads of its cone was written by an earlier step, as it tells."""
    shape = model.cones.shapes[model.cones.shape_of[i]]
    place = int(model.cones.place_in_shape[i])
    writers = _Writers(model, int(model.cones.coordinates[i]), shape, place)
    for s, step in enumerate(shape.steps):
        here = f"{where}, step {s}"
        read = graph.addresses_read(graph.first[step.node] + step_rows(step, place))
        if (writers.step[read] > s).any():
            raise _broken("steps of a cone read only earlier steps", here)
        if step.reads and _is_one_row(step):
            _check_reads(model, step, place, writers, here)


def _check_reads(model: Model, step: ConeStep, place: int, writers: _Writers, where: str) -> None:
    node = model.nodes[step.node]
    if not isinstance(node, Map):
        return
    row = step_rows(step, place)
    for j, column in enumerate(node.columns):
        expected = (-1, 0)
        if isinstance(column, Affine | Indexed):
            address = int(gathered(column, row)[0])
            expected = int(writers.step[address]), int(writers.output[address])
        told = (step.reads[j], step.read_outputs[j] if step.reads[j] > 0 else 0)
        if told != expected:
            raise _broken("a step tells what its columns read", f"{where}, column {j}")
