"""Packages that only a part of lfppl needs."""

from __future__ import annotations

from lfppl.errors.base import ModelError


def missing_extra(purpose: str, package: str, extra: str) -> ModelError:
    """A package of an extra of lfppl that is not installed.

    >>> print(missing_extra("the engine `crowd`", "jax", "jax"))
    error[missing-package]: the engine `crowd` needs the package jax
      help: pip install 'lfppl[jax]'
    """
    return ModelError(
        "missing-package",
        f"{purpose} needs the package {package}",
        help=f"pip install 'lfppl[{extra}]'",
    )
