"""Loops: plates where rounds do not depend on each other, folds where they do, else round by round."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lfppl.errors import ModelError
import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, flow, ranges, static
from lfppl.syntax.python.calls import enclosed
from lfppl.syntax.python.comprehensions import MAX_ROUNDS, loop_index
from lfppl.syntax.python.context import Context, Retreat
from lfppl.syntax.python.targets import assign
from lfppl.syntax.python.values import (
    Growing,
    Items,
    Latent,
    Missing,
    Range,
    Row,
    Shape,
    Static,
    Value,
    is_known,
    is_truth,
    shape_of,
)

MAX_PASSES = 6
"""Passes until the shapes of what a loop carries stay the same."""


class Broken(Exception):  # noqa: N818
    """A `break` is reached in a loop that is written out."""


@dataclass(frozen=True, eq=False)
class Loop:
    """A `for` statement, what it goes through, and the variables it changes for later."""

    node: ast.For
    span: Span
    rows: Range
    carried: tuple[str, ...]
    plain: frozenset[str]
    live: frozenset[str]

    @property
    def count(self) -> int | None:
        """How many rounds there are, where that is known now."""
        return int(self.rows.count.value) if isinstance(self.rows.count, Static) else None


def for_loop(ctx: Context, node: ast.For, live: frozenset[str]) -> None:
    """A `for` statement."""
    if node.orelse:
        raise errors.loop_else(ctx.span(node.orelse[0]))
    if flow.leaves(node.body, ast.Return):
        raise errors.return_in_loop(ctx.span(_first(node.body, ast.Return)))
    rows = ranges.iterable(ctx, node.iter, ctx.evaluate(node.iter))
    loop = _loop(ctx, node, rows, live)
    if loop.count == 0 or _translate(ctx, loop):
        _forget(ctx, loop)


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
    ways: tuple[Callable[[Context, Loop], None], ...] = (_as_plate, _as_fold)
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
            environment[name] = Missing("after the loop that assigns it", place)


# --- plates --------------------------------------------------------------------------------------


def _as_plate(ctx: Context, loop: Loop) -> None:
    """No round needs what another has computed; arrays and lists are filled row by row."""
    if loop.plain & set(loop.carried):
        raise Retreat
    index = loop_index(ctx, loop.node.target, loop.rows)
    before = {name: ctx.frame.environment[name] for name in loop.carried}
    with ctx.nested() as block:
        ctx.loops += 1
        for name, value in before.items():
            ctx.frame.environment[name] = _open(ctx, name, value, index, loop)
        assign(ctx, loop.node.target, loop.rows.element(index))
        ctx.execute(loop.node.body, loop.live)
        ctx.loops -= 1
        rows = [(name, _row(ctx.frame.environment[name], before[name])) for name in loop.carried]
        filled = [(name, grown) for name, grown in rows if grown.items]
        body = _rows_written(ctx, block, [value for _, value in filled], loop.span)
    binder = index.expression
    assert isinstance(binder, surface.Name)
    count = arrays.expression(ctx, loop.rows.count, loop.span)
    source = surface.Binding(binder, arrays.call("range", count, span=loop.span), loop.span)
    plate = surface.For((source,), (body,), bool(filled), loop.span)
    if not filled:
        ctx.statement(plate, loop.span)
        return
    _collect(ctx, loop, plate, filled, before)


def _open(ctx: Context, name: str, value: Value, index: Latent, loop: Loop) -> Value:
    """A list or array as a plate fills it."""
    if isinstance(value, Row):
        return Row(value.index, _open(ctx, name, value.value, index, loop))
    if isinstance(value, Growing) or (isinstance(value, Items) and value.kind == "list"):
        return _open_list(name, value, index, loop)
    if isinstance(value, Latent) and value.is_list:
        return Growing()
    shape = shape_of(value)
    binder = index.expression
    if not shape or shape[0] is None or index.full != shape[0] or not loop.rows.direct:
        raise Retreat
    assert isinstance(binder, surface.Name)
    if isinstance(value, Items) and value.kind == "tuple":
        raise Retreat
    row = arrays.element(ctx, value, (binder,), loop.span)
    return Row(binder.id, _initial_row(value, Latent(row, shape[1:], is_known(value))))


def _initial_row(value: Value, row: Latent) -> Value:
    """The rows of `np.zeros((n, m))` are alike: one of them, known now."""
    if isinstance(value, Static) and row.shape and not value.value.any():
        return Static(value.value[0])
    return row


def _open_list(name: str, value: Value, index: Latent, loop: Loop) -> Value:
    stored = _is_stored(loop, name)
    if not stored or isinstance(value, Growing):
        return Growing()
    assert isinstance(value, Items)
    if index.full != len(value.items) or not loop.rows.direct:
        raise Retreat
    binder = index.expression
    assert isinstance(binder, surface.Name)
    return Row(binder.id, Missing("before it gets a value"))


def _row(value: Value, before: Value) -> Growing:
    """What a round has made of a variable: its rows, none if it left it alone."""
    while isinstance(before, Row):
        assert isinstance(value, Row)
        value, before = value.value, before.value
    if isinstance(value, Row):
        value = Growing((value.value,))
    if not isinstance(value, Growing) or any(shape_of(row) is None for row in value.items):
        raise Retreat
    return value


def _rows_written(
    ctx: Context,
    block: Sequence[surface.Binding],
    filled: Sequence[Growing],
    span: Span,
) -> surface.Expression:
    """The body of a plate: the row of the one variable it fills, or of all in a vector."""
    if not filled:
        return surface.Let(tuple(block), (surface.Number(0.0, span),), span)
    written = [_of_round(grown.items) for grown in filled]
    if len(written) == 1:
        return enclosed(ctx, block, written[0], span)
    parts = tuple(arrays.expression(ctx, each, span) for each in written)
    return surface.Let(tuple(block), (surface.VectorLiteral(parts, span),), span)


def _of_round(rows: tuple[Value, ...]) -> Value:
    return rows[0] if len(rows) == 1 else Items(rows, "list")


def _collect(
    ctx: Context,
    loop: Loop,
    plate: surface.For,
    filled: Sequence[tuple[str, Growing]],
    before: dict[str, Value],
) -> None:
    """Bind what a plate has filled."""
    span = loop.span
    if len(filled) == 1:
        name, grown = filled[0]
        _collected(ctx, loop, name, grown, before[name], plate)
        return
    together = ctx.bind("rows", plate, span)
    for position, (name, grown) in enumerate(filled):
        index = surface.Name(ctx.fresh("i"), span)
        row = arrays.call("get", together.expression, index, span=span)
        part = arrays.call("get", row, arrays.number(position, span), span=span)
        count = arrays.expression(ctx, loop.rows.count, span)
        own = arrays.plate(index, count, part, span)
        _collected(ctx, loop, name, grown, before[name], own)


def _collected(
    ctx: Context,
    loop: Loop,
    name: str,
    grown: Growing,
    before: Value,
    plate: surface.Expression,
) -> None:
    """Give a variable the rows that a plate has made of it."""
    value = _gathered(loop, grown, plate)
    outer: list[str] = []
    while isinstance(before, Row):
        outer.append(before.index)
        before = before.value
    if isinstance(before, Growing):
        if before.items:
            raise Retreat
        bound = ctx.bind(name, value.expression, loop.span, value)
        ctx.frame.environment[name] = Growing((bound,), spread=True)
        return
    value = _behind(ctx, loop, name, before, value)
    result: Value = ctx.bind(name, value.expression, loop.span, value)
    for index in reversed(outer):
        result = Row(index, result)
    ctx.frame.environment[name] = result


def _gathered(loop: Loop, grown: Growing, plate: surface.Expression) -> Latent:
    """The rows of all rounds as one array."""
    inner = shape_of(grown.items[0]) or ()
    each: int | None = len(grown.items)
    if grown.spread:
        each, inner = inner[0], inner[1:]
    if grown.spread or len(grown.items) > 1:
        plate = arrays.call("flatten", plate, span=loop.span)
    total = None if None in (loop.count, each) else (loop.count or 0) * (each or 0)
    known, truth = all(map(is_known, grown.items)), all(map(is_truth, grown.items))
    return Latent(plate, (total, *inner), known, truth)


def _behind(
    ctx: Context, loop: Loop, name: str, before: Value, value: Latent
) -> Latent:
    """New elements behind those that a list had; arrays were filled from the first element on."""
    is_list = _initial(before).is_list
    length = (shape_of(before) or (0,))[0]
    if not is_list:
        return value
    if length == 0 or (isinstance(before, Items) and _is_stored(loop, name)):
        return replace(value, is_list=True)
    parts = (arrays.expression(ctx, before, loop.span), value.expression)
    joined = arrays.call("concat", *parts, span=loop.span)
    total = None if None in (length, value.shape[0]) else (length or 0) + (value.shape[0] or 0)
    return Latent(joined, (total, *value.shape[1:]), value.known, is_list=True)


def _is_stored(loop: Loop, name: str) -> bool:
    return any(
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and _base_name(node) == name
        for statement in loop.node.body
        for node in ast.walk(statement)
    )


def _base_name(node: ast.Subscript) -> str:
    base: ast.expr = node
    while isinstance(base, ast.Subscript):
        base = base.value
    return base.id if isinstance(base, ast.Name) else ""


# --- folds ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Carried:
    """What is known of a carried variable at the beginning of every round."""

    shape: Shape
    known: bool
    is_list: bool


def _as_fold(ctx: Context, loop: Loop) -> None:
    """A round needs what the one before has computed: numbers and arrays of fixed shape."""
    before = [ctx.frame.environment[name] for name in loop.carried]
    if not before or any(shape_of(value) is None for value in before):
        raise Retreat
    initial = [_initial(value) for value in before]
    states, offset = initial, ctx.offset_loops
    growth: list[Shape] = []
    for _ in range(MAX_PASSES):
        sites = dict(ctx.sites)
        step, after = _step(ctx, loop, states)
        if ctx.offset_loops != offset:
            raise Retreat
        growth = growth or [state.shape for state in after]
        wider = [_wider(a, b) for a, b in zip(states, after, strict=True)]
        if wider == states:
            _bind_fold(ctx, loop, step, before, _final(loop, initial, growth, states))
            return
        states, ctx.sites = wider, sites
    raise Retreat


def _initial(value: Value) -> Carried:
    is_list = (isinstance(value, Items) and value.kind == "list") or (
        isinstance(value, Latent) and value.is_list
    )
    return Carried(shape_of(value) or (), is_known(value), is_list)


def _wider(state: Carried, after: Carried) -> Carried:
    """What holds at the beginning of the first round and of the later ones."""
    if len(state.shape) != len(after.shape):
        if state.shape[:1] != (0,):
            raise Retreat
        return replace(after, shape=(None, *after.shape[1:]), known=state.known and after.known)
    shape = tuple(a if a == b else None for a, b in zip(state.shape, after.shape, strict=True))
    return Carried(shape, state.known and after.known, state.is_list)


def _final(
    loop: Loop, initial: Sequence[Carried], first: Sequence[Shape], states: Sequence[Carried]
) -> list[Carried]:
    """What holds behind the loop: a list has grown by the same number in every round."""
    result = []
    for start, after, state in zip(initial, first, states, strict=True):
        shape = state.shape
        if shape[:1] == (None,) and loop.count is not None and None not in (start.shape + after)[:1]:
            grown = (after[0] or 0) - (start.shape[0] or 0)
            shape = ((start.shape[0] or 0) + grown * loop.count, *shape[1:])
        result.append(replace(state, shape=shape))
    return result


def _step(
    ctx: Context, loop: Loop, states: Sequence[Carried]
) -> tuple[surface.Function, list[Carried]]:
    span = loop.span
    index = loop_index(ctx, loop.node.target, loop.rows)
    single = len(states) == 1
    name = loop.carried[0] if single else "state"
    state = surface.Name(ctx.fresh(name), span)
    with ctx.nested() as block:
        ctx.loops += 1
        for position, (each, known) in enumerate(zip(loop.carried, states, strict=True)):
            part: surface.Expression = state
            if not single:
                part = arrays.call("get", state, arrays.number(position, span), span=span)
            value = Latent(part, known.shape, known.known, is_list=known.is_list)
            ctx.frame.environment[each] = arrays.settled(ctx, value, span, each)
        assign(ctx, loop.node.target, loop.rows.element(index))
        ctx.execute(loop.node.body, loop.live)
        ctx.loops -= 1
        values = [_numeric_state(ctx.frame.environment[each]) for each in loop.carried]
        written = [arrays.expression(ctx, value, span) for value in values]
        body = _step_body(block, written, span)
    binder = index.expression
    assert isinstance(binder, surface.Name)
    after = [_initial(value) for value in values]
    return surface.Function((binder, state), (body,), None, span), after


def _numeric_state(value: Value) -> Value:
    if shape_of(value) is None:
        raise Retreat
    return value


def _step_body(
    block: list[surface.Binding], written: Sequence[surface.Expression], span: Span
) -> surface.Expression:
    if len(written) > 1:
        tail: surface.Expression = surface.VectorLiteral(tuple(written), span)
        return surface.Let(tuple(block), (tail,), span)
    kept, tail = _unbound(block, written[0])
    return surface.Let(tuple(kept), (tail,), span) if kept else tail


def _unbound(
    block: list[surface.Binding], tail: surface.Expression
) -> tuple[list[surface.Binding], surface.Expression]:
    """The tail itself instead of a name for it, so that sums and lists are seen as such."""
    for position in reversed(range(len(block))):
        binding = block[position]
        if binding.pattern != tail:
            continue
        movable = isinstance(binding.value, surface.Call | surface.If)
        if movable and not any(_mentions(b, tail) for b in block[position + 1 :]):
            return block[:position] + block[position + 1 :], binding.value
        break
    return block, tail


def _mentions(tree: object, name: surface.Expression) -> bool:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, surface.Name):
            if node == name:
                return True
        elif isinstance(node, tuple):
            waiting.extend(node)
        elif type(node).__module__ == surface.__name__:
            waiting.extend(getattr(node, part) for part in node.__slots__ if part != "span")  # type: ignore[attr-defined]
    return False


def _bind_fold(
    ctx: Context,
    loop: Loop,
    step: surface.Function,
    before: Sequence[Value],
    states: Sequence[Carried],
) -> None:
    span = loop.span
    count = arrays.expression(ctx, loop.rows.count, span)
    starts = [arrays.expression(ctx, value, span) for value in before]
    single = len(starts) == 1
    start = starts[0] if single else surface.VectorLiteral(tuple(starts), span)
    written = surface.Loop(count, start, step, (), span)
    if single:
        like = _result(written, states[0])
        ctx.frame.environment[loop.carried[0]] = ctx.bind(loop.carried[0], written, span, like)
        return
    together = ctx.bind("state", written, span)
    for position, (name, state) in enumerate(zip(loop.carried, states, strict=True)):
        place = arrays.number(position, span)
        part = arrays.call("get", together.expression, place, span=span)
        ctx.frame.environment[name] = ctx.bind(name, part, span, _result(part, state))


def _result(written: surface.Expression, state: Carried) -> Latent:
    return Latent(written, state.shape, state.known, is_list=state.is_list)


# --- round by round ------------------------------------------------------------------------------


def _written_out(ctx: Context, loop: Loop, reason: ModelError | None) -> None:
    """Every round translated on its own, with values known in that round."""
    count = loop.count
    if count is None:
        raise reason or errors.count_unknown(loop.span, "how often this loop runs")
    if count > MAX_ROUNDS:
        raise reason or errors.too_many_rounds(loop.span, count, MAX_ROUNDS)
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
                raise errors.too_many_rounds(ctx.span(node.test), position, MAX_ROUNDS)
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
