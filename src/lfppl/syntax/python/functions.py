"""Functions and methods with rules of their own: sums, shapes, lists, choices, conversions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax import surface
from lfppl.syntax.python import arrays, matrices, operators, ranges, sampling, static
from lfppl.syntax.python.calls import Site, length, scalar
from lfppl.syntax.python.context import Context
from lfppl.syntax.python.library import SCALARS, SPECIAL, UFUNCS
from lfppl.syntax.python.values import (
    Deferred,
    Dist,
    Items,
    Latent,
    Range,
    Static,
    Table,
    Value,
    describe,
    is_known,
    is_truth,
    shape_of,
)

Rule = Callable[[Context, Site], Value]


def _if_static(function: Callable[..., Any], rule: Rule) -> Rule:
    """A rule that is only asked where an argument is not known now."""

    def either(ctx: Context, site: Site) -> Value:
        values = (*site.arguments, *site.keywords.values())
        if static.are_static(values):
            return static.evaluate(function, site.arguments, site.span, site.keywords)
        return rule(ctx, site)

    return either


# --- reductions ----------------------------------------------------------------------------------


def _axis(site: Site, position: int = 1) -> int | None:
    value = site.argument(position, "axis", Static(None))
    if not isinstance(value, Static) or not isinstance(value.value, int | None):
        raise errors.axis_unknown(site.span)
    return value.value


def _reduction(name: str) -> Rule:
    def rule(ctx: Context, site: Site) -> Value:
        site.check(1, 2, ("axis",))
        return matrices.reduction(ctx, name, site.arguments[0], _axis(site), site.span)

    return rule


def _mean(ctx: Context, site: Site) -> Value:
    site.check(1, 2, ("axis",))
    axis, span = _axis(site), site.span
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], span), span)
    shape = shape_of(value) or ()
    total = matrices.reduction(ctx, "sum", value, axis, span)
    if shape and shape[0] is None:
        return arrays.operation(ctx, "/", [total, length(ctx, value, span)], span)
    return arrays.operation(ctx, "/", [total, matrices.count(shape, axis, span)], span)


def _variance(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    span = site.span
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], span), span)
    count = matrices.count(shape_of(value) or (), None, span)
    total = matrices.reduction(ctx, "sum", value, None, span)
    mean = arrays.atom(ctx, arrays.operation(ctx, "/", [total, count], span), span)
    distance = arrays.operation(ctx, "-", [value, mean], span)
    squares = arrays.operation(ctx, "square", [distance], span)
    return arrays.operation(
        ctx, "/", [matrices.reduction(ctx, "sum", squares, None, span), count], span
    )


def _deviation(ctx: Context, site: Site) -> Value:
    return arrays.operation(ctx, "sqrt", [_variance(ctx, site)], site.span)


def _product(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    span = site.span
    value = arrays.numeric(ctx, site.arguments[0], span)
    if len(shape_of(value) or ()) != 1:
        raise errors.too_many_dimensions(span, site.name, 1)
    times = surface.Name("*", span)
    written = surface.Call(
        surface.Name("reduce", span), (times, arrays.expression(ctx, value, span)), span
    )
    return Latent(written, (), is_known(value))


def _sum_of(ctx: Context, site: Site) -> Value:
    """Python's `sum`, with its start."""
    site.check(1, 2, ("start",))
    total = matrices.reduction(ctx, "sum", site.arguments[0], None, site.span)
    start = site.argument(1, "start", Static(0))
    if isinstance(start, Static) and start.value == 0:
        return total
    return arrays.operation(ctx, "+", [start, total], site.span)


def _extreme(name: str, reduction: str) -> Rule:
    """Python's `max` and `min`: of an array or list, or of several numbers."""

    def rule(ctx: Context, site: Site) -> Value:
        site.check(1, None)
        if len(site.arguments) == 1:
            return matrices.reduction(ctx, reduction, site.arguments[0], None, site.span)
        formula = SCALARS[f"ufunc.{name}imum"]
        result = site.arguments[0]
        for other in site.arguments[1:]:
            pair = Site(site.node, site.span, site.name, (result, other))
            result = arrays.atom(ctx, scalar(ctx, formula, pair), site.span)
        return result

    return rule


