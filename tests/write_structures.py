"""Random programs' structures as text: matrices, nested loops, data, and every distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.contract import Constraint, DistributionFamily
from write_expressions import NUMBERS, POSITIVES, Draw, ExpressionWriter, Scope

BY_RELATION = {
    "uniform": "{low} (+ {low} {width})",
    "triangular": "{low} (+ {low} (* 0.3 {width})) (+ {low} {width})",
    "truncated-normal": "{low} 1.2 (- {low} 0.5) (+ {low} {width})",
    "discrete-uniform": "-1 3",
    "hypergeometric": "7 4 3",
    "von-mises": "0.3 {width}",
}
"""Parameters that must fit each other, of the distributions that have such."""

OBSERVABLE = {"dirichlet": "[0.2 0.5 0.3]", "mvn": "[0.4 -0.3]"}
"""Values of the vector distributions."""


class StructureWriter(ExpressionWriter):
    """Writes bindings and statements with more structure; `data` are the program's data."""

    def __init__(self, draw: Draw, branches: int) -> None:
        super().__init__(draw, branches)
        self.data: dict[str, Any] = {}

    # --- data ------------------------------------------------------------------------------------

    def given(self, value: Any) -> str:
        """A name for data."""
        name = self.name("data")
        self.data[name] = value
        return name

    def given_numbers(self, *shape: int) -> str:
        """Numbers as nested lists or as arrays of several types."""
        count = int(np.prod(shape))
        items = [float(self.one_of(NUMBERS)) for _ in range(count)]
        value = np.array(items).reshape(shape)
        kind = self.below(2)  # nested lists, or an array by rows or by columns
        if kind == 0:
            return self.given(value.tolist())
        return self.given(value if kind == 1 else np.asfortranarray(value))

    def given_labels(self, count: int, most: int) -> str:
        """Labels 0 .. most as integers, or as truth values."""
        labels = [self.below(most) for _ in range(count)]
        return self.given([bool(k) for k in labels] if most == 1 else np.array(labels))

    # --- bindings --------------------------------------------------------------------------------

    def of_any_family(self, scope: Scope) -> str:
        """A latent of any distribution, its parameters latent."""
        family = self.one_of([f for f in FAMILIES.values() if not f.observed_only])
        name = self.name("x")
        text = f"{name} (sample {self.distribution_of(family, scope)})"
        if family.is_vector:
            scope.vectors.append((name, 3 if family.name == "dirichlet" else 2))
        else:
            scope.numbers.append(name)
        return text

    def grid(self, scope: Scope) -> str:
        """A matrix of latents, by loops in loops or rows at once."""
        name, i, j = self.name("m"), self.name("i"), self.name("j")
        inner = scope.inner(numbers=[i, j])
        cell = self.smooth_distribution(inner)  # type: ignore[attr-defined]
        row = self.smooth_distribution(scope.inner(numbers=[i]))  # type: ignore[attr-defined]
        scope.matrices.append((name, 2, 2))
        return f"{name} " + self.one_of((
            f"(for [{i} (range 2)] (for [{j} (range 2)] (sample {cell})))",
            f"(for [{i} (range 2)] (let [{j} {i}] [(sample {cell}) (sample {row})]))",
            f"(for [{i} (range 2)] (repeatedly 2 (fn [] (sample {row}))))",
            f"(for [{i} (range 2)] (sample (mvn [{i} {self.leaf(scope)}] [[1 0.3] [0.3 2]])))",
        ))  # fmt: skip

    def matrix(self, scope: Scope) -> str:
        """A computed matrix."""
        name, cells = self.name("m"), [self.number(scope, 1) for _ in range(4)]
        text = f"[[{cells[0]} {cells[1]}] [{cells[2]} {cells[3]}]]"
        other = self.given_numbers(2, 2)
        held = self.one_of(scope.matrices)[0] if scope.matrices else text
        scope.matrices.append((name, 2, 2))
        return f"{name} " + self.one_of((
            text, f"(mat-mul {held} {other})", f"(transpose {held})", f"(* 0.5 {held})",
            f"(mat-mul {text} {text})", f"(+ {held} {other})",
            f"(map (fn [row] (map (fn [e] (tanh e)) row)) {held})",
            f"(put {held} 1 [{cells[0]} {cells[3]}])",
        ))  # fmt: skip

    def part_of_matrix(self, scope: Scope) -> str:
        """A number out of a matrix, by constants, latents, or a reduction."""
        if not scope.matrices:
            return self.matrix(scope)
        (matrix, _, _), name = self.one_of(scope.matrices), self.name("a")
        label = next((n for n, least in scope.labels if least == 2), None)
        choices = [
            f"(get (get {matrix} 1) 0)", f"(sum (get {matrix} 0))",
            f"(dot (get {matrix} 0) (get (transpose {matrix}) 1))",
            f"(reduce + 0 (map (fn [row] (sum row)) {matrix}))",
            f"(log-sum-exp (flatten {matrix}))", f"(last (mat-mul {matrix} [0.4 -0.7]))",
        ]  # fmt: skip
        if label is not None and self.may_branch(3):
            other = self.one_of([n for n, least in scope.labels if least == 2])
            choices = [
                f"(get (get {matrix} {label}) {other})", f"(sum (get {matrix} {label}))",
                f"(get (mat-mul {matrix} [1 2]) {label})",
                f"(get (get (get [{matrix} [[1 2] [3 4]]] {other}) {label}) 1)",
            ]  # fmt: skip
        scope.numbers.append(name)
        return f"{name} {self.one_of(choices)}"

    def destructured(self, scope: Scope) -> str:
        """Names out of a vector."""
        if not scope.vectors:
            return self.grid(scope)
        vector, size = self.one_of(scope.vectors)
        first, more = self.name("a"), self.name("v")
        scope.numbers.append(first)
        scope.vectors.append((more, size - 1))
        return f"[{first} & {more}] {vector}"

    def nested_loops(self, scope: Scope) -> str:
        """A loop with a state in a loop with a state, or in a plate."""
        name, i, j = self.name("a"), self.name("i"), self.name("j")
        outer, state = self.name("c"), self.name("c")
        inner = scope.inner(numbers=[i, j, outer, state, state])
        body = self.in_rows(4, lambda: self.number(inner, 1))
        step, first = f"(fn [{j} {state}] (tanh {body}))", self.leaf(scope)
        if self.below(1):
            scope.numbers.append(name)
            return f"{name} (loop 2 {first} (fn [{i} {outer}] (loop 2 {outer} {step})))"
        scope.vectors.append((name, 2))
        return f"{name} (for [{i} (range 2)] (let [{outer} {i}] (loop 2 {first} {step})))"

    def pair_state(self, scope: Scope) -> str:
        """A loop that carries two numbers, one of them sampled in every round."""
        name, a, b = self.name("v"), self.name("a"), self.name("b")
        inner = scope.inner(numbers=[a, b])
        body = self.in_rows(2, lambda: self.number(inner, 1))
        scope.vectors.append((name, 2))
        next_a = f"(sample (normal (tanh {body}) {self.positive(scope)}))"
        step = f"(fn [i state] (let [[{a} {b}] state] [{next_a} {a}]))"
        return f"{name} (loop 2 [0.3 {self.leaf(scope)}] {step})"

    def state_chain(self, scope: Scope) -> str:
        """A hidden Markov chain: the last state picks the next distribution."""
        if not self.may_branch(4):
            return self.of_any_family(scope)
        name = self.name("z")
        rows = " ".join(f"[{self.positive(scope)} {self.positive(scope)}]" for _ in range(2))
        scope.vectors.append((name, 3))
        return (
            f"{name} (loop 2 [(sample (bernoulli 0.4))] (fn [i zs] "
            f"(conj zs (sample (categorical (get [{rows}] (last zs)))))))"
        )

    def folded(self, scope: Scope) -> str:
        """A reduction whose function branches, or a reduction of choices."""
        if not scope.vectors or not self.may_branch(3):
            return self.matrix(scope)
        (vector, _), name, number = self.one_of(scope.vectors), self.name("a"), self.leaf(scope)
        scope.numbers.append(name)
        return f"{name} " + self.one_of((
            f"(reduce (fn [a e] (if (< e {number}) (+ a e) (- a 0.5))) 0 {vector})",
            f"(sum (map (fn [e] (if (> e {number}) e (* 0.3 e))) {vector}))",
            f"(largest {vector})", f"(smallest (map abs {vector}))", f"(apply max {vector})",
            f"(reduce (fn [a e] (max a (* e {number}))) 0.2 {vector})",
            f"(mean (map (fn [e] (floor (* 2 e))) {vector}))",
        ))  # fmt: skip

    def rounded(self, scope: Scope) -> str:
        """Steps of a number."""
        name = self.name("a")
        text, rest = self.leaf(scope), ""
        if self.may_branch(2):
            step = self.one_of(("floor", "ceil", "round", "sign", "mod", "rem", "quot"))
            rest = " 0.7" if step in ("mod", "rem", "quot") else ""
            text = f"({step} {text}{rest})"
        scope.numbers.append(name)
        return f"{name} {text}"

    def shadowing(self, scope: Scope) -> str:
        """The same name twice; a function that reads the first."""
        name, function = self.name("a"), self.name("f")
        first = self.number(scope, 1)
        scope.numbers.append(name)
        scope.functions.append(function)
        return (
            f"{name} {first}\n      "
            f"{function} (fn [p] (+ p {name}))\n      "
            f"{name} (let [{name} (* 2 {name})] (sin {name}))"
        )

    def sampling_function(self, scope: Scope) -> str:
        """A function that samples and observes, called twice."""
        function, first, second = self.name("f"), self.name("x"), self.name("x")
        inner = scope.inner(numbers=["p"])
        body = f"(sample {self.smooth_distribution(inner)})"  # type: ignore[attr-defined]
        scope.numbers += [first, second]
        return (
            f"{function} (fn [p] (let [r {body}] (observe (normal r 1) p) r))\n      "
            f"{first} ({function} 0.3)\n      {second} ({function} {first})"
        )

    def tiny_loops(self, scope: Scope) -> str:
        """Loops of no and of one round, and empty vectors."""
        name, leaf = self.name("a"), self.leaf(scope)
        scope.numbers.append(name)
        return f"{name} " + self.one_of((
            f"(loop 0 {leaf} (fn [i c] (sample (normal c 1))))",
            f"(loop 1 {leaf} (fn [i c] (sample (normal c 1))))",
            f"(+ {leaf} (sum (for [i (range 0)] (sample (normal i 1)))))",
            f"(first (for [i (range 1)] (sample (normal {leaf} 1))))",
            f"(reduce + {leaf} [])", f"(+ {leaf} (count (drop 2 [1 2])))",
        ))  # fmt: skip

    # --- statements ------------------------------------------------------------------------------

    def observe_family(self, scope: Scope, depth: int) -> str:
        """An observation of any distribution, its parameters latent."""
        family = self.one_of(list(FAMILIES.values()))
        if family.is_vector:
            value = OBSERVABLE[family.name]
        elif family.is_discrete:
            value = str(self.below(2))
        else:
            value = self.one_of((*POSITIVES, "0.2", "0.9", "-0.4", self.off_edges(scope)))
        return f"(observe {self.distribution_of(family, scope)} {value})"

    def observe_data(self, scope: Scope, depth: int) -> str:
        """Observations of data: rows, groups, regressions."""
        i, scale, leaf = self.name("i"), self.positive(scope), self.leaf(scope)
        vector, size = self.one_of(scope.vectors) if scope.vectors else ("[0.3 -0.2]", 2)
        values, labels = self.given_numbers(3), self.given_labels(3, min(size, 2) - 1)
        design = self.given_numbers(3, size)
        cube = self.given_numbers(2, 1, 3)
        return self.one_of((
            f"(doseq [{i} (range (count {values}))]"
            f" (observe (normal (get {vector} (get {labels} {i})) {scale}) (get {values} {i})))",
            f"(observe (normal (mat-mul {design} {vector}) {scale}) {values})",
            f"(doseq [[row y] (map vector {design} {values})]"
            f" (observe (logistic (dot row {vector}) {scale}) y))",
            f"(doseq [plane {cube} row plane] (observe (normal {leaf} {scale}) (sum row)))",
            f"(doseq [[k y] (map vector {labels} {values})]"
            f" (when (= k 0) (observe (cauchy {leaf} {scale}) y)))",
        ))  # fmt: skip

    def observe_matrix(self, scope: Scope, depth: int) -> str:
        """A matrix of numbers observed by rows, some of them under a test."""
        if not scope.matrices:
            return self.observe_family(scope, depth)
        (matrix, rows, columns), i, j = self.one_of(scope.matrices), self.name("i"), self.name("j")
        cell = f"(get (get {matrix} {i}) {j})"
        observed = f"(observe (normal {cell} {self.positive(scope)}) (* {i} {j}))"
        if self.may_branch(rows * columns):
            observed = f"(if (< {cell} {self.one_of(NUMBERS)}) {observed} (factor -0.3))"
        return f"(doseq [{i} (range {rows}) {j} (range {columns})] {observed})"

    def picked_statement(self, scope: Scope, depth: int) -> str:
        """A `cond` or a `case` of statements."""
        if not self.may_branch(3):
            return self.observe_family(scope, depth)
        first, second, third = (self.observe_family(scope, 0) for _ in range(3))
        if scope.labels and self.below(1):
            return f"(case {self.one_of(scope.labels)[0]} 0 {first} 1 {second} {third})"
        tests = [self.comparison(scope, 1) for _ in range(2)]
        return f"(cond {tests[0]} {first} {tests[1]} {second} :else {third})"

    # --- distributions ---------------------------------------------------------------------------

    def distribution_of(self, family: DistributionFamily, scope: Scope) -> str:
        """A distribution of a family."""
        name = family.name
        if name in BY_RELATION:
            low, width = self.leaf(scope), self.positive(scope)
            return f"({name} {BY_RELATION[name].format(low=low, width=width)})"
        parameters = [self.parameter(p.constraint, scope) for p in family.parameters]
        return f"({' '.join((name, *parameters))})"

    def parameter(self, constraint: Constraint, scope: Scope) -> str:
        """An argument that satisfies a constraint."""
        writers: dict[Constraint, Callable[[], str]] = {
            Constraint.REAL: lambda: self.number(scope, 1),
            Constraint.POSITIVE: lambda: self.positive(scope),
            Constraint.NONNEGATIVE: lambda: self.positive(scope),
            Constraint.UNIT: lambda: f"(sigmoid {self.leaf(scope)})",
            Constraint.COUNT: lambda: "4",
            Constraint.WEIGHTS: lambda: self.vector_of(self.positive, 3, scope),
            Constraint.POSITIVES: lambda: self.vector_of(self.positive, 3, scope),
            Constraint.REALS: lambda: self.vector_of(self.leaf, 2, scope),
            Constraint.COVARIANCE: lambda: self.covariance(scope),
        }
        return writers[constraint]()

    def off_edges(self, scope: Scope) -> str:
        """A number that is no integer: exactly at an edge a density may be infinite."""
        return f"(+ 0.0371 {self.leaf(scope)})"

    def vector_of(self, item: Callable[[Scope], str], size: int, scope: Scope) -> str:
        """A vector written out."""
        return f"[{' '.join(item(scope) for _ in range(size))}]"

    def covariance(self, scope: Scope) -> str:
        """A positive definite matrix, of data or of latents."""
        if self.below(1):
            return self.given([[1.5, 0.4], [0.4, 0.9]])
        first, second = self.positive(scope), self.positive(scope)
        return f"[[(+ 0.4 {first}) 0.3] [0.3 (+ 0.4 {second})]]"
