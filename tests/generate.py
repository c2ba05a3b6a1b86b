"""Random valid programs, as text, and random points: what the agreement tests run over.

A program is one `let` of random bindings, random statements and a random value. Expressions stay
finite at most points, scales stay positive, and the branches are counted so that the paper's
product sets stay small.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lfppl.core import ast
from lfppl.reference.interpreter import draw_prior
from write_expressions import NUMBERS, POSITIVES, Draw, Scope
from write_structures import StructureWriter

Point: TypeAlias = dict[str, NDArray[np.float64]]

REPEATABLE = settings(
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
"""The same programs in every run; add Phase.shrink to look for a smaller failing one."""


SHORT, LONG = (2, 3, 4), (9, 17, 8)
"""Rounds of loops: a few for the product sets, more than a vector of lanes for native code."""


class Written(NamedTuple):
    """A program's text and its data."""

    text: str
    data: dict[str, Any]


class ProgramWriter(StructureWriter):
    """Writes one program."""

    def __init__(self, draw: Draw, branches: int, sizes: Sequence[int] = SHORT) -> None:
        super().__init__(draw, branches)
        self.sizes = sizes

    # --- bindings --------------------------------------------------------------------------------

    def binding(self, scope: Scope) -> str:
        """One binding of the program's let; its name joins the scope."""
        writers = (
            self.latent, self.latent, self.positive_latent, self.bounded_latent, self.label,
            self.count_latent, self.plate, self.label_plate, self.simplex, self.several,
            self.computed, self.vector, self.mapped, self.function, self.carried, self.chain,
            self.branching_sample, self.distribution_value, self.of_any_family, self.of_any_family,
            self.grid, self.matrix, self.part_of_matrix, self.destructured, self.nested_loops,
            self.pair_state, self.state_chain, self.folded, self.rounded, self.shadowing,
            self.sampling_function, self.tiny_loops,
        )  # fmt: skip
        return self.one_of(writers)(scope)

    def latent(self, scope: Scope) -> str:
        name = self.name("x")
        text = f"{name} (sample {self.smooth_distribution(scope)})"
        scope.numbers.append(name)
        return text

    def positive_latent(self, scope: Scope) -> str:
        name = self.name("s")
        text = f"{name} (sample {self.positive_distribution(scope)})"
        scope.positives.append(name)
        scope.numbers.append(name)
        return text

    def bounded_latent(self, scope: Scope) -> str:
        name = self.name("u")
        text = f"{name} (sample {self.bounded_distribution(scope)})"
        scope.numbers.append(name)
        return text

    def label(self, scope: Scope) -> str:
        name = self.name("k")
        distribution, size = self.label_distribution(scope)
        scope.labels.append((name, size))
        return f"{name} (sample {distribution})"

    def count_latent(self, scope: Scope) -> str:
        name = self.name("n")
        text = f"{name} (sample {self.count_distribution(scope)})"
        scope.numbers.append(name)
        return text

    def plate(self, scope: Scope) -> str:
        """Independent variables, whose parameters may depend on the index."""
        name, index, size = self.name("v"), self.name("i"), self.one_of(self.sizes)
        with_index = scope.inner(numbers=[index])
        text = (
            f"{name} (for [{index} (range {size})] (sample {self.smooth_distribution(with_index)}))"
        )
        scope.vectors.append((name, size))
        return text

    def label_plate(self, scope: Scope) -> str:
        """Labels in a loop, and what they pick."""
        name, index, size = self.name("z"), self.name("i"), self.one_of(self.sizes[:2])
        distribution, values = self.label_distribution(scope)
        picked = self.name("m")
        means = " ".join(self.leaf(scope) for _ in range(values))
        scope.vectors.append((picked, size))
        self.may_branch(size * (values - 1))
        return (
            f"{name} (for [{index} (range {size})] (sample {distribution}))\n      "
            f"{picked} (map (fn [z] (get [{means}] z)) {name})"
        )

    def simplex(self, scope: Scope) -> str:
        name, size = self.name("w"), 2 + self.below(1)
        weights = " ".join(self.positive(scope) for _ in range(size))
        scope.simplexes.append((name, size))
        scope.vectors.append((name, size))
        return f"{name} (sample (dirichlet [{weights}]))"

    def several(self, scope: Scope) -> str:
        """A multivariate normal, or a vector of samples written out."""
        name = self.name("v")
        first, second = self.leaf(scope), self.leaf(scope)
        scope.vectors.append((name, 2))
        if self.below(1):
            spread = f"[[1.5 0.4] [0.4 {self.one_of(POSITIVES)}]]"
            return f"{name} (sample (mvn [{first} {second}] {spread}))"
        return f"{name} [(sample (normal {first} 1)) (sample (logistic {second} 1))]"

    def computed(self, scope: Scope) -> str:
        name = self.name("a")
        text = f"{name} {self.number(scope, 3)}"
        scope.numbers.append(name)
        return text

    def vector(self, scope: Scope) -> str:
        """A vector put together in some way."""
        name, items = self.name("v"), [self.number(scope, 1) for _ in range(3)]
        scope.vectors.append((name, 3))
        return f"{name} " + self.one_of((
            f"[{' '.join(items)}]", f"(conj [{items[0]} {items[1]}] {items[2]})",
            f"(concat [{items[0]}] (vector {items[1]} {items[2]}))", f"(repeat 3 {items[0]})",
            f"(put [1 2 3] 1 {items[0]})", f"(rest (cons 1 [{' '.join(items)}]))",
            f"(get (transpose [[{items[0]} 1] [{items[1]} 2] [{items[2]} 3]]) 0)",
            f"(subvec [0 {' '.join(items)} 4] 1 4)", f"(* 2 [{' '.join(items)}])",
        ))  # fmt: skip

    def mapped(self, scope: Scope) -> str:
        """A vector made from another by `map` or `for`."""
        if not scope.vectors:
            return self.vector(scope)
        (source, size), name, item = self.one_of(scope.vectors), self.name("v"), self.name("e")
        body = self.in_rows(size, lambda: self.number(scope.inner(numbers=[item, item]), 2))
        scope.vectors.append((name, size))
        return f"{name} " + self.one_of((
            f"(map (fn [{item}] {body}) {source})", f"(for [{item} {source}] {body})",
        ))  # fmt: skip

    def function(self, scope: Scope) -> str:
        name, parameter = self.name("f"), self.name("p")
        body = self.number(scope.inner(numbers=[parameter, parameter]), 2)
        scope.functions.append(name)
        return f"{name} (fn [{parameter}] {body})"

    def carried(self, scope: Scope) -> str:
        """A loop that carries a number."""
        name, index, state = self.name("a"), self.name("i"), self.name("c")
        inner = scope.inner(numbers=[index, state, state])
        body = self.in_rows(3, lambda: self.number(inner, 2))
        text = f"{name} (loop 3 {self.leaf(scope)} (fn [{index} {state}] (sin {body})))"
        scope.numbers.append(name)
        return text

    def chain(self, scope: Scope) -> str:
        """A Markov chain: each variable depends on the one before."""
        name, state = self.name("v"), self.name("c")
        last = f"(last {state})"
        drift = self.in_rows(2, lambda: self.number(scope.inner(numbers=[last, last]), 1))
        step = f"(conj {state} (sample (normal {drift} {self.positive(scope)})))"
        text = f"{name} (loop 2 [{self.leaf(scope)}] (fn [i {state}] {step}))"
        scope.vectors.append((name, 3))
        return text

    def branching_sample(self, scope: Scope) -> str:
        """Samples inside the branches of an `if`."""
        if not self.may_branch(2):
            return self.latent(scope)
        name, first, second = self.name("a"), self.name("x"), self.name("x")
        text = (
            f"{name} (if {self.test(scope, 1)} "
            f"(let [{first} (sample {self.smooth_distribution(scope)})] (* 2 {first})) "
            f"(let [{second} (sample {self.bounded_distribution(scope)})] "
            f"{self.statement(scope, 0)} {second}))"
        )
        scope.numbers.append(name)
        return text

    def distribution_value(self, scope: Scope) -> str:
        """A distribution that is bound, chosen or picked."""
        name = self.name("d")
        first, second = self.smooth_distribution(scope), self.smooth_distribution(scope)
        text = f"{name} {first}"
        if self.may_branch(2):
            text = f"{name} (if {self.test(scope, 1)} {first} {second})"
            if scope.labels and self.below(1):
                label, _ = self.one_of(scope.labels)
                text = f"{name} (get [{first} {second} (normal 0.5 2)] {label})"
        scope.distributions.append(name)
        return text

    # --- statements ------------------------------------------------------------------------------

    def statement(self, scope: Scope, depth: int = 2) -> str:
        """An observe or a factor, or a choice or a loop of them."""
        writers = [
            self.observe, self.observe_latent, self.factor, self.observe_count, self.observe_family,
            self.observe_data, self.observe_matrix, self.picked_statement,
        ]  # fmt: skip
        if depth:
            compound = [self.guarded, self.guarded, self.repeated, self.observe_rows]
            return self.one_of(writers + compound)(scope, depth - 1)
        return self.one_of(writers)(scope, depth)

    def any_distribution(self, scope: Scope) -> str:
        if scope.distributions and self.below(1):
            return self.one_of(scope.distributions)
        if self.below(4) == 4:
            return self.bounded_distribution(scope)
        return self.smooth_distribution(scope)

    def observe(self, scope: Scope, depth: int) -> str:
        return f"(observe {self.any_distribution(scope)} {self.one_of(NUMBERS)})"

    def observe_latent(self, scope: Scope, depth: int) -> str:
        """Observe a computed value, perhaps in a density with an edge."""
        if self.below(3) == 3:
            distribution = self.one_of((self.bounded_distribution, self.positive_distribution))(
                scope
            )
            return f"(observe {distribution} {self.off_edges(scope)})"
        return f"(observe {self.smooth_distribution(scope)} {self.number(scope, 1)})"

    def observe_count(self, scope: Scope, depth: int) -> str:
        if self.below(1):
            distribution, size = self.label_distribution(scope)
            return f"(observe {distribution} {self.below(size - 1)})"
        return f"(observe {self.count_distribution(scope)} {self.below(3)})"

    def factor(self, scope: Scope, depth: int) -> str:
        return f"(factor (tanh {self.number(scope, 1)}))"

    def guarded(self, scope: Scope, depth: int) -> str:
        if not self.may_branch():
            return self.observe(scope, depth)
        test, then = self.test(scope, 1), self.statement(scope, depth)
        if self.below(2) == 0:
            return f"(when {test} {then})"
        return f"(if {test}\n    {then}\n    {self.statement(scope, depth)})"

    def repeated(self, scope: Scope, depth: int) -> str:
        """Statements in a loop over an index."""
        index, size = self.name("i"), self.one_of(self.sizes[:2])
        elements = [f"(get {name} {index})" for name, length in scope.vectors if length >= size]
        inner = scope.inner(numbers=[index, *elements])
        body = self.in_rows(size, lambda: self.statement(inner, depth))
        return f"(doseq [{index} (range {size})] {body})"

    def observe_rows(self, scope: Scope, depth: int) -> str:
        """All elements of a vector observed, by `map` or at once."""
        if not scope.vectors:
            return self.observe(scope, depth)
        (name, size), item = self.one_of(scope.vectors), self.name("e")
        values = " ".join(self.one_of(NUMBERS) for _ in range(size))
        scale = self.positive(scope)
        return self.one_of((
            f"(observe (normal {name} {scale}) [{values}])",
            f"(map (fn [{item} y] (observe (normal {item} {scale}) y)) {name} [{values}])",
            f"(doseq [[{item} y] (map vector {name} [{values}])] (observe (laplace {item} 1) y))",
            f"(observe (normal [{values}] {scale}) {name})",
        ))  # fmt: skip

    # --- the whole -------------------------------------------------------------------------------

    def program(self) -> Written:
        """A whole program and the data that it reads."""
        scope = Scope()
        first = self.one_of((self.latent, self.label, self.bounded_latent))(scope)
        bindings = [first, *(self.binding(scope) for _ in range(1 + self.below(4)))]
        statements = [self.statement(scope) for _ in range(1 + self.below(3))]
        lines = "\n      ".join(bindings)
        body = "\n  ".join((*statements, self.value(scope)))
        text = f"(let [{lines}]\n  {body})"
        read = set(re.findall(r"data\d+", text))
        return Written(text, {name: value for name, value in self.data.items() if name in read})

    def value(self, scope: Scope) -> str:
        """The value of the program: a number or a vector."""
        if scope.vectors and self.below(1):
            return f"[{self.number(scope, 1)} {self.one_of(scope.vectors)[0]}]"
        return self.number(scope, 2)


@st.composite
def programs(draw: Draw, branches: int = 5, sizes: Sequence[int] = SHORT) -> Written:
    """Random programs with at most about that many branches, and loops of these sizes."""
    return ProgramWriter(draw, branches, sizes).program()


def points(core: ast.Expression, data: dict[str, Any], seed: int, count: int = 3) -> list[Point]:
    """Draws from the prior: the first as it is, the others shaken out of place.

    Shaken points leave supports and cells, so that zero densities are compared too.
    """
    generator = np.random.default_rng(seed)
    found = []
    for i in range(count):
        point = draw_prior(core, data, generator)
        shaken = {n: v + 0.6 * generator.normal(size=v.shape) for n, v in point.items()}
        found.append(shaken if i else point)
    return found
