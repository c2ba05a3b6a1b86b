"""A plain interpreter of Core at a point: log density, branching bits, return value (DESIGN 8).

Slow and obviously right: everything else is compared with it. Numbers are floats, vectors nested
lists, nil is None. Both branches of every `if` are evaluated; what the branch not taken yields has
no influence, NaN and infinities included.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from lfppl.core import ast
from lfppl.core.primitives import NumpyMath
from lfppl.errors import CompilerBug
from lfppl.recursion import deep_recursion
from lfppl.reference.families import (
    Chosen,
    add_log_densities,
    draw_of,
    family_of,
    log_density_of,
    shape_of,
)
from lfppl.reference.vectors import COMPARISON, Scalars, operate

Indices: TypeAlias = tuple[int, ...]
Data: TypeAlias = Mapping[str, Any]
Point: TypeAlias = Mapping[str, Any]


class Term(NamedTuple):
    """What one sample or observe statement adds to the log density.

    `indices` are the enclosing loop indices. An observe in a branch not taken is not active and
    adds 0; a sample always counts.
    """

    kind: Literal["sample", "observe"]
    site: int
    indices: Indices
    log_density: float
    active: bool = True


@dataclass
class Interpretation:
    """What a program means at a point.

    `bits` are the branching variables (If.site, loop indices), true where the test is below 0, in
    the order of evaluation; `if`s without a site are left out. `variables` are the values used: a
    number, or a nested list for a sample of several numbers.
    """

    terms: list[Term] = field(default_factory=list)
    bits: dict[tuple[int, Indices], bool] = field(default_factory=dict)
    variables: dict[tuple[str, Indices], Any] = field(default_factory=dict)
    returned: Any = None

    @property
    def log_density(self) -> float:
        """The sum of the terms; -inf as soon as one of them is. NaN is a mistake in the model."""
        return add_log_densities(term.log_density for term in self.terms)


def interpret(program: ast.Expression, data: Data, point: Point) -> Interpretation:
    """Evaluate a Core program at a point.

    >>> x = ast.Sample(ast.Distribution("normal", (ast.Constant(0.0), ast.Constant(1.0))), "x")
    >>> meaning = interpret(ast.Let("x", x, ast.Variable("x")), {}, {"x": 0.5})
    >>> meaning.returned, round(meaning.log_density, 6)
    (0.5, -1.043939)
    """
    return run(program, data, FromPoint(point))


def draw_prior(
    program: ast.Expression, data: Data, generator: np.random.Generator
) -> dict[str, NDArray[np.float64]]:
    """A point drawn from the sample statements alone, one after another; observes are ignored.

    >>> x = ast.Sample(ast.Distribution("poisson", (ast.Constant(3.0),)), "x")
    >>> point = draw_prior(x, {}, np.random.default_rng(1))
    >>> float(point["x"]).is_integer()
    True
    """
    return _arrays(run(program, data, FromPrior(generator)).variables)


def variables(program: ast.Expression, data: Data) -> dict[str, tuple[int, ...]]:
    """The sampled variables with their shapes, by a dry run.

    >>> mean = ast.Operation("repeat", (ast.Constant(3.0), ast.Constant(0.0)))
    >>> x = ast.Sample(ast.Distribution("normal", (mean, ast.Constant(1.0))), "x")
    >>> variables(x, {})
    {'x': (3,)}
    """
    found = _arrays(run(program, data, Halves()).variables)
    return {name: values.shape for name, values in found.items()}


def _arrays(values: Mapping[tuple[str, Indices], Any]) -> dict[str, NDArray[np.float64]]:
    """One array per name, from the values of its elements."""
    groups: dict[str, dict[Indices, Any]] = {}
    for (name, indices), value in values.items():
        groups.setdefault(name, {})[indices] = value
    return {name: _array(group) for name, group in groups.items()}


def _array(group: Mapping[Indices, Any]) -> NDArray[np.float64]:
    outer = tuple(1 + max(column) for column in zip(*group, strict=True))
    whole = np.zeros((*outer, *np.shape(next(iter(group.values())))))
    for indices, value in group.items():
        whole[indices] = value
    return whole


# --- where the values of sampled variables come from ---------------------------------------------


class Supplier(ABC):
    """Gives each sampled variable its coordinate."""

    @abstractmethod
    def supply(self, name: str, indices: Indices, distribution: Chosen) -> Any:
        """The coordinate of `name[indices]`: a number, or nested lists."""


class FromPoint(Supplier):
    """Coordinates of a point {name: array of the variable's full shape}."""

    def __init__(self, point: Point) -> None:
        self.point = point

    def supply(self, name: str, indices: Indices, distribution: Chosen) -> Any:
        """The entry of the point."""
        return np.asarray(self.point[name], dtype=np.float64)[indices].tolist()


class FromPrior(Supplier):
    """Draws from the distributions themselves."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator

    def supply(self, name: str, indices: Indices, distribution: Chosen) -> Any:
        """A draw, one for each element where the family broadcasts."""
        return draw_of(distribution, self.generator)


class Halves(Supplier):
    """The number 0.5 everywhere: enough to find the shapes."""

    def supply(self, name: str, indices: Indices, distribution: Chosen) -> Any:
        """A value of the right shape."""
        shape = shape_of(family_of(distribution.family), distribution.parameters)
        return np.full(shape, 0.5).tolist()


# --- the walk ------------------------------------------------------------------------------------


class Floats(Scalars):
    """Scalars that are Python floats."""

    def apply(self, name: str, *arguments: Any) -> float:
        """A primitive on floats: infinities and NaN pass silently."""
        return float(NumpyMath().apply("less" if name == COMPARISON else name, *arguments))

    def integer(self, value: Any) -> int:
        """A float as a count or an index."""
        return int(value)

    def pick(self, index: Any, items: Sequence[Any]) -> Any:
        """The item at floor(index), clipped; NaN takes the last, as a chain of `if`s would."""
        if np.isnan(index):
            return items[-1]
        return items[int(np.clip(np.floor(index), 0, len(items) - 1))]

    def largest(self, items: Sequence[Any]) -> float:
        """The largest item; -inf where there is none."""
        return float(np.max(items, initial=-np.inf))

    def smallest(self, items: Sequence[Any]) -> float:
        """The smallest item; inf where there is none."""
        return float(np.min(items, initial=np.inf))

    def log_sum_exp(self, items: Sequence[Any]) -> float:
        """Log of the sum of the exponentials, -inf for items of -inf."""
        return float(np.logaddexp.reduce(items))

    def number(self, value: float) -> float:
        """The number itself."""
        return value


def run(program: ast.Expression, data: Data, supplier: Supplier) -> Interpretation:
    """Walk the program once, with its sampled variables coming from the supplier."""
    walk = _Walk(supplier)
    names = {name: np.asarray(value, dtype=np.float64).tolist() for name, value in data.items()}
    with deep_recursion():
        walk.result.returned = walk.value(program, names, (), True)
    return walk.result


Names: TypeAlias = Mapping[str, Any]


class _Walk:
    """One evaluation of a program.

    Every step gets the values of the names in scope, the enclosing loop indices, and whether
    observes count here (they do not in a branch that is not taken).
    """

    def __init__(self, supplier: Supplier) -> None:
        self.supplier = supplier
        self.result = Interpretation()

    def value(self, e: ast.Expression, names: Names, indices: Indices, active: bool) -> Any:
        """The value of an expression; terms, bits and variables are noted on the way."""
        match e:
            case ast.Constant():
                return None if e.value is None else float(e.value)
            case ast.Variable():
                return names[e.name]
            case ast.Operation():
                return operate(Floats(), e.name, self.values(e.arguments, names, indices, active))
            case ast.Distribution():
                return Chosen(e.name, tuple(self.values(e.arguments, names, indices, active)))
            case ast.Let():
                return self.let(e, names, indices, active)
            case ast.If():
                return self.branch(e, names, indices, active)
            case ast.Sample():
                return self.sample(e, names, indices, active)
            case ast.Observe():
                return self.observe(e, names, indices, active)
            case ast.Plate():
                return self.plate(e, names, indices, active)
            case ast.Fold():
                return self.fold(e, names, indices, active)
        assert_never(e)

    def values(
        self, es: Sequence[ast.Expression], names: Names, indices: Indices, active: bool
    ) -> list[Any]:
        """The values of expressions, from left to right."""
        return [self.value(e, names, indices, active) for e in es]

    def let(self, e: ast.Let, names: Names, indices: Indices, active: bool) -> Any:
        """A chain of lets, in a loop because it may be long."""
        lets, body = ast.spine(e)
        scope = dict(names)
        for let in lets:
            scope[let.name] = self.value(let.value, scope, indices, active)
        return self.value(body, scope, indices, active)

    def branch(self, e: ast.If, names: Names, indices: Indices, active: bool) -> Any:
        """Both branches are evaluated, one is selected; a test of NaN is not below 0."""
        taken = self.value(e.test, names, indices, active) < 0
        if e.site >= 0:
            self.note_bit(e, indices, taken)
        then = self.value(e.then, names, indices, active and taken)
        otherwise = self.value(e.otherwise, names, indices, active and not taken)
        return then if taken else otherwise

    def note_bit(self, e: ast.If, indices: Indices, taken: bool) -> None:
        """Write a branching variable down; its name must be its own."""
        if (e.site, indices) in self.result.bits:
            raise CompilerBug(f"two `if`s share the site {e.site} at {indices}")
        self.result.bits[e.site, indices] = taken

    def sample(self, e: ast.Sample, names: Names, indices: Indices, active: bool) -> Any:
        """A sample always counts; a discrete value is the floor of its coordinate."""
        distribution = self.value(e.distribution, names, indices, active)
        own = tuple(i if isinstance(i, int) else int(names[i]) for i in e.indices)
        value = self.supplier.supply(e.name, own, distribution)
        if family_of(distribution.family).is_discrete:
            value = operate(Floats(), "floor", [value])
        if (e.name, own) in self.result.variables:
            raise CompilerBug(f"two samples are called {e.name}{list(own)}")
        self.result.variables[e.name, own] = value
        density = log_density_of(distribution, value)
        self.result.terms.append(Term("sample", e.site, indices, density))
        return value

    def observe(self, e: ast.Observe, names: Names, indices: Indices, active: bool) -> float:
        """An observe counts where all enclosing tests say so; its value is 0."""
        distribution = self.value(e.distribution, names, indices, active)
        value = self.value(e.value, names, indices, active)
        density = log_density_of(distribution, value) if active else 0.0
        self.result.terms.append(Term("observe", e.site, indices, density, active))
        return 0.0

    def plate(self, e: ast.Plate, names: Names, indices: Indices, active: bool) -> list[Any]:
        """The vector of the body's values."""
        count = int(self.value(e.count, names, indices, active))
        return [
            self.value(e.body, {**names, e.index: float(i)}, (*indices, i), active)
            for i in range(count)
        ]

    def fold(self, e: ast.Fold, names: Names, indices: Indices, active: bool) -> Any:
        """The last accumulator."""
        count = int(self.value(e.count, names, indices, active))
        state = self.value(e.initial, names, indices, active)
        for i in range(count):
            scope = {**names, e.index: float(i), e.accumulator: state}
            state = self.value(e.body, scope, (*indices, i), active)
        return state
