"""Random expressions, tests and distributions as text: the parts of the programs of `generate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from hypothesis import strategies as st

Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]
T = TypeVar("T")

NUMBERS = ("-2.1", "-1.3", "-0.6", "-0.25", "0.15", "0.45", "0.8", "1.2", "1.7", "2.3")
POSITIVES = ("0.35", "0.7", "1.1", "1.6", "2.4")
WEIGHTS = {2: ("0.3 0.7", "2 1"), 3: ("0.2 0.5 0.3", "1 4 2"), 4: ("0.1 0.2 0.3 0.4", "3 1 0.5 2")}


@dataclass
class Scope:
    """What the names in scope hold."""

    numbers: list[str] = field(default_factory=list)
    positives: list[str] = field(default_factory=list)
    labels: list[tuple[str, int]] = field(default_factory=list)
    vectors: list[tuple[str, int]] = field(default_factory=list)
    simplexes: list[tuple[str, int]] = field(default_factory=list)
    distributions: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    matrices: list[tuple[str, int, int]] = field(default_factory=list)

    def inner(self, **more: list[Any]) -> Scope:
        """A copy with more names, for the body of a function or loop."""
        return Scope(**{name: [*held, *more.get(name, [])] for name, held in vars(self).items()})


class ExpressionWriter:
    """Writes expressions, every choice being drawn by Hypothesis."""

    def __init__(self, draw: Draw, branches: int) -> None:
        self.draw = draw
        self.branches = branches
        self.rows = 1
        self.count = 0

    # --- choices ---------------------------------------------------------------------------------

    def one_of(self, items: Sequence[T]) -> T:
        """One of the items; the first is the simplest."""
        return items[self.draw(st.integers(0, len(items) - 1))]

    def below(self, most: int) -> int:
        """A number from 0 up to `most`, inclusive."""
        return int(self.draw(st.integers(0, most)))

    def name(self, kind: str) -> str:
        """A name not used yet."""
        self.count += 1
        return f"{kind}{self.count}"

    def may_branch(self, cost: int = 1) -> bool:
        """Whether the budget allows `cost` more branches in every row of the loops around."""
        cost *= self.rows
        if self.branches < cost:
            return False
        self.branches -= cost
        return True

    def in_rows(self, rows: int, write: Callable[[], str]) -> str:
        """What is written inside counts once for each row."""
        self.rows *= rows
        text = write()
        self.rows //= rows
        return text

    # --- expressions -----------------------------------------------------------------------------

    def number(self, scope: Scope, depth: int = 2) -> str:
        """A real expression of modest size."""
        if depth == 0:
            return self.leaf(scope)
        writers = (
            self.leaf, self.leaf, self.sum, self.product, self.smooth, self.smooth, self.choice,
            self.element, self.reduction, self.extreme, self.applied, self.shared, self.ladder,
        )  # fmt: skip
        writer = self.one_of(writers)
        return writer(scope) if writer == self.leaf else writer(scope, depth - 1)  # type: ignore[operator]

    def leaf(self, scope: Scope) -> str:
        """A constant or a name; names more often."""
        if scope.numbers and self.below(3):
            return self.one_of(scope.numbers)
        return self.one_of(NUMBERS)

    def sum(self, scope: Scope, depth: int) -> str:
        """Sums and differences of one to three terms."""
        terms = [self.number(scope, depth) for _ in range(1 + self.below(2))]
        return f"({self.one_of('+-')} {' '.join(terms)})"

    def product(self, scope: Scope, depth: int) -> str:
        """A product, or a quotient by something away from 0."""
        if self.below(2):
            return f"(* {self.one_of(NUMBERS)} {self.number(scope, depth)})"
        return f"(/ {self.number(scope, depth)} {self.positive(scope)})"

    def smooth(self, scope: Scope, depth: int) -> str:
        """A bounded smooth function."""
        function = self.one_of(("sin", "tanh", "atan", "cos", "sigmoid", "softplus"))
        return f"({function} {self.number(scope, depth)})"

    def choice(self, scope: Scope, depth: int) -> str:
        """An `if` between numbers."""
        if not self.may_branch(2):
            return self.leaf(scope)
        test = self.test(scope, depth)
        return f"(if {test} {self.number(scope, depth)} {self.number(scope, depth)})"

    def ladder(self, scope: Scope, depth: int) -> str:
        """A `cond`, or a `case` on a label."""
        if not self.may_branch(2):
            return self.leaf(scope)
        if scope.labels and self.below(1):
            name, _ = self.one_of(scope.labels)
            values = [self.number(scope, depth) for _ in range(3)]
            return f"(case {name} 0 {values[0]} 1 {values[1]} {values[2]})"
        first, second = self.comparison(scope, depth), self.comparison(scope, depth)
        return f"(cond {first} {self.leaf(scope)} {second} {self.leaf(scope)} :else 0.5)"

    def element(self, scope: Scope, depth: int) -> str:
        """An element of a vector, at a constant place or at a label."""
        if not scope.vectors:
            return self.leaf(scope)
        name, size = self.one_of(scope.vectors)
        fitting = [label for label, least in scope.labels if least <= size]
        if fitting and self.may_branch(size - 1):
            return f"(get {name} {self.one_of(fitting)})"
        return f"(nth {name} {self.below(size - 1)})"

    def reduction(self, scope: Scope, depth: int) -> str:
        """A number out of a vector."""
        if not scope.vectors:
            return self.smooth(scope, depth)
        name, size = self.one_of(scope.vectors)
        constants = " ".join(self.one_of(NUMBERS) for _ in range(size))
        return self.one_of((
            f"(sum {name})", f"(mean {name})", f"(dot {name} [{constants}])",
            f"(reduce + 0.5 {name})", f"(first (mat-mul [[{constants}]] {name}))",
            f"(last {name})", f"(log-sum-exp {name})",
        ))  # fmt: skip

    def extreme(self, scope: Scope, depth: int) -> str:
        """A primitive that is sugar for branches."""
        if not self.may_branch():
            return self.leaf(scope)
        function = self.one_of(("max", "min", "abs"))
        more = "" if function == "abs" else f" {self.leaf(scope)}"
        return f"({function} {self.number(scope, depth)}{more})"

    def applied(self, scope: Scope, depth: int) -> str:
        """A call of a function of the program, or of one written in place."""
        argument = self.number(scope, depth)
        if scope.functions and self.below(2):
            return f"({self.one_of(scope.functions)} {argument})"
        parameter = self.name("p")
        body = self.number(scope.inner(numbers=[parameter]), depth)
        return f"((fn [{parameter}] {body}) {argument})"

    def shared(self, scope: Scope, depth: int) -> str:
        """A `let` whose name is read more than once."""
        name = self.name("t")
        body = self.number(scope.inner(numbers=[name, name]), depth)
        return f"(let [{name} {self.number(scope, depth)}] (+ {name} {body}))"

    def positive(self, scope: Scope) -> str:
        """An expression greater than 0."""
        kind = self.below(4)
        if kind == 1 and scope.positives:
            return f"(+ 0.2 {self.one_of(scope.positives)})"
        if kind == 2:
            return f"(exp (tanh {self.leaf(scope)}))"
        if kind == 3:
            leaf = self.leaf(scope)
            return f"(+ 0.3 (* {leaf} {leaf}))"
        return self.one_of(POSITIVES)

    # --- tests -----------------------------------------------------------------------------------

    def comparison(self, scope: Scope, depth: int) -> str:
        """A comparison of two numbers, or of a label with its values."""
        if scope.labels and self.below(2) == 0:
            name, size = self.one_of(scope.labels)
            return f"({self.one_of(('=', '<', '>='))} {name} {self.below(size - 1)})"
        operation = self.one_of(("<", ">", "<=", ">="))
        return f"({operation} {self.number(scope, depth)} {self.one_of(NUMBERS)})"

    def test(self, scope: Scope, depth: int) -> str:
        """A truth value."""
        first = self.comparison(scope, depth)
        match self.below(5):
            case 1:
                return f"(not {first})"
            case 2 if self.may_branch():
                return f"({self.one_of(('and', 'or'))} {first} {self.comparison(scope, depth)})"
            case _:
                return first

    # --- distributions ---------------------------------------------------------------------------

    def smooth_distribution(self, scope: Scope) -> str:
        """A distribution on all real numbers."""
        place, scale = self.number(scope, 1), self.positive(scope)
        return self.one_of((
            f"(normal {place} {scale})", f"(laplace {place} {scale})",
            f"(student-t 4 {place} {scale})", f"(logistic {place} {scale})",
            f"(cauchy {place} {scale})",
        ))  # fmt: skip

    def positive_distribution(self, scope: Scope) -> str:
        """A distribution on the positive numbers."""
        first, second = self.positive(scope), self.positive(scope)
        return self.one_of((
            f"(gamma {first} {second})", f"(exponential {first})", f"(lognormal 0.2 {first})",
            f"(half-normal {first})", f"(inverse-gamma {first} {second})",
            f"(weibull {first} {second})", f"(chi-squared {first})", f"(half-cauchy {first})",
        ))  # fmt: skip

    def bounded_distribution(self, scope: Scope) -> str:
        """A distribution with edges that may be random."""
        low, width, shape = self.leaf(scope), self.positive(scope), self.positive(scope)
        high = f"(+ {low} {width})"
        return self.one_of((
            f"(uniform {low} {high})", f"(beta {width} {shape})",
            f"(truncated-normal {low} {shape} {low} {high})",
            f"(pareto {width} {shape})", f"(triangular {low} {high} (+ {low} 2.5 {width}))",
        ))  # fmt: skip

    def label_distribution(self, scope: Scope) -> tuple[str, int]:
        """A distribution on 0 .. K-1, and K."""
        size = 2 + self.below(2)
        fitting = [name for name, length in scope.simplexes if length == size]
        match self.below(4):
            case 0 if fitting:
                return f"(categorical {self.one_of(fitting)})", size
            case 1:
                weights = " ".join(self.positive(scope) for _ in range(size))
                return f"(categorical [{weights}])", size
            case 2:
                logits = " ".join(self.leaf(scope) for _ in range(size))
                return f"(categorical-logit [{logits}])", size
            case 3:
                return f"(bernoulli (sigmoid {self.leaf(scope)}))", 2
            case _:
                return f"(categorical [{self.one_of(WEIGHTS[size])}])", size

    def count_distribution(self, scope: Scope) -> str:
        """A distribution on integers of a wider range."""
        rate = self.positive(scope)
        return self.one_of((
            f"(poisson {rate})", f"(binomial 4 (sigmoid {self.leaf(scope)}))",
            f"(geometric (sigmoid {self.leaf(scope)}))", "(discrete-uniform -1 3)",
            f"(negative-binomial {rate} 0.4)", f"(beta-binomial 5 {rate} 1.3)",
        ))  # fmt: skip
