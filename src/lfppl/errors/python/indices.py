"""Mistakes with indices and slices in models that are Python functions."""

from __future__ import annotations

from lfppl.errors.base import ModelError
from lfppl.source import Span


def index_out_of_range(span: Span, index: int, length: int) -> ModelError:
    """An index outside."""
    plural = "element" if length == 1 else "elements"
    return ModelError(
        "bad-index",
        f"index {index} is out of range for {length} {plural}",
        span,
        f"{index} is not between {-length} and {length - 1}" if length else "there is no element",
        "indices begin at 0",
    )


def fractional_index(span: Span) -> ModelError:
    """`x[1.5]`."""
    return ModelError(
        "bad-index",
        "an index must be an integer",
        span,
        "this is not",
        "use `//` instead of `/`, or `int(...)`",
    )


def too_many_indices(span: Span, given: int, rank: int) -> ModelError:
    """`x[1, 2]` of a vector."""
    return ModelError(
        "bad-index",
        f"{given} indices for an array of {rank} dimension{'s' * (rank != 1)}",
        span,
        "too many indices",
        "give one index for each dimension at most",
    )


def number_indexed(span: Span) -> ModelError:
    """`x[0]` of a number."""
    return ModelError(
        "not-indexable",
        "a number has no elements",
        span,
        "this is a number",
        "remove the index; `sample(..., shape=n)` makes an array",
    )


def not_indexable(span: Span, what: str) -> ModelError:
    """`x[0]` of anything else."""
    return ModelError(
        "not-indexable",
        f"{what} has no elements that a model can take",
        span,
        f"this is {what}",
        "take elements of arrays and lists",
    )


def list_index_unknown(span: Span, kind: str) -> ModelError:
    """A list of unequal things at an index that is not known."""
    return ModelError(
        "list-index-unknown",
        f"this {kind} holds different things: its index must be known when compiling",
        span,
        "not known when compiling",
        "make the elements numbers, arrays of equal shape, or distributions",
    )


def latent_mask(span: Span) -> ModelError:
    """`x[x > 0]` with a sampled x."""
    return ModelError(
        "latent-mask",
        "the length of the result would depend on sampled variables",
        span,
        "which elements are chosen is not known when compiling",
        "keep the length with np.where(test, x, 0)",
    )


def latent_slice(span: Span) -> ModelError:
    """`x[:k]` with a sampled k."""
    return ModelError(
        "latent-slice",
        "the bounds of a slice must be known when compiling",
        span,
        "this depends on a sampled variable",
        "keep the length: np.where(np.arange(n) < k, x, 0)",
    )


def slice_unknown(span: Span) -> ModelError:
    """A slice whose bounds depend on a loop, beside other indices."""
    return ModelError(
        "slice-unknown",
        "these bounds must be fixed",
        span,
        "this depends on the index of a loop",
        "slice the first dimension only, or write a loop",
    )


def slice_step(span: Span) -> ModelError:
    """A slice with a step whose bounds depend on a loop."""
    return ModelError(
        "slice-unknown",
        "a slice with a step must have fixed bounds",
        span,
        "this depends on the index of a loop",
        "write a loop over the elements",
    )


def latent_mask_stored(span: Span) -> ModelError:
    """`x[x > 0] = 1` with a sampled x."""
    return ModelError(
        "latent-store",
        "which elements are assigned must be known when compiling",
        span,
        "this depends on a sampled variable",
        "choose for every element: x = np.where(test, value, x)",
    )


def latent_store(span: Span) -> ModelError:
    """`x[k] = 1` with a sampled k."""
    return ModelError(
        "latent-store",
        "the index of an element that is assigned must be known when compiling",
        span,
        "this depends on a sampled variable",
        "assign all elements: x = np.where(np.arange(n) == k, value, x)",
    )
