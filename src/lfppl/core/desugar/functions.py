"""Calls: functions are expanded in place, with fresh names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from lfppl.core.ast import Expression, Operation
from lfppl.core.desugar import binding
from lfppl.core.desugar.context import (
    DEPTH_LIMIT,
    Block,
    Builtin,
    Closure,
    Context,
    Meaning,
    Value,
)
from lfppl.core.desugar.meanings import function_of, meaning_of
from lfppl.errors import language
from lfppl.source import Span
from lfppl.syntax import surface


def function(context: Context, form: surface.Function) -> Expression:
    """A function where a value is expected: a mistake."""
    if form.name:
        raise language.function_as_value(form.span, form.name)
    raise language.anonymous_function_as_value(form.span)


def call(context: Context, form: surface.Call) -> Expression:
    """A call: of sugar, an operation, a distribution, a user's function; or a vector of values."""
    head = form.function
    builtin = context.builtin_head(head)
    if builtin is not None:
        return context.builtin(builtin, form)
    if isinstance(head, surface.Name):
        meaning = context.resolve(head.id)
        if meaning is None:
            raise language.unknown_function(head.span, head.id, context.known())
        if isinstance(meaning, Value):
            return _vector_of_values(context, form, head.id)
    callee = function_of(context, head)
    arguments = [meaning_of(context, argument) for argument in form.arguments]
    return apply(context, callee, arguments, form.span)


def _vector_of_values(context: Context, form: surface.Call, name: str) -> Expression:
    """The paper's `(mu1 mu2 z1)`: names, the first of which is a value."""
    names = [each.id for each in form.arguments if isinstance(each, surface.Name)]
    operator = next((each for each in names if each in language.OPERATORS), None)
    if operator is not None:
        raise language.written_infix(form.span, operator)
    if len(names) < len(form.arguments):
        raise language.value_called(form.span, name)
    if not form.arguments:
        raise language.value_in_parentheses(form.span, name)
    items = (form.function, *form.arguments)
    return Operation("vector", tuple(context.expression(item) for item in items), form.span)


def apply(
    context: Context, callee: Closure | Builtin, arguments: Sequence[Meaning], span: Span
) -> Expression:
    """A function applied to what its arguments mean."""
    if isinstance(callee, Closure):
        return _expand(context, callee, tuple(arguments), span)
    terms = tuple(context.given(argument, span) for argument in arguments)
    return context.builtin(callee.name, surface.Call(surface.Name(callee.name, span), terms, span))


def _expand(
    context: Context, closure: Closure, arguments: tuple[Meaning, ...], span: Span
) -> Expression:
    function = closure.function
    if len(arguments) != len(function.parameters):
        names = [binding.leaf_name(each, "_") for each in function.parameters]
        raise language.wrong_parameters(span, closure.name, len(arguments), names)
    block = Block()
    with _activated(context, closure, arguments, span), context.scope(closure.names):
        if function.name or closure.name not in closure.names:
            context.names[closure.name] = closure
        for pattern, argument in zip(function.parameters, arguments, strict=True):
            binding.bind(context, block, pattern, argument, pattern.span, alias=True)
        result = binding.sequence(context, block, function.body, function.span)
    return block.close(result)


@contextmanager
def _activated(
    context: Context, closure: Closure, arguments: tuple[Meaning, ...], span: Span
) -> Iterator[None]:
    """Remember that a function is being expanded; the same one inside itself never ends.

    A function that is given other functions than before may well end.
    """
    functions = tuple(each for each in arguments if not isinstance(each, Value))
    for position, (other, others) in enumerate(context.active):
        if _same(other, closure) and others == functions:
            cycle = [each.name for each, _ in context.active[position:]]
            raise language.recursive_function(span, [*cycle, closure.name])
    if len(context.active) >= DEPTH_LIMIT:
        raise language.expansion_too_deep(span, DEPTH_LIMIT)
    context.active.append((closure, functions))
    try:
        yield
    finally:
        context.active.pop()


def _same(one: Closure, other: Closure) -> bool:
    return one is other or (
        one.function is other.function and _functions_seen(one) == _functions_seen(other)
    )


def _functions_seen(closure: Closure) -> dict[str, Meaning]:
    return {name: seen for name, seen in closure.names.items() if not isinstance(seen, Value)}
