"""`sample`, `observe`, `factor`, and the distributions they take."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence

import lfppl.errors.python as errors
from lfppl import distributions
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, static
from lfppl.syntax.python.calls import USAGE, Site
from lfppl.syntax.python.context import Context, Holder
from lfppl.syntax.python.labels import labels_of
from lfppl.syntax.python.values import (
    Deferred,
    Dist,
    Latent,
    Shape,
    Static,
    Table,
    Value,
    describe,
    is_array,
    is_number,
    shape_of,
)

_RANKS = {"Number": 0, "Vector": 1, "Matrix": 2}
_VECTOR_VALUED = ("mvn", "dirichlet")
_TRUTHS = ("bernoulli", "bernoulli_logit")


def _parameters(name: str) -> list[tuple[str, int]]:
    """The parameters of a distribution and their ranks, read off its signature."""
    signature = inspect.signature(getattr(distributions, name))
    return [(each.name, _RANKS[str(each.annotation)]) for each in signature.parameters.values()]


PARAMETERS = {name: _parameters(name) for name in distributions.__all__ if name != "Distribution"}


def distribution(name: str) -> Callable[[Context, Site], Value]:
    """The rule of a distribution's name."""

    def rule(ctx: Context, site: Site) -> Value:
        return _distribution(ctx, site, name)

    return rule


def _distribution(ctx: Context, site: Site, name: str) -> Value:
    values = _arguments(site, name)
    batches: list[Shape] = []
    for position, ((parameter, rank), value) in enumerate(
        zip(PARAMETERS[name], values, strict=True)
    ):
        span = ctx.span(site.place(position))
        shape = shape_of(arrays.numeric(ctx, value, span))
        assert shape is not None
        if len(shape) < rank:
            raise errors.parameter_rank(span, parameter, name, rank, describe(value))
        batches.append(shape[: len(shape) - rank])
    batch = arrays.broadcast_shape(batches, site.span)
    event: Shape = ()
    if name in _VECTOR_VALUED:
        event = (shape_of(values[0]) or (None,))[-1:]
    spans = [ctx.span(site.place(position)) for position in range(len(values))]
    written = [arrays.expression(ctx, v, s) for v, s in zip(values, spans, strict=True)]
    if any(own not in ((), batch) for own in batches):
        values = [arrays.atom(ctx, v, s) for v, s in zip(values, spans, strict=True)]
        return Dist(surface.Nil(site.span), name, batch, event, tuple(values))
    head = surface.Name(name.replace("_", "-"), ctx.span(site.node.func))
    return Dist(surface.Call(head, tuple(written), site.span), name, batch, event, tuple(values))


def _arguments(site: Site, name: str) -> list[Value]:
    names = [parameter for parameter, _ in PARAMETERS[name]]
    if len(site.arguments) > len(names):
        raise errors.distribution_arguments(site.span, name, names, len(site.arguments))
    bound = dict(zip(names, site.arguments, strict=False))
    for keyword, value in site.keywords.items():
        if keyword not in names or keyword in bound:
            raise errors.unknown_keyword(site.span, name, keyword, names)
        bound[keyword] = value
    if len(bound) < len(names):
        raise errors.distribution_arguments(site.span, name, names, len(bound))
    return [bound[each] for each in names]


def element(ctx: Context, dist: Dist, indices: arrays.Index, span: Span) -> surface.Expression:
    """One of an array of distributions."""
    if not dist.batch:
        return dist.expression
    if not dist.parameters:
        written = dist.expression
        for index in indices:
            written = arrays.call("get", written, index, span=span)
        return written
    parts = []
    for (_, rank), value in zip(PARAMETERS[dist.name], dist.parameters, strict=True):
        own = shape_of(value) or ()
        batch = own[: len(own) - rank]
        used = indices[len(indices) - len(batch) :] if batch else ()
        wide = dist.batch[len(dist.batch) - len(batch) :] if batch else ()
        places = tuple(
            arrays.number(0, span) if length == 1 and total != 1 else index
            for index, length, total in zip(used, batch, wide, strict=True)
        )
        parts.append(_part(ctx, value, places, span))
    return arrays.call(dist.name.replace("_", "-"), *parts, span=span)


def _batch_indices(
    dist: Dist, indices: Sequence[surface.Name], shape: Shape, span: Span
) -> arrays.Index:
    """The indices among those of a wider array that pick one of an array of distributions."""
    start = len(shape) - len(dist.batch)
    pairs = zip(indices[start:], dist.batch, shape[start:], strict=True)
    return tuple(
        arrays.number(0, span) if length == 1 and total != 1 else index
        for index, length, total in pairs
    )


def _part(ctx: Context, value: Value, places: arrays.Index, span: Span) -> surface.Expression:
    """An element of an array, or a row of it where fewer indices are given than dimensions."""
    if isinstance(value, Deferred) and len(places) < len(value.shape):
        value = arrays.settled(ctx, value, span, "parameter")
    return arrays.element(ctx, value, places, span)


