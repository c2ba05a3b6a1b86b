"""Loops: plates where no round needs another, folds where one does, else round by round."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import lfppl.errors.python as errors
from lfppl.errors import ModelError
from lfppl.syntax.python import aliases, flow, ranges, static
from lfppl.syntax.python.comprehensions import MAX_ROUNDS
from lfppl.syntax.python.context import Context, Retreat
from lfppl.syntax.python.folds import as_fold
from lfppl.syntax.python.plates import as_plate
from lfppl.syntax.python.rounds import Loop
from lfppl.syntax.python.targets import assign
from lfppl.syntax.python.values import (
    Missing,
    Range,
    is_known,
)


class Broken(Exception):
    """A `break` is reached in a loop that is written out."""


def for_loop(ctx: Context, node: ast.For, live: frozenset[str]) -> None:
    """A `for` statement."""
    if node.orelse:
        raise errors.loop_else(ctx.span(node.orelse[0]))
    if flow.leaves(node.body, ast.Return):
        raise errors.return_in_loop(ctx.span(_first(node.body, ast.Return)))
    _check_rows(ctx, node)
    rows = ranges.iterable(ctx, node.iter, ctx.evaluate(node.iter))
    loop = _loop(ctx, node, rows, live)
    for name in flow.changed_in_place(node.body) & set(loop.carried):
        aliases.check_change(ctx, name, ctx.frame.environment[name], loop.span)
    if loop.count == 0 or _translate(ctx, loop):
        _forget(ctx, loop)


def _check_rows(ctx: Context, node: ast.For) -> None:
    """A row that is changed in place would change the array the loop goes through."""
    targets = flow.stored([ast.Assign([node.target], ast.Constant(0))])
    changed = flow.changed_in_place(node.body) & targets - flow.stored(node.body)
    if changed:
        name = min(changed)
        raise errors.two_names(ctx.span(node.target), name, ast.unparse(node.iter))


def _first(statements: Sequence[ast.stmt], kind: type) -> ast.AST:
    return next(n for each in statements for n in ast.walk(each) if isinstance(n, kind))


def _loop(ctx: Context, node: ast.For, rows: Range, live: frozenset[str]) -> Loop:
    environment = ctx.frame.environment
    targets = flow.stored([ast.Assign([node.target], ast.Constant(0))])
    changed = flow.assigned(node.body)
    needed = flow.exposed(node.body) | live
    carried = sorted(
        name
        for name in changed & needed - targets
        if name in environment and not isinstance(environment[name], Missing)
    )
    live_inside = live | flow.reads_of(node.body)
    span = ctx.span(node)
    return Loop(node, span, rows, tuple(carried), flow.stored(node.body), live_inside)


def _translate(ctx: Context, loop: Loop) -> bool:
    """Translate in the first way that fits; whether the variables of the loop end with it."""
    reason: ModelError | None = None
    ways: tuple[Callable[[Context, Loop], None], ...] = (as_plate, as_fold)
    if flow.leaves(loop.node.body, ast.Break):
        ways = ()
    for way in ways:
        try:
            with ctx.attempt():
                way(ctx, loop)
                return True
        except Retreat as retreat:
            reason = retreat.error or reason
    _written_out(ctx, loop, reason)
    return False


def _forget(ctx: Context, loop: Loop) -> None:
    """Variables of the loop have no value behind it."""
    environment = ctx.frame.environment
    inside = flow.stored([loop.node]) - set(loop.carried)
    for name in inside:
        if name in environment or name in loop.plain:
            place = ctx.span(loop.node)
            environment[name] = Missing("has no value after the loop that assigns it", place)


# --- round by round ------------------------------------------------------------------------------


def _written_out(ctx: Context, loop: Loop, reason: ModelError | None) -> None:
    """Every round translated on its own, with values known in that round."""
    count = loop.count
    if count is None:
        unknown = errors.count_unknown(loop.span, "how often this loop runs")
        raise ctx.unless_written_out(reason or unknown)
    if count > MAX_ROUNDS:
        raise errors.too_many_rounds(loop.span, count, MAX_ROUNDS)
    outer = ctx.rounds
    try:
        for position in range(count):
            ctx.rounds = (*outer, position)
            assign(ctx, loop.node.target, loop.rows.item(position))
            ctx.execute(loop.node.body, loop.live)
    except Broken:
        pass
    finally:
        ctx.rounds = outer


def while_loop(ctx: Context, node: ast.While, live: frozenset[str]) -> None:
    """A `while` whose test is known in every round."""
    if node.orelse:
        raise errors.loop_else(ctx.span(node.orelse[0]))
    if flow.leaves(node.body, ast.Return):
        raise errors.return_in_loop(ctx.span(_first(node.body, ast.Return)))
    live = live | flow.reads(node)
    outer, position = ctx.rounds, 0
    try:
        while _continues(ctx, node):
            ctx.rounds = (*outer, position)
            position += 1
            if position > MAX_ROUNDS:
                raise errors.endless_while(ctx.span(node.test), MAX_ROUNDS)
            ctx.execute(node.body, live)
    except Broken:
        pass
    finally:
        ctx.rounds = outer


def _continues(ctx: Context, node: ast.While) -> bool:
    test = ctx.evaluate(node.test)
    if not static.are_static((test,)):
        raise ctx.unless_written_out(errors.unbounded_while(ctx.span(node.test), is_known(test)))
    return bool(static.to_static(test))
