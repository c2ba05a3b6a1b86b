"""Mistakes with numbers, arrays, lists and indices in models that are Python functions."""

from __future__ import annotations

from collections.abc import Sequence

from lfppl.errors.base import ModelError
from lfppl.source import Span

Shape = Sequence[int | None]


def _shape(shape: Shape) -> str:
    """A shape as NumPy writes it.

    >>> _shape((3,)), _shape((2, None))
    ('(3,)', '(2, ?)')
    """
    inside = ", ".join("?" if n is None else str(n) for n in shape)
    return f"({inside},)" if len(shape) == 1 else f"({inside})"


_EXPRESSIONS = {
    "NamedExpr": ("`:=`", "assign the variable in a line of its own"),
    "SetComp": ("a set", "use a list or an array"),
    "Set": ("a set", "use a list or an array"),
    "DictComp": ("a dictionary comprehension", "use a list or an array"),
    "Yield": ("`yield`", "return the value, or append it to a list"),
    "YieldFrom": ("`yield`", "return the value, or append it to a list"),
    "Await": ("`await`", "wait for the data outside the model, and pass them in"),
    "async": ("`async for`", "write `for`"),
    "Starred": ("`*`", "write the elements one by one"),
    "Slice": ("a slice", "slices stand in brackets behind an array"),
    "format": ("a format", "use a shorter format"),
}


def unsupported_expression(span: Span, kind: str) -> ModelError:
    """An expression that models do not have."""
    what, advice = _EXPRESSIONS.get(kind, (f"`{kind}`", "write it in another way"))
    return ModelError(
        "unsupported-expression",
        f"{what} cannot be used in a model",
        span,
        "the model is translated, not run",
        advice,
    )


def unsupported_constant(span: Span, kind: str) -> ModelError:
    """A complex number, bytes or the like."""
    names = {"complex": "a complex number", "bytes": "bytes", "ellipsis": "`...`"}
    return ModelError(
        "unsupported-constant",
        f"{names.get(kind, kind)} cannot be used in a model",
        span,
        "values are real numbers",
        "use real numbers",
    )


def too_large_number(span: Span) -> ModelError:
    """An integer of many digits."""
    return ModelError(
        "too-large-number",
        "this number is too large for double precision",
        span,
        "above 1e308",
        "rescale it, for example by taking its logarithm",
    )


def unsupported_operator(span: Span, operator: str) -> ModelError:
    """`<<` and the like."""
    advice = "write `**` for a power" if operator == "^" else "write it with + - * / // % **"
    return ModelError(
        "unsupported-operator",
        f"`{operator}` works on bits, which models do not have",
        span,
        "numbers are real here",
        advice,
    )


def identity(span: Span) -> ModelError:
    """`x is y`."""
    return ModelError(
        "unsupported-comparison",
        "`is` can only ask for None, True or False",
        span,
        "compares objects",
        "compare values with ==",
    )


def membership(span: Span) -> ModelError:
    """`x in y` of something that is no list."""
    return ModelError(
        "unsupported-comparison",
        "`in` of a sampled value needs a list written in the model",
        span,
        "not such a list",
        "write x in (0, 1, 2), or compare with == and `or`",
    )


def not_a_value(span: Span, what: str) -> ModelError:
    """A function or text where a number belongs."""
    return ModelError(
        "not-a-number",
        f"{what} stands where a number or an array belongs",
        span,
        f"this is {what}",
        "models compute with numbers and arrays",
    )


def expected_number(span: Span, what: str) -> ModelError:
    """Anything but a number or array in arithmetic."""
    drawn = "write x = sample(...), or observe(distribution, value)"
    return ModelError(
        "not-a-number",
        f"a number or array was expected, not {what}",
        span,
        f"this is {what}",
        drawn if "distribution" in what else "models compute with numbers and arrays",
    )


def ragged_list(span: Span, kind: str, parts: Sequence[str]) -> ModelError:
    """A list of texts, of lists of unequal length, or of unequal things in arithmetic."""
    alike = {"a text": "texts", "None": "None"}.get(parts[0], "of unequal shapes")
    found = " and ".join(parts[:3]) if len(parts) > 1 else alike
    return ModelError(
        "ragged-list",
        f"this {kind} is no array of numbers: its elements are {found}",
        span,
        "numbers are needed here",
        _RAGGED_ADVICE.get(parts[-1], "make the elements alike, or take them one by one"),
    )


