"""Operators: arithmetic, comparisons, logic, conditional expressions."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, static
from lfppl.syntax.python.context import Context
from lfppl.syntax.python.matrices import matmul
from lfppl.syntax.python.values import (
    Items,
    Latent,
    Static,
    Value,
    is_number,
    is_truth,
    shape_of,
)

_BINARY: dict[type, tuple[Callable[[Any, Any], Any], str]] = {
    ast.Add: (operator.add, "+"),
    ast.Sub: (operator.sub, "-"),
    ast.Mult: (operator.mul, "*"),
    ast.Div: (np.true_divide, "/"),
    ast.Pow: (static.power, "pow"),
    ast.Mod: (np.mod, "mod"),
    ast.FloorDiv: (np.floor_divide, "floor-divide"),
}
_LOGICAL: dict[type, tuple[Callable[[Any, Any], Any], str]] = {
    ast.BitAnd: (operator.and_, "and"),
    ast.BitOr: (operator.or_, "or"),
}


def binary(ctx: Context, operation: ast.operator, left: Value, right: Value, span: Span) -> Value:
    """`left operation right`."""
    kind = type(operation)
    if kind in (ast.Add, ast.Mult):
        joined = _lists(ctx, kind, left, right, span)
        if joined is not None:
            return joined
    if kind is ast.MatMult:
        return matmul(ctx, left, right, span)
    if kind not in _BINARY and kind not in _LOGICAL:
        raise errors.unsupported_operator(span, _written(kind))
    function, name = {**_BINARY, **_LOGICAL}[kind]
    if static.are_static((left, right)):
        return static.evaluate(_on_numbers(function), (left, right), span)
    if name in ("and", "or"):
        return logical(ctx, name, (left, right), span)
    return arithmetic(ctx, name, (left, right), span)


def _on_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(*arguments: Any) -> Any:
        return function(*(np.asarray(a) if isinstance(a, list | tuple) else a for a in arguments))

    return apply


def arithmetic(ctx: Context, name: str, values: Sequence[Value], span: Span) -> Value:
    """An operation of the language on numbers and arrays."""
    if name == "floor-divide":
        quotient = arrays.operation(ctx, "/", values, span)
        return arrays.operation(ctx, "floor", [quotient], span)
    if name == "pow" and isinstance(values[1], Static) and values[1].value == 2:
        return arrays.operation(ctx, "square", values[:1], span)
    return arrays.operation(ctx, name, values, span)


def _lists(ctx: Context, kind: type, left: Value, right: Value, span: Span) -> Value | None:
    """`[a] + [b]` and `[a] * 3`."""
    one, other = (_is_list(value) for value in (left, right))
    if kind is ast.Add and one and other:
        if isinstance(left, Items) and isinstance(right, Items):
            return Items((*left.items, *right.items), left.kind)
        return _joined(ctx, left, right, span)
    if kind is ast.Mult and (one or other):
        row, count = (left, right) if one else (right, left)
        return _repeated(ctx, row, count, span)
    return None


def _is_list(value: Value) -> bool:
    if isinstance(value, Items):
        return value.kind in ("list", "tuple")
    return isinstance(value, Latent) and value.is_list


def _joined(ctx: Context, left: Value, right: Value, span: Span) -> Value:
    first, second = shape_of(left), shape_of(right)
    if isinstance(left, Items) and not left.items:
        return right
    if first is None or second is None:
        raise errors.ragged_list(span, "list", ["things of unequal shapes"])
    parts = [arrays.expression(ctx, value, span) for value in (left, right)]
    lengths = (first[0], second[0])
    total = None if None in lengths else sum(n for n in lengths if n is not None)
    written = arrays.call("concat", *parts, span=span)
    return Latent(written, (total, *first[1:]), is_list=True)


def _repeated(ctx: Context, row: Value, count: Value, span: Span) -> Value:
    if not isinstance(count, Static) or not isinstance(count.value, int):
        if isinstance(row, Items) and shape_of(row) is None:
            raise errors.ragged_list(span, row.kind, arrays.parts_of(row))
        raise errors.list_times(span)
    if isinstance(row, Items):
        if len(row.items) * count.value <= static.MAX_LIST:
            return Items(row.items * count.value, row.kind)
        shape = shape_of(row)
        if shape == (1,) and isinstance(row.items[0], Static):
            return Static(np.full(count.value, float(row.items[0].value)))
    raise errors.too_long_list(span, static.MAX_LIST)


def _written(kind: type) -> str:
    return {
        "LShift": "<<",
        "RShift": ">>",
        "BitXor": "^",
    }.get(kind.__name__, kind.__name__)


def unary(ctx: Context, operation: ast.unaryop, value: Value, span: Span) -> Value:
    """`-x`, `+x`, `not x`, `~x`."""
    if isinstance(operation, ast.Not):
        return negation(ctx, value, span)
    if isinstance(operation, ast.Invert):
        if static.are_static((value,)):
            return static.evaluate(np.logical_not if is_truth(value) else np.invert, (value,), span)
        return negation(ctx, value, span)
    if static.are_static((value,)):
        function = np.negative if isinstance(operation, ast.USub) else np.positive
        return static.evaluate(
            function if not is_number(value) else _sign(operation), (value,), span
        )
    if isinstance(operation, ast.UAdd):
        return arrays.numeric(ctx, value, span)
    return arrays.operation(ctx, "-", [value], span)


def _sign(operation: ast.unaryop) -> Callable[[Any], Any]:
    return operator.neg if isinstance(operation, ast.USub) else operator.pos


def negation(ctx: Context, value: Value, span: Span) -> Value:
    """`not x`."""
    if static.are_static((value,)) and shape_of(value) in ((), None):
        return Static(not static.to_static(value))
    return _logic(ctx, "not", [value], span)


def logical(ctx: Context, name: str, values: Sequence[Value], span: Span) -> Value:
    """`and`, `or` of tests, element by element."""
    return _logic(ctx, name, values, span)


def _logic(ctx: Context, name: str, values: Sequence[Value], span: Span) -> Value:
    tests = [arrays.truth(ctx, value, span) for value in values]
    return arrays.elementwise(
        ctx,
        lambda *parts: arrays.call(name, *parts, span=span),
        tests,
        span,
        native=False,
        truth=True,
    )


def short_circuit(ctx: Context, node: ast.BoolOp) -> Value:
    """`a and b`, `a or b`; what is known now decides now, and then the rest is not looked at."""
    stop_at = isinstance(node.op, ast.Or)
    tests: list[Value] = []
    for each in node.values:
        value = ctx.evaluate(each)
        if static.are_static((value,)) and shape_of(value) in ((), None):
            decided = bool(static.to_static(value))
            if decided is stop_at and not tests:
                return value
            if decided is stop_at:
                return Static(stop_at)
            if each is node.values[-1] and not tests:
                return value
            continue
        if shape_of(value):
            raise errors.array_truth(ctx.span(each), "or" if stop_at else "and")
        tests.append(value)
    if len(tests) == 1:
        return tests[0]
    return logical(ctx, "or" if stop_at else "and", tests, ctx.span(node))


# --- comparisons ---------------------------------------------------------------------------------

_COMPARE: dict[type, tuple[Callable[[Any, Any], Any], str]] = {
    ast.Lt: (operator.lt, "<"),
    ast.Gt: (operator.gt, ">"),
    ast.LtE: (operator.le, "<="),
    ast.GtE: (operator.ge, ">="),
    ast.Eq: (operator.eq, "="),
    ast.NotEq: (operator.ne, "not="),
}


def comparison(ctx: Context, node: ast.Compare, values: Sequence[Value], span: Span) -> Value:
    """`a < b`, `a < b <= c`, `a in (1, 2)`, `a is None`."""
    if len(node.ops) > 1:
        values = [arrays.atom(ctx, value, span) for value in values]
    kinds = {type(each) for each in node.ops}
    is_chain = len(node.ops) > 1 and len(kinds) == 1 and kinds <= _COMPARE.keys() - {ast.NotEq}
    if is_chain and not static.are_static(values):
        return compare(ctx, _COMPARE[kinds.pop()][1], values, span)
    parts = [
        _compared(ctx, each, left, right, span)
        for each, left, right in zip(node.ops, values, values[1:], strict=False)
    ]
    result = parts[0]
    for part in parts[1:]:
        if isinstance(result, Static) and isinstance(part, Static):
            result = Static(bool(result.value and part.value))
        else:
            result = logical(ctx, "and", (result, part), span)
    return result


def _compared(ctx: Context, kind: ast.cmpop, left: Value, right: Value, span: Span) -> Value:
    if isinstance(kind, ast.Is | ast.IsNot):
        return _identity(kind, left, right, span)
    if isinstance(kind, ast.In | ast.NotIn):
        return _membership(ctx, kind, left, right, span)
    function, name = _COMPARE[type(kind)]
    if static.are_static((left, right)):
        return static.evaluate(function, (left, right), span)
    return compare(ctx, name, (left, right), span)


def compare(ctx: Context, name: str, values: Sequence[Value], span: Span) -> Value:
    """A comparison of numbers, or of arrays element by element."""
    return arrays.elementwise(
        ctx,
        lambda *parts: arrays.call(name, *parts, span=span),
        values,
        span,
        native=False,
        truth=True,
    )


def _identity(kind: ast.cmpop, left: Value, right: Value, span: Span) -> Value:
    if not (isinstance(right, Static) and (right.value is None or isinstance(right.value, bool))):
        raise errors.identity(span)
    same = isinstance(left, Static) and left.value is right.value
    return Static(same if isinstance(kind, ast.Is) else not same)


def _membership(ctx: Context, kind: ast.cmpop, left: Value, right: Value, span: Span) -> Value:
    inside = isinstance(kind, ast.In)
    if static.are_static((left, right)):
        found = static.evaluate(lambda a, b: a in b, (left, right), span)
        return found if inside else negation(ctx, found, span)
    if not isinstance(right, Items) or not right.items:
        raise errors.membership(span)
    shared = arrays.atom(ctx, left, span)
    tests = [compare(ctx, "=", (shared, item), span) for item in right.items]
    found = tests[0] if len(tests) == 1 else logical(ctx, "or", tests, span)
    return found if inside else negation(ctx, found, span)


def tested(ctx: Context, value: Value, span: Span) -> surface.Expression:
    """The test of an `if`: a number or truth value, never an array."""
    if shape_of(value):
        raise errors.array_as_test(span)
    return arrays.expression(ctx, arrays.truth(ctx, arrays.numeric(ctx, value, span), span), span)
