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
    spans: tuple[Span, ...]
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


@dataclass(frozen=True)
class JumpRecord:
    """A place where a value jumps in `node` without an `if`: a comparison, `floor`, a latent index."""

    node: Node
    span: Span
    text: str


@dataclass(frozen=True)
class RestrictedRecord:
    """An operation that is defined only where `argument` is in its domain."""

    operation: str
    argument: Node
    span: Span


@dataclass
class Trace:
    """A program evaluated symbolically.

    `read` are the names of the data it uses, `branches` the places of its tests by site.
    """

    graph: Graph
    samples: list[SampleBlock] = field(default_factory=list)
    factors: list[FactorRecord] = field(default_factory=list)
    predicates: list[PredicateRecord] = field(default_factory=list)
    jumps: list[JumpRecord] = field(default_factory=list)
    restricted: list[RestrictedRecord] = field(default_factory=list)
    returned: Value = None
    read: set[str] = field(default_factory=set)
    branches: dict[int, Span] = field(default_factory=dict)


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
            table[:, column] = index.index[domain.row_in(index)]
    return table
