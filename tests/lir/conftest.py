"""Three small models, built by hand."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from lfppl.lir.tables import (
    Affine,
    Cones,
    ConeShape,
    ConeStep,
    Factor,
    Indexed,
    Instruction,
    Kernel,
    Linear,
    Map,
    Model,
    Predicate,
    Reason,
    Reduce,
    Returned,
    Run,
    Table,
    Transform,
    Uniform,
    VariableBlock,
    Vertex,
)
from lfppl.source import Source, Span

TEXT = """(let [mu (for [i (range 2)] (sample (normal 0 1)))]
  (for [y ys]
    (let [z (sample (bernoulli 0.3))]
      (if (< z 0.5) (observe (normal (get mu z) 1) y)))))"""
SOURCE = Source("mixture.lfppl", TEXT)
LOG_ROOT_TAU = 0.5 * np.log(2.0 * np.pi)


def place(text):
    start = TEXT.index(text)
    return Span(SOURCE, start, start + len(text))


def ints(*items):
    return np.array(items, dtype=np.int32)


def loop(count):
    return np.arange(count, dtype=np.int64)[:, None]


def kernel(inputs, *instructions, outputs):
    return Kernel(inputs, tuple(Instruction(o, a) for o, a in instructions), outputs)


def block(name, coordinates, values, family, **keys):
    settings = {
        "discontinuous": False,
        "discrete": False,
        "transform": Transform("identity"),
        "reasons": (),
        "lower": -np.inf,
        "upper": np.inf,
        "span": place("(sample"),
    }
    rows = loop(len(coordinates))
    return VariableBlock(name, rows, family, coordinates, values, **(settings | keys))


def normal_rows(column, mean, rows, base):
    """The log density of standard normals."""
    code = kernel(
        4,
        ("-", (0, 1)),
        ("*", (4, 4)),
        ("*", (5, 2)),
        ("-", (6, 3)),
        outputs=(7,),
    )
    columns = (column, mean, Uniform(-0.5), Uniform(LOG_ROOT_TAU))
    return Map(code, columns, rows, base)


@pytest.fixture
def mixture():
    """x = (mu[0], mu[1], z[0], z[1], z[2]): three points, their labels, two means."""
    data = np.array([1.0, -0.5, 2.0])
    floors = Map(kernel(1, ("floor", (0,)), outputs=(1,)), (Affine(2, 1),), 3, 5)
    prior = normal_rows(Affine(0, 1), Uniform(0.0), 2, 8)
    likelihood = Map(
        kernel(
            7,
            ("pick", (0, 1, 2)),
            ("-", (3, 7)),
            ("*", (8, 8)),
            ("*", (9, 4)),
            ("-", (10, 5)),
            ("less", (0, 6)),
            outputs=(11, 12),
        ),
        (
            Affine(5, 1),
            Affine(0, 0),
            Indexed(ints(1, 1, 1)),
            Table(data),
            Uniform(-0.5),
            Uniform(LOG_ROOT_TAU),
            Uniform(0.5),
        ),
        3,
        10,
    )
    labels = Map(
        kernel(4, ("less", (0, 3)), ("select", (4, 1, 2)), outputs=(5,)),
        (Affine(5, 1), Uniform(np.log(0.7)), Uniform(np.log(0.3)), Uniform(0.5)),
        3,
        16,
    )
    rows = ints(0, 1, 2)
    shape = ConeShape(
        ints(2, 3, 4),
        (
            ConeStep(0, rows, (0,), (0,)),
            ConeStep(2, rows, (1, -1, -1, -1, -1, -1, -1), (0,) * 7),
            ConeStep(3, rows, (1, -1, -1, -1), (0,) * 4),
        ),
        True,
    )
    reason = Reason("embedding", place("(bernoulli"), "z takes integer values")
    z = block(
        "z",
        ints(2, 3, 4)[:, None],
        ints(5, 6, 7)[:, None],
        "bernoulli",
        discontinuous=True,
        discrete=True,
        transform=Transform("floor"),
        reasons=(reason,),
        lower=0.0,
        upper=2.0,
    )
    return Model(
        dimension=5,
        size=19,
        variables=(block("mu", ints(0, 1)[:, None], ints(0, 1)[:, None], "normal"), z),
        nodes=(floors, prior, likelihood, labels),
        schedule=(Run(0, 0, 3), Run(1, 0, 2), Run(2, 0, 2), Run(2, 2, 3), Run(3, 0, 3)),
        factors=(
            Factor(1, 0, ints(0, 0), loop(2)),
            Factor(2, 0, ints(2, 2, 2), loop(3)),
            Factor(3, 0, ints(1, 1, 1), loop(3)),
        ),
        predicates=(Predicate(2, 1, ints(7, 7, 7), loop(3)),),
        vertices=(
            Vertex("sample", 0, "normal", "mu", place("(sample (normal")),
            Vertex("sample", 1, "bernoulli", "z", place("(sample (bernoulli")),
            Vertex("observe", 2, "normal", "", place("(observe")),
        ),
        arcs=((0, 2), (1, 2)),
        returned=Returned(ints(0, -1, 5), np.array([0.0, 4.5, 0.0])),
        cones=Cones(ints(2, 3, 4), (shape,), ints(0, 0, 0), ints(0, 1, 2)),
        colours=(ints(2, 3, 4),),
        branch_spans={7: place("(if")},
    )


def one_by_one(steps_of, coordinates):
    """Cones whose shapes have one member each."""
    shapes = tuple(ConeShape(ints(b), steps_of(b), False) for b in coordinates)
    count = len(coordinates)
    return Cones(ints(*coordinates), shapes, ints(*range(count)), ints(*[0] * count))


@pytest.fixture
def reduction():
    """Makes models of three coordinates: minus the reduction of their squares."""

    def make(kind):
        squares = Map(kernel(1, ("*", (0, 0)), outputs=(1,)), (Affine(0, 1),), 3, 3)
        # The second row reduces nothing, the third two squares.
        reduced = Reduce(kind, Indexed(ints(3, 4, 5, 5, 3)), np.array([0, 3, 3, 5]), rows=3, base=6)
        minus = Map(kernel(1, ("neg", (0,)), outputs=(1,)), (Affine(6, 0),), 1, 9)

        def steps(b):
            rows = ints(0, 2) if b != 1 else ints(0)
            return (
                ConeStep(0, ints(b)),
                *(ConeStep(1, ints(r)) for r in rows),
                ConeStep(2, ints(0)),
            )

        reason = Reason("predicate", place("(if"), "read by a predicate")
        x = block(
            "x",
            ints(0, 1, 2),
            ints(0, 1, 2),
            "normal",
            discontinuous=True,
            reasons=(reason,),
        )
        return Model(
            dimension=3,
            size=10,
            variables=(x,),
            nodes=(squares, reduced, minus),
            schedule=(Run(0, 0, 3), Run(1, 0, 1), Run(1, 1, 3), Run(2, 0, 1)),
            factors=(Factor(2, 0, ints(0), np.zeros((1, 0), dtype=np.int64)),),
            predicates=(),
            vertices=(Vertex("observe", 0, "factor", "", place("(observe")),),
            arcs=(),
            returned=Returned(np.array(6, dtype=np.int32), np.array(0.0)),
            cones=one_by_one(steps, (0, 1, 2)),
            colours=(ints(0), ints(1), ints(2)),
            branch_spans={},
        )

    return make


WEIGHTS = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 4.0]])


@pytest.fixture
def linear():
    """Makes models of three coordinates x with log density x'Wx, W dense or sparse."""

    def make(sparse):
        weights = csr_array(WEIGHTS) if sparse else WEIGHTS
        product = Linear(weights, Affine(0, 1), 3, 3)
        terms = Map(
            kernel(2, ("*", (0, 1)), outputs=(2,)),
            (Affine(0, 1), Indexed(ints(3, 4, 5))),
            3,
            6,
        )

        def steps(b):
            rows = slice(2, 3) if b == 2 else slice(0, 2)
            return ConeStep(0, rows), ConeStep(1, rows)

        reason = Reason("edge", place("(if"), "the support ends")
        x = block(
            "x", ints(0, 1, 2), ints(0, 1, 2), "uniform", discontinuous=True, reasons=(reason,)
        )
        return Model(
            dimension=3,
            size=9,
            variables=(x,),
            nodes=(product, terms),
            schedule=(Run(0, 0, 3), Run(1, 0, 3)),
            factors=(Factor(1, 0, ints(0, 0, 0), loop(3)),),
            predicates=(),
            vertices=(Vertex("observe", 0, "factor", "", place("(observe")),),
            arcs=(),
            returned=Returned(ints(0, 1, 2), np.zeros(3)),
            cones=one_by_one(steps, (0, 1, 2)),
            colours=(ints(0, 2), ints(1)),
            branch_spans={},
        )

    return make
