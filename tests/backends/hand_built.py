"""Hand-built models: the tables that the compiler would make, without the compiler."""

from __future__ import annotations

from typing import Any

import numpy as np

from lfppl.core.primitives import Math
from lfppl.lir.tables import (
    Affine,
    Cones,
    ConeShape,
    ConeStep,
    Factor,
    Instruction,
    Kernel,
    Map,
    Model,
    Predicate,
    Returned,
    Run,
    Table,
    Transform,
    Uniform,
    VariableBlock,
    Vertex,
)
from lfppl.source import NOWHERE

HALF_LOG_TAU = 0.5 * float(np.log(2 * np.pi))


class Register:
    def __init__(self, builder: KernelBuilder, index: int) -> None:
        self.builder, self.index = builder, index

    def __add__(self, o: Any) -> Any:
        return self.builder.apply("+", self, o)

    def __radd__(self, o: Any) -> Any:
        return self.builder.apply("+", o, self)

    def __sub__(self, o: Any) -> Any:
        return self.builder.apply("-", self, o)

    def __rsub__(self, o: Any) -> Any:
        return self.builder.apply("-", o, self)

    def __mul__(self, o: Any) -> Any:
        return self.builder.apply("*", self, o)

    def __rmul__(self, o: Any) -> Any:
        return self.builder.apply("*", o, self)

    def __truediv__(self, o: Any) -> Any:
        return self.builder.apply("/", self, o)

    def __rtruediv__(self, o: Any) -> Any:
        return self.builder.apply("/", o, self)

    def __neg__(self) -> Any:
        return self.builder.apply("neg", self)


class KernelBuilder(Math[Register]):
    """Records a kernel; numbers become Uniform columns."""

    def __init__(self, columns: list[Any]) -> None:
        self.columns = list(columns)
        self.steps: list[tuple[str, tuple[Any, ...]]] = []

    @property
    def inputs(self) -> list[Register]:
        return [Register(self, i) for i in range(len(self.columns))]

    def apply(self, name: str, *arguments: Any) -> Register:
        self.steps.append((name, arguments))
        return Register(self, -len(self.steps))

    def map(self, outputs: list[Any], rows: int, base: int) -> Map:
        numbers = {a for _, args in self.steps for a in args if not isinstance(a, Register)}
        numbers |= {o for o in outputs if not isinstance(o, Register)}
        columns = [*self.columns, *(Uniform(float(n)) for n in sorted(numbers))]
        where = {n: len(self.columns) + i for i, n in enumerate(sorted(numbers))}

        def place(a: Any) -> int:
            if not isinstance(a, Register):
                return where[a]
            return a.index if a.index >= 0 else len(columns) - a.index - 1

        code = tuple(Instruction(n, tuple(place(a) for a in args)) for n, args in self.steps)
        kernel = Kernel(len(columns), code, tuple(place(o) for o in outputs))
        return Map(kernel, tuple(columns), rows, base)


def make_map(columns: list[Any], rows: int, base: int, formula: Any) -> Map:
    """`formula(m, *columns)` gives the outputs of a Map."""
    builder = KernelBuilder(columns)
    return builder.map(formula(builder, *builder.inputs), rows, base)


def normal_log_density(m: Any, x: Any, mean: Any, sd: Any) -> Any:
    z = (x - mean) / sd
    value = -0.5 * (z * z) - m.log(sd) - HALF_LOG_TAU
    return m.select(m.less(0.0, sd), value, -np.inf)


def block(
    name: str,
    coordinates: Any,
    discontinuous: bool = False,
    discrete: bool = False,
    lower: float = -np.inf,
    upper: float = np.inf,
    values: Any = None,
) -> VariableBlock:
    coordinates = np.asarray(coordinates, dtype=np.int32).reshape(-1, 1)
    indices = np.arange(len(coordinates)).reshape(-1, 1)
    return VariableBlock(
        name,
        indices,
        "normal",
        coordinates,
        coordinates if values is None else np.asarray(values, dtype=np.int32).reshape(-1, 1),
        discontinuous,
        discrete,
        Transform("floor" if discrete else "identity"),
        (),
        lower,
        upper,
        NOWHERE,
    )


def factor(node: int, output: int, rows: int, vertex: int = 0) -> Factor:
    return Factor(node, output, np.full(rows, vertex, np.int32), np.arange(rows).reshape(-1, 1))


def predicate(node: int, output: int, rows: int) -> Predicate:
    return Predicate(node, output, np.zeros(rows, np.int32), np.arange(rows).reshape(-1, 1))


NO_CONES = Cones(np.zeros(0, np.int32), (), np.zeros(0, np.int32), np.zeros(0, np.int32))


def cones_of(*shapes: ConeShape) -> Cones:
    members = np.concatenate([s.members for s in shapes])
    order = np.argsort(members, kind="stable")
    shape_of = np.concatenate([np.full(len(s.members), k) for k, s in enumerate(shapes)])
    place = np.concatenate([np.arange(len(s.members)) for s in shapes])
    as_int = lambda a: a[order].astype(np.int32)  # noqa: E731
    return Cones(as_int(members), shapes, as_int(shape_of), as_int(place))


def assemble(
    dimension: int,
    size: int,
    variables: Any,
    nodes: Any,
    factors: Any,
    predicates: Any = (),
    cones: Cones = NO_CONES,
    colours: Any = (),
    schedule: Any = None,
    returned: Any = None,
) -> Model:
    if schedule is None:
        schedule = tuple(Run(i, 0, n.rows) for i, n in enumerate(nodes))
    vertex = Vertex("observe", 0, "normal", "y", NOWHERE)
    if returned is None:
        returned = Returned(np.asarray(0 if dimension else -1, dtype=np.int32), np.asarray(0.0))
    return Model(
        dimension,
        size,
        tuple(variables),
        tuple(nodes),
        tuple(schedule),
        tuple(factors),
        tuple(predicates),
        (vertex,),
        (),
        returned,
        cones,
        tuple(colours),
        {},
    )


def mixture(y: np.ndarray, components: int = 2) -> Model:
    """mu_k ~ normal(0, 2) ordered? no: k means, labels by equal weights, y ~ normal(mu[z], 1)."""
    n, k = len(y), components
    dimension = k + n
    prior = make_map(
        [Affine(0, 1)], k, dimension, lambda m, x: [normal_log_density(m, x, 0.0, 2.0)]
    )
    base = dimension + k

    def rows(m: Any, z: Any, data: Any, *means: Any) -> list[Any]:
        label = m.floor(z)
        inside = m.both(m.negation(m.less(label, 0.0)), m.less(label, float(k)))
        prior = m.select(inside, -float(np.log(k)), -np.inf)
        return [prior, normal_log_density(m, data, m.pick(label, list(means)), 1.0)]

    columns = [
        Affine(k, 1),
        Table(np.ascontiguousarray(y, float)),
        *(Affine(i, 0) for i in range(k)),
    ]
    likelihood = make_map(columns, n, base, rows)
    reads = (0, -1) + (-1,) * (len(likelihood.columns) - 2)
    labels = np.arange(k, dimension, dtype=np.int32)
    step = ConeStep(1, np.arange(n, dtype=np.int32), reads, (0,) * len(reads))
    shape = ConeShape(labels, (step,), True)
    return assemble(
        dimension,
        base + 2 * n,
        [block("mu", range(k)), block("z", labels, True, True, 0.0, float(k))],
        [prior, likelihood],
        [factor(0, 0, k), factor(1, 0, n), factor(1, 1, n)],
        cones=cones_of(shape),
        colours=[labels],
    )
