"""Assignment: to names, to tuples of names, to elements of arrays."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import aliases, arrays, indices, static, subscripts
from lfppl.syntax.python.context import Context, Holder, Retreat, look_up
from lfppl.syntax.python.values import (
    UNASSIGNED,
    Growing,
    Items,
    Latent,
    Missing,
    Row,
    Static,
    Table,
    Value,
    describe,
    is_array,
    is_known,
    is_number,
    is_truth,
    shape_of,
)


def assign(ctx: Context, target: ast.expr, value: Value) -> None:
    """Give a target its value."""
    span = ctx.span(target)
    if isinstance(target, ast.Name):
        ctx.frame.environment[target.id] = arrays.settled(ctx, value, span, target.id)
    elif isinstance(target, ast.Tuple | ast.List):
        _unpack(ctx, target, value, span)
    elif isinstance(target, ast.Subscript):
        store(ctx, target, value)
    else:
        raise errors.unsupported_target(span, type(target).__name__)


def _unpack(ctx: Context, target: ast.Tuple | ast.List, value: Value, span: Span) -> None:
    if any(isinstance(each, ast.Starred) for each in target.elts):
        _unpack_rest(ctx, target, value, span)
        return
    count = len(target.elts)
    parts = _parts(ctx, value, count, span)
    for each, part in zip(target.elts, parts, strict=True):
        assign(ctx, each, part)


def _unpack_rest(ctx: Context, target: ast.Tuple | ast.List, value: Value, span: Span) -> None:
    """`first, *rest = values`."""
    shape = (len(value.items),) if isinstance(value, Items) else shape_of(value)
    if not shape or shape[0] is None:
        raise errors.not_unpackable(span, describe(value))
    if shape[0] < len(target.elts) - 1:
        raise errors.unpacked(span, len(target.elts) - 1, shape[0])
    parts = _parts(ctx, value, shape[0], span)
    for position, each in enumerate(target.elts):
        if isinstance(each, ast.Starred):
            stop = shape[0] - (len(target.elts) - position - 1)
            assign(ctx, each.value, Items(tuple(parts[position:stop]), "list"))
            break
        assign(ctx, each, parts[position])
    for each, part in zip(reversed(target.elts[position + 1 :]), reversed(parts), strict=False):
        assign(ctx, each, part)


def _parts(ctx: Context, value: Value, count: int, span: Span) -> Sequence[Value]:
    if isinstance(value, Items):
        if len(value.items) != count:
            raise errors.unpacked(span, count, len(value.items))
        return value.items
    shape = shape_of(value)
    if not shape:
        raise errors.not_unpackable(span, describe(value))
    if shape[0] is not None and shape[0] != count:
        raise errors.unpacked(span, count, shape[0])
    if is_array(value):
        assert isinstance(value, Static)
        return [static.from_static(each) for each in value.value]
    shared = arrays.settled(ctx, value, span, "parts")
    known = is_known(value)
    return [
        Latent(arrays.element(ctx, shared, (arrays.number(i, span),), span), shape[1:], known)
        for i in range(count)
    ]


def holder_of(ctx: Context, target: ast.expr) -> Holder | None:
    """What a sample that is assigned to a target is called after."""
    if isinstance(target, ast.Name):
        return Holder(target.id)
    if isinstance(target, ast.Subscript):
        return _element_holder(ctx, target)
    return None


def _element_holder(ctx: Context, target: ast.Subscript) -> Holder | None:
    """An element `z[2]` gives the variable its index; in a loop over all of z the loop does."""
    if not isinstance(target.value, ast.Name):
        return None
    name = target.value.id
    base = look_up(ctx.frame, name)
    if isinstance(base, Row):
        return Holder(name)
    parts = subscripts.parts_of(target)
    if any(isinstance(part, ast.Slice) for part in parts):
        return Holder(name)
    indices = [ctx.evaluate(part) for part in parts]
    if isinstance(base, Table) and isinstance(indices[0], Static):
        return Holder(name).part(indices[0].value)
    if all(is_number(index) for index in indices):
        shape = shape_of(base) if base is not None else None
        places = [int(static.to_static(index)) for index in indices]
        if shape and len(shape) >= len(places):
            places = [p % n if n else p for p, n in zip(places, shape, strict=False)]
        return Holder(name, tuple(places))
    if ctx.loops and not all(_is_direct(index) for index in indices):
        ctx.offset_loops += 1
    return Holder(name)


def _is_direct(index: Value) -> bool:
    return isinstance(index, Latent) and index.full is not None


# --- elements ------------------------------------------------------------------------------------


def store(ctx: Context, target: ast.Subscript, value: Value) -> None:
    """`base[index] = value`: the variable becomes an array with another element."""
    if not isinstance(target.value, ast.Name):
        return _store_nested(ctx, target, value)
    name, span = target.value.id, ctx.span(target)
    table = ctx.frame.environment.get(name)
    if isinstance(table, Table) and table.own:
        return _store_entry(ctx, target, table, value, name)
    base = _changeable(ctx, name, ctx.span(target.value))
    parts = subscripts.parts_of(target)
    ctx.frame.environment[name] = _replaced(ctx, base, list(parts), value, name, span)
    return None


def _store_entry(
    ctx: Context, target: ast.Subscript, table: Table, value: Value, name: str
) -> None:
    """`settings["sd"] = value`."""
    aliases.check_change(ctx, name, table, ctx.span(target))
    key = ctx.evaluate(target.slice)
    if not isinstance(key, Static):
        raise errors.column_unknown(ctx.span(target.slice))
    entry = arrays.settled(ctx, value, ctx.span(target), f"{name}_{key.value}")
    ctx.frame.environment[name] = Table({**table.columns, key.value: entry}, own=True)


def _store_nested(ctx: Context, target: ast.Subscript, value: Value) -> None:
    """`base[i][j] = value`."""
    inner = target.value
    if not isinstance(inner, ast.Subscript):
        raise errors.unsupported_target(ctx.span(target), type(inner).__name__)
    parts = [*subscripts.parts_of(inner), *subscripts.parts_of(target)]
    joined = ast.Subscript(inner.value, ast.Tuple(parts, ast.Load()), ast.Store())
    ast.copy_location(joined, target)
    store(ctx, joined, value)


def _changeable(ctx: Context, name: str, span: Span) -> Value:
    """A variable of the function that may be changed in place."""
    base = ctx.frame.environment.get(name)
    if base is None or isinstance(base, Missing):
        found = look_up(ctx.frame, name)
        if base is None and found is not None and ctx.frame.outer is not None:
            raise errors.outer_changed(span, name)
        if base is None and (found is None or ctx.frame.outer is not None):
            raise errors.captured_changed(span, name)
        raise errors.no_value_here(span, name, UNASSIGNED, None)
    if isinstance(base, Static) and base.origin is not None:
        raise errors.captured_changed(span, name)
    if isinstance(base, Table):
        raise errors.captured_changed(span, name)
    aliases.check_change(ctx, name, base, span)
    return base


def _replaced(
    ctx: Context, base: Value, parts: list[ast.expr], value: Value, name: str, span: Span
) -> Value:
    """An array with the element at some indices replaced."""
    part, rest = parts[0], parts[1:]
    if isinstance(base, Growing):
        raise Retreat
    if isinstance(part, ast.Slice):
        return _slice_replaced(ctx, base, parts, value, name, span)
    index = ctx.evaluate(part)
    if isinstance(base, Row):
        if not subscripts.is_index(index, base.index):
            raise Retreat
        inner = _replaced(ctx, base.value, rest, value, name, span) if rest else value
        return Row(base.index, arrays.settled(ctx, inner, span, name))
    shape = shape_of(base)
    if shape is None and not isinstance(base, Items):
        raise errors.not_indexable(span, describe(base))
    if is_number(index):
        assert isinstance(index, Static)
        return _item_replaced(ctx, base, int(index.value), rest, value, name, span, part)
    if is_array(index) or (isinstance(index, Items) and static.are_static((index,))):
        chosen = indices.chosen(static.to_static(index), shape, ctx.span(part))
        return _places_replaced(ctx, base, chosen, rest, value, name, span)
    if is_truth(index) and shape_of(index):
        raise errors.latent_mask_stored(ctx.span(part))
    if not is_known(index) or shape_of(index) != ():
        raise errors.latent_store(ctx.span(part))
    old = Latent(arrays.element(ctx, base, (_written(ctx, index, span),), span), (shape or ())[1:])
    new = _replaced(ctx, old, rest, value, name, span) if rest else value
    return _put(ctx, base, index, arrays.settled(ctx, new, span, name), name, span)


def _written(ctx: Context, value: Value, span: Span) -> surface.Expression:
    return arrays.expression(ctx, value, span)


def _put(ctx: Context, base: Value, index: Value, value: Value, name: str, span: Span) -> Value:
    parts = [_written(ctx, each, span) for each in (base, index, value)]
    shape = shape_of(base) or ()
    put = arrays.call("put", *parts, span=span)
    return ctx.bind(name, put, span, Latent(put, shape))


def _item_replaced(
    ctx: Context,
    base: Value,
    place: int,
    rest: list[ast.expr],
    value: Value,
    name: str,
    span: Span,
    part: ast.expr,
) -> Value:
    row = _items_of(ctx, base, span)
    length = len(row.items)
    if not -length <= place < length:
        raise errors.index_out_of_range(ctx.span(part), place, length)
    old = row.items[place % length]
    new = _replaced(ctx, old, rest, value, name, span) if rest else value
    if row.kind == "array":
        new = _fitted(ctx, new, old, span)
    return row.replaced(place % length, arrays.settled(ctx, new, span, name))


def _fitted(ctx: Context, value: Value, old: Value, span: Span) -> Value:
    """A value repeated to the shape of what it replaces: `matrix[0] = 1.0`."""
    shape, wanted = shape_of(arrays.numeric(ctx, value, span)), shape_of(old)
    if shape == wanted or wanted is None or None in wanted:
        return value
    like = Static(np.zeros([length for length in wanted if length is not None]))
    wide = arrays.elementwise(ctx, lambda a, b: a, [value, like], span, native=False)
    if shape_of(wide) != wanted:
        raise errors.shapes_differ(span, [wanted, shape or ()])
    return wide


def _items_of(ctx: Context, base: Value, span: Span) -> Items:
    """The elements of an array, one by one."""
    if isinstance(base, Items):
        if base.kind == "tuple":
            raise errors.tuple_changed(span)
        return base
    shape = shape_of(base) or ()
    if not shape or shape[0] is None:
        raise errors.number_indexed(span)
    if shape[0] > static.MAX_LIST:
        raise errors.too_long_list(span, static.MAX_LIST)
    if is_array(base):
        assert isinstance(base, Static)
        rows = base.value if base.value.ndim > 1 else base.value.tolist()
        return Items(tuple(static.from_static(each) for each in rows), "array")
    items = [
        Latent(arrays.element(ctx, base, (arrays.number(i, span),), span), shape[1:])
        for i in range(shape[0])
    ]
    return Items(tuple(items), "array")


def _slice_replaced(
    ctx: Context, base: Value, parts: list[ast.expr], value: Value, name: str, span: Span
) -> Value:
    """`x[1:3] = value` with bounds known now."""
    part = parts[0]
    assert isinstance(part, ast.Slice)
    if isinstance(base, Row):
        raise Retreat
    bounds = [indices.bound(ctx, each) for each in (part.lower, part.upper, part.step)]
    places = list(range(len(_items_of(ctx, base, span).items)))[slice(*bounds)]
    return _places_replaced(ctx, base, places, parts[1:], value, name, span)


def _places_replaced(
    ctx: Context,
    base: Value,
    places: list[int],
    rest: list[ast.expr],
    value: Value,
    name: str,
    span: Span,
) -> Value:
    """An array with the elements at some places replaced, by one value or one for each."""
    row = _items_of(ctx, base, span)
    value = arrays.settled(ctx, value, span, name)
    picked = [each for each in rest if not isinstance(each, ast.Slice)]
    numbers = sum(1 for each in picked if shape_of(ctx.evaluate(each)) == ())
    rank = len(shape_of(base) or ()) - numbers
    spread = bool(shape_of(value)) and len(shape_of(value) or ()) == rank
    changed = list(row.items)
    for order, place in enumerate(places):
        new = _nth(ctx, value, order, len(places), span) if spread else value
        if rest:
            new = _replaced(ctx, row.items[place], rest, new, name, span)
        elif row.kind == "array":
            new = arrays.settled(ctx, _fitted(ctx, new, row.items[place], span), span, name)
        changed[place] = new
    return Items(tuple(changed), row.kind)


def _nth(ctx: Context, value: Value, order: int, count: int, span: Span) -> Value:
    shape = shape_of(value) or ()
    if shape[0] != count:
        raise errors.shapes_differ(span, [(count,), shape])
    if isinstance(value, Items):
        return value.items[order]
    if isinstance(value, Static):
        return static.from_static(np.asarray(value.value)[order])
    return Latent(arrays.element(ctx, value, (arrays.number(order, span),), span), shape[1:])


# --- lists ---------------------------------------------------------------------------------------


def change_list(ctx: Context, node: ast.Call, holder_name: str, method: str) -> None:
    """`xs.append(x)` and `xs.extend(ys)` as statements."""
    span = ctx.span(node)
    if method not in ("append", "extend") or len(node.args) != 1 or node.keywords:
        raise errors.list_method(span, method)
    base = _changeable(ctx, holder_name, ctx.span(node.func))
    if method == "append":
        holder = _appended_holder(ctx, base, holder_name)
        value = ctx.evaluate(node.args[0], holder)
        added: Value = Items((arrays.settled(ctx, value, span, holder_name),), "list")
    else:
        added = ctx.evaluate(node.args[0])
    ctx.frame.environment[holder_name] = _longer(ctx, base, added, holder_name, span)


def _appended_holder(ctx: Context, base: Value, name: str) -> Holder:
    """What is appended outside plates is an element of the list by its place."""
    if isinstance(base, Items) and not ctx.loops:
        return Holder(name, (len(base.items),))
    return Holder(name)


def _longer(ctx: Context, base: Value, added: Value, name: str, span: Span) -> Value:
    if isinstance(base, Growing):
        if not isinstance(added, Items) or base.spread:
            raise Retreat
        return Growing((*base.items, *added.items))
    if isinstance(base, Items) and isinstance(added, Items):
        if base.kind == "tuple":
            raise errors.tuple_changed(span)
        return base.extended(added.items)
    if isinstance(base, Static) or (isinstance(base, Latent) and not base.is_list):
        raise errors.append_to_array(span)
    shape, more = shape_of(base), shape_of(arrays.numeric(ctx, added, span))
    if not shape or not more:
        raise errors.append_to_array(span)
    written = arrays.call("concat", *(_written(ctx, v, span) for v in (base, added)), span=span)
    lengths = (shape[0], more[0])
    total = None if None in lengths else sum(n for n in lengths if n is not None)
    rest = shape[1:] or more[1:]
    return ctx.bind(name, written, span, Latent(written, (total, *rest), is_list=True))
