"""The operations of Core on vectors: names, argument counts, and what each does.

`get` with a latent index k takes element floor(k). Indices and counts are otherwise known when
compiling. Scalar primitives apply to vectors element by element, numbers being repeated.
"""

from __future__ import annotations

from typing import NamedTuple


class ArrayOperation(NamedTuple):
    """An array operation: its number of arguments (`most` None: any number) and its meaning."""

    least: int
    most: int | None
    meaning: str


ARRAY_OPERATIONS: dict[str, ArrayOperation] = {
    "vector": ArrayOperation(0, None, "the vector of the arguments"),
    "get": ArrayOperation(2, 2, "element i of a vector, counted from 0; i may be a latent integer"),
    "count": ArrayOperation(1, 1, "the number of elements"),
    "subvec": ArrayOperation(3, 3, "the elements from start up to end"),
    "concat": ArrayOperation(0, None, "the elements of all arguments in one vector; nil is empty"),
    "put": ArrayOperation(3, 3, "the vector with element i replaced"),
    "range": ArrayOperation(2, 2, "the integers from start up to end"),
    "repeat": ArrayOperation(2, 2, "a vector of n times the same value"),
    "flatten": ArrayOperation(1, 1, "a vector of vectors as one vector"),
    "transpose": ArrayOperation(1, 1, "a matrix (vector of rows) with rows and columns exchanged"),
    "sum": ArrayOperation(1, 1, "the sum of the elements; 0 for none"),
    "largest": ArrayOperation(1, 1, "the largest element"),
    "smallest": ArrayOperation(1, 1, "the smallest element"),
    "log-sum-exp": ArrayOperation(1, 1, "log of the sum of the exponentials, without overflow"),
    "dot": ArrayOperation(2, 2, "the inner product of two vectors"),
    "mat-mul": ArrayOperation(2, 2, "the product of matrices, or of a matrix and a vector"),
}
