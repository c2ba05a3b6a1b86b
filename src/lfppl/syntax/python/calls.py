"""Calls: of what the language has, of methods, and of plain Python functions, which go inline."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, flow, matrices, static
from lfppl.syntax.python.context import CALL_LIMIT, Call, Context, Frame, Holder
from lfppl.syntax.python.definitions import Definition, FunctionNode, PortableModule
from lfppl.syntax.python.library import SCALARS, SPECIAL, STATIC_ONLY, Scalar, written_name
from lfppl.syntax.python.values import (
    Builtin,
    Foreign,
    Function,
    Growing,
    Items,
    Latent,
    Method,
    Static,
    Value,
    describe,
    is_array,
    shape_of,
)

__all__ = ["Site", "call", "enclosed", "inline", "length", "local_function", "matrices"]


@dataclass(frozen=True, eq=False)
class Site:
    """A call: where, with what, and what its result will be called."""

    node: ast.Call
    span: Span
    name: str
    arguments: tuple[Value, ...]
    keywords: Mapping[str, Value] = field(default_factory=dict)
    holder: Holder | None = None

    def argument(self, position: int, name: str, default: Value | None = None) -> Value:
        """An argument by position or keyword."""
        if position < len(self.arguments):
            return self.arguments[position]
        found = self.keywords.get(name, default)
        if found is None:
            raise errors.missing_argument(self.span, self.name, name)
        return found

    def check(self, least: int, most: int | None, keywords: Sequence[str] = ()) -> None:
        """Refuse a wrong number of arguments, and unknown keywords."""
        count = len(self.arguments)
        if count < least or (most is not None and count > most):
            usage = USAGE.get(self.name, "")
            raise errors.wrong_argument_count(self.span, self.name, count, least, most, usage)
        for each in self.node.keywords:
            if each.arg not in keywords:
                raise errors.unknown_keyword(self.span, self.name, str(each.arg), keywords)

    def keyword(self, ctx: Context, name: str) -> Span:
        """Where a keyword's value is written; the call where it is not given."""
        written = (each.value for each in self.node.keywords if each.arg == name)
        return ctx.span(next(written, self.node))

    def place(self, position: int) -> ast.expr:
        """The node of a positional argument, or the call where it came by keyword."""
        return self.node.args[position] if position < len(self.node.args) else self.node


Rule: TypeAlias = Callable[[Context, Site], Value]

USAGE = {
    "sample": "sample(distribution, shape=..., name=...)",
    "observe": "observe(distribution, value)",
    "factor": "factor(log_weight)",
}
"""How the statements are called."""


def call(ctx: Context, node: ast.Call, holder: Holder | None) -> Value:
    """The value of a call."""
    callee = ctx.evaluate(node.func)
    span = ctx.span(node)
    if isinstance(callee, Foreign):
        raise _refused(ctx, node, callee)
    if not isinstance(callee, Builtin | Method | Function):
        raise errors.not_callable(ctx.span(node.func), describe(callee))
    arguments = _positional(ctx, node)
    keywords = _keywords(ctx, node)
    if isinstance(callee, Function):
        return inline(ctx, callee, arguments, keywords, node, holder)
    if isinstance(callee, Method):
        site = Site(node, span, callee.name, (callee.owner, *arguments), keywords, holder)
        return _method(ctx, site)
    shown = _shown(callee.name)
    return _builtin(ctx, callee, Site(node, span, shown, arguments, keywords, holder))


def _shown(name: str) -> str:
    root, _, rest = name.partition(".")
    return f"np.{rest}" if root in ("numpy", "ufunc") else rest if root != "math" else name


def _positional(ctx: Context, node: ast.Call) -> tuple[Value, ...]:
    values: list[Value] = []
    for each in node.args:
        if isinstance(each, ast.Starred):
            spread = ctx.evaluate(each.value)
            if not isinstance(spread, Items):
                raise errors.starred(ctx.span(each))
            values += spread.items
        else:
            values.append(ctx.evaluate(each))
    return tuple(values)


def _keywords(ctx: Context, node: ast.Call) -> dict[str, Value]:
    for each in node.keywords:
        if each.arg is None:
            raise errors.starred(ctx.span(each.value))
    return {str(each.arg): ctx.evaluate(each.value) for each in node.keywords}


def _refused(ctx: Context, node: ast.Call, callee: Foreign) -> Exception:
    value = callee.value
    name = value.name if isinstance(value, PortableModule) else written_name(value)
    if name is None and type(value).__module__ != "builtins":
        name = f"{type(value).__module__}.{type(value).__name__}"
    written = ast.unparse(node.func)
    return errors.refused_call(ctx.span(node.func), written, name or written)


def _builtin(ctx: Context, callee: Builtin, site: Site) -> Value:
    values = (*site.arguments, *site.keywords.values())
    special = SPECIAL.get(callee.name)
    if special is not None:
        return special(ctx, site)  # type: ignore[no-any-return]
    if static.are_static(values):
        return static.evaluate(callee.function, site.arguments, site.span, site.keywords)
    if callee.name in STATIC_ONLY:
        raise errors.only_of_data(site.span, site.name)
    return scalar(ctx, SCALARS[callee.name], site)


def scalar(ctx: Context, function: Scalar, site: Site) -> Value:
    """A function of numbers, or of arrays element by element."""
    site.check(function.least, function.most)
    span = site.span
    return arrays.elementwise(
        ctx,
        lambda *parts: function.formula(span, *parts),
        site.arguments,
        span,
        function.native,
        function.truth,
    )


