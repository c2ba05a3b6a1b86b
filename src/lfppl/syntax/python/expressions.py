"""Expressions of Python, node by node."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Mapping
from numbers import Real
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

import lfppl.errors.python as errors
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, calls, comprehensions, operators, static, subscripts
from lfppl.syntax.python.context import Context, Holder, look_up, visible_names
from lfppl.syntax.python.definitions import (
    Definition,
    PortableModule,
    Unportable,
    definition_of,
)
from lfppl.syntax.python.library import CONSTANTS, METHODS, full_name
from lfppl.syntax.python.values import (
    NUMBERS,
    Builtin,
    Dist,
    Foreign,
    Function,
    Growing,
    Items,
    Latent,
    Method,
    Missing,
    Module,
    Row,
    Static,
    Table,
    Value,
    describe,
    freeze,
    is_known,
    shape_of,
)


def evaluate(ctx: Context, node: ast.expr, holder: Holder | None = None) -> Value:
    """The value of an expression; a sample in it is called after the holder."""
    ctx.visit(node)
    rule = _RULES.get(type(node))
    if rule is None:
        raise errors.unsupported_expression(ctx.span(node), type(node).__name__)
    return rule(ctx, node, holder)


# --- names and constants -------------------------------------------------------------------------


def _constant(ctx: Context, node: ast.Constant, holder: Holder | None) -> Value:
    value = node.value
    if value is None or isinstance(value, bool | int | float | str):
        if isinstance(value, int) and abs(value) > 2**1000:
            raise errors.too_large_number(ctx.span(node))
        return Static(value)
    raise errors.unsupported_constant(ctx.span(node), type(value).__name__)


def _name(ctx: Context, node: ast.Name, holder: Holder | None) -> Value:
    found = look_up(ctx.frame, node.id)
    if isinstance(found, Missing):
        raise errors.no_value_here(ctx.span(node), node.id, found.why, found.span)
    if found is not None:
        return _placed(ctx, node, found)
    names = ctx.frame.definition.names
    if node.id not in names:
        raise errors.unknown_name(ctx.span(node), node.id, visible_names(ctx.frame))
    return captured(names[node.id], node.id)


def _placed(ctx: Context, node: ast.Name, value: Value) -> Value:
    """A variable with the place where it is read, for messages."""
    if isinstance(value, Latent) and isinstance(value.expression, surface.Name):
        name = surface.Name(value.expression.id, ctx.span(node))
        return Latent(name, value.shape, value.known, value.truth, value.is_list, full=value.full)
    return value


def captured(value: Any, name: str) -> Value:
    """The value of a Python object from outside the model."""
    if value is None or isinstance(value, (str, *NUMBERS)):
        return Static(freeze(value), name)
    if isinstance(value, ModuleType):
        return Module(value)
    if isinstance(value, PortableModule):
        return Builtin(value.name) if value.name in CONSTANTS else _imported(value.name)
    if isinstance(value, Definition):
        return Function(value)
    if isinstance(getattr(value, "definition", None), Definition):
        return Function(value.definition, bound=_captured_all(value.bound))
    if isinstance(value, functools.partial) and isinstance(value.func, FunctionType):
        return _partial(value, name)
    return _captured_object(value, name)


def _captured_all(values: Mapping[str, Any]) -> dict[str, Value]:
    return {name: captured(value, name) for name, value in values.items()}


def _partial(value: functools.partial[Any], name: str) -> Value:
    """A function with some of its arguments given."""
    function = captured(value.func, name)
    if not isinstance(function, Function):
        return Foreign(value)
    given = dict(zip(function.definition.parameters, value.args, strict=False))
    return Function(function.definition, bound=_captured_all({**given, **value.keywords}))


def _imported(name: str) -> Value:
    from importlib import import_module

    root = name.split(".")[0]
    return Module(import_module(name)) if root in _TRUSTED else Foreign(PortableModule(name))


_TRUSTED = ("numpy", "math", "lfppl", "scipy")


def _captured_object(value: Any, name: str) -> Value:
    known = full_name(value)
    if known is not None:
        return Builtin(known, value)
    if isinstance(value, FunctionType):
        if str(value.__module__).split(".")[0] in _TRUSTED:
            return Foreign(value)
        return Function(definition_of(value))
    if isinstance(value, Mapping):
        return Table({key: captured(each, str(key)) for key, each in value.items()})
    if isinstance(value, BuiltinFunctionType | type | Unportable):
        return Foreign(value)
    return data(value, name)


def data(value: Any, name: str) -> Value:
    """An array, a list of numbers, a column or table of a data frame; or some other object."""
    if hasattr(value, "columns") and hasattr(value, "to_numpy"):
        return Table({key: data(value[key], str(key)) for key in value.columns})
    if np.ma.isMaskedArray(value):
        return _array(np.ma.filled(value.astype(np.float64), np.nan), name)
    if isinstance(value, Real):
        return Static(float(value), name)
    if isinstance(value, np.ndarray) or hasattr(value, "to_numpy"):
        return _array(np.asarray(value), name)
    if isinstance(value, list | tuple | range):
        return _sequence(value, name)
    return Foreign(value)


def _array(array: np.ndarray[Any, Any], name: str) -> Value:
    if array.dtype.kind in "cMm":
        return Static(array, name)  # refused where a number is needed
    if array.dtype.kind not in "biuf":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            return Items(tuple(captured(each, name) for each in array.tolist()), "list")
    return Static(array, name) if array.ndim else Static(array.item(), name)


def _sequence(value: Any, name: str) -> Value:
    """Numbers, also nested, as an array; anything else as a list."""
    if value and not isinstance(value[0], str):
        try:
            array = np.asarray(value)
        except (ValueError, TypeError):
            array = np.array([None])
        if array.dtype.kind in "biuf":
            return Static(array, name)
    kind = "tuple" if isinstance(value, tuple) else "list"
    return Items(tuple(captured(each, f"{name}_{i}") for i, each in enumerate(value)), kind)  # type: ignore[arg-type]


def _attribute(ctx: Context, node: ast.Attribute, holder: Holder | None) -> Value:
    base = evaluate(ctx, node.value)
    span = ctx.span(node)
    if isinstance(base, Module):
        return _of_module(ctx, node, base.module)
    if isinstance(base, Table) and node.attr in base.columns:
        return base.columns[node.attr]
    if isinstance(base, Foreign):
        return _of_object(ctx, node, base.value)
    if isinstance(base, Row | Growing) and node.attr not in METHODS:
        raise errors.unsupported_attribute(span, node.attr, describe(base))
    shape = shape_of(base)
    if shape is not None and node.attr in _PROPERTIES:
        return _PROPERTIES[node.attr](ctx, base, shape, span)
    if node.attr in METHODS:
        return Method(base, node.attr)
    raise errors.unsupported_attribute(span, node.attr, describe(base))


def _of_module(ctx: Context, node: ast.Attribute, module: ModuleType) -> Value:
    if node.attr.startswith("__") or not hasattr(module, node.attr):
        raise errors.no_such_function(ctx.span(node), ast.unparse(node), node.attr, dir(module))
    return captured(getattr(module, node.attr), node.attr)


def _of_object(ctx: Context, node: ast.Attribute, value: Any) -> Value:
    """A plain attribute of some object: settings, constants of a class; no code is run."""
    span = ctx.span(node)
    if isinstance(value, np.random.Generator | np.random.RandomState):
        raise errors.refused_call(span, ast.unparse(node), f"numpy.random.{node.attr}")
    found = inspect.getattr_static(value, node.attr, None)
    if found is None or hasattr(found, "__get__") or isinstance(value, Unportable):
        raise errors.foreign(ctx.span(node.value), type(value).__name__)
    return captured(found, node.attr)


def _shape_property(ctx: Context, base: Value, shape: Any, span: Any) -> Value:
    parts = [
        Static(length)
        if length is not None
        else Latent(arrays.size(ctx, base, axis, span), (), True)
        for axis, length in enumerate(shape)
    ]
    return Items(tuple(parts), "tuple")


def _size_property(ctx: Context, base: Value, shape: Any, span: Any) -> Value:
    return Static(int(np.prod(shape))) if None not in shape else calls.length(ctx, base, span)


_PROPERTIES: dict[str, Callable[..., Value]] = {
    "shape": _shape_property,
    "size": _size_property,
    "ndim": lambda ctx, base, shape, span: Static(len(shape)),
    "T": lambda ctx, base, shape, span: calls.matrices.transpose(ctx, base, span),
    "values": lambda ctx, base, shape, span: base,
}


# --- operators -----------------------------------------------------------------------------------


def _binary(ctx: Context, node: ast.BinOp, holder: Holder | None) -> Value:
    left, right = evaluate(ctx, node.left), evaluate(ctx, node.right)
    return operators.binary(ctx, node.op, left, right, ctx.span(node))


def _unary(ctx: Context, node: ast.UnaryOp, holder: Holder | None) -> Value:
    return operators.unary(ctx, node.op, evaluate(ctx, node.operand), ctx.span(node))


def _boolean(ctx: Context, node: ast.BoolOp, holder: Holder | None) -> Value:
    return operators.short_circuit(ctx, node)


def _compare(ctx: Context, node: ast.Compare, holder: Holder | None) -> Value:
    values = [evaluate(ctx, each) for each in (node.left, *node.comparators)]
    return operators.comparison(ctx, node, values, ctx.span(node))


def _conditional(ctx: Context, node: ast.IfExp, holder: Holder | None) -> Value:
    test, span = evaluate(ctx, node.test), ctx.span(node)
    if static.are_static((test,)) and shape_of(test) in ((), None):
        return evaluate(ctx, node.body if static.to_static(test) else node.orelse, holder)
    condition = operators.tested(ctx, test, ctx.span(node.test))
    with ctx.nested() as one:
        then = evaluate(ctx, node.body)
        written = calls.enclosed(ctx, one, then, span)
    with ctx.nested() as other:
        otherwise = evaluate(ctx, node.orelse)
        alternative = calls.enclosed(ctx, other, otherwise, span)
    return merged(ctx, surface.If(condition, written, alternative, span), test, then, otherwise)


def merged(ctx: Context, choice: surface.If, test: Value, then: Value, otherwise: Value) -> Value:
    """The value of a choice between two values."""
    if isinstance(then, Dist) and isinstance(otherwise, Dist):
        return Dist(choice, then.name, then.batch, then.event)
    shapes = [shape_of(value) for value in (then, otherwise)]
    if None in shapes or len(shapes[0] or ()) != len(shapes[1] or ()):
        raise errors.branches_differ(choice.span, describe(then), describe(otherwise))
    known = all(is_known(value) for value in (test, then, otherwise))
    truths = [(isinstance(v, Latent) and v.truth) or static_truth(v) for v in (then, otherwise)]
    return Latent(choice, shapes[0] or (), known, all(truths))


def static_truth(value: Value) -> bool:
    """Whether a value known now is true or false."""
    return isinstance(value, Static) and isinstance(value.value, bool)


# --- the rest ------------------------------------------------------------------------------------


def _subscript(ctx: Context, node: ast.Subscript, holder: Holder | None) -> Value:
    base = evaluate(ctx, node.value)
    return subscripts.subscript(ctx, node, base)


def _list(ctx: Context, node: ast.List | ast.Tuple, holder: Holder | None) -> Value:
    items: list[Value] = []
    for position, each in enumerate(node.elts):
        if isinstance(each, ast.Starred):
            spread = evaluate(ctx, each.value)
            if not isinstance(spread, Items):
                raise errors.starred(ctx.span(each))
            items += spread.items
            continue
        items.append(evaluate(ctx, each, _part(node, holder, position)))
    return Items(tuple(items), "list" if isinstance(node, ast.List) else "tuple")


def _part(node: ast.expr, holder: Holder | None, position: int) -> Holder | None:
    """Elements of a list are elements of what holds it; those of a tuple have other names."""
    if holder is None:
        return None
    if isinstance(node, ast.List):
        return Holder(holder.name, (*holder.indices, position))
    return holder.part(position)


def _dictionary(ctx: Context, node: ast.Dict, holder: Holder | None) -> Value:
    columns: dict[Any, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        name = evaluate(ctx, key) if key is not None else None
        if not isinstance(name, Static):
            raise errors.column_unknown(ctx.span(key or value))
        columns[name.value] = evaluate(ctx, value, holder and holder.part(name.value))
    return Table(columns, own=True)


def _lambda(ctx: Context, node: ast.Lambda, holder: Holder | None) -> Value:
    return calls.local_function(ctx, node, "<lambda>")


def _joined_text(ctx: Context, node: ast.JoinedStr, holder: Holder | None) -> Value:
    """An f-string of values known now."""
    parts = []
    for each in node.values:
        if isinstance(each, ast.Constant):
            parts.append(str(each.value))
            continue
        assert isinstance(each, ast.FormattedValue)
        value = evaluate(ctx, each.value)
        if not isinstance(value, Static) or shape_of(value):
            raise ctx.unless_written_out(errors.text_unknown(ctx.span(each.value)))
        parts.append(_formatted(ctx, each, value.value))
    return Static("".join(parts))


def _formatted(ctx: Context, node: ast.FormattedValue, value: Any) -> str:
    form = ""
    if isinstance(node.format_spec, ast.JoinedStr):
        text = _joined_text(ctx, node.format_spec, None)
        assert isinstance(text, Static)
        form = text.value
    if len(form) > 8:
        raise errors.unsupported_expression(ctx.span(node), "format")
    return format(repr(value) if node.conversion == ord("r") else value, form)


def _call(ctx: Context, node: ast.Call, holder: Holder | None) -> Value:
    return calls.call(ctx, node, holder)


def _comprehension(
    ctx: Context, node: ast.ListComp | ast.GeneratorExp, holder: Holder | None
) -> Value:
    return comprehensions.comprehension(ctx, node, holder)


_RULES: dict[type, Callable[..., Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.Subscript: _subscript,
    ast.List: _list,
    ast.Tuple: _list,
    ast.Dict: _dictionary,
    ast.Lambda: _lambda,
    ast.JoinedStr: _joined_text,
    ast.Call: _call,
    ast.ListComp: _comprehension,
    ast.GeneratorExp: _comprehension,
}
