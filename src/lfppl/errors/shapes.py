"""Mistakes found while evaluating symbolically: kinds, counts, indices, shapes, ranges."""

from __future__ import annotations

from collections.abc import Sequence

from lfppl.errors.base import ModelError
from lfppl.source import Span


def expected_number(span: Span, what: str, found: str) -> ModelError:
    """A vector, a distribution or nil where a number belongs."""
    advice = {
        "nil": "`when`, `doseq` and an `if` without else may give nil: add the missing value",
        "a vector": "take an element with `get`, or go through the elements with `map` or `for`",
    }
    return ModelError(
        "wrong-kind",
        f"{what} must be a number, not {found}",
        span,
        f"this is {found}",
        advice.get(found, "draw a value with (sample ...)" if "distribution" in found else ""),
    )


def expected_vector(span: Span, what: str, found: str) -> ModelError:
    """A number or a distribution where a vector belongs."""
    return ModelError(
        "wrong-kind",
        f"{what} must be a vector, not {found}",
        span,
        f"this is {found}",
        "make a vector with [a b ...] or `for`; (range n) has the integers from 0 to n - 1",
    )


def expected_matrix(span: Span, what: str, found: str) -> ModelError:
    """Something else where a matrix belongs."""
    return ModelError(
        "wrong-kind",
        f"{what} must be a matrix, not {found}",
        span,
        f"this is {found}",
        "a matrix is a vector of rows of equal length",
    )


def mixed_elements(span: Span, what: str) -> ModelError:
    """A vector whose elements are numbers here and vectors there."""
    return ModelError(
        "wrong-kind",
        f"the elements of {what} must all be numbers, or all be vectors",
        span,
        "some are numbers and some are vectors",
        "make the elements alike",
    )


def expected_distribution(span: Span, form: str, found: str) -> ModelError:
    """`sample` or `observe` of something that is no distribution."""
    return ModelError(
        "no-distribution",
        f"`{form}` needs a distribution, not {found}",
        span,
        f"this is {found}",
        "write a distribution here, such as (normal 0 1)",
    )


def vector_predicate(span: Span, found: str) -> ModelError:
    """An `if` on a vector."""
    return ModelError(
        "vector-predicate",
        f"the test of an `if` must be one number, not {found}",
        span,
        f"this is {found}",
        "go through the elements with `map` or `for` and put the `if` inside",
    )


def latent_count(span: Span, form: str) -> ModelError:
    """A loop whose count depends on a sampled variable."""
    return ModelError(
        "unbounded-loop",
        f"the count of `{form}` must be known when compiling",
        span,
        "this depends on a sampled variable",
        "give a constant bound and guard the body with (if (< i bound) ...)",
    )


def fractional_count(span: Span, form: str, value: float) -> ModelError:
    """A loop count that is no integer, or negative."""
    return ModelError(
        "bad-count",
        f"the count of `{form}` must be an integer, 0 or greater, not {value:g}",
        span,
        f"this is {value:g}",
        "use (count v) for the length of a vector",
    )


def varying_count(span: Span) -> ModelError:
    """A carried loop whose count differs between the rows of the loop around it."""
    return ModelError(
        "varying-count",
        "a loop that carries a value must have the same count in every round of the loop around it",
        span,
        "this count varies",
        "use the largest count and guard the body with (if (< i n) ...)",
    )


def too_many_rounds(span: Span, count: int, limit: int) -> ModelError:
    """A loop past the limit."""
    return ModelError(
        "too-many-rounds",
        f"a loop of {count:,} rounds is past the limit of {limit:,}",
        span,
        f"the count is {count:,}",
        "carry no value from round to round (use `for` or `doseq`), or shorten the loop",
    )


def too_many_rows(span: Span, count: int, limit: int) -> ModelError:
    """A plate past the limit."""
    return ModelError(
        "too-many-rows",
        f"{count:,} rows are past the limit of {limit:,}",
        span,
        f"this and the loops around it make {count:,}",
        "shorten the vector or the loop",
    )


def too_many_dimensions(span: Span, limit: int) -> ModelError:
    """Vectors of vectors of vectors, past the limit."""
    return ModelError(
        "too-many-dimensions",
        f"an array may have {limit} dimensions at the most",
        span,
        "this has one more",
        "remove square brackets, or join vectors with `concat` or `flatten`",
    )


def program_too_large(span: Span, limit: int) -> ModelError:
    """An unrolled program past the limit."""
    return ModelError(
        "too-large",
        f"the unrolled program has more than {limit:,} operations",
        span,
        "the limit is reached here",
        "write loops that carry no value with `for` or `doseq`: they are not unrolled",
    )


def index_out_of_range(span: Span, index: int, length: int) -> ModelError:
    """`get` past the end of a vector."""
    return ModelError(
        "index-out-of-range",
        f"index {index} is out of range for a vector of {length} element{'s' * (length != 1)}",
        span,
        f"{index} is not between 0 and {length - 1}" if length else "the vector is empty",
        "indices begin at 0",
    )


