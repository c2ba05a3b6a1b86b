"""Statements of Python, in order; branches become choices between the values they assign."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, calls, flow, loops, operators, static, targets
from lfppl.syntax.python.context import Context, Holder
from lfppl.syntax.python.flow import MUTATORS
from lfppl.syntax.python.values import (
    Dist,
    Foreign,
    Function,
    Growing,
    Items,
    Latent,
    Missing,
    Row,
    Static,
    Value,
    describe,
    is_known,
    is_number,
    is_truth,
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
                return _leaving(ctx, statement, test, rest, live, holder)
            _conditional(ctx, statement, test, behind[position])
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
    if isinstance(old, Items | Latent) and isinstance(target, ast.Name):
        if isinstance(statement.op, ast.Add) and getattr(old, "kind", None) == "list":
            aliases = [n for n, v in ctx.frame.environment.items() if v is old and n != target.id]
            if aliases:
                raise errors.two_names(ctx.span(target), target.id, aliases[0])
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


# --- branches ------------------------------------------------------------------------------------


def _known_branch(test: Value, statement: ast.If) -> list[ast.stmt] | None:
    """The branch that a test known now chooses."""
    if static.are_static((test,)) and shape_of(test) in ((), None):
        return statement.body if static.to_static(test) else statement.orelse
    return None


def _conditional(
    ctx: Context, statement: ast.If, test: Value, live: frozenset[str]
) -> None:
    """An `if` whose branches both go on behind it."""
    chosen = _known_branch(test, statement)
    if chosen is not None:
        ctx.execute(chosen, live)
        return
    span = ctx.span(statement)
    condition = operators.tested(ctx, test, ctx.span(statement.test))
    branches = [_branch(ctx, part, live) for part in (statement.body, statement.orelse)]
    merge = _Merge(ctx, condition, test, span)
    environments = [environment for _, environment, _ in branches]
    for name in sorted(flow.assigned((*statement.body, *statement.orelse))):
        then, otherwise = (each.get(name) for each in environments)
        if then is otherwise:
            continue
        merge.variable(name, then, otherwise, live)
    merge.write(branches[0][0], branches[1][0])


def _branch(
    ctx: Context, statements: list[ast.stmt], live: frozenset[str], holder: Holder | None = None
) -> tuple[list[surface.Binding], dict[str, Value], Value | None]:
    with ctx.nested() as block:
        ctx.branches += 1
        try:
            returned = ctx.execute(statements, live, holder)
        finally:
            ctx.branches -= 1
        return block, ctx.frame.environment, returned


def _leaving(
    ctx: Context,
    statement: ast.If,
    test: Value,
    rest: list[ast.stmt],
    live: frozenset[str],
    holder: Holder | None,
) -> Value | None:
    """An `if` with a `return` or `continue` in it: what follows belongs to the other branch."""
    chosen = _known_branch(test, statement)
    if chosen is not None:
        return ctx.execute([*chosen, *rest], live, holder)
    span = ctx.span(statement)
    condition = operators.tested(ctx, test, ctx.span(statement.test))
    one = _branch(ctx, [*statement.body, *rest], live)
    other = _branch(ctx, [*statement.orelse, *rest], live)
    merge = _Merge(ctx, condition, test, span)
    if one[2] is not None or other[2] is not None:
        first, second = (value or Static(None) for value in (one[2], other[2]))
        result = merge.value("result", first, second)
        merge.write(one[0], other[0])
        return result()
    for name in sorted(flow.assigned((*statement.body, *statement.orelse, *rest))):
        then, otherwise = one[1].get(name), other[1].get(name)
        if then is not otherwise:
            merge.variable(name, then, otherwise, live)
    merge.write(one[0], other[0])
    return None


class _Merge:
    """One `if` of the program for all the values that depend on it."""

    def __init__(
        self, ctx: Context, condition: surface.Expression, test: Value, span: Span
    ) -> None:
        self.ctx, self.condition, self.test, self.span = ctx, condition, test, span
        self.pairs: list[tuple[str, Value, Value]] = []
        self.results: list[Value] = []
        self.variables: list[tuple[str, Callable[[], Value]]] = []

    def variable(
        self, name: str, then: Value | None, otherwise: Value | None, live: frozenset[str]
    ) -> None:
        """A variable that has other values in the two branches."""
        environment = self.ctx.frame.environment
        if name not in live:
            environment[name] = Missing("after the `if` that assigns it", self.span)
            return
        for value in (then, otherwise):
            if value is None or isinstance(value, Missing):
                why = "in all branches: only one of them assigns it"
                if isinstance(value, Missing) and value.span is not None:
                    why = value.why
                environment[name] = Missing(why, self.span)
                return
        assert then is not None
        assert otherwise is not None
        self.variables.append((name, self.value(name, then, otherwise)))

    def value(self, name: str, then: Value, otherwise: Value) -> Callable[[], Value]:
        """A value to choose; the function gives it once the `if` is written."""
        if then is otherwise or _same(then, otherwise):
            return lambda: then
        if isinstance(then, Row) and isinstance(otherwise, Row):
            inner = self.value(name, then.value, otherwise.value)
            return lambda: Row(then.index, inner())
        if isinstance(then, Growing) or isinstance(otherwise, Growing):
            return self._grown(name, then, otherwise)
        if _alike(then, otherwise):
            assert isinstance(then, Items)
            assert isinstance(otherwise, Items)
            pairs = zip(then.items, otherwise.items, strict=True)
            parts = [self.value(f"{name}_{i}", a, b) for i, (a, b) in enumerate(pairs)]
            return lambda: Items(tuple(part() for part in parts), then.kind)
        self._check(then, otherwise)
        position = len(self.pairs)
        self.pairs.append((name, then, otherwise))
        return lambda: self.results[position]

    def _grown(self, name: str, then: Value, otherwise: Value) -> Callable[[], Value]:
        """A list to which both branches append alike."""
        items = [value.items for value in (then, otherwise) if isinstance(value, Growing)]
        if len(items) < 2 or len(items[0]) != len(items[1]):
            raise errors.append_in_branch(self.span, name)
        parts = [self.value(name, a, b) for a, b in zip(*items, strict=True)]
        return lambda: Growing(tuple(part() for part in parts))

    def _check(self, then: Value, otherwise: Value) -> None:
        shapes = [shape_of(value) for value in (then, otherwise)]
        both = isinstance(then, Dist) and isinstance(otherwise, Dist)
        if not both and (None in shapes or len(shapes[0] or ()) != len(shapes[1] or ())):
            raise errors.branches_differ(self.span, describe(then), describe(otherwise))

    def write(self, one: Sequence[surface.Binding], other: Sequence[surface.Binding]) -> None:
        """Write the `if`, and bind what it chooses."""
        ctx, span = self.ctx, self.span
        if not (one or other or self.pairs):
            self._bind()
            return
        then = self._side(one, [pair[1] for pair in self.pairs])
        otherwise = self._side(other, [pair[2] for pair in self.pairs])
        choice = surface.If(self.condition, then, otherwise, span)
        if not self.pairs:
            ctx.statement(choice, span)
        elif len(self.pairs) == 1:
            self.results.append(self._result(*self.pairs[0], choice))
        else:
            together = ctx.bind("chosen", choice, span)
            for position, (name, first, second) in enumerate(self.pairs):
                place = arrays.number(position, span)
                part = arrays.call("get", together.expression, place, span=span)
                self.results.append(self._result(name, first, second, part))
        self._bind()

    def _side(
        self, block: Sequence[surface.Binding], values: Sequence[Value]
    ) -> surface.Expression:
        span = self.span
        parts = [arrays.expression(self.ctx, value, span) for value in values]
        if not parts:
            tail: surface.Expression = surface.Number(0.0, span)
        elif len(parts) == 1:
            tail = parts[0]
        else:
            tail = surface.VectorLiteral(tuple(parts), span)
        return surface.Let(tuple(block), (tail,), span) if block else tail

    def _result(
        self, name: str, then: Value, otherwise: Value, written: surface.Expression
    ) -> Value:
        if isinstance(then, Dist):
            bound = self.ctx.bind(name, written, self.span)
            return Dist(bound.expression, then.name, then.batch, then.event)
        known = all(is_known(value) for value in (self.test, then, otherwise))
        truth = all(is_truth(value) for value in (then, otherwise))
        like = Latent(written, _shape(then, otherwise), known, truth, _is_list(then))
        return self.ctx.bind(name, written, self.span, like)

    def _bind(self) -> None:
        for name, value in self.variables:
            self.ctx.frame.environment[name] = value()


def _shape(then: Value, otherwise: Value) -> tuple[int | None, ...]:
    first, second = shape_of(then) or (), shape_of(otherwise) or ()
    return tuple(a if a is not None else b for a, b in zip(first, second, strict=True))


def _is_list(value: Value) -> bool:
    return (isinstance(value, Latent) and value.is_list) or (
        isinstance(value, Items) and value.kind == "list"
    )


def _same(then: Value, otherwise: Value) -> bool:
    """Whether two values known now are equal."""
    if is_number(then) and is_number(otherwise):
        assert isinstance(then, Static)
        assert isinstance(otherwise, Static)
        return bool(then.value == otherwise.value and type(then.value) is type(otherwise.value))
    if isinstance(then, Static) and isinstance(otherwise, Static):
        return then.value is otherwise.value
    if isinstance(then, Function) and isinstance(otherwise, Function):
        return then.definition.node is otherwise.definition.node
    if isinstance(then, Latent) and isinstance(otherwise, Latent):
        return then.expression == otherwise.expression and isinstance(
            then.expression, surface.Name
        )
    return False


def _alike(then: Value, otherwise: Value) -> bool:
    """Whether two values are tuples or lists of one length, to be chosen part by part."""
    return (
        isinstance(then, Items)
        and isinstance(otherwise, Items)
        and then.kind == otherwise.kind
        and len(then.items) == len(otherwise.items)
    )


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
