"""Values of the expansion: scalar expressions, lists of values, distributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from lfppl.core import ast
from lfppl.errors import CompilerBug

NIL = ast.Constant(None)


@dataclass(frozen=True)
class Selected:
    """A distribution selected by an `if`: an expression for it, and one of those it may be."""

    expression: ast.Expression
    example: ast.Distribution


Value: TypeAlias = Any
"""A scalar expression (constant, variable, operation), a list of values, or a distribution."""

Block: TypeAlias = list[tuple[str, ast.Expression]]


def constants(value: Any) -> Value:
    """Numbers and nested lists of numbers as constants."""
    if isinstance(value, list):
        return [constants(item) for item in value]
    return ast.Constant(value)


def example_of(value: Value) -> ast.Distribution | None:
    """The distribution, or one of those it may be; None for anything else."""
    if isinstance(value, list):
        return example_of(value[0]) if value else None
    if isinstance(value, Selected):
        return value.example
    return value if isinstance(value, ast.Distribution) else None


def reify(value: Value) -> ast.Expression:
    """A value as an expression."""
    if isinstance(value, list):
        return ast.Operation("vector", tuple(reify(item) for item in value))
    if isinstance(value, Selected):
        return value.expression
    if isinstance(value, ast.Expression):
        return value
    raise CompilerBug(f"not a value of the expansion: {value!r}")


def unpack(expression: ast.Expression, example: Value) -> Value:
    """An expression as a value of the same structure as the example."""
    if isinstance(example, list):
        parts = enumerate(example)
        return [unpack(_project(expression, i), item) for i, item in parts]
    distribution = example_of(example)
    return Selected(expression, distribution) if distribution else expression


def _project(expression: ast.Expression, position: int) -> ast.Expression:
    return ast.Operation("get", (expression, ast.Constant(float(position))))


def align(left: Value, right: Value) -> tuple[Value, Value]:
    """Two values with one structure; nil twice where there is none (nobody can use them)."""
    if isinstance(left, list) and example_of(right) and not isinstance(right, list):
        right = [right] * len(left)
    if isinstance(right, list) and example_of(left) and not isinstance(left, list):
        left = [left] * len(right)
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        pairs = [align(a, b) for a, b in zip(left, right, strict=True)]
        return [a for a, _ in pairs], [b for _, b in pairs]
    if isinstance(left, list) or isinstance(right, list):
        return NIL, NIL
    return (left, right) if bool(example_of(left)) == bool(example_of(right)) else (NIL, NIL)


def wrap(block: Block, body: ast.Expression) -> ast.Expression:
    """The bindings of a block as lets around a body."""
    for name, value in reversed(block):
        body = ast.Let(name, value, body)
    return body
