"""What can go wrong in native code: the machine, its memory, and densities that are not numbers."""

from __future__ import annotations

from lfppl.errors.base import ModelError
from lfppl.source import Span


def unsupported_machine(reason: str) -> ModelError:
    """LLVM cannot make code for this processor.

    >>> unsupported_machine("no target").code
    'unsupported-machine'
    """
    return ModelError(
        "unsupported-machine",
        f"native code cannot be made for this processor ({reason})",
        help="run lfppl on x86-64 or AArch64, the processors that numba and llvmlite are built for",
    )


def missing_symbol(name: str) -> ModelError:
    """A special function that neither libm nor scipy offers here.

    >>> print(missing_symbol("psi"))
    error[missing-symbol]: the function `psi` was not found in libm, libmvec or scipy
      help: install scipy 1.11 or later, whose `cython_special` has the special functions
    """
    return ModelError(
        "missing-symbol",
        f"the function `{name}` was not found in libm, libmvec or scipy",
        help="install scipy 1.11 or later, whose `cython_special` has the special functions",
    )


def not_enough_memory(needed: int, available: int) -> ModelError:
    """The tables and one chain's workspace do not fit.

    >>> print(not_enough_memory(32 * 2**30, 8 * 2**30))
    error[not-enough-memory]: the model needs 32.0 GiB for one chain, 8.0 GiB are available
      help: use less data or fewer variables, or a machine with more memory
    """
    return ModelError(
        "not-enough-memory",
        f"the model needs {needed / 2**30:.1f} GiB for one chain, "
        f"{available / 2**30:.1f} GiB are available",
        help="use less data or fewer variables, or a machine with more memory",
    )


def not_a_number(name: str, family: str, indices: tuple[int, ...], span: Span) -> ModelError:
    """The log density of a vertex is NaN.

    >>> from lfppl.source import NOWHERE
    >>> not_a_number("x", "normal", (3,), NOWHERE).message
    'the log density of x[3] (normal) is not a number'
    """
    place = f"[{', '.join(map(str, indices))}]" if indices else ""
    return ModelError(
        "not-a-number",
        f"the log density of {name}{place} ({family}) is not a number",
        span,
        "an argument here became NaN, or infinities cancelled",
        "look for 0/0, inf - inf, 0 * inf or a logarithm or root of a negative number",
    )


def hidden_not_a_number() -> ModelError:
    """The density was NaN, but not at the point where it was looked at.

    >>> hidden_not_a_number().code
    'not-a-number'
    """
    return ModelError(
        "not-a-number",
        "the log density became not a number at a point that was tried and left again",
        help="look for 0/0, inf - inf, 0 * inf or a logarithm or root of a negative number",
    )


def too_many_parts(count: int, limit: int) -> ModelError:
    """A model of many shapes, which the JAX backend would compile for minutes.

    >>> too_many_parts(9000, 2000).message
    'the model has 9000 parts, of which the JAX backend compiles 2000 at most'
    """
    return ModelError(
        "too-many-parts",
        f"the model has {count} parts, of which the JAX backend compiles {limit} at most",
        help='loops that carry state are unrolled: use the native backend (`backend="llvm"`)',
    )