def _quantified(reduction: str) -> Rule:
    """`all` and `any` of truth values."""

    def rule(ctx: Context, site: Site) -> Value:
        site.check(1, 1)
        tests = arrays.truth(ctx, arrays.numeric(ctx, site.arguments[0], site.span), site.span)
        found = matrices.reduction(ctx, reduction, tests, None, site.span)
        assert isinstance(found, Latent)
        return Latent(found.expression, (), found.known, truth=True)

    return rule


def _norm(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    span = site.span
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], span), span)
    return arrays.operation(ctx, "sqrt", [matrices.matmul(ctx, value, value, span)], span)


def _cumulative(ctx: Context, site: Site) -> Value:
    """Sums from the first element on: a loop that carries the sums so far."""
    site.check(1, 1)
    span = site.span
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], span), span)
    shape = shape_of(value) or ()
    if len(shape) != 1:
        raise errors.too_many_dimensions(span, site.name, 1)
    index, state = (surface.Name(ctx.fresh(name), span) for name in ("i", "sums"))
    item = arrays.element(ctx, value, (index,), span)
    if isinstance(value, Deferred):
        raise errors.too_many_dimensions(span, site.name, 1)
    last = arrays.call("last", state, span=span)
    start = arrays.call("vector", arrays.number(0, span), span=span)
    total = arrays.call("+", last, item, span=span)
    step = surface.Function((index, state), (arrays.call("conj", state, total, span=span),))
    count = arrays.size(ctx, value, 0, span)
    sums = surface.Loop(count, start, step, (), span)
    return Latent(arrays.call("rest", sums, span=span), shape, is_known(value))


# --- choices and shapes --------------------------------------------------------------------------


def _where(ctx: Context, site: Site) -> Value:
    site.check(3, 3)
    test, then, otherwise = site.arguments
    return arrays.choice(ctx, test, then, otherwise, site.span)


def _clip(ctx: Context, site: Site) -> Value:
    site.check(1, 3, ("a_min", "a_max", "min", "max"))
    value = site.arguments[0]
    low = site.argument(1, "a_min", site.keywords.get("min", Static(None)))
    high = site.argument(2, "a_max", site.keywords.get("max", Static(None)))
    for bound, name in ((low, "maximum"), (high, "minimum")):
        if not (isinstance(bound, Static) and bound.value is None):
            pair = Site(site.node, site.span, site.name, (value, bound))
            value = arrays.settled(ctx, scalar(ctx, UFUNCS[name], pair), site.span, "clipped")
    return value


def _as_array(ctx: Context, site: Site) -> Value:
    site.check(1, 2, ("dtype", "copy"))
    value = site.arguments[0]
    if isinstance(value, Range):
        return arrays.listed(ctx, value, site.span)
    if static.are_static((value,)):
        return static.evaluate(np.array, (value,), site.span)
    return _array_of(arrays.numeric(ctx, value, site.span))


def _array_of(value: Value) -> Value:
    if isinstance(value, Items):
        return Items(tuple(_array_of(item) for item in value.items), "array")
    if isinstance(value, Latent):
        return Latent(value.expression, value.shape, value.known, value.truth, raw=value.raw)
    return value


def _same(ctx: Context, site: Site) -> Value:
    """`x.copy()`, `float(x)`, `x.tolist()`: the same number or array."""
    return site.arguments[0]


