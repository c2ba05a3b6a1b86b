"""Arrays and lists with two names: changing one in place would change the other as well.

Values never change here, a change makes another value of one variable. Where Python would let the
change be seen through another name, it is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import subscripts
from lfppl.syntax.python.context import Context, Frame, look_up
from lfppl.syntax.python.values import (
    Items,
    Latent,
    Static,
    Table,
    Value,
    is_array,
    shape_of,
)


def check_change(ctx: Context, name: str, value: Value, span: Span) -> None:
    """Refuse to change the value of a variable in place that others see."""
    if shape_of(value) == ():
        return
    other = ctx.frame.views.get(name) or next(_others(ctx, name, value), None)
    if other is not None:
        raise errors.two_names(span, name, other)


def _others(ctx: Context, name: str, value: Value) -> Iterator[str]:
    """Variables of this function and of those that call it that are the value, or hold it."""
    for frame in _frames(ctx):
        for other, held in frame.environment.items():
            if (frame is not ctx.frame or other != name) and _holds(held, value):
                yield other


def _frames(ctx: Context) -> Iterator[Frame]:
    waiting = [ctx.frame, *(call.frame for call in ctx.calls if call.frame is not None)]
    seen: set[int] = set()
    for frame in waiting:
        inner: Frame | None = frame
        while inner is not None and id(inner) not in seen:
            seen.add(id(inner))
            yield inner
            inner = inner.outer


def _holds(held: Value, value: Value) -> bool:
    if held is value:
        return True
    if isinstance(held, Latent) and isinstance(value, Latent):
        names = (held.expression, value.expression)
        return isinstance(names[0], surface.Name) and names[0] == names[1]
    if isinstance(held, Items) and not isinstance(value, Latent):
        if held.shape is not None and len(held.shape) == 1:
            return False  # numbers only; long lists are not searched in every round
        return any(_holds(item, value) for item in held.items)
    if isinstance(held, Table):
        return any(_holds(each, value) for each in held.columns.values())
    return False


def note_view(ctx: Context, target: ast.expr, node: ast.expr) -> None:
    """Remember that a variable is part of an array: `row = matrix[0]`."""
    if not isinstance(target, ast.Name):
        return
    ctx.frame.views.pop(target.id, None)
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
        return
    base = look_up(ctx.frame, node.value.id)
    parts = subscripts.parts_of(node)
    is_basic = all(isinstance(each, ast.Slice | ast.Constant | ast.UnaryOp) for each in parts)
    if base is not None and is_basic and _is_own_array(base):
        ctx.frame.views[target.id] = node.value.id


def _is_own_array(base: Value) -> bool:
    if isinstance(base, Latent):
        return not base.is_list
    if isinstance(base, Items):
        return base.kind == "array"
    return is_array(base) and getattr(base, "origin", None) is None


def fresh(ctx: Context, value: Value, span: Span) -> Value:
    """A copy: an equal value that can be changed without the other."""
    if isinstance(value, Static) and is_array(value):
        return Static(value.value)
    if isinstance(value, Items):
        return Items(value.items, value.kind)
    if isinstance(value, Table):
        return Table(value.columns, own=True)
    if isinstance(value, Latent) and value.shape and isinstance(value.expression, surface.Name):
        return ctx.bind(value.expression.id.split("\0")[0], value.expression, span, value)
    return value
