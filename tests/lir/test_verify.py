"""The verifier accepts sound models and names what is broken in others."""

from dataclasses import replace

import numpy as np
import pytest

from lfppl.errors import CompilerBug
from lfppl.lir.tables import Affine, Indexed, Instruction, Run, Table
from lfppl.lir.verify import verify


def ints(*items):
    return np.array(items, dtype=np.int32)


def with_node(model, n, **changes):
    nodes = list(model.nodes)
    nodes[n] = replace(nodes[n], **changes)
    return replace(model, nodes=tuple(nodes))


def with_kernel(model, n, **changes):
    return with_node(model, n, kernel=replace(model.nodes[n].kernel, **changes))


def with_block(model, i, **changes):
    blocks = list(model.variables)
    blocks[i] = replace(blocks[i], **changes)
    return replace(model, variables=tuple(blocks))


def with_step(model, s, step, **changes):
    shape = model.cones.shapes[s]
    steps = list(shape.steps)
    steps[step] = replace(steps[step], **changes)
    return with_shape(model, s, steps=tuple(steps))


def with_shape(model, s, **changes):
    shapes = list(model.cones.shapes)
    shapes[s] = replace(shapes[s], **changes)
    return replace(model, cones=replace(model.cones, shapes=tuple(shapes)))


def test_sound_models_pass(mixture, reduction, linear):
    for model in (mixture, *map(reduction, ("sum", "max", "min", "logsumexp"))):
        verify(model)
    for sparse in (False, True):
        verify(linear(sparse))


BROKEN_MIXTURES = {
    "a column per kernel input": lambda m: with_kernel(m, 0, inputs=2),
    "operation and number of arguments": lambda m: with_kernel(
        m, 0, instructions=(Instruction("floor", (0, 0)),)
    ),
    "instructions read earlier registers": lambda m: with_kernel(
        m, 0, instructions=(Instruction("floor", (1,)),)
    ),
    "a kernel has an output": lambda m: with_kernel(m, 0, outputs=()),
    "outputs are registers": lambda m: with_kernel(m, 0, outputs=(2,)),
    "a table has a number per row": lambda m: with_node(
        m, 2, columns=(*m.nodes[2].columns[:3], Table(np.zeros(2)), *m.nodes[2].columns[4:])
    ),
    "an index table fits its node": lambda m: with_node(m, 0, columns=(Indexed(ints(2, 3)),)),
    "addresses are in range": lambda m: with_node(m, 0, columns=(Affine(2, 100),)),
    "outputs are disjoint and leave no gap": lambda m: with_node(m, 3, base=15),
    "outputs cover all addresses behind x": lambda m: replace(m, size=20),
    "runs are of rows": lambda m: replace(m, schedule=(Run(0, 0, 4), *m.schedule[1:])),
    "every row is scheduled exactly once": lambda m: replace(m, schedule=m.schedule[:-1]),
    "rows read only earlier runs": lambda m: replace(m, schedule=(*m.schedule[1:], m.schedule[0])),
    "every coordinate belongs to one variable": lambda m: replace(m, variables=m.variables[1:]),
    "natural values are addresses": lambda m: with_block(m, 0, values=ints(0, 19)),
    "names are unique": lambda m: with_block(m, 1, name="mu"),
    "discrete is discontinuous": lambda m: with_block(m, 1, discontinuous=False),
    "rows of factors belong to vertices": lambda m: replace(m, vertices=m.vertices[:2]),
    "no output is two factors": lambda m: replace(m, factors=(*m.factors, m.factors[0])),
    "an output of the node": lambda m: replace(m, predicates=(replace(m.predicates[0], output=2),)),
    "a label per row": lambda m: replace(m, predicates=(replace(m.predicates[0], sites=ints(7)),)),
    "sites have spans": lambda m: replace(m, branch_spans={}),
    "branching variables have one row each": lambda m: replace(
        m, predicates=(replace(m.predicates[0], indices=np.zeros((3, 1), dtype=np.int64)),)
    ),
    "arcs join vertices": lambda m: replace(m, arcs=((0, 3),)),
    "returned addresses in range": lambda m: replace(
        m, returned=replace(m.returned, addresses=ints(0, 1, 19))
    ),
    "every discontinuous coordinate has a cone": lambda m: with_block(m, 0, discontinuous=True),
    "a cone's place is its member": lambda m: replace(
        m, cones=replace(m.cones, place_in_shape=ints(0, 2, 1))
    ),
    "steps have rows for every member": lambda m: with_step(m, 0, 0, rows=ints(0, 1)),
    "a single shape has one row of a Map per step": lambda m: with_step(m, 0, 0, rows=slice(0, 3)),
    "a cone holds every row that depends": lambda m: with_shape(
        m, 0, steps=m.cones.shapes[0].steps[:2]
    ),
    "a cone has every row once": lambda m: with_shape(
        m, 0, steps=(*m.cones.shapes[0].steps, m.cones.shapes[0].steps[2])
    ),
    "steps of a cone read only earlier steps": lambda m: with_shape(
        m, 0, steps=m.cones.shapes[0].steps[::-1]
    ),
    "a step tells what its columns read": lambda m: with_step(m, 0, 2, reads=(0, -1, -1, -1)),
    "a step tells of every column": lambda m: with_step(m, 0, 2, reads=(1, -1)),
    "colours partition": lambda m: replace(m, colours=(ints(2, 3),)),
}


