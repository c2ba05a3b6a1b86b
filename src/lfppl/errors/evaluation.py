"""Points at which a density is asked for."""

from __future__ import annotations

from collections.abc import Iterable

from lfppl.errors.base import ModelError


def wrong_point(name: str, known: Iterable[str]) -> ModelError:
    """A point that lacks a variable, or has one that the model does not sample.

    >>> print(wrong_point("nu", ["mu"]))
    error[wrong-point]: a point must name the variables of the model and no others: see `nu`
      help: the model samples mu
    """
    return ModelError(
        "wrong-point",
        f"a point must name the variables of the model and no others: see `{name}`",
        help=f"the model samples {', '.join(known) or 'nothing'}",
    )


def wrong_shape(name: str, given: tuple[int, ...], shape: tuple[int, ...]) -> ModelError:
    """A value of the wrong shape.

    >>> wrong_shape("mu", (3,), (2,)).message
    'the value of `mu` has the shape (3,), the variable (2,)'
    """
    return ModelError(
        "wrong-point", f"the value of `{name}` has the shape {given}, the variable {shape}"
    )
