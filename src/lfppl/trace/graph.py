"""The expression graph: scalar expressions over domains, each built once, constants folded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.core.primitives import Math, NumpyMath
from lfppl.trace.domains import Domain, Domains, Rows

Floats = NDArray[np.float64]
_NUMPY = NumpyMath()
SPARSE = 0.125
"""A matrix with fewer entries that are not zero is kept sparse: vectors of eight do not pay."""


class Node:
    """A number for each row of a domain.

    Operations: the primitives and `less select pick and or not` of `core.primitives`, and

    - `constant` (payload the number), `table` (payload a number per row);
    - `coordinate` (payload the number of a sample block; the natural value of its rows);
    - `lift` (payload, for each row, the row of the argument's domain);
    - `reduce` (payload the kind and the child domain it goes over);
    - `stack` (over a child domain, whose rows are the arguments one after another);
    - `linear` (payload the weights, rows by rows of the argument's domain);
    - `state` (payload the number of a sample block; its entries of x, made by `lir.coordinates`).
    """

    __slots__ = ("arguments", "domain", "graph", "number", "operation", "payload")

    def __init__(
        self,
        graph: Graph,
        operation: str,
        arguments: tuple[Node, ...],
        domain: Domain,
        payload: Any,
    ) -> None:
        self.graph = graph
        self.number = len(graph.nodes)
        self.operation = operation
        self.arguments = arguments
        self.domain = domain
        self.payload = payload

    @property
    def is_static(self) -> bool:
        """Whether the numbers are known when compiling."""
        return self.operation in ("constant", "table")

    def static_rows(self) -> Floats:
        """The numbers of a static node, one per row of its domain (one for a constant)."""
        return np.atleast_1d(np.asarray(self.payload, dtype=np.float64))

    def __add__(self, other: Any) -> Node:
        return self.graph.apply("+", self, other)

    def __radd__(self, other: Any) -> Node:
        return self.graph.apply("+", other, self)

    def __sub__(self, other: Any) -> Node:
        return self.graph.apply("-", self, other)

    def __rsub__(self, other: Any) -> Node:
        return self.graph.apply("-", other, self)

    def __mul__(self, other: Any) -> Node:
        return self.graph.apply("*", self, other)

    def __rmul__(self, other: Any) -> Node:
        return self.graph.apply("*", other, self)

    def __truediv__(self, other: Any) -> Node:
        return self.graph.apply("/", self, other)

    def __rtruediv__(self, other: Any) -> Node:
        return self.graph.apply("/", other, self)

    def __neg__(self) -> Node:
        return self.graph.apply("neg", self)


class Graph(Math[Node]):
    """Builds nodes; equal ones are the same object, so sharing is never lost.

    >>> graph = Graph()
    >>> graph.exp(0.0).payload
    1.0
    """

    def __init__(self) -> None:
        self.domains = Domains()
        self.nodes: list[Node] = []
        self._interned: dict[Any, Node] = {}

    # --- leaves ----------------------------------------------------------------------------------

    def constant(self, value: float) -> Node:
        """The same number in every row of every domain."""
        value = float(value)
        return self._intern("constant", (), self.domains.root, value, (value, str(value)))

    def table(self, domain: Domain, values: Floats) -> Node:
        """A known number per row; a constant where all are equal."""
        values = np.ascontiguousarray(values, dtype=np.float64)
        if len(values) and _all_alike(values):
            return self.constant(float(values[0]))
        return self._intern("table", (), domain, values, values.tobytes())

    def coordinate(self, domain: Domain, block: int) -> Node:
        """The natural values of the rows of a sample block."""
        return self._intern("coordinate", (), domain, block, block)

    def state(self, domain: Domain, block: int) -> Node:
        """The entries of x that belong to the rows of a sample block."""
        return self._intern("state", (), domain, block, block)

    # --- operations ------------------------------------------------------------------------------

    def apply(self, name: str, *arguments: Any) -> Node:
        """An operation on numbers and nodes whose domains lie on one path."""
        nodes = tuple(a if isinstance(a, Node) else self.constant(a) for a in arguments)
        domain = self.deepest(nodes)
        if all(node.is_static for node in nodes):
            return self._fold(name, nodes, domain)
        simpler = self._simplify(name, nodes)
        if simpler is not None:
            return simpler
        return self._intern(name, tuple(self.lift_to(node, domain) for node in nodes), domain)

    def deepest(self, nodes: Sequence[Node]) -> Domain:
        """The domain of the nodes that lies within all the others."""
        return max(
            (node.domain for node in nodes), key=lambda d: d.depth, default=self.domains.root
        )

    def lift_to(self, node: Node, domain: Domain) -> Node:
        """A node of an ancestor, repeated for the rows of a domain; constants need none."""
        if node.domain is domain or node.operation == "constant":
            return node
        return self.lift(node, domain, domain.row_in(node.domain))

    def lift(self, node: Node, domain: Domain, rows: Rows) -> Node:
        """Row r of the result is row `rows[r]` of the node."""
        if node.operation == "constant":
            return node
        if node.operation == "table":
            return self.table(domain, node.payload[rows])
        if node.operation == "lift":
            node, rows = node.arguments[0], node.payload[rows]
        if node.domain is domain and (rows is domain.every or np.array_equal(rows, domain.every)):
            return node
        rows = np.ascontiguousarray(rows, dtype=np.int64)
        return self._intern("lift", (node,), domain, rows, rows.tobytes())

    def reduce(self, kind: str, node: Node, inner: Domain) -> Node:
        """The reduction over the rows of `inner` of each row of its parent."""
        assert inner.parent is not None
        node = self.lift_to(node, inner)
        if node.is_static:
            return self.table(inner.parent, _reduce_static(kind, node, inner))
        linear = self._as_linear(node, inner) if kind == "sum" else None
        return linear or self._intern(
            "reduce", (node,), inner.parent, (kind, inner), (kind, inner.number)
        )

    def stack(self, nodes: Sequence[Node]) -> Node:
        """Row by row, the nodes one after another: over a child domain with a row for each."""
        parent = self.deepest(nodes)
        domain = self.domains.repeated(parent, len(nodes))
        if all(node.is_static for node in nodes):
            columns = [np.broadcast_to(self.lift_to(n, parent).payload, parent.rows) for n in nodes]
            return self.table(domain, np.stack(columns, axis=1).reshape(-1))
        lifted = tuple(self.lift_to(node, parent) for node in nodes)
        return self._intern("stack", lifted, domain)

    def linear(self, weights: Any, node: Node, domain: Domain) -> Node:
        """Row r is the sum over c of `weights[r, c]` times row c of the node."""
        if node.is_static:
            rows = np.broadcast_to(node.payload, (node.domain.rows,))
            return self.table(domain, weights @ rows)
        weights = _stored(weights)
        return self._intern("linear", (node,), domain, weights, _matrix_key(weights))

    def stored(self, value: float, domain: Domain) -> Node:
        """A known number that is computed all the same in every row, and so has an address."""
        return self._intern("+", (self.constant(value), self.constant(0.0)), domain)

    def again(self, node: Node) -> Node:
        """A second node that is computed alike but is not the same."""
        twin = Node(self, node.operation, node.arguments, node.domain, node.payload)
        self.nodes.append(twin)
        return twin

    # --- building --------------------------------------------------------------------------------

    def _intern(
        self,
        operation: str,
        arguments: tuple[Node, ...],
        domain: Domain,
        payload: Any = None,
        payload_key: Any = None,
    ) -> Node:
        key = (operation, tuple([a.number for a in arguments]), domain.number, payload_key)
        found = self._interned.get(key)
        if found is None:
            found = Node(self, operation, arguments, domain, payload)
            self._interned[key] = found
            self.nodes.append(found)
        return found

    def _fold(self, name: str, nodes: tuple[Node, ...], domain: Domain) -> Node:
        rows = [self.lift_to(node, domain).payload for node in nodes]
        value = _NUMPY.apply(name, *rows)
        if np.ndim(value) == 0:
            return self.constant(float(value))
        return self.table(domain, np.asarray(value))

    def _simplify(self, name: str, nodes: tuple[Node, ...]) -> Node | None:
        if name == "select":
            return _simplify_select(*nodes)
        if name in ("and", "or"):
            return _simplify_logic(name, *nodes)
        if name == "pick":
            return self._simplify_pick(nodes)
        if name in _NEUTRAL:
            for i, neutral in _NEUTRAL[name]:
                if nodes[i].operation == "constant" and nodes[i].payload == neutral:
                    return nodes[1 - i]
        return self._into_pick(name, nodes)

    def _simplify_pick(self, nodes: tuple[Node, ...]) -> Node | None:
        index, items = nodes[0], nodes[1:]
        if all(item is items[0] for item in items):
            return items[0]
        if index.operation == "constant":
            return items[int(min(max(np.floor(index.payload), 0), len(items) - 1))]
        return None

    def _into_pick(self, name: str, nodes: tuple[Node, ...]) -> Node | None:
        """f(pick(k, items), ...) is pick(k, f(items, ...)): done once for each item.

        It pays where the items are known, or belong to an outer loop.
        """
        picks = [node for node in nodes if node.operation == "pick"]
        if not picks or any(pick.arguments[0] is not picks[0].arguments[0] for pick in picks):
            return None
        first = picks[0]
        if any(len(pick.arguments) != len(first.arguments) for pick in picks):
            return None
        parts = [node for node in nodes if node.operation != "pick"]
        parts += [item for pick in picks for item in pick.arguments[1:]]
        known = all(_is_known_choice(part) for part in parts)
        outer = len(picks) == 1 and all(_is_shallower(part, first.domain) for part in parts)
        if not (known or outer):
            return None
        rows = [
            [_unlifted(node.arguments[k] if node.operation == "pick" else node) for node in nodes]
            for k in range(1, len(first.arguments))
        ]
        return self.apply("pick", first.arguments[0], *(self.apply(name, *row) for row in rows))

    def _as_linear(self, node: Node, inner: Domain) -> Node | None:
        """A sum of data times entries of another domain is a product with a matrix."""
        if node.operation != "*" or inner.parent is None:
            return None
        tables = [a for a in node.arguments if a.is_static]
        lifts = [a for a in node.arguments if a.operation == "lift"]
        if len(tables) != 1 or len(lifts) != 1:
            return None
        source, columns = lifts[0].arguments[0], lifts[0].payload
        values = np.broadcast_to(tables[0].payload, (inner.rows,))
        weights = _matrix(values, inner, columns, source.domain.rows)
        return self.linear(weights, source, inner.parent)


_NEUTRAL: dict[str, tuple[tuple[int, float], ...]] = {
    "+": ((0, 0.0), (1, 0.0)),
    "-": ((1, 0.0),),
    "*": ((0, 1.0), (1, 1.0)),
    "/": ((1, 1.0),),
}


def _all_alike(values: Floats) -> bool:
    """Whether all numbers are the same, NaN and the sign of 0 included."""
    bits = values.view(np.int64)
    return bool((bits == bits[0]).all())


def _is_known_choice(node: Node) -> bool:
    """Whether a node is a number, or one of several numbers chosen by latent indices."""
    if node.operation == "pick":
        return all(_is_known_choice(item) for item in node.arguments[1:])
    return node.operation == "constant"


def _is_shallower(node: Node, domain: Domain) -> bool:
    """Whether a node repeats the same number for all rows of a domain, or of its parent rows."""
    if node.operation == "lift":
        outer = node.arguments[0].domain
        if outer.rows == 1:
            return domain.depth > outer.depth
        inside = outer.depth < domain.depth and domain.is_within(outer)
        return inside and np.array_equal(node.payload, domain.row_in(outer))
    return node.operation == "constant"


def _unlifted(node: Node) -> Node:
    return node.arguments[0] if node.operation == "lift" else node


def _simplify_select(condition: Node, then: Node, otherwise: Node) -> Node | None:
    if then is otherwise:
        return then
    if condition.operation == "constant":
        return then if condition.payload else otherwise
    return None


def _simplify_logic(name: str, a: Node, b: Node) -> Node | None:
    if a is b:
        return a
    for this, other in ((a, b), (b, a)):
        if this.operation == "constant":
            return other if bool(this.payload) == (name == "and") else this
    return None


def _reduce_static(kind: str, node: Node, inner: Domain) -> Floats:
    values = np.broadcast_to(node.payload, (inner.rows,))
    function, start = _REDUCTIONS[kind]
    if inner.count is not None:
        table = values.reshape(len(inner.counts), inner.count)
        return np.asarray(function(table, axis=1, initial=start), dtype=np.float64)
    pieces = np.split(values, inner.starts[1:])
    return np.array([function(piece, initial=start) for piece in pieces], dtype=np.float64)


_REDUCTIONS: dict[str, tuple[Any, float]] = {
    "sum": (np.add.reduce, 0.0),
    "max": (np.maximum.reduce, -np.inf),
    "min": (np.minimum.reduce, np.inf),
    "logsumexp": (np.logaddexp.reduce, -np.inf),
}


def _matrix(values: Floats, inner: Domain, columns: Rows, width: int) -> Any:
    from scipy.sparse import csr_array

    assert inner.parent is not None
    shape = (inner.parent.rows, width)
    offsets = np.concatenate((inner.starts, [inner.rows]))
    # Copies: the matrix sorts its columns in place, and the rows of the lift must stay as they are.
    return csr_array((values.astype(np.float64), columns.copy(), offsets), shape=shape)


def _stored(weights: Any) -> Any:
    """A matrix as it is kept: sparse if almost all of it is zero, else dense."""
    size = weights.shape[0] * weights.shape[1]
    if isinstance(weights, np.ndarray):
        if np.count_nonzero(weights) > SPARSE * size:
            return weights
        from scipy.sparse import csr_array

        return csr_array(weights)
    weights.sum_duplicates()
    weights.eliminate_zeros()
    return weights if weights.nnz <= SPARSE * size else weights.toarray()


def _matrix_key(weights: Any) -> tuple[Any, ...]:
    """Equal for equal matrices only: numbers, and their places where it is sparse."""
    if isinstance(weights, np.ndarray):
        return weights.shape, weights.tobytes()
    parts = (weights.data, weights.indices, weights.indptr)
    return weights.shape, *(part.tobytes() for part in parts)
