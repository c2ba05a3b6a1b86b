"""`sample`, `observe` and `factor` as models that are Python functions write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import lfppl.errors.python as errors

if TYPE_CHECKING:
    from lfppl.distributions import Distribution


def sample(
    distribution: Distribution,
    *,
    shape: int | tuple[int, ...] | None = None,
    name: str | None = None,
    dims: str | Sequence[str] | None = None,
    coords: Mapping[str, Sequence[Any]] | None = None,
) -> Any:
    """A random variable of a distribution; it is called like what it is assigned to.

    `shape` asks for an array of independent ones. `name` gives another name. `dims` names the
    dimensions, `coords` gives the labels along them: both appear in the results.

    >>> from lfppl.distributions import Distribution
    >>> sample(Distribution())
    Traceback (most recent call last):
    lfppl.errors.base.ModelError: error[outside-model]: `sample` was called outside a model
      help: call it in a function under `@lfppl.model`; the function is translated, not run
    """
    raise errors.outside_model("sample")


def observe(distribution: Distribution, value: Any) -> None:
    """Say that a value, or an array of values, was seen: it multiplies the density.

    >>> from lfppl.distributions import Distribution
    >>> observe(Distribution(), 1.0)
    Traceback (most recent call last):
    lfppl.errors.base.ModelError: error[outside-model]: `observe` was called outside a model
      help: call it in a function under `@lfppl.model`; the function is translated, not run
    """
    raise errors.outside_model("observe")


def factor(log_weight: Any) -> None:
    """Add a number to the log density.

    >>> factor(-1.0)
    Traceback (most recent call last):
    lfppl.errors.base.ModelError: error[outside-model]: `factor` was called outside a model
      help: call it in a function under `@lfppl.model`; the function is translated, not run
    """
    raise errors.outside_model("factor")
