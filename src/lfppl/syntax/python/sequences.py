"""Lengths, ranges, lists, texts, tables."""

from __future__ import annotations

import lfppl.errors.python as errors
from lfppl.syntax.python import aliases, arrays, ranges, static
from lfppl.syntax.python.calls import Rule, Site, length
from lfppl.syntax.python.context import Context
from lfppl.syntax.python.flow import MUTATORS
from lfppl.syntax.python.library import Special
from lfppl.syntax.python.values import Items, Range, Static, Table, Value, describe


def _length(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    value = site.arguments[0]
    if isinstance(value, Range):
        return value.count
    if isinstance(value, Static) and isinstance(value.value, str):
        return Static(len(value.value))
    if isinstance(value, Table):
        return length(ctx, next(iter(value.columns.values()), Items(())), site.span)
    return length(ctx, value, site.span)


def _range(ctx: Context, site: Site) -> Value:
    site.check(1, 3)
    return ranges.range_of(ctx, site.node, site.arguments)


def _enumerate(ctx: Context, site: Site) -> Value:
    site.check(1, 2, ("start",))
    start = site.argument(1, "start", Static(0))
    return ranges.enumerated(ctx, site.node, site.arguments[0], start)


def _zip(ctx: Context, site: Site) -> Value:
    site.check(1, None, ("strict",))
    return ranges.zipped(ctx, site.node, site.arguments)


def _reversed(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    return ranges.reversed_(ctx, site.node, site.arguments[0])


def _to_list(kind: str) -> Rule:
    def rule(ctx: Context, site: Site) -> Value:
        site.check(0, 1)
        if not site.arguments:
            return Items((), kind)  # type: ignore[arg-type]
        value = site.arguments[0]
        if isinstance(value, Range) and isinstance(value.count, Static):
            items = [value.item(i) for i in range(min(int(value.count.value), static.MAX_LIST))]
            return Items(tuple(items), kind)  # type: ignore[arg-type]
        if isinstance(value, Items):
            return Items(value.items, kind)  # type: ignore[arg-type]
        return aliases.fresh(ctx, arrays.numeric(ctx, value, site.span), site.span)

    return rule


def _pure_text(name: str) -> Rule:
    """A method of a text that is known now."""

    def rule(ctx: Context, site: Site) -> Value:
        owner = site.arguments[0]
        if not static.are_static(site.arguments) or not isinstance(owner, Static):
            raise errors.unsupported_attribute(site.span, name, describe(owner))
        if not isinstance(owner.value, str):
            raise errors.unsupported_attribute(site.span, name, describe(owner))
        return static.evaluate(getattr(str, name), site.arguments, site.span)

    return rule


def _columns(part: str) -> Rule:
    """`table.keys()`, `.values()`, `.items()`."""

    def rule(ctx: Context, site: Site) -> Value:
        table = site.arguments[0]
        if not isinstance(table, Table):
            raise errors.unsupported_attribute(site.span, part, describe(table))
        pairs = [(static.from_static(key), value) for key, value in table.columns.items()]
        chosen: list[Value] = [
            key if part == "keys" else value if part == "values" else Items((key, value))
            for key, value in pairs
        ]
        return Items(tuple(chosen), "list")

    return rule


def _mutation(ctx: Context, site: Site) -> Value:
    """A method that changes a list where its result is used, or of what is no list."""
    raise errors.mutation_as_value(site.span, site.name)


OTHER: dict[str, Special] = {
    "builtins.len": (None, _length),
    "numpy.size": (None, _length),
    "builtins.range": (None, _range),
    "builtins.enumerate": (None, _enumerate),
    "builtins.zip": (None, _zip),
    "builtins.reversed": (None, _reversed),
    "builtins.list": (None, _to_list("list")),
    "builtins.tuple": (None, _to_list("tuple")),
    **{
        f"method.{name}": (None, _pure_text(name))
        for name in ("format", "join", "upper", "lower", "strip")
    },
    **{f"method.{name}": (None, _columns(name)) for name in ("keys", "values", "items")},
    **{f"method.{name}": (None, _mutation) for name in sorted(MUTATORS)},
}
"""Functions and methods with rules of their own."""
