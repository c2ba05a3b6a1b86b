"""Engines with one piece replaced by a wrong one, to show that the tests can fail."""

from __future__ import annotations

from types import FunctionType

import numba


def altered(kernel, **replaced):
    """A compiled function whose global names mean something else."""
    python = kernel.py_func
    wrong = FunctionType(python.__code__, {**python.__globals__, **replaced}, python.__name__)
    return numba.njit(error_model="numpy", nogil=True)(wrong)
