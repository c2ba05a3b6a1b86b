"""What an expression means where functions are welcome: a value, or a function with its names."""

from __future__ import annotations

from collections.abc import Iterator

from lfppl.core.desugar.context import Builtin, Closure, Context, Meaning, Value
from lfppl.errors import language
from lfppl.syntax import surface


def meaning_of(context: Context, expression: surface.Expression, name: str = "") -> Meaning:
    """What an expression means where functions are welcome too; `name` is for messages."""
    if isinstance(expression, surface.Function):
        return _closure(context, expression, name)
    if isinstance(expression, surface.Name):
        meaning = context.resolve(expression.id)
        if isinstance(meaning, Closure | Builtin):
            return meaning
    return Value(context.expression(expression))


def function_of(context: Context, expression: surface.Expression) -> Closure | Builtin:
    """The function that an expression stands for."""
    if isinstance(expression, surface.Name) and context.resolve(expression.id) is None:
        raise language.unknown_function(expression.span, expression.id, context.known())
    if isinstance(expression, surface.Function | surface.Name):
        meaning = meaning_of(context, expression)
        if isinstance(meaning, Closure | Builtin):
            return meaning
        if isinstance(expression, surface.Name) and expression.id in context.sugars:
            return Builtin(expression.id)
    what = f"`{expression.id}`" if isinstance(expression, surface.Name) else "this value"
    raise language.not_a_function(expression.span, what)


def _closure(context: Context, function: surface.Function, name: str) -> Closure:
    free = context.free_names.get(id(function))
    if free is None:
        free = context.free_names[id(function)] = frozenset(_names_in(function))
    seen = {each: context.names[each] for each in free if each in context.names}
    return Closure(function, seen, function.name or name or "fn")


def _names_in(function: surface.Function) -> Iterator[str]:
    waiting: list[object] = [function]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node)
        elif isinstance(node, surface.Name):
            yield node.id
        elif type(node).__module__ == surface.__name__:
            waiting.extend(getattr(node, part) for part in node.__slots__ if part != "span")  # type: ignore[attr-defined]
