"""What a trace records besides the graph: samples, factors, predicates, the returned value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lfppl.core.distributions.contract import DistributionFamily
from lfppl.source import Span
from lfppl.trace.domains import Domain
from lfppl.trace.graph import Graph, Node
from lfppl.trace.values import Argument, Value

LoopIndex: TypeAlias = int | Domain
"""The index of an enclosing loop: a number, or each row's place in its parent row of a domain."""


@dataclass(frozen=True)
class SampleBlock:
    """The variables of one sample statement in one round of the unrolled loops around it.

    Row r of `domain` is the variable `name[indices]`; `leaf` is its natural value in the graph. The
    values of a vector family are the rows of a child domain, `parts` for each.
    """

    number: int
    site: int
    name: str
    indices: tuple[LoopIndex, ...]
    domain: Domain
    family: DistributionFamily
    parameters: tuple[Argument, ...]
    leaf: Node
    parts: int
    span: Span


@dataclass(frozen=True)
class FactorRecord:
    """A sample or observe statement's term: `family` of `value`, where `guard` holds."""

    kind: str
    site: int
    family: DistributionFamily
    value: Argument
    parameters: tuple[Argument, ...]
    guard: Node | None
    domain: Domain
    indices: tuple[LoopIndex, ...]
    span: Span
    block: SampleBlock | None = None


@dataclass(frozen=True)
class PredicateRecord:
    """An `if` on latent variables: `truth` is 1 where its test is below 0."""

    site: int
    truth: Node
    indices: tuple[LoopIndex, ...]
    span: Span


NOTED = frozenset({"less", "floor", "pick", "log", "sqrt", "log1p", "pow", "/", "tan", "digamma"})
"""Operations that jump, or are not analytic or not defined everywhere: messages point to them."""


def jump_source(node: Node) -> Node:
    """What tells where in the source a node comes from: the node, or the index of a `pick`.

    Indices are found again however they are repeated for the rows of inner loops.
    """
    if node.operation != "pick":
        return node
    index = node.arguments[0]
    return index.arguments[0] if index.operation == "lift" else index


@dataclass
class Trace:
    """A program evaluated symbolically.

    `branches` are the places of its tests by site, `origins` those of noted operations, by the
    number of their `jump_source`.
    """

    graph: Graph
    samples: list[SampleBlock] = field(default_factory=list)
    factors: list[FactorRecord] = field(default_factory=list)
    predicates: list[PredicateRecord] = field(default_factory=list)
    returned: Value = None
    branches: dict[int, Span] = field(default_factory=dict)
    origins: dict[int, Span] = field(default_factory=dict)

    def note_origins(self, first: int, span: Span) -> None:
        """Note a place for the nodes from number `first` on, where they have none yet."""
        for node in self.graph.nodes[first:]:
            if node.operation in NOTED:
                self.origins.setdefault(jump_source(node).number, span)


def index_table(indices: tuple[LoopIndex, ...], domain: Domain) -> NDArray[np.int64]:
    """The loop indices of every row of a domain, a column for each loop; 0 for loops inside it.

    >>> from lfppl.trace.domains import Domains
    >>> domains = Domains()
    >>> plate = domains.repeated(domains.root, 2)
    >>> index_table((5, plate), plate).tolist()
    [[5, 0], [5, 1]]
    """
    table = np.zeros((domain.rows, len(indices)), dtype=np.int64)
    for column, index in enumerate(indices):
        if isinstance(index, int):
            table[:, column] = index
        elif domain.is_within(index):
            own = index is domain
            table[:, column] = index.index if own else index.index[domain.row_in(index)]
    return table
