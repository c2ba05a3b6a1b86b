"""`if` statements: both branches are translated, then one choice is made of all they assign."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, flow, operators, static
from lfppl.syntax.python.context import Context, Holder
from lfppl.syntax.python.values import (
    Dist,
    Function,
    Growing,
    Items,
    Latent,
    Missing,
    Row,
    Static,
    Table,
    Value,
    describe,
    is_known,
    is_number,
    is_truth,
    shape_of,
)


def _known_branch(test: Value, statement: ast.If) -> list[ast.stmt] | None:
    """The branch that a test known now chooses."""
    if static.are_static((test,)) and shape_of(test) in ((), None):
        return statement.body if static.to_static(test) else statement.orelse
    return None


def conditional(ctx: Context, statement: ast.If, test: Value, live: frozenset[str]) -> None:
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


def leaving(
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
            environment[name] = Missing("has no value after the `if` that assigns it", self.span)
            return
        for value in (then, otherwise):
            if value is None or isinstance(value, Missing):
                why = "has no value in all branches: only one of them assigns it"
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
        if isinstance(then, Table) and isinstance(otherwise, Table):
            return self._table(name, then, otherwise)
        self._check(then, otherwise)
        position = len(self.pairs)
        self.pairs.append((name, then, otherwise))
        return lambda: self.results[position]

    def _table(self, name: str, then: Table, otherwise: Table) -> Callable[[], Value]:
        """A dictionary that has the same keys in both branches."""
        if then.columns.keys() != otherwise.columns.keys():
            raise errors.branches_differ(self.span, "a table", "one with other keys")
        parts = {
            key: self.value(f"{name}_{key}", value, otherwise.columns[key])
            for key, value in then.columns.items()
        }
        return lambda: Table({key: part() for key, part in parts.items()}, then.own)

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
        return then.expression == otherwise.expression and isinstance(then.expression, surface.Name)
    return False


def _alike(then: Value, otherwise: Value) -> bool:
    """Whether two values are tuples or lists of one length, to be chosen part by part."""
    return (
        isinstance(then, Items)
        and isinstance(otherwise, Items)
        and then.kind == otherwise.kind
        and len(then.items) == len(otherwise.items)
    )