# --- sample --------------------------------------------------------------------------------------


def sample(ctx: Context, site: Site) -> Value:
    """`sample(distribution, shape=..., name=..., dims=..., coords=...)`."""
    first = site.arguments[0] if site.arguments else None
    if isinstance(first, Static) and isinstance(first.value, str):
        raise errors.name_first(ctx.span(site.place(0)), first.value)
    site.check(1, 1, ("shape", "name", "dims", "coords"))
    dist = _expected_distribution(ctx, site, "sample")
    dims = _dims(ctx, site)
    _read_coordinates(ctx, site, dims)
    shape = _shape(ctx, site, dist, dims)
    name, held = _name(ctx, site)
    if dims:
        ctx.labels.name(name.name, dims, len(shape) + len(dist.event), site.keyword(ctx, "dims"))
    written = _written(ctx, site, dist, shape, None if held else name)
    truth = dist.name in _TRUTHS
    drawn = Latent(written, (*shape, *dist.event), truth=truth, raw=True)
    if held:
        return drawn
    return ctx.bind(name.name, written, site.span, drawn)


def _expected_distribution(ctx: Context, site: Site, form: str) -> Dist:
    value = site.arguments[0]
    if not isinstance(value, Dist):
        raise errors.no_distribution(ctx.span(site.place(0)), form, describe(value))
    return value


def _name(ctx: Context, site: Site) -> tuple[Holder, bool]:
    """What the variable is called, and whether the binder that holds it says so."""
    given = site.keywords.get("name", Static(None))
    if not isinstance(given, Static) or not isinstance(given.value, str | None):
        raise errors.name_not_text(site.keyword(ctx, "name"))
    indices = ctx.rounds if ctx.rounds else None
    if given.value is not None:
        if not given.value.strip():
            raise errors.name_not_text(site.keyword(ctx, "name"))
        written = next(each.value for each in site.node.keywords if each.arg == "name")
        places = ctx.rounds if isinstance(written, ast.Constant) else ()
        ctx.register(given.value, places or None, site.node)
        return Holder(given.value, places), False
    if site.holder is None:
        span = site.span
        name = f"sample_{span.line}_{span.column}"
        ctx.register(name, indices, site.node)
        return Holder(name, ctx.rounds), False
    places = (*ctx.rounds, *site.holder.indices)
    if site.holder.indices:
        places = site.holder.indices
    ctx.register(site.holder.name, places or None, site.node)
    return Holder(site.holder.name, places), not places


def _shape(ctx: Context, site: Site, dist: Dist, dims: Sequence[str]) -> Shape:
    given = site.keywords.get("shape", Static(None))
    if isinstance(given, Static) and given.value is None:
        lengths = [ctx.labels.coords.get(each) for each in dims]
        if dist.batch or not dims or any(each is None for each in lengths):
            return dist.batch
        return tuple(len(each) for each in lengths if each is not None)
    asked = _asked_shape(ctx, given, site)
    batch = dist.batch
    tail = asked[len(asked) - len(batch) :] if batch else ()
    pairs = zip(batch, tail, strict=False)
    if len(batch) > len(asked) or any(b not in (1, t, None) for b, t in pairs):
        raise errors.shape_of_parameters(site.keyword(ctx, "shape"), batch, asked)
    return asked


def _asked_shape(ctx: Context, given: Value, site: Site) -> tuple[int, ...]:
    if not static.are_static((given,)):
        raise ctx.unless_written_out(errors.shape_unknown(site.keyword(ctx, "shape")))
    value = static.to_static(given)
    sizes = tuple(value) if isinstance(value, list | tuple) or is_array(given) else (value,)
    if not all(is_number(Static(each)) and each == int(each) and each >= 0 for each in sizes):
        raise ctx.unless_written_out(errors.shape_unknown(site.keyword(ctx, "shape")))
    return tuple(int(each) for each in sizes)


def _written(
    ctx: Context, site: Site, dist: Dist, shape: Shape, name: Holder | None
) -> surface.Expression:
    """A sample, in plates where more are asked for than the parameters give."""
    label = name.name if name else None
    places = name.indices if name else ()
    if dist.batch == shape and not isinstance(dist.expression, surface.Nil):
        return surface.Sample(dist.expression, label, site.span, places)
    span = site.span
    if dist.parameters and shape:
        values = tuple(arrays.atom(ctx, value, span) for value in dist.parameters)
        dist = Dist(_again(ctx, dist, values, span), dist.name, dist.batch, dist.event, values)
    indices: list[surface.Name] = []
    own = dist.batch if not isinstance(dist.expression, surface.Nil) else ()
    whole = own == shape[len(shape) - len(own) :] if own else not dist.batch
    depth = len(shape) - len(own) if whole else len(shape)
    indices = [surface.Name(ctx.fresh("i"), span) for _ in range(depth)]
    inner = (
        dist.expression
        if whole
        else element(ctx, dist, _batch_indices(dist, indices, shape, span), span)
    )
    result: surface.Expression = surface.Sample(inner, label, span, places)
    for axis in reversed(range(depth)):
        length = shape[axis]
        assert length is not None
        result = arrays.plate(indices[axis], arrays.number(length, span), result, span)
    return result