def _to_float(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    if static.are_static(site.arguments):
        return static.evaluate(float, site.arguments, site.span)
    return arrays.numeric(ctx, site.arguments[0], site.span)


def _filled(function: Callable[..., Any], like: bool = False) -> Rule:
    """`np.zeros(n)` and its relatives, whose shape must be known."""

    def rule(ctx: Context, site: Site) -> Value:
        keywords = {k: v for k, v in site.keywords.items() if k != "dtype"}
        arguments = list(site.arguments[: 2 if function is np.full else 1])
        if like:
            shape = shape_of(arguments[0])
            if shape is None or None in shape:
                raise ctx.unless_written_out(errors.shape_unknown(site.span))
            arguments[0] = static.from_static(tuple(shape))
        if function is np.full and not static.are_static(arguments[1:]):
            return _repeated(ctx, site)
        if not static.are_static((*arguments, *keywords.values())):
            raise ctx.unless_written_out(errors.shape_unknown(site.span))
        return static.evaluate(function, arguments, site.span, keywords)

    return rule


def _repeated(ctx: Context, site: Site) -> Value:
    """`np.full(n, x)` with a sampled x."""
    if not static.are_static(site.arguments[:1]):
        raise ctx.unless_written_out(errors.shape_unknown(site.span))
    asked = static.to_static(site.arguments[0])
    shape = tuple(asked) if isinstance(asked, tuple | list) else (int(asked),)
    value = arrays.atom(ctx, site.arguments[1], site.span)
    written = arrays.expression(ctx, value, site.span)
    return Deferred(shape, lambda indices: written, is_known(value))


def _arange(ctx: Context, site: Site) -> Value:
    arguments = site.arguments
    if static.are_static(arguments):
        return static.evaluate(np.arange, arguments, site.span)
    return arrays.listed(ctx, ranges.range_of(ctx, site.node, arguments), site.span)


def _concatenate(ctx: Context, site: Site) -> Value:
    site.check(1, 2, ("axis",))
    parts = site.arguments[0]
    if not isinstance(parts, Items):
        raise errors.expected_list(site.span, site.name)
    if _axis(site) not in (None, 0):
        raise errors.axis_unknown(site.span)
    return _joined(ctx, [arrays.numeric(ctx, each, site.span) for each in parts.items], site.span)


def _joined(ctx: Context, parts: list[Value], span: Span) -> Value:
    shapes = [shape_of(part) or () for part in parts]
    if any(not shape for shape in shapes):
        raise errors.expected_list(span, "np.concatenate")
    lengths = [shape[0] for shape in shapes]
    total = None if None in lengths else sum(n for n in lengths if n is not None)
    written = [arrays.expression(ctx, part, span) for part in parts]
    known = all(is_known(part) for part in parts)
    return Latent(arrays.call("concat", *written, span=span), (total, *shapes[0][1:]), known)


def _append(ctx: Context, site: Site) -> Value:
    """`np.append(x, v)`."""
    site.check(2, 2)
    first, second = (arrays.numeric(ctx, each, site.span) for each in site.arguments)
    if not shape_of(second):
        second = Items((second,), "array")
    return _joined(ctx, [first, second], site.span)


def _stack(ctx: Context, site: Site) -> Value:
    site.check(1, 2, ("axis",))
    parts = site.arguments[0]
    if not isinstance(parts, Items) or shape_of(parts) is None:
        raise errors.expected_list(site.span, site.name)
    stacked = Items(parts.items, "array")
    if _axis(site) in (None, 0):
        return stacked
    return matrices.transpose(ctx, stacked, site.span)


def _flattened(ctx: Context, site: Site) -> Value:
    value, span = site.arguments[0], site.span
    shape = shape_of(arrays.numeric(ctx, value, span)) or ()
    written = arrays.expression(ctx, value, span)
    for _ in shape[1:]:
        written = arrays.call("flatten", written, span=span)
    total = None if None in shape else int(np.prod([n for n in shape if n is not None]))
    return Latent(written, (total,), is_known(value), is_truth(value))


def _difference(ctx: Context, site: Site) -> Value:
    """`np.diff(x)`."""
    site.check(1, 1)
    span = site.span
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], span), span)
    shape = shape_of(value) or ()
    if len(shape) != 1 or shape[0] is None:
        raise errors.too_many_dimensions(span, site.name, 1)

    def step(indices: arrays.Index) -> surface.Expression:
        after = arrays.call("+", arrays.number(1, span), indices[0], span=span)
        parts = [arrays.element(ctx, value, (place,), span) for place in (after, indices[0])]
        return arrays.call("-", *parts, span=span)

    return Deferred((shape[0] - 1,), step, is_known(value))


# --- sequences -----------------------------------------------------------------------------------


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
        return arrays.numeric(ctx, value, site.span)

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


def _softmax(ctx: Context, site: Site) -> Value:
    site.check(1, 1)
    span = site.span
    value = arrays.atom(ctx, arrays.numeric(ctx, site.arguments[0], span), span)
    total = arrays.atom(ctx, matrices.reduction(ctx, "log-sum-exp", value, None, span), span)
    return arrays.operation(ctx, "exp", [arrays.operation(ctx, "-", [value, total], span)], span)


def _dot(ctx: Context, site: Site) -> Value:
    site.check(2, 2)
    left, right = site.arguments
    return matrices.matmul(ctx, left, right, site.span)


def _outer(ctx: Context, site: Site) -> Value:
    site.check(2, 2)
    left, right = site.arguments
    return matrices.outer(ctx, left, right, site.span)


