"""Mistakes with samples, observations and distributions in models that are Python functions."""

from __future__ import annotations

from collections.abc import Sequence

from lfppl.errors.base import ModelError
from lfppl.errors.python.values import Shape, _shape
from lfppl.source import Span


def name_collision(span: Span, name: str, here: Span, there: Span) -> ModelError:
    """Two variables of one name: sampled here and there, or by calls here and there."""
    lines = f"in line {there.line} and in line {here.line}"
    if here != span:
        return _collision_of_calls(span, name, lines)
    return ModelError(
        "name-collision",
        f"two variables are called `{name}`: {lines}",
        span,
        f"`{name}` is taken by line {there.line}",
        'assign one of them to another name, or give it one: sample(..., name="...")',
    )


def _collision_of_calls(span: Span, name: str, lines: str) -> ModelError:
    """A function that samples, called twice."""
    return ModelError(
        "name-collision",
        f"two variables are called `{name}`: this function is called {lines}",
        span,
        f"every call samples another `{name}`",
        "return the sample itself, to name it after the result; or pass a name: "
        "sample(..., name=name)",
    )


def sampled_on_two_paths(span: Span, name: str) -> ModelError:
    """A sample behind a `return` that only some branches reach."""
    return ModelError(
        "sampled-twice",
        f"`{name}` would be sampled on two paths",
        span,
        "behind an `if` that returns or continues in only one of its parts",
        "sample before the `if`, or use if/else without `return`",
    )


def name_not_text(span: Span) -> ModelError:
    """`name=3`."""
    return ModelError(
        "bad-name",
        "the name of a variable must be a text, known when compiling",
        span,
        "this one is not",
        'write name="mu", or name=f"mu_{k}"',
    )


def name_first(span: Span, name: str) -> ModelError:
    """`sample("x", normal(0, 1))`."""
    return ModelError(
        "no-distribution",
        "`sample` takes a distribution, not a text",
        span,
        "variables are called what they are assigned to",
        f'write x = sample(...), or sample(..., name="{name}")',
    )


def no_distribution(span: Span, form: str, what: str) -> ModelError:
    """`sample(3)`."""
    return ModelError(
        "no-distribution",
        f"`{form}` takes a distribution, not {what}",
        span,
        f"this is {what}",
        f"write {form}(normal(0, 1){', value' if form == 'observe' else ''})",
    )


def observed_distribution(span: Span) -> ModelError:
    """`observe(d, d)`."""
    return ModelError(
        "observed-distribution",
        "a distribution cannot be observed",
        span,
        "this is a distribution",
        "write observe(distribution, value)",
    )


def observed_rank(span: Span, name: str, what: str) -> ModelError:
    """A number observed under a distribution of vectors."""
    return ModelError(
        "observed-rank",
        f"values of `{name}` are arrays",
        span,
        f"this is {what}",
        "observe an array",
    )


def unused_distribution(span: Span, name: str) -> ModelError:
    """A distribution as a statement."""
    return ModelError(
        "unused-distribution",
        f"this `{name}` distribution has no effect",
        span,
        "neither sampled nor observed",
        "write sample(...) or observe(..., value) around it",
    )


def parameter_rank(span: Span, parameter: str, family: str, rank: int, what: str) -> ModelError:
    """A number where a distribution takes a vector."""
    wanted = "an array" if rank == 1 else "a matrix"
    return ModelError(
        "parameter-rank",
        f"`{parameter}` of `{family}` must be {wanted}, not {what}",
        span,
        f"this is {what}",
        "write [a, b, ...]" if rank == 1 else "write [[a, b], [c, d]]",
    )


def shape_of_parameters(span: Span, batch: Shape, asked: Shape) -> ModelError:
    """A shape that the parameters do not fit into."""
    return ModelError(
        "shape-mismatch",
        f"parameters of shape {_shape(batch)} do not fit into the shape {_shape(asked)}",
        span,
        "asked for here",
        "the last dimensions of the shape must be those of the parameters",
    )


def dims_not_text(span: Span) -> ModelError:
    """`dims=3`."""
    return ModelError(
        "bad-dims",
        "`dims` must be a name or names, known when compiling",
        span,
        "these are not",
        'write dims="group", or dims=("group", "year")',
    )


def dims_count(span: Span, dims: Sequence[str], rank: int) -> ModelError:
    """Names for other than the dimensions there are."""
    return ModelError(
        "bad-dims",
        f"{len(dims)} name{'s' * (len(dims) != 1)} for {rank} dimension{'s' * (rank != 1)}",
        span,
        f"named {', '.join(dims)}",
        "give one name for each dimension",
    )


def dims_lengths(
    span: Span, dim: str, variable: str, length: int, other: str, first: int
) -> ModelError:
    """One name for dimensions of unequal lengths."""
    return ModelError(
        "bad-dims",
        f"`{dim}` has {length} elements in `{variable}`, but {first} in `{other}`",
        span,
        "the lengths differ",
        "give one of the dimensions another name",
    )


def dims_reserved(span: Span, dim: str, is_variable: bool) -> ModelError:
    """A dimension called like what the results hold beside it."""
    why = "a variable" if is_variable else "a dimension of all results"
    return ModelError(
        "bad-dims",
        f"a dimension cannot be called `{dim}`",
        span,
        f"this is the name of {why}",
        "give the dimension another name",
    )


def coords_without_dim(span: Span, dim: str, dims: Sequence[str]) -> ModelError:
    """Labels along a dimension that the variable has not."""
    found = f"its dimensions are called {', '.join(dims)}" if dims else "no `dims` are given"
    return ModelError(
        "bad-coords",
        f"`coords` names `{dim}`, and `dims` does not",
        span,
        found,
        f'write dims="{dim}" as well, or use one of the names in `dims`',
    )


def coords_twice(span: Span, dim: str) -> ModelError:
    """Other labels along the same dimension."""
    return ModelError(
        "bad-coords",
        f"`{dim}` has other coordinates in a sample before",
        span,
        "these differ",
        "give them once; further samples need only `dims`",
    )


def coords_unknown(span: Span) -> ModelError:
    """Coordinates that are not known."""
    return ModelError(
        "bad-coords",
        "coordinates must be known when compiling",
        span,
        "these are not",
        'write coords={"group": ["a", "b"]}',
    )


def coords_length(span: Span, dim: str, given: int, length: int) -> ModelError:
    """More or fewer labels than elements."""
    return ModelError(
        "bad-coords",
        f"`{dim}` has {length} elements, but {given} coordinates",
        span,
        f"{given} coordinates for {length} elements",
        "give one coordinate for each element",
    )