def _again(ctx: Context, dist: Dist, values: Sequence[Value], span: Span) -> surface.Expression:
    """A distribution whose parameters may now be written many times."""
    if isinstance(dist.expression, surface.Nil) or not isinstance(dist.expression, surface.Call):
        return dist.expression
    written = tuple(arrays.expression(ctx, value, span) for value in values)
    return surface.Call(dist.expression.function, written, dist.expression.span)


# --- labels --------------------------------------------------------------------------------------


def _dims(ctx: Context, site: Site) -> tuple[str, ...]:
    given = site.keywords.get("dims", Static(None))
    value = static.to_static(given) if static.are_static((given,)) else (0,)
    names = (value,) if isinstance(value, str) else tuple(value or ())
    if not all(isinstance(each, str) for each in names):
        raise errors.dims_not_text(site.keyword(ctx, "dims"))
    return names


def _read_coordinates(ctx: Context, site: Site, dims: Sequence[str]) -> None:
    """Keep the labels along dimensions that a sample gives."""
    given = site.keywords.get("coords", Static(None))
    if isinstance(given, Static) and given.value is None:
        return
    span = site.keyword(ctx, "coords")
    if not isinstance(given, Table):
        raise errors.coords_unknown(span)
    for dim, value in given.columns.items():
        if dim not in dims:
            raise errors.coords_without_dim(span, str(dim), dims)
        labels = labels_of(value)
        if labels is None:
            raise errors.coords_unknown(span)
        ctx.labels.label(dim, labels, span)


# --- observe -------------------------------------------------------------------------------------


def observe(ctx: Context, site: Site) -> Value:
    """`observe(distribution, value)`."""
    site.check(1, 2, ("value",))
    if len(site.arguments) == 1 and "value" not in site.keywords:
        raise errors.wrong_argument_count(site.span, "observe", 1, 2, 2, USAGE["observe"])
    dist, value = _expected_distribution(ctx, site, "observe"), site.argument(1, "value")
    span = ctx.span(site.place(1)) if len(site.arguments) > 1 else site.keyword(ctx, "value")
    if isinstance(value, Dist):
        raise errors.observed_distribution(span)
    shape = shape_of(arrays.numeric(ctx, value, span))
    assert shape is not None
    if len(shape) < len(dist.event):
        raise errors.observed_rank(span, dist.name, describe(value))
    batch = shape[: len(shape) - len(dist.event)]
    total = arrays.broadcast_shape([dist.batch, batch], site.span)
    ready = not isinstance(dist.expression, surface.Nil) and not isinstance(value, Deferred)
    if ready and {dist.batch, batch} <= {(), total}:
        written = arrays.expression(ctx, value, span)
        ctx.statement(surface.Observe(dist.expression, written, site.span), site.span)
        return Static(None)
    _observe_each(ctx, site, dist, value, total)
    return Static(None)


def _observe_each(ctx: Context, site: Site, dist: Dist, value: Value, shape: Shape) -> None:
    """Observe arrays that are broadcast, element by element."""
    span = site.span
    value = arrays.settled(ctx, value, span, "observed")
    if dist.parameters:
        values = tuple(arrays.settled(ctx, each, span, "parameter") for each in dist.parameters)
        dist = Dist(_again(ctx, dist, values, span), dist.name, dist.batch, dist.event, values)
    indices = [surface.Name(ctx.fresh("i"), span) for _ in shape]
    inner = element(ctx, dist, _batch_indices(dist, indices, shape, span), span)
    own = shape_of(value) or ()
    batch = own[: len(own) - len(dist.event)]
    places = tuple(
        arrays.number(0, span) if length == 1 and total != 1 else index
        for index, length, total in zip(
            indices[len(shape) - len(batch) :], batch, shape[len(shape) - len(batch) :], strict=True
        )
    )
    seen = arrays.element(ctx, value, places, span)
    result: surface.Expression = surface.Observe(inner, seen, span)
    for axis in reversed(range(len(shape))):
        result = arrays.plate(indices[axis], _count(shape[axis], ctx, value, span), result, span)
    ctx.statement(result, span)


def _count(length: int | None, ctx: Context, value: Value, span: Span) -> surface.Expression:
    if length is None:
        return arrays.size(ctx, value, 0, span)
    return arrays.number(length, span)


def factor(ctx: Context, site: Site) -> Value:
    """`factor(log_weight)`: a number, or the sum of an array."""
    site.check(1, 1)
    span = ctx.span(site.place(0))
    weight = arrays.numeric(ctx, site.arguments[0], span)
    written = arrays.expression(ctx, weight, span)
    observed = surface.Observe(
        arrays.call("factor", written, span=site.span), surface.Number(0.0, site.span), site.span
    )
    ctx.statement(observed, site.span)
    return Static(None)