@pytest.mark.parametrize("invariant", BROKEN_MIXTURES)
def test_a_broken_invariant_is_named(mixture, invariant):
    with pytest.raises(CompilerBug) as caught:
        verify(BROKEN_MIXTURES[invariant](mixture))
    assert invariant in str(caught.value)


def test_rows_of_the_report_belong_to_no_cone(mixture):
    shown = replace(mixture.nodes[3], base=19)
    model = replace(
        mixture, size=22, nodes=(*mixture.nodes, shown), report_schedule=(Run(4, 0, 3),)
    )
    verify(model)
    factor = replace(mixture.factors[2], node=4)
    with pytest.raises(CompilerBug, match="factors are computed for the density"):
        verify(replace(model, factors=(*mixture.factors[:2], factor)))


def test_several_rows_of_a_node_may_be_one_step(linear):
    model = linear(True)
    for step in (0, 1):
        model = with_step(model, 0, step, rows=np.array([[0, 1]], dtype=np.int32))
    verify(model)


def test_cones_of_one_colour_that_meet_are_found(reduction):
    model = replace(reduction("sum"), colours=(ints(0, 1), ints(2)))
    with pytest.raises(CompilerBug, match="cones inside a colour share no row"):
        verify(model)


def test_a_row_outside_a_cone_that_reads_it_is_found(linear):
    # Row 0 does not depend on coordinate 2, so that it may be in its cone only with its readers.
    model = linear(False)
    broken = with_step(model, 2, 0, rows=slice(0, 3))
    with pytest.raises(CompilerBug, match="no row outside a cone reads"):
        verify(replace(broken, colours=(ints(0), ints(1), ints(2))))


def test_zero_weights_are_no_dependence_but_must_be_addresses(linear):
    model = with_node(linear(True), 0, inputs=Indexed(ints(0, 1, 9)))
    with pytest.raises(CompilerBug, match="addresses are in range"):
        verify(model)


@pytest.mark.parametrize(
    ("changes", "invariant"),
    [
        ({"offsets": np.array([0, 3, 5])}, "an offset per row and one more"),
        ({"offsets": np.array([1, 3, 3, 5])}, "offsets begin at 0"),
        ({"offsets": np.array([0, 3, 2, 5])}, "offsets ascend"),
        ({"kind": "mean"}, "kind of reduction"),
    ],
)
def test_broken_reductions_are_named(reduction, changes, invariant):
    with pytest.raises(CompilerBug, match=invariant):
        verify(with_node(reduction("sum"), 1, **changes))


def test_weights_of_another_shape_are_named(linear):
    with pytest.raises(CompilerBug, match="a line of weights per row"):
        verify(with_node(linear(False), 0, weights=np.zeros((2, 3))))
