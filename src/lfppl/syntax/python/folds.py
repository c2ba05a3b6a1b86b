"""Loops as folds: a round needs what the one before it has computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays
from lfppl.syntax.python.comprehensions import loop_index
from lfppl.syntax.python.context import Context, Retreat
from lfppl.syntax.python.rounds import Carried, Loop, carried
from lfppl.syntax.python.targets import assign
from lfppl.syntax.python.values import Latent, Shape, Value, shape_of

MAX_PASSES = 6
"""Passes until the shapes of what a loop carries stay the same."""


def as_fold(ctx: Context, loop: Loop) -> None:
    """A round needs what the one before has computed: numbers and arrays of fixed shape."""
    before = [ctx.frame.environment[name] for name in loop.carried]
    if not before or any(shape_of(value) is None for value in before):
        raise Retreat
    initial = [carried(value) for value in before]
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
        if (
            shape[:1] == (None,)
            and loop.count is not None
            and None not in (start.shape + after)[:1]
        ):
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
    after = [carried(value) for value in values]
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