def _round(ctx: Context, site: Site) -> Value:
    if static.are_static(site.arguments):
        return static.evaluate(np.round, site.arguments, site.span)
    site.check(1, 1)
    return arrays.operation(ctx, "round", site.arguments, site.span)


def _both(ctx: Context, site: Site) -> Value:
    operation = "and" if site.name.endswith("and") else "or"
    return operators.logical(ctx, operation, site.arguments, site.span)


_NUMPY: dict[str, tuple[Callable[..., Any], Rule]] = {
    "sum": (np.sum, _reduction("sum")),
    "mean": (np.mean, _mean),
    "max": (np.max, _reduction("largest")),
    "min": (np.min, _reduction("smallest")),
    "amax": (np.max, _reduction("largest")),
    "amin": (np.min, _reduction("smallest")),
    "prod": (np.prod, _product),
    "var": (np.var, _variance),
    "std": (np.std, _deviation),
    "any": (np.any, _quantified("largest")),
    "all": (np.all, _quantified("smallest")),
    "cumsum": (np.cumsum, _cumulative),
    "dot": (np.dot, _dot),
    "inner": (np.inner, _dot),
    "outer": (np.outer, _outer),
    "transpose": (
        np.transpose,
        lambda ctx, site: matrices.transpose(ctx, site.arguments[0], site.span),
    ),
    "where": (np.where, _where),
    "clip": (np.clip, _clip),
    "concatenate": (np.concatenate, _concatenate),
    "append": (np.append, _append),
    "stack": (np.stack, _stack),
    "ravel": (np.ravel, _flattened),
    "diff": (np.diff, _difference),
    "size": (np.size, _length),
    "round": (np.round, _round),
    "linalg.norm": (np.linalg.norm, _norm),
}

_BUILTINS: dict[str, Rule] = {
    "len": _length,
    "sum": _if_static(np.sum, _sum_of),
    "max": _if_static(max, _extreme("max", "largest")),
    "min": _if_static(min, _extreme("min", "smallest")),
    "any": _if_static(any, _quantified("largest")),
    "all": _if_static(all, _quantified("smallest")),
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "reversed": _reversed,
    "list": _to_list("list"),
    "tuple": _to_list("tuple"),
    "float": _to_float,
    "round": _if_static(round, _round),
}

_METHODS: dict[str, Rule] = {
    **{
        name: _if_static(getattr(np, name), _NUMPY[name][1])
        for name in "sum mean max min prod std var dot cumsum clip any all transpose round".split()
    },
    **{name: _same for name in "copy tolist astype to_numpy item".split()},
    "flatten": _if_static(np.ravel, _flattened),
    "ravel": _if_static(np.ravel, _flattened),
    **{name: _pure_text(name) for name in "format join upper lower strip".split()},
    **{name: _columns(name) for name in ("keys", "values", "items")},
    **{
        name: _mutation
        for name in "append extend insert pop remove sort reverse clear".split()
    },
}

SPECIAL.update(
    {
        **{f"numpy.{name}": _if_static(f, rule) for name, (f, rule) in _NUMPY.items()},
        **{f"builtins.{name}": rule for name, rule in _BUILTINS.items()},
        **{f"method.{name}": rule for name, rule in _METHODS.items()},
        **{
            f"distribution.{name}": sampling.distribution(name) for name in sampling.PARAMETERS
        },
        "numpy.array": _as_array,
        "numpy.asarray": _as_array,
        "numpy.float64": _to_float,
        "numpy.zeros": _filled(np.zeros),
        "numpy.ones": _filled(np.ones),
        "numpy.empty": _filled(np.zeros),
        "numpy.full": _filled(np.full),
        "numpy.zeros_like": _filled(np.zeros, like=True),
        "numpy.ones_like": _filled(np.ones, like=True),
        "numpy.empty_like": _filled(np.zeros, like=True),
        "numpy.arange": _arange,
        "ufunc.matmul": _if_static(np.matmul, _dot),
        "scipy.special.logsumexp": _if_static(
            lambda x, **k: np.logaddexp.reduce(x, **k), _reduction("log-sum-exp")
        ),
        "scipy.special.softmax": _softmax,
        "lfppl.sample": sampling.sample,
        "lfppl.observe": sampling.observe,
        "lfppl.factor": sampling.factor,
    }
)

__all__ = ["Dist"]
