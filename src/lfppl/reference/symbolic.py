"""Symbolic values of the quadruple: substitution, free variables, and formulas as expressions.

A value is a Core expression of constants, variables, operations and distributions. Substitution
keeps shared parts shared, so that a chain of lets that use a value twice stays small.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from lfppl.core import ast
from lfppl.core.primitives import STRUCTURAL, Math, NumpyMath
from lfppl.reference.families import Chosen
from lfppl.reference.interpreter import Floats
from lfppl.reference.vectors import operate

Expression = ast.Expression


@dataclass(frozen=True, slots=True)
class Sampled(ast.Variable):
    """A fresh variable z of a sample statement; never equal to a variable that a let binds."""


def label(name: str, indices: Sequence[int]) -> str:
    """The printed name of an element of a sampled variable.

    >>> label("z", (3, 0)), label("mu", ())
    ('z[3,0]', 'mu')
    """
    return f"{name}[{','.join(map(str, indices))}]" if indices else name


# --- building ------------------------------------------------------------------------------------


def operation(name: str, arguments: tuple[Expression, ...], span: Any = None) -> Expression:
    """An operation; an element of a vector that is written out is taken at once.

    >>> pair = operation("vector", (ast.Constant(1.0), ast.Variable("x")))
    >>> operation("get", (pair, ast.Constant(1.0)))
    Variable(name='x')
    """
    if name == "get":
        vector, position = arguments
        if is_vector(vector) and isinstance(position, ast.Constant):
            return Floats().pick(position.value, vector.arguments)  # type: ignore[no-any-return]
    return ast.Operation(name, arguments) if span is None else ast.Operation(name, arguments, span)


def is_vector(e: Expression) -> TypeGuard[ast.Operation]:
    """Whether the expression is a vector that is written out."""
    return isinstance(e, ast.Operation) and e.name == "vector"


class Substitution:
    """Expressions with a variable replaced: `e[x := v]`.

    >>> replace = Substitution("x", ast.Constant(1.0))
    >>> replace(ast.Operation("+", (ast.Variable("x"), ast.Variable("y"))))
    Operation(name='+', arguments=(Constant(value=1.0), Variable(name='y')))
    """

    def __init__(self, name: str, value: Expression) -> None:
        self.name = name
        self.value = value
        self.done: dict[int, tuple[Expression, Expression]] = {}

    def __call__(self, e: Expression) -> Expression:
        """The expression with the variable replaced; the same object where it does not occur."""
        known = self.done.get(id(e))
        if known is None:
            known = self.done[id(e)] = (e, self._replace(e))
        return known[1]

    def _replace(self, e: Expression) -> Expression:
        match e:
            case Sampled() | ast.Constant():
                return e
            case ast.Variable():
                return self.value if e.name == self.name else e
            case ast.Operation():
                arguments = self._all(e.arguments)
                return e if arguments is e.arguments else operation(e.name, arguments, e.span)
            case ast.Distribution():
                arguments = self._all(e.arguments)
                return (
                    e if arguments is e.arguments else ast.Distribution(e.name, arguments, e.span)
                )
            case _:
                return self._form(e)

    def _all(self, es: tuple[Expression, ...]) -> tuple[Expression, ...]:
        replaced = tuple(self(e) for e in es)
        return es if all(a is b for a, b in zip(replaced, es, strict=True)) else replaced

    def _form(self, e: Expression) -> Expression:
        """The forms of programs; binders are unique, so none of them captures the variable."""
        match e:
            case ast.If():
                parts = (self(e.test), self(e.then), self(e.otherwise))
                return ast.If(*parts, e.site, e.span)
            case ast.Let():
                return ast.Let(e.name, self(e.value), self(e.body), e.span)
            case ast.Sample():
                return ast.Sample(self(e.distribution), e.name, e.indices, e.site, e.span)
            case ast.Observe():
                return ast.Observe(self(e.distribution), self(e.value), e.site, e.span)
        raise TypeError(f"not part of the paper's language: {type(e).__name__}")


def free_variables(e: Expression) -> Iterator[ast.Variable]:
    """The variables of a value, in the order of their first occurrence.

    >>> [v.name for v in free_variables(ast.Operation("-", (ast.Variable("q"), Sampled("z"))))]
    ['q', 'z']
    """
    seen: set[int] = set()
    stack = [e]
    found: dict[ast.Variable, None] = {}
    while stack:
        top = stack.pop()
        if id(top) in seen:
            continue
        seen.add(id(top))
        if isinstance(top, ast.Variable):
            found[top] = None
        elif isinstance(top, ast.Operation | ast.Distribution):
            stack.extend(reversed(top.arguments))
    return iter(found)


# --- values at a point ---------------------------------------------------------------------------


class Evaluator:
    """Values of symbolic expressions, given numbers for their variables.

    >>> Evaluator({Sampled("z"): 2.0}).value(ast.Operation("*", (Sampled("z"), Sampled("z"))))
    4.0
    """

    def __init__(self, values: Mapping[ast.Variable, Any]) -> None:
        self.values = values
        self.done: dict[int, tuple[Expression, Any]] = {}

    def value(self, e: Expression) -> Any:
        """A number, a nested list, or a distribution."""
        known = self.done.get(id(e))
        if known is None:
            known = self.done[id(e)] = (e, self._compute(e))
        return known[1]

    def _compute(self, e: Expression) -> Any:
        match e:
            case ast.Constant():
                return None if e.value is None else float(e.value)
            case ast.Variable():
                return self.values[e]
            case ast.Distribution():
                return Chosen(e.name, tuple(self.value(a) for a in e.arguments))
            case ast.Operation():
                arguments = [self.value(a) for a in e.arguments]
                if e.name in STRUCTURAL:
                    return float(NumpyMath().apply(e.name, *arguments))
                return operate(Floats(), e.name, arguments)
        raise TypeError(f"not a symbolic value: {type(e).__name__}")


# --- the families' formulas as expressions -------------------------------------------------------


class Formula:
    """An expression that combines by the ordinary operators, with 0 and 1 left out."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression

    def __add__(self, other: Any) -> Formula:
        return _combine("+", self, other)

    def __radd__(self, other: Any) -> Formula:
        return _combine("+", other, self)

    def __sub__(self, other: Any) -> Formula:
        return _combine("-", self, other)

    def __rsub__(self, other: Any) -> Formula:
        return _combine("-", other, self)

    def __mul__(self, other: Any) -> Formula:
        return _combine("*", self, other)

    def __rmul__(self, other: Any) -> Formula:
        return _combine("*", other, self)

    def __truediv__(self, other: Any) -> Formula:
        return _combine("/", self, other)

    def __rtruediv__(self, other: Any) -> Formula:
        return _combine("/", other, self)

    def __neg__(self) -> Formula:
        return _combine("-", self)