def list_times(span: Span) -> ModelError:
    """`[1, 2] * x`."""
    return ModelError(
        "list-times",
        "a list can only be repeated a number of times that is known when compiling",
        span,
        "`*` repeats a list",
        "to multiply its elements, make it an array: np.array([a, b]) * x",
    )


_RAGGED_ADVICE = {
    "a text": "code texts as integers: names, code = np.unique(texts, return_inverse=True)",
    "None": "a missing value is no number: leave it out, or sample it",
}


def missing_value(span: Span, name: str, place: Sequence[int]) -> ModelError:
    """NaN among the data."""
    element = f"{name}[{', '.join(str(each) for each in place)}]" if place else name
    return ModelError(
        "missing-value",
        f"`{element}` is missing (NaN)",
        span,
        "missing values are not data",
        "leave it out, y[~np.isnan(y)], or make the missing value a variable that is sampled",
    )


def ragged(span: Span) -> ModelError:
    """An array whose lengths differ between the rounds of a loop."""
    return ModelError(
        "ragged-array",
        "the length of this array differs from round to round",
        span,
        "of unknown length",
        "write a loop with `for` over its elements",
    )


def foreign(span: Span, kind: str) -> ModelError:
    """An object of a class of the user."""
    return ModelError(
        "foreign-object",
        f"an object of type {kind} cannot be used in a model",
        span,
        "no number, array, list or dictionary",
        "pass the numbers in it as parameters of the model",
    )


def shapes_differ(span: Span, shapes: Sequence[Shape]) -> ModelError:
    """Arrays that cannot be broadcast."""
    found = " and ".join(dict.fromkeys(_shape(shape) for shape in shapes))
    return ModelError(
        "shape-mismatch",
        f"arrays of shapes {found} do not fit together",
        span,
        "combined element by element here",
        "make the shapes equal, or 1 where an array is to be repeated",
    )


def inner_dimensions(span: Span, first: Shape, second: Shape) -> ModelError:
    """`a @ b` of shapes that do not fit."""
    return ModelError(
        "shape-mismatch",
        f"shapes {_shape(first)} and {_shape(second)} cannot be multiplied",
        span,
        f"{first[-1]} columns times {second[0]} rows",
        "the columns of the first must be as many as the rows of the second",
    )


def matmul_of_number(span: Span) -> ModelError:
    """`2 @ x`."""
    return ModelError(
        "shape-mismatch",
        "`@` takes vectors and matrices",
        span,
        "one of them is a number",
        "multiply by a number with *",
    )


def too_many_dimensions(span: Span, what: str, most: int) -> ModelError:
    """An array of more dimensions than an operation takes."""
    plural = "dimension" if most == 1 else "dimensions"
    return ModelError(
        "too-many-dimensions",
        f"`{what}` takes arrays of {most} {plural} here",
        span,
        "this has others",
        "write a loop over the first dimension",
    )


def no_such_axis(span: Span, axis: int, rank: int) -> ModelError:
    """`sum(axis=3)` of a matrix."""
    return ModelError(
        "no-such-axis",
        f"an array of {rank} dimensions has no axis {axis}",
        span,
        f"axis {axis}",
        "axes are counted from 0",
    )


def axis_unknown(span: Span) -> ModelError:
    """An axis that is no number known now, or not supported."""
    return ModelError(
        "axis-unknown",
        "the axis must be one number, known when compiling",
        span,
        "this axis is something else",
        "write axis=0 or axis=1",
    )


def shape_unknown(span: Span) -> ModelError:
    """A shape that is not known."""
    return ModelError(
        "shape-unknown",
        "a shape must be an integer or a tuple of integers, known when compiling",
        span,
        "this one is not",
        "use numbers, lengths of data, or parameters of the model",
    )


def too_large_array(span: Span, size: int, most: int) -> ModelError:
    """An array that would not fit into memory."""
    return ModelError(
        "too-large-array",
        f"an array of {size:,} elements is too large; at most {most:,} are possible",
        span,
        "made here",
        "use a smaller shape",
    )


def too_long_list(span: Span, most: int) -> ModelError:
    """A list that would be kept as its elements."""
    return ModelError(
        "too-long-list",
        f"a list of more than {most:,} elements is too long for this",
        span,
        "changed or repeated element by element",
        "use a NumPy array, and write it with whole arrays or in one loop over all elements",
    )