def part_out_of_range(span: Span, place: int, length: int) -> ModelError:
    """`take`, `drop`, `rest` or `subvec` past the end of a vector."""
    elements = f"{length} element{'s' * (length != 1)}"
    return ModelError(
        "index-out-of-range",
        f"a part of a vector of {elements} cannot begin or end at {place}",
        span,
        f"{place} is not between 0 and {length}",
        "(count v) is the length of a vector",
    )


def nothing_to_pick(span: Span) -> ModelError:
    """`get` by a sampled index of a vector without elements."""
    return ModelError(
        "index-out-of-range",
        "there is no element to take out of an empty vector",
        span,
        "the vector is empty",
        "guard it with (if (empty? v) ...), or check the data",
    )


def varying_length(span: Span) -> ModelError:
    """An operation that needs the length of a vector, where rows differ in it."""
    return ModelError(
        "varying-length",
        "the vectors here must have the same length in every round of the loop around it",
        span,
        "their lengths vary",
        "make them as long as the longest, and leave the rest out with (if (< i n) ...)",
    )


def fractional_observation(span: Span, family: str, value: float) -> ModelError:
    """A number observed that a discrete distribution never gives."""
    return ModelError(
        "fractional-observation",
        f"the values of `{family}` are whole numbers, and {value:g} is observed",
        span,
        f"{value:g} is among the observed values" if span.text != f"{value:g}" else "no integer",
        "check the data, or choose a distribution on the real numbers",
    )


def fractional_index(span: Span, value: float) -> ModelError:
    """`get` with a constant index that is no integer."""
    return ModelError(
        "bad-index", f"an index must be an integer, not {value:g}", span, f"this is {value:g}"
    )


def latent_bounds(span: Span, operation: str) -> ModelError:
    """`subvec`, `put`, `range` or `repeat` with a latent bound."""
    return ModelError(
        "latent-bounds",
        f"the bounds of `{operation}` must be known when compiling",
        span,
        "this depends on a sampled variable",
        "only `get` takes a sampled integer",
    )


def lengths_differ(span: Span, first: int, second: int) -> ModelError:
    """Vectors of different lengths combined element by element."""
    return ModelError(
        "shape-mismatch",
        f"vectors of {first} and {second} elements do not fit together",
        span,
        "combined element by element here",
        "make the vectors equally long",
    )


def shapes_differ(span: Span, first: tuple[int, ...], second: tuple[int, ...]) -> ModelError:
    """Matrices whose inner dimensions differ."""
    return ModelError(
        "shape-mismatch",
        f"shapes {_shape(first)} and {_shape(second)} do not fit together",
        span,
        "multiplied here",
        "the columns of the first must be as many as the rows of the second",
    )


def branches_differ(span: Span, first: str, second: str) -> ModelError:
    """An `if` whose branches give values of different kinds."""
    return ModelError(
        "branches-differ",
        f"the branches of an `if` must give the same kind of value, not {first} and {second}",
        span,
        f"one branch gives {first}, the other {second}",
        "let both branches give numbers, or vectors of equal length",
    )


def parameter_out_of_range(
    span: Span, family: str, parameter: str, value: str, constraint: str
) -> ModelError:
    """A constant parameter that its distribution does not take."""
    return ModelError(
        "parameter-out-of-range",
        f"`{parameter}` of `{family}` must be {constraint}",
        span,
        f"this is {value}",
        f"change `{parameter}`, or choose another distribution",
    )


def parameters_disagree(
    span: Span, family: str, names: Sequence[str], values: Sequence[str], order: str
) -> ModelError:
    """Constant parameters that do not fit together, such as low > high."""
    given = ", ".join(f"{name} = {value}" for name, value in zip(names, values, strict=True))
    return ModelError(
        "parameters-disagree",
        f"the parameters of `{family}` must satisfy {order}",
        span,
        f"here {given}",
        f"write ({' '.join((family, *names))})",
    )


def empty_parameter(span: Span, family: str, parameter: str) -> ModelError:
    """An empty vector as the parameter of a distribution."""
    return ModelError(
        "parameter-out-of-range",
        f"`{parameter}` of `{family}` must not be empty",
        span,
        "a vector without elements",
        "give it one element for each of the values",
    )


def parameter_lengths(span: Span, family: str, found: int, expected: int) -> ModelError:
    """A vector distribution whose parts differ in length."""
    return ModelError(
        "shape-mismatch",
        f"the parts of this `{family}` have {expected} and {found} elements",
        span,
        f"{found} here, and {expected} in the first parameter",
        "make them equally long",
    )


def not_square(span: Span, family: str, rows: int, columns: int) -> ModelError:
    """A covariance matrix that is not square."""
    return ModelError(
        "shape-mismatch",
        f"the matrix of `{family}` must be square",
        span,
        f"{rows} rows, and a row of {columns} elements",
        "give it as many columns as rows",
    )


def mixed_families(span: Span, first: str, second: str) -> ModelError:
    """A sample from a choice between different families."""
    return ModelError(
        "mixed-families",
        f"a sampled variable cannot choose between `{first}` and `{second}`",
        span,
        "the family depends on a sampled variable",
        "sample from each of them and choose between the values with `if`",
    )


def _shape(shape: tuple[int, ...]) -> str:
    return "×".join(str(n) for n in shape)
