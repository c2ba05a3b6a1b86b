"""The invariants of the LIR: `verify` names the first one that a model breaks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lfppl.core.primitives import PRIMITIVES
from lfppl.errors import CompilerBug
from lfppl.lir.access import gathered, input_count, output_count, reads, written
from lfppl.lir.tables import (
    Column,
    Factor,
    Indexed,
    Kernel,
    Linear,
    Map,
    Model,
    Predicate,
    Reduce,
    Table,
)
from lfppl.lir.verify_cones import check_colours, check_cones


def verify(model: Model) -> None:
    """Raise `CompilerBug` with the name of a broken invariant; do nothing for a sound model."""
    for check in CHECKS:
        check(model)


def require(holds: object, invariant: str, where: str = "") -> None:
    """Raise `CompilerBug` unless something holds.

    >>> require(1 < 2, "order")
    """
    if not holds:
        raise CompilerBug(f"LIR invariant broken: {invariant}{f' ({where})' if where else ''}")


# --- nodes ---------------------------------------------------------------------------------------

_STRUCTURAL_ARITY = {"less": 2, "select": 3, "and": 2, "or": 2, "not": 1}


def check_kernels(model: Model) -> None:
    """Instructions read earlier registers, as many as their operation takes."""
    for n, node in enumerate(model.nodes):
        if isinstance(node, Map):
            require(
                node.kernel.inputs == len(node.columns), "a column per kernel input", f"node {n}"
            )
            _check_kernel(node.kernel, f"node {n}")


def _check_kernel(kernel: Kernel, where: str) -> None:
    for i, (operation, arguments) in enumerate(kernel.instructions):
        here = f"{where}, instruction {i}"
        require(_accepts(operation, len(arguments)), "operation and number of arguments", here)
        in_order = all(0 <= a < kernel.inputs + i for a in arguments)
        require(in_order, "instructions read earlier registers", here)
    registers = kernel.inputs + len(kernel.instructions)
    require(kernel.outputs, "a kernel has an output", where)
    require(all(0 <= o < registers for o in kernel.outputs), "outputs are registers", where)


def _accepts(operation: str, count: int) -> bool:
    if operation == "pick":
        return count >= 2
    if operation in _STRUCTURAL_ARITY:
        return count == _STRUCTURAL_ARITY[operation]
    return operation in PRIMITIVES and PRIMITIVES[operation].arity == count


def check_shapes(model: Model) -> None:
    """Tables, index tables, offsets and weights have the sizes their node needs."""
    for n, node in enumerate(model.nodes):
        require(node.rows >= 0, "a number of rows", f"node {n}")
        if isinstance(node, Map):
            for j, column in enumerate(node.columns):
                _check_length(column, node.rows, f"node {n}, column {j}")
        elif isinstance(node, Reduce):
            _check_offsets(node, f"node {n}")
        else:
            _check_weights(node, f"node {n}")


def _check_length(column: Column, length: int, where: str) -> None:
    if isinstance(column, Table):
        require(column.values.shape == (length,), "a table has a number per row", where)
        require(column.values.dtype == np.float64, "tables hold floats", where)
    if isinstance(column, Indexed):
        require(column.addresses.shape == (length,), "an index table fits its node", where)


def _check_offsets(node: Reduce, where: str) -> None:
    require(node.kind in ("sum", "max", "min", "logsumexp"), "kind of reduction", where)
    require(node.offsets.shape == (node.rows + 1,), "an offset per row and one more", where)
    require(node.offsets[0] == 0, "offsets begin at 0", where)
    require((np.diff(node.offsets) >= 0).all(), "offsets ascend", where)
    _check_length(node.inputs, input_count(node), where)


def _check_weights(node: Linear, where: str) -> None:
    require(node.weights.ndim == 2, "weights are a matrix", where)
    require(node.weights.shape[0] == node.rows, "a line of weights per row", where)
    _check_length(node.inputs, input_count(node), where)


def check_addresses(model: Model) -> None:
    """Everything that is read is an address."""
    for n, node in enumerate(model.nodes):
        found = [reads(node).addresses]
        if isinstance(node, Linear):  # also what only weights of 0 read
            positions = np.arange(input_count(node), dtype=np.int64)
            found.append(gathered(node.inputs, positions))
        addresses = np.concatenate(found)
        in_range = (addresses >= 0) & (addresses < model.size)
        require(in_range.all(), "addresses are in range", f"node {n}")


def check_outputs(model: Model) -> None:
    """The outputs of the nodes cover everything behind x, each address once."""
    ranges = [(node.base, output_count(node) * node.rows) for node in model.nodes]
    end = model.dimension
    for base, length in sorted(item for item in ranges if item[1]):
        require(base == end, "outputs are disjoint and leave no gap", f"at address {end}")
        end = base + length
    require(end == model.size, "outputs cover all addresses behind x", f"up to {end}")


def check_schedule(model: Model) -> None:
    """Every row runs exactly once, behind the rows it reads."""
    time = np.full(model.size, -1, dtype=np.int64)  # x is there before all runs
    seen = [np.zeros(node.rows, dtype=np.int64) for node in model.nodes]
    for t, (n, start, stop) in enumerate(model.whole_schedule):
        require(0 <= n < len(model.nodes), "runs are of nodes", f"run {t}")
        require(0 <= start <= stop <= model.nodes[n].rows, "runs are of rows", f"run {t}")
        seen[n][start:stop] += 1
        time[written(model.nodes[n], np.arange(start, stop, dtype=np.int64))] = t
    for n, (node, times) in enumerate(zip(model.nodes, seen, strict=True)):
        require((times == 1).all(), "every row is scheduled exactly once", f"node {n}")
        pairs = reads(node)
        earlier = time[pairs.addresses] < time[node.base + pairs.rows]
        require(earlier.all(), "rows read only earlier runs", f"node {n}")


# --- what the numbers mean -----------------------------------------------------------------------


def check_variables(model: Model) -> None:
    """The coordinates of the variables are x, each once, and every element has one name."""
    used = np.zeros(model.dimension, dtype=np.int64)
    elements: set[tuple[str, tuple[int, ...]]] = set()
    for block in model.variables:
        rows = len(block.indices)
        require(block.indices.ndim == 2, "indices are a table", block.name)
        require(len(block.coordinates) == rows, "coordinates for every row", block.name)
        require(len(block.values) == rows, "values for every row", block.name)
        inside = (block.coordinates >= 0) & (block.coordinates < model.dimension)
        require(inside.all(), "coordinates are in x", block.name)
        natural = (block.values >= 0) & (block.values < model.size)
        require(natural.all(), "natural values are addresses", block.name)
        np.add.at(used, block.coordinates.ravel(), 1)
        require(block.lower <= block.upper, "bounds in order", block.name)
        if block.discontinuous:
            kept = block.transform.name in ("identity", "floor", "simplex")
            require(kept, "a discontinuous coordinate keeps its natural value", block.name)
        require(block.discontinuous or not block.discrete, "discrete is discontinuous", block.name)
        names = {(block.name, tuple(row)) for row in block.indices.tolist()}
        require(len(names) == rows and not names & elements, "names are unique", block.name)
        elements |= names
    require((used == 1).all(), "every coordinate belongs to one variable")


def check_factors(model: Model) -> None:
    """Factors are outputs of Maps, and every row belongs to a vertex."""
    taken = set()
    for i, factor in enumerate(model.factors):
        _check_rows(model, factor, len(factor.vertices), f"factor {i}")
        require(isinstance(model.nodes[factor.node], Map), "factors are Map rows", f"factor {i}")
        known = (factor.vertices >= 0) & (factor.vertices < len(model.vertices))
        require(known.all(), "rows of factors belong to vertices", f"factor {i}")
        taken.add((factor.node, factor.output))
    reported = {run.node for run in model.report_schedule}
    in_density = all(factor.node not in reported for factor in model.factors)
    require(in_density, "factors are computed for the density, not only for the report")
    require(len(taken) == len(model.factors), "no output is two factors")


def check_predicates(model: Model) -> None:
    """Every branching variable has one row, and its site a span."""
    names: set[tuple[int, ...]] = set()
    count = 0
    for i, predicate in enumerate(model.predicates):
        _check_rows(model, predicate, len(predicate.sites), f"predicate {i}")
        sites = {int(site) for site in predicate.sites}
        require(sites <= model.branch_spans.keys(), "sites have spans", f"predicate {i}")
        rows = zip(predicate.sites.tolist(), predicate.indices.tolist(), strict=True)
        names |= {(site, *(i for i in indices if i >= 0)) for site, indices in rows}
        count += len(predicate.sites)
    require(len(names) == count, "branching variables have one row each")


def _check_rows(model: Model, table: Factor | Predicate, labels: int, where: str) -> None:
    require(0 <= table.node < len(model.nodes), "a node", where)
    node = model.nodes[table.node]
    require(0 <= table.output < output_count(node), "an output of the node", where)
    require(labels == node.rows, "a label per row", where)
    require(table.indices.ndim == 2, "indices are a table", where)
    require(len(table.indices) == node.rows, "indices for every row", where)


def check_graph(model: Model) -> None:
    """Arcs join vertices, and the program returns addresses."""
    vertices = range(len(model.vertices))
    require(all(a in vertices and b in vertices for a, b in model.arcs), "arcs join vertices")
    require(set(model.branch_arcs) <= set(model.arcs), "branch arcs are arcs")
    addresses, constants = model.returned.addresses, model.returned.constants
    require(addresses.shape == constants.shape, "a constant per returned place")
    require(((addresses >= -1) & (addresses < model.size)).all(), "returned addresses in range")


CHECKS: tuple[Callable[[Model], None], ...] = (
    check_kernels,
    check_shapes,
    check_addresses,
    check_outputs,
    check_schedule,
    check_variables,
    check_factors,
    check_predicates,
    check_graph,
    check_cones,
    check_colours,
)
"""The checks in an order in which each may rely on those before it."""
