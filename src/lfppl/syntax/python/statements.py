"""Statements of Python, in order; branches become choices between the values they assign."""

from __future__ import annotations

import ast
from collections.abc import Callable

import lfppl.errors.python as errors
from lfppl.syntax.python import (
    aliases,
    arrays,
    branches,
    calls,
    flow,
    loops,
    operators,
    static,
    targets,
)
from lfppl.syntax.python.context import Context, Holder
from lfppl.syntax.python.flow import MUTATORS
from lfppl.syntax.python.values import (
    Dist,
    Foreign,
    Items,
    Latent,
    Static,
    Value,
    is_known,
    shape_of,
)


def execute(
    ctx: Context, statements: list[ast.stmt], live: frozenset[str], holder: Holder | None
) -> Value | None:
    """Translate statements; the value they return, or None if they fall through."""
    behind = flow.live_after(statements, live)
    for position, statement in enumerate(statements):
        ctx.visit(statement)
        rest = statements[position + 1 :]
        if isinstance(statement, ast.Return):
            return _returned(ctx, statement, holder)
        if isinstance(statement, ast.Continue):
            return None
        if isinstance(statement, ast.If):
            test = ctx.evaluate(statement.test)
            if flow.leaves([statement], ast.Return) or flow.leaves([statement], ast.Continue):
                return branches.leaving(ctx, statement, test, rest, live, holder)
            branches.conditional(ctx, statement, test, behind[position])
            continue
        _statement(ctx, statement, behind[position])
    return None


def _statement(ctx: Context, statement: ast.stmt, live: frozenset[str]) -> None:
    rule = _RULES.get(type(statement))
    if rule is None:
        raise errors.unsupported_statement(ctx.span(statement), type(statement).__name__)
    rule(ctx, statement, live)


def _returned(ctx: Context, statement: ast.Return, holder: Holder | None) -> Value:
    if statement.value is None:
        return Static(None)
    value = ctx.evaluate(statement.value, holder)
    if isinstance(value, Items) or holder is not None:
        return value
    return arrays.settled(ctx, value, ctx.span(statement.value), "result")


# --- assignment ----------------------------------------------------------------------------------


def _assign(ctx: Context, statement: ast.Assign, live: frozenset[str]) -> None:
    first = statement.targets[0]
    value = _valued(ctx, first, statement.value)
    aliases.note_view(ctx, first, statement.value)
    for target in statement.targets:
        targets.assign(ctx, target, value)
        if len(statement.targets) > 1 and isinstance(target, ast.Name):
            value = ctx.frame.environment[target.id]


def _valued(ctx: Context, target: ast.expr, node: ast.expr) -> Value:
    """The value to be assigned; samples in it are called after the target."""
    pairs = isinstance(target, ast.Tuple | ast.List) and isinstance(node, ast.Tuple | ast.List)
    if pairs and len(target.elts) == len(node.elts):  # type: ignore[attr-defined]
        items = []
        for part, each in zip(target.elts, node.elts, strict=True):  # type: ignore[attr-defined]
            value = ctx.evaluate(each, targets.holder_of(ctx, part))
            name = part.id if isinstance(part, ast.Name) else "part"
            items.append(arrays.settled(ctx, value, ctx.span(each), name))
        return Items(tuple(items))
    value = ctx.evaluate(node, targets.holder_of(ctx, target))
    if isinstance(value, Foreign):
        raise errors.foreign(ctx.span(node), type(value.value).__name__)
    return value


def _annotated(ctx: Context, statement: ast.AnnAssign, live: frozenset[str]) -> None:
    if statement.value is not None:
        value = _valued(ctx, statement.target, statement.value)
        targets.assign(ctx, statement.target, value)


def _augmented(ctx: Context, statement: ast.AugAssign, live: frozenset[str]) -> None:
    target = statement.target
    readable = _as_loaded(target)
    old = ctx.evaluate(readable)
    value = ctx.evaluate(statement.value)
    is_data = isinstance(old, Static) and old.origin is not None
    if isinstance(target, ast.Name) and not is_data:
        aliases.check_change(ctx, target.id, old, ctx.span(target))
    result = operators.binary(ctx, statement.op, old, value, ctx.span(statement))
    targets.assign(ctx, target, result)


def _as_loaded(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        loaded: ast.expr = ast.Name(target.id, ast.Load())
    elif isinstance(target, ast.Subscript):
        loaded = ast.Subscript(target.value, target.slice, ast.Load())
    else:
        return target
    return ast.copy_location(loaded, target)


# --- expressions as statements -------------------------------------------------------------------


def _expression(ctx: Context, statement: ast.Expr, live: frozenset[str]) -> None:
    node = statement.value
    if isinstance(node, ast.Constant):
        return
    if _changes_list(ctx, node):
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        name = node.func.value
        if not isinstance(name, ast.Name):
            raise errors.list_method(ctx.span(node), node.func.attr)
        targets.change_list(ctx, node, name.id, node.func.attr)
        return
    value = ctx.evaluate(node)
    if isinstance(value, Dist):
        raise errors.unused_distribution(ctx.span(node), value.name)
    if isinstance(value, Latent) and value.raw:
        ctx.statement(value.expression, ctx.span(node))


def _changes_list(ctx: Context, node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in MUTATORS
    )


def _assert(ctx: Context, statement: ast.Assert, live: frozenset[str]) -> None:
    test = ctx.evaluate(statement.test)
    if not static.are_static((test,)):
        raise errors.assert_of_latent(ctx.span(statement.test), is_known(test))
    holds = static.to_static(test)
    if shape_of(test):
        raise errors.array_as_test(ctx.span(statement.test))
    if not holds:
        raise errors.assertion(ctx.span(statement), _message(ctx, statement.msg))


def _raise(ctx: Context, statement: ast.Raise, live: frozenset[str]) -> None:
    text = ""
    if isinstance(statement.exc, ast.Call) and statement.exc.args:
        text = _message(ctx, statement.exc.args[0])
    if ctx.branches:
        raise errors.raise_of_latent(ctx.span(statement))
    raise errors.raised(ctx.span(statement), text)


def _message(ctx: Context, node: ast.expr | None) -> str:
    if node is None:
        return ""
    value = ctx.evaluate(node)
    return str(value.value) if isinstance(value, Static) else ""


def _function(ctx: Context, statement: ast.FunctionDef, live: frozenset[str]) -> None:
    if statement.decorator_list:
        raise errors.decorated(ctx.span(statement.decorator_list[0]))
    function = calls.local_function(ctx, statement, statement.name)
    ctx.frame.environment[statement.name] = function


def _pass(ctx: Context, statement: ast.Pass, live: frozenset[str]) -> None:
    """Nothing."""


def _break(ctx: Context, statement: ast.Break, live: frozenset[str]) -> None:
    if ctx.branches:
        raise errors.break_in_branch(ctx.span(statement))
    raise loops.Broken


# --- loops ----------------------------------------------------------------------------------------


def _for(ctx: Context, statement: ast.For, live: frozenset[str]) -> None:
    loops.for_loop(ctx, statement, live)


def _while(ctx: Context, statement: ast.While, live: frozenset[str]) -> None:
    loops.while_loop(ctx, statement, live)


_RULES: dict[type, Callable[..., None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Expr: _expression,
    ast.Assert: _assert,
    ast.Raise: _raise,
    ast.FunctionDef: _function,
    ast.Pass: _pass,
    ast.Break: _break,
    ast.For: _for,
    ast.While: _while,
}
