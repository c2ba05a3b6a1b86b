"""Values of the expansion: scalar expressions, lists of values, distributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lfppl.core import ast
from lfppl.errors import CompilerBug
from lfppl.reference.families import Chosen

NIL = ast.Constant(None)


@dataclass(frozen=True)
class Selected:
    """A distribution selected among several families: an expression, and one it may be."""

    expression: ast.Expression
    example: Chosen


Value: TypeAlias = Any
"""A scalar expression, a list of values, or a distribution (`Chosen` or `Selected`)."""

Block: TypeAlias = list[tuple[str, ast.Expression]]


def constants(value: Any) -> Value:
    """Numbers and nested lists of numbers as constants."""
    if isinstance(value, list):
        return [constants(item) for item in value]
    return ast.Constant(value)


def example_of(value: Value) -> Chosen | None:
    """The distribution, or one of those it may be; None for anything else."""
    if isinstance(value, list):
        return example_of(value[0]) if value else None
    if isinstance(value, Selected):
        return value.example
    return value if isinstance(value, Chosen) else None


def reify(value: Value) -> ast.Expression:
    """A value as an expression."""
    if isinstance(value, list):
        return ast.Operation("vector", tuple(reify(item) for item in value))
    if isinstance(value, Chosen):
        return ast.Distribution(value.family, tuple(reify(p) for p in value.parameters))
    if isinstance(value, Selected):
        return value.expression
    if isinstance(value, ast.Expression):
        return value
    raise CompilerBug(f"not a value of the expansion: {value!r}")


# --- values that leave a branch ------------------------------------------------------------------


def align(left: Value, right: Value) -> tuple[Value, Value]:
    """Two values with one structure; nil twice where there is none (nobody can use them)."""
    if isinstance(left, list) and _is_distribution(right):
        right = [right] * len(left)
    if isinstance(right, list) and _is_distribution(left):
        left = [left] * len(right)
    if isinstance(left, list) and isinstance(right, list):
        return _align_all(left, right) if len(left) == len(right) else (NIL, NIL)
    if _is_distribution(left) and _is_distribution(right):
        return _align_distributions(left, right)
    numbers = isinstance(left, ast.Expression) and isinstance(right, ast.Expression)
    return (left, right) if numbers else (NIL, NIL)


def _is_distribution(value: Value) -> bool:
    return isinstance(value, Chosen | Selected)


def _align_all(left: Sequence[Value], right: Sequence[Value]) -> tuple[list[Value], list[Value]]:
    pairs = [align(a, b) for a, b in zip(left, right, strict=True)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def _align_distributions(left: Value, right: Value) -> tuple[Value, Value]:
    """In one family it is the parameters that are selected, otherwise the distributions."""
    if isinstance(left, Chosen) and isinstance(right, Chosen) and left.family == right.family:
        first, second = _align_all(left.parameters, right.parameters)
        return Chosen(left.family, tuple(first)), Chosen(right.family, tuple(second))
    return _opaque(left), _opaque(right)


def _opaque(distribution: Chosen | Selected) -> Selected:
    if isinstance(distribution, Selected):
        return distribution
    return Selected(reify(distribution), distribution)


def packed(value: Value) -> ast.Expression:
    """An aligned value as what the branch of an `if` yields: of a distribution, its parameters."""
    if isinstance(value, Chosen):
        return packed(list(value.parameters))
    if isinstance(value, list):
        return ast.Operation("vector", tuple(packed(item) for item in value))
    return reify(value)


def unpacked(expression: ast.Expression, example: Value) -> Value:
    """What an expression of packed values stands for, in the structure of the example."""
    if isinstance(example, Chosen):
        return Chosen(example.family, tuple(unpacked(expression, list(example.parameters))))
    if isinstance(example, list):
        return [unpacked(_project(expression, i), item) for i, item in enumerate(example)]
    return Selected(expression, example.example) if isinstance(example, Selected) else expression


def _project(expression: ast.Expression, position: int) -> ast.Expression:
    return ast.Operation("get", (expression, ast.Constant(float(position))))


def wrap(block: Block, body: ast.Expression) -> ast.Expression:
    """The bindings of a block as lets around a body."""
    for name, value in reversed(block):
        body = ast.Let(name, value, body)
    return body
