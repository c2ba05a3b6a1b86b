"""What can go wrong while a chain runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lfppl.errors.base import CompilerBug, LfpplError, ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class ChainError(LfpplError):
    """A chain that cannot go on, and where it stood.

    The position is in sampler coordinates; the caller names the statement from it.
    """

    def __init__(self, message: str, position: NDArray[np.float64]) -> None:
        self.position = position.copy()
        super().__init__(message)


def density_is_nan(position: NDArray[np.float64]) -> ChainError:
    """The log density is not a number where a chain stands.

    >>> import numpy as np
    >>> print(density_is_nan(np.zeros(1)))
    the log density is not a number (NaN) at the point the chain stands at
    """
    return ChainError(
        "the log density is not a number (NaN) at the point the chain stands at", position
    )


def outside_support(position: NDArray[np.float64]) -> ChainError:
    """A chain was started where the density is zero.

    >>> import numpy as np
    >>> print(outside_support(np.zeros(1)))
    the chain stands at a point where the density is zero
    """
    return ChainError("the chain stands at a point where the density is zero", position)


def no_initial_point(position: NDArray[np.float64], attempts: int) -> ChainError:
    """No point of positive density was found to start from; the last one tried comes along.

    >>> import numpy as np
    >>> print(no_initial_point(np.zeros(1), 100))
    no starting point of positive density was found in 100 attempts
    """
    return ChainError(
        f"no starting point of positive density was found in {attempts} attempts", position
    )


def gamma_must_be_empty(engine: str) -> CompilerBug:
    """A density with discontinuous coordinates was given to a gradient-only engine."""
    return CompilerBug(f"`{engine}` needs a density compiled without discontinuous variables")


def unknown_engine(name: str, known: Sequence[str]) -> ModelError:
    """No engine has this name.

    >>> print(unknown_engine("gibbs", ["dhmc", "dnuts"]))
    error[unknown-engine]: there is no engine `gibbs`
      help: choose one of dhmc, dnuts
    """
    return ModelError(
        "unknown-engine", f"there is no engine `{name}`", help=f"choose one of {', '.join(known)}"
    )