_NEUTRAL = {"+": 0.0, "-": 0.0, "*": 1.0, "/": 1.0}


def _combine(name: str, *arguments: Any) -> Formula:
    """An operation of formulas and numbers, done at once on numbers."""
    parts = tuple(expression_of(a) for a in arguments)
    if all(isinstance(p, ast.Constant) for p in parts):
        return Formula(ast.Constant(Evaluator({}).value(ast.Operation(name, parts))))
    neutral = ast.Constant(_NEUTRAL.get(name))
    if len(parts) == 2 and parts[1] == neutral:
        return Formula(parts[0])
    if len(parts) == 2 and parts[0] == neutral and name in "+*":
        return Formula(parts[1])
    return Formula(ast.Operation(name, parts))


def expression_of(value: Any) -> Expression:
    """The expression behind a formula, a number, or a vector of them."""
    if isinstance(value, Formula):
        return value.expression
    if isinstance(value, list | tuple):
        return ast.Operation("vector", tuple(expression_of(item) for item in value))
    return ast.Constant(float(value))


def formula_of(e: Expression) -> Any:
    """An expression as a formula; a vector that is written out as a list of them."""
    if is_vector(e):
        return [formula_of(item) for item in e.arguments]
    return Formula(e)


class Symbolic(Math[Formula]):
    """The algebra in which the formulas of the families become expressions."""

    def apply(self, name: str, *arguments: Any) -> Formula:
        """The operation itself."""
        return _combine(name, *arguments)

    def smallest(self, items: Sequence[Any]) -> Formula:
        """The smallest element, not written out."""
        return Formula(ast.Operation("smallest", (expression_of(items),)))

    def largest(self, items: Sequence[Any]) -> Formula:
        """The largest element, not written out."""
        return Formula(ast.Operation("largest", (expression_of(items),)))
