"""Arrays whose elements are those of others in another order: repeated, turned round, put together.

NumPy itself moves the places of the elements, known now; the elements are looked up there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, static
from lfppl.syntax.python.calls import Rule, Site
from lfppl.syntax.python.context import Context
from lfppl.syntax.python.library import Special
from lfppl.syntax.python.values import (
    Deferred,
    Items,
    Latent,
    Static,
    Value,
    is_known,
    is_truth,
    shape_of,
)

Places = NDArray[np.int64]

NOTHING = -1
"""The place of an element that is 0."""


def _rearranging(function: Callable[..., Any], filling: bool = False) -> Rule:
    """A rule for a function of one array; some fill in zeros."""

    def rule(ctx: Context, site: Site) -> Value:
        value = arrays.numeric(ctx, site.arguments[0], site.span)
        rest, keywords = _settings(ctx, site)
        (places,) = _numbered(ctx, [value], site.span)
        moved = _moved(partial(function, **keywords), (places + 1, *rest), site.span) - 1
        if not filling and (moved < 0).any():
            raise errors.only_of_data(site.span, site.name)
        return _looked_up(ctx, [value], moved, site.span)

    return rule


def _joining(function: Callable[..., Any]) -> Rule:
    """A rule for a function of a list of arrays."""

    def rule(ctx: Context, site: Site) -> Value:
        parts = site.arguments[0]
        if not isinstance(parts, Items):
            raise errors.expected_list(site.span, site.name)
        rest, keywords = _settings(ctx, site)
        values = [arrays.numeric(ctx, each, site.span) for each in parts.items]
        numbered = _numbered(ctx, values, site.span)
        moved = _moved(partial(function, **keywords), (numbered, *rest), site.span)
        return _looked_up(ctx, values, moved, site.span)

    return rule


def _settings(ctx: Context, site: Site) -> tuple[list[Any], dict[str, Any]]:
    """What says how to rearrange must be known."""
    rest = (*site.arguments[1:], *site.keywords.values())
    if not static.are_static(rest):
        raise ctx.unless_written_out(errors.shape_unknown(site.span))
    keywords = {name: static.to_static(value) for name, value in site.keywords.items()}
    return [static.to_static(value) for value in site.arguments[1:]], keywords


def _numbered(ctx: Context, values: Sequence[Value], span: Span) -> list[Places]:
    """Arrays of the shapes of values, that hold the places of the elements in one long row."""
    result, start = [], 0
    for value in values:
        shape = shape_of(value) or ()
        if None in shape:
            raise ctx.unless_written_out(errors.ragged(span))
        size = int(np.prod([n for n in shape if n is not None], dtype=np.int64))
        result.append(np.arange(start, start + size).reshape([n for n in shape if n is not None]))
        start += size
    return result


def _moved(function: Callable[..., Any], arguments: Sequence[Any], span: Span) -> Places:
    try:
        return np.asarray(function(*arguments), np.int64)
    except (ValueError, TypeError, IndexError) as error:
        raise errors.failed(span, str(error)) from None


def _looked_up(ctx: Context, values: Sequence[Value], places: Places, span: Span) -> Value:
    """The array whose elements stand at these places of the values' elements in a row."""
    row = _row(ctx, values, bool((places == NOTHING).any()), span)
    size = sum(each.size for each in _numbered(ctx, values, span))
    places = np.where(places == NOTHING, size, places)
    known = all(is_known(value) for value in values)
    truth = all(is_truth(value) for value in values)
    if places.ndim == 1 and np.array_equal(places, np.arange(size)):
        return Latent(row.expression, (size,), known, truth)
    row = arrays.atom(ctx, row, span)  # type: ignore[assignment]
    if places.ndim == 0:
        place = arrays.number(int(places), span)
        return Latent(arrays.call("get", row.expression, place, span=span), (), known, truth)
    return Deferred(places.shape, _Lookup(ctx, row, Static(places), span), known, truth)


class _Lookup:
    """The element of a rearranged array at indices."""

    def __init__(self, ctx: Context, row: Latent, places: Static, span: Span) -> None:
        self._ctx, self._row, self._places, self._span = ctx, row, places, span

    def __call__(self, indices: arrays.Index) -> surface.Expression:
        place = arrays.element(self._ctx, self._places, indices, self._span)
        return arrays.call("get", self._row.expression, place, span=self._span)


def _row(ctx: Context, values: Sequence[Value], with_zero: bool, span: Span) -> Latent:
    """All elements of some values in one vector, a zero behind them if it is needed."""
    parts = [_flat(ctx, value, span) for value in values]
    if with_zero:
        parts.append(surface.VectorLiteral((arrays.number(0, span),), span))
    written = parts[0] if len(parts) == 1 else arrays.call("concat", *parts, span=span)
    return Latent(written, (None,), all(is_known(value) for value in values))


def _flat(ctx: Context, value: Value, span: Span) -> surface.Expression:
    shape = shape_of(value) or ()
    written = arrays.expression(ctx, value, span)
    if not shape:
        return surface.VectorLiteral((written,), span)
    for _ in shape[1:]:
        written = arrays.call("flatten", written, span=span)
    return written


def _reshape(array: Any, *shape: Any, **keywords: Any) -> Any:
    """`x.reshape(2, 3)` and `np.reshape(x, (2, 3))`."""
    return np.reshape(array, shape[0] if len(shape) == 1 else shape, **keywords)


_ONE: dict[str, Callable[..., Any]] = {
    "repeat": np.repeat,
    "tile": np.tile,
    "flip": np.flip,
    "flipud": np.flipud,
    "fliplr": np.fliplr,
    "roll": np.roll,
    "squeeze": np.squeeze,
    "expand_dims": np.expand_dims,
    "swapaxes": np.swapaxes,
    "moveaxis": np.moveaxis,
    "reshape": _reshape,
    "atleast_1d": np.atleast_1d,
    "atleast_2d": np.atleast_2d,
    "broadcast_to": np.broadcast_to,
    "diagonal": np.diagonal,
    "delete": np.delete,
    "take": np.take,
}

_FILLING: dict[str, Callable[..., Any]] = {
    "diag": np.diag,
    "tril": np.tril,
    "triu": np.triu,
    "pad": np.pad,
}
"""Those that put zeros between the elements."""

_MANY: dict[str, Callable[..., Any]] = {
    "hstack": np.hstack,
    "vstack": np.vstack,
    "column_stack": np.column_stack,
    "dstack": np.dstack,
    "block": np.block,
}

NUMPY: dict[str, Special] = {
    **{name: (function, _rearranging(function)) for name, function in _ONE.items()},
    **{name: (function, _rearranging(function, True)) for name, function in _FILLING.items()},
    **{name: (function, _joining(function)) for name, function in _MANY.items()},
}
"""Functions of NumPy: what does them with data, and what with sampled values."""
