"""A Python function becomes a program: its source is translated, nothing of it is run."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import lfppl.errors.python as errors
from lfppl.errors import CompilerBug
from lfppl.recursion import deep_recursion
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, calls, expressions, functions, naming, statements
from lfppl.syntax.python.context import Call, Context, Frame, Retreat
from lfppl.syntax.python.definitions import Definition, definition_of, place_of
from lfppl.syntax.python.labels import Labels
from lfppl.syntax.python.values import Function, Items, Static, Table, Value

__all__ = ["Definition", "Translation", "definition_of", "place_of", "translate"]


@dataclass(frozen=True)
class Translation:
    """A program with the data it reads, and what is known of the dimensions of its variables."""

    program: surface.Program
    data: dict[str, float | NDArray[np.float64]]
    labels: Labels


def translate(definition: Definition, arguments: Mapping[str, Any]) -> Translation:
    """The program of a function whose parameters have these values.

    >>> import lfppl
    >>> from lfppl.syntax.printer import print_program
    >>> def coin(p):
    ...     lfppl.observe(lfppl.distributions.bernoulli(p), 1)
    >>> print(print_program(translate(definition_of(coin), {"p": 0.5}).program), end="")
    (let [_ (observe (bernoulli 0.5) 1)] nil)
    """
    with deep_recursion():
        try:
            return _translated(definition, arguments)
        except RecursionError:
            raise errors.nested_too_deep(definition.span) from None
        except Retreat as retreat:
            raise retreat.error or errors.too_entangled(definition.span) from None


def _translated(definition: Definition, arguments: Mapping[str, Any]) -> Translation:
    frame = Frame(definition, {}, None, calls.local_names(definition.node))
    ctx = Context(frame, expressions.evaluate, statements.execute)
    given = {name: expressions.captured(value, name) for name, value in arguments.items()}
    for name, value in given.items():
        frame.environment[name] = value
    function = Function(definition)
    ctx.calls.append(Call(definition, id(definition.node), definition.span))
    bound = calls.bind_arguments(ctx, function, frame, (), given, definition.span)
    frame.environment.update(bound)
    _check_form(ctx, definition)
    result = calls.body(ctx, definition.node, None)
    return _finished(ctx, definition, result)


def _check_form(ctx: Context, definition: Definition) -> None:
    node = definition.node
    for each in ast.walk(node):
        if isinstance(each, ast.Yield | ast.YieldFrom | ast.Await):
            raise errors.unsupported_statement(ctx.span(each), type(each).__name__)


def _finished(ctx: Context, definition: Definition, result: Value) -> Translation:
    span = _last_span(ctx, definition)
    tail = arrays.expression(ctx, _shown(result), span)
    body = surface.Let(tuple(ctx.block), (tail,), definition.span) if ctx.block else tail
    program = surface.Program((body,), definition.span)
    doubled = naming.written_twice(program)
    if doubled is not None:
        raise CompilerBug(f"a sample is written twice: {doubled.span}")
    mentioned = set(naming.names(program))
    data = {name: value for name, value in ctx.data.items() if name in mentioned}
    program, other = naming.apart(program, data, {name for name, _ in ctx.sites})
    data = {other.get(name, name): value for name, value in data.items()}
    return Translation(naming.rename(program, data), data, ctx.labels)


def _shown(result: Value) -> Value:
    """What a model returns; a text or function stands for nothing."""
    if isinstance(result, Static) and isinstance(result.value, str):
        return Static(None)
    if isinstance(result, Table):
        return Items(tuple(_shown(each) for each in result.columns.values()))
    if isinstance(result, Items):
        return Items(tuple(_shown(each) for each in result.items), result.kind)
    return result


def _last_span(ctx: Context, definition: Definition) -> Span:
    node = definition.node
    last = node.body if isinstance(node, ast.Lambda) else node.body[-1]
    return ctx.span(last)


_ = functions
