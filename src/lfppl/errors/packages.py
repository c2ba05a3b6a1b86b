"""Packages that only a part of lfppl needs."""

from __future__ import annotations

from lfppl.errors.base import ModelError


def missing_package(package: str, purpose: str) -> ModelError:
    """A package that only a part of the results needs.

    >>> print(missing_package("arviz-base", "`Fit.tree`"))
    error[missing-package]: `Fit.tree` needs the package arviz-base
      help: install it, or take the draws from `Fit.draws`
    """
    return _missing(purpose, package, "install it, or take the draws from `Fit.draws`")


def missing_extra(purpose: str, package: str, extra: str) -> ModelError:
    """A package of an extra of lfppl that is not installed.

    >>> print(missing_extra("the engine `crowd`", "jax", "jax"))
    error[missing-package]: the engine `crowd` needs the package jax
      help: pip install 'lfppl[jax]'
    """
    return _missing(purpose, package, f"pip install 'lfppl[{extra}]'")


def _missing(purpose: str, package: str, advice: str) -> ModelError:
    return ModelError("missing-package", f"{purpose} needs the package {package}", help=advice)
