"""The LIR: a model as array nodes over one flat array of numbers (docs/lir.md).

The array `v` holds the coordinates x first, then the outputs of all nodes; an address is a position
in it. Output k of row r of a Map stands at `base + k * rows + r`; row r of the others at
`base + r`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis.discontinuity import Reason
from lfppl.source import Span

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats: TypeAlias = NDArray[np.float64]
Addresses: TypeAlias = NDArray[np.int32]


# --- columns: what a kernel reads in a row -------------------------------------------------------


@dataclass(frozen=True)
class Uniform:
    """The same number in every row."""

    value: float


@dataclass(frozen=True)
class Table:
    """A number of the data for each row."""

    values: Floats


@dataclass(frozen=True)
class Affine:
    """Row r reads `v[start + stride * r]`; stride 0 is the same address in every row."""

    start: int
    stride: int


@dataclass(frozen=True)
class Indexed:
    """Row r reads `v[addresses[r]]`."""

    addresses: Addresses


Column: TypeAlias = Uniform | Table | Affine | Indexed
Gather: TypeAlias = Affine | Indexed


# --- nodes ---------------------------------------------------------------------------------------


class Instruction(NamedTuple):
    """One step of a kernel: a primitive, or one of `less select pick and or not`, on registers.

    `less a b` is 1.0 where a < b, else 0.0; `select c a b` is a where c is not 0, else b;
    `pick k a0 a1 ...` is the argument at position floor(k).
    """

    operation: str
    arguments: tuple[int, ...]


@dataclass(frozen=True)
class Kernel:
    """Straight-line scalar code: registers 0 .. inputs-1 are columns, then one per instruction."""

    inputs: int
    instructions: tuple[Instruction, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class Map:
    """A kernel applied to every row."""

    kernel: Kernel
    columns: tuple[Column, ...]
    rows: int
    base: int


@dataclass(frozen=True)
class Reduce:
    """Row r is the reduction of `v` at `inputs[offsets[r] : offsets[r + 1]]`."""

    kind: Literal["sum", "max", "min", "logsumexp"]
    inputs: Gather
    offsets: NDArray[np.int64]
    rows: int
    base: int


@dataclass(frozen=True)
class Linear:
    """Row r is the sum of `weights[r, c] * v[inputs at c]`; weights are dense or sparse."""

    weights: Floats | csr_array
    inputs: Gather
    rows: int
    base: int


Node: TypeAlias = Map | Reduce | Linear


class Run(NamedTuple):
    """Rows start .. stop-1 of a node, which do not read one another."""

    node: int
    start: int
    stop: int


# --- what the numbers mean -----------------------------------------------------------------------


@dataclass(frozen=True)
class Transform:
    """How a coordinate becomes a natural value: `natural` of the variable, given by LIR nodes.

    `identity`, `floor` (unit cells), `log`, `interval`, `simplex` name the change of variables.
    """

    name: Literal["identity", "floor", "log", "interval", "simplex"]


@dataclass(frozen=True)
class VariableBlock:
    """The variables made by one sample statement: `name[indices[r]]` for its rows r.

    `coordinates[r]` are the positions in x of row r (K of them for a vector, K - 1 for a simplex),
    `values[r]` the addresses of its natural values. A discontinuous coordinate keeps its natural
    value; `lower` and `upper` are its constant bounds, infinite where there is none.
    """

    name: str
    indices: NDArray[np.int64]
    family: str
    coordinates: NDArray[np.int32]
    values: Addresses
    discontinuous: bool
    discrete: bool
    transform: Transform
    reasons: tuple[Reason, ...]
    lower: float
    upper: float
    span: Span


@dataclass(frozen=True)
class Vertex:
    """A sample or observe statement (paper, section 4), or a change of variables' Jacobian."""

    kind: Literal["sample", "observe", "jacobian"]
    site: int
    family: str
    name: str
    span: Span


@dataclass(frozen=True)
class Factor:
    """The rows of an output of a Map that add to the log density.

    `vertices[r]` is the vertex row r belongs to, `indices[r]` its loop indices (-1 where it has
    fewer than the others).
    """

    node: int
    output: int
    vertices: NDArray[np.int32]
    indices: NDArray[np.int64]


@dataclass(frozen=True)
class Predicate:
    """The rows of an output that are branching variables: 1.0 where test < 0.

    `sites[r]` and `indices[r]` (-1 padded) name the branching variable; `spans` by site.
    """

    node: int
    output: int
    sites: NDArray[np.int32]
    indices: NDArray[np.int64]


@dataclass(frozen=True)
class Returned:
    """The value of the program: a number, or the addresses of an array of numbers.

    `addresses` has the shape of the value; -1 marks a place that holds `constants` instead.
    """

    addresses: Addresses
    constants: Floats


@dataclass(frozen=True)
class Cones:
    """For each discontinuous coordinate b = coordinates[i], the steps of its cone in order.

    Coordinates whose cones have the same shape share a `ConeShape`.
    """

    coordinates: NDArray[np.int32]
    shapes: tuple[ConeShape, ...]
    shape_of: NDArray[np.int32]
    place_in_shape: NDArray[np.int32]


@dataclass(frozen=True)
class ConeStep:
    """One row of a node per coordinate of the shape, or the same slice of rows for all.

    `rows` has one row number per member, or (2-d) the row numbers of each member, or is a slice
    that all members share. `reads[j]` tells what column j of the node reads: -1 a value outside the
    cone (or no address), 0 the coordinate itself, k > 0 the value written by step k - 1 (its output
    `read_outputs[j]`). For Reduce and Linear the list is empty.
    """

    node: int
    rows: NDArray[np.int32] | slice
    reads: tuple[int, ...] = ()
    read_outputs: tuple[int, ...] = ()


@dataclass(frozen=True)
class ConeShape:
    """Coordinates with cones of one shape: step s touches row `steps[s].rows[i]` for coordinate i.

    `single` is true where every step is one row of a Map: the coordinates of one colour then make a
    row loop. `members` are the coordinates (positions in x), in the order of the rows.
    """

    members: NDArray[np.int32]
    steps: tuple[ConeStep, ...]
    single: bool


@dataclass(frozen=True)
class Model:
    """A compiled model: everything a backend needs.

    `schedule` computes what the density needs; `report_schedule` what only predicates, natural
    values and the returned value need, after it: engines do not pay for it, and cones leave it out.
    `colours[k]` are the discontinuous coordinates of colour k, whose cones share no row.
    `branch_arcs` are those of `arcs` where the source decides whether the target counts.
    """

    dimension: int
    size: int
    variables: tuple[VariableBlock, ...]
    nodes: tuple[Node, ...]
    schedule: tuple[Run, ...]
    factors: tuple[Factor, ...]
    predicates: tuple[Predicate, ...]
    vertices: tuple[Vertex, ...]
    arcs: tuple[tuple[int, int], ...]
    returned: Returned
    cones: Cones
    colours: tuple[NDArray[np.int32], ...]
    branch_spans: dict[int, Span]
    report_schedule: tuple[Run, ...] = ()
    branch_arcs: tuple[tuple[int, int], ...] = ()

    @property
    def whole_schedule(self) -> tuple[Run, ...]:
        """Everything in the order of computing: the density, then the report."""
        return self.schedule + self.report_schedule