def _method(ctx: Context, site: Site) -> Value:
    rule = SPECIAL.get(f"method.{site.name}")
    if rule is None:
        raise errors.unsupported_attribute(site.span, site.name, describe(site.arguments[0]))
    return rule(ctx, site)  # type: ignore[no-any-return]


def length(ctx: Context, value: Value, span: Span) -> Value:
    """`len(x)`."""
    if isinstance(value, Items):
        return Static(len(value.items))
    if isinstance(value, Growing):
        return Static(len(value.items))
    if is_array(value):
        return Static(shape_of(value)[0])  # type: ignore[index]
    shape = shape_of(value)
    if not shape:
        raise errors.no_length(span, describe(value))
    if shape[0] is not None:
        return Static(shape[0])
    return Latent(arrays.size(ctx, value, 0, span), (), True)


# --- functions of the user -----------------------------------------------------------------------


def local_function(ctx: Context, node: FunctionNode, name: str) -> Function:
    """A function that is defined inside the one being translated."""
    outer = ctx.frame.definition
    place = (node.lineno, node.col_offset)
    definition = Definition(name, outer.source, place, outer.names)
    definition.__dict__["node"] = node
    return Function(definition, ctx.frame, _defaults(ctx, node))


def _defaults(ctx: Context, node: FunctionNode) -> dict[str, Value]:
    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    with_default = positional[len(positional) - len(spec.defaults) :]
    pairs = [*zip(with_default, spec.defaults, strict=True)]
    pairs += [(a, d) for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d]
    return {argument.arg: ctx.evaluate(default) for argument, default in pairs}


def inline(
    ctx: Context,
    function: Function,
    arguments: Sequence[Value],
    keywords: Mapping[str, Value],
    node: ast.Call,
    holder: Holder | None,
) -> Value:
    """The value of a call of a plain Python function: its body with its parameters bound."""
    definition, span = function.definition, ctx.span(node)
    if any(definition.node is active.definition.node for active in ctx.calls):
        raise errors.recursive(span, definition.name)
    if len(ctx.calls) >= CALL_LIMIT:
        raise errors.calls_too_deep(span, CALL_LIMIT)
    outer, block = ctx.frame, len(ctx.calls)
    frame = _frame(ctx, function)
    ctx.calls.append(Call(definition, id(node), span, outer))
    try:
        bound = bind_arguments(ctx, function, frame, arguments, keywords, span)
        ctx.frame = frame
        _bind_values(ctx, frame, bound, span)
        return body(ctx, definition.node, holder)
    finally:
        ctx.frame = outer
        del ctx.calls[block:]


def _frame(ctx: Context, function: Function) -> Frame:
    return Frame(function.definition, {}, function.frame, local_names(function.definition.node))


def local_names(node: FunctionNode) -> frozenset[str]:
    """The variables of a function."""
    spec = node.args
    parameters = {each.arg for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    if isinstance(node, ast.Lambda):
        return frozenset(parameters)
    return flow.stored(node.body) | parameters


def _bind_values(ctx: Context, frame: Frame, bound: Mapping[str, Value], span: Span) -> None:
    for name, value in bound.items():
        settled = arrays.settled(ctx, value, span, name)
        frame.environment[name] = settled


def bind_arguments(
    ctx: Context,
    function: Function,
    frame: Frame,
    arguments: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
) -> dict[str, Value]:
    """Each parameter with its argument, its default where there is none."""
    definition, spec = function.definition, function.definition.node.args
    if spec.vararg or spec.kwarg:
        raise errors.variable_arguments(span, definition.name)
    names = [*definition.parameters, *(each.arg for each in spec.kwonlyargs)]
    positional = [name for name in definition.parameters if name not in function.bound]
    if len(arguments) > len(positional):
        count, most = len(arguments), len(positional)
        usage = f"{definition.name}({', '.join(positional)})"
        raise errors.wrong_argument_count(span, definition.name, count, 0, most, usage)
    bound = dict(zip(positional, arguments, strict=False))
    for name, value in keywords.items():
        if name not in names or name in bound:
            raise errors.unknown_keyword(span, definition.name, name, names)
        bound[name] = value
    bound = {**function.bound, **bound}
    defaults = function.defaults or outer_defaults(ctx, function, frame)
    for name in names:
        if name not in bound and name not in defaults:
            raise errors.missing_argument(span, definition.name, name)
    return {name: bound.get(name, defaults.get(name, Static(None))) for name in names}


def outer_defaults(ctx: Context, function: Function, frame: Frame) -> dict[str, Value]:
    """Default arguments of a function from outside the model, read where it stands."""
    if function.frame is not None:
        return {}
    inner, ctx.frame = ctx.frame, Frame(function.definition, {})
    try:
        return _defaults(ctx, function.definition.node)
    finally:
        ctx.frame = inner


def body(ctx: Context, node: FunctionNode, holder: Holder | None) -> Value:
    """What a function returns; None where it returns nothing."""
    if isinstance(node, ast.Lambda):
        return ctx.evaluate(node.body, holder)
    returned = ctx.execute(node.body, frozenset(), holder)
    return Static(None) if returned is None else returned


def enclosed(
    ctx: Context, block: Sequence[surface.Binding], value: Value, span: Span
) -> surface.Expression:
    """A value inside the bindings that were made for it."""
    written = arrays.expression(ctx, value, span)
    return surface.Let(tuple(block), (written,), span) if block else written
