"""Values known now: as Python objects and back, and operations on them alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import lfppl.errors.python as errors
from lfppl.source import Span
from lfppl.syntax.python.values import Items, Range, Static, Value, freeze

MAX_ELEMENTS = 50_000_000
"""The largest array that a model may make of its data."""

MAX_LIST = 100_000
"""The longest list that is kept as its elements."""


class NotStaticError(Exception):
    """A value is not known now."""


def to_static(value: Value) -> Any:
    """The Python object that a value known now stands for."""
    match value:
        case Static(value=known):
            return known
        case Items(items=items, kind=kind):
            objects = [to_static(item) for item in items]
            if kind == "array":
                return np.array(objects)
            return tuple(objects) if kind == "tuple" else objects
        case Range(count=Static(value=count), item=item):
            first = [to_static(item(i)) for i in range(min(int(count), 2))]
            if all(isinstance(each, int | float) for each in first):
                step = first[1] - first[0] if len(first) == 2 else 1
                return (first or [0])[0] + step * np.arange(int(count))
    raise NotStaticError


def are_static(values: Sequence[Value]) -> bool:
    """Whether all values are known now."""
    try:
        for value in values:
            to_static(value)
    except NotStaticError:
        return False
    return True


def from_static(value: Any, origin: str | None = None) -> Value:
    """The value of a Python object made of numbers, texts, arrays, lists and tuples."""
    if isinstance(value, np.ndarray):
        return Static(value, origin) if value.ndim else Static(value.item())
    if isinstance(value, tuple | list):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return Items(tuple(from_static(each) for each in value), kind)  # type: ignore[arg-type]
    return Static(freeze(value), origin)


def evaluate(
    function: Callable[..., Any],
    values: Sequence[Value],
    span: Span,
    keywords: Mapping[str, Value] | None = None,
) -> Value:
    """A harmless function applied to values known now."""
    arguments = [to_static(value) for value in values]
    named = {name: to_static(value) for name, value in (keywords or {}).items()}
    _check_size(arguments, span)
    try:
        with np.errstate(all="ignore"):
            result = function(*arguments, **named)
    except (ArithmeticError, LookupError, TypeError, ValueError, MemoryError) as error:
        raise errors.failed(span, str(error) or type(error).__name__) from None
    if isinstance(result, np.ndarray) and result.size > MAX_ELEMENTS:
        raise errors.too_large_array(span, result.size, MAX_ELEMENTS)
    return from_static(result)


def _check_size(arguments: Sequence[Any], span: Span) -> None:
    """Shapes and counts are numbers: none may ask for more than there is room for."""
    for argument in arguments:
        sizes = argument if isinstance(argument, tuple) else (argument,)
        numbers = [each for each in sizes if isinstance(each, int) and not isinstance(each, bool)]
        total = 1
        for each in numbers:
            total *= max(abs(each), 1)
        if total > 10**15:
            raise errors.too_large_array(span, total, MAX_ELEMENTS)


def power(base: Any, exponent: Any) -> Any:
    """A power; of integers too, without numbers of a million digits."""
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and 0 <= exponent <= 64 and abs(base) < 2**32:
        return base**exponent
    return np.power(np.asarray(base, dtype=np.float64), exponent)
