"""Where the special functions come from: libmvec's vectors, libm, scipy's C pointers."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import NamedTuple

from lfppl.errors import native

LIBM = {
    "exp": 1,
    "log": 1,
    "log1p": 1,
    "expm1": 1,
    "sin": 1,
    "cos": 1,
    "tan": 1,
    "atan": 1,
    "sinh": 1,
    "cosh": 1,
    "tanh": 1,
    "erf": 1,
    "pow": 2,
}
"""The primitives that libm has, by arity; libmvec has vectors of all of them."""

SCIPY = {
    "log-gamma": "gammaln",
    "digamma": "__pyx_fuse_1psi",
    "ndtr": "__pyx_fuse_1ndtr",
    "log-ndtr": "__pyx_fuse_1log_ndtr",
    "i0e": "i0e",
    "i1e": "i1e",
}
"""The primitives that scipy's `cython_special` exports as C functions. Importing it takes 0.1 s, so
that libm's `lgamma_r` is taken where there is one; it is as accurate and as fast."""

_VECTOR_PREFIX = {8: "_ZGVeN8", 4: "_ZGVdN4", 2: "_ZGVbN2"}


DISPATCHED, SIGN = "i32 0", "ptr %sign"
"""Further arguments of functions of scipy, and of libm's `lgamma_r`: where a sign is written."""


class Function(NamedTuple):
    """A native function: its symbol, address, arity, vector width, and a further argument."""

    symbol: str
    address: int
    arity: int
    width: int
    further: str = ""


@cache
def lookup(operation: str, width: int) -> Function:
    """The widest function for an operation that vectors of `width` can be sent through.

    >>> lookup("exp", 1).arity
    1
    """
    vector = _from_libmvec(operation, width) if width > 1 else None
    if vector is not None:
        return vector
    if operation in LIBM:
        return Function(f"lfppl_{operation}", _address_in("m", operation), LIBM[operation], 1)
    name = f"lfppl_{operation.replace('-', '_')}"
    if operation == "log-gamma" and hasattr(_library("m"), "lgamma_r"):
        return Function(name, _address_in("m", "lgamma_r"), 1, 1, SIGN)
    if operation in SCIPY:
        return Function(name, _from_scipy(SCIPY[operation]), 1, 1, DISPATCHED)
    raise native.missing_symbol(operation)


@cache
def _library(name: str) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL({"m": "libm.so.6", "mvec": "libmvec.so.1"}.get(name, name))
    except OSError:
        return _library_elsewhere(name)


def _library_elsewhere(name: str) -> ctypes.CDLL | None:
    """A library under the name it has on this system; looking for it takes milliseconds."""
    from ctypes.util import find_library

    found = find_library(name)
    try:
        return ctypes.CDLL(found) if found else None
    except OSError:
        return None


def _from_libmvec(operation: str, width: int) -> Function | None:
    library = _library("mvec")
    if library is None or operation not in LIBM or width not in _VECTOR_PREFIX:
        return None
    arity = LIBM[operation]
    symbol = f"{_VECTOR_PREFIX[width]}{'v' * arity}_{operation}"
    if not hasattr(library, symbol):
        return None
    address = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value or 0
    return Function(f"lfppl_{operation}_{width}", address, arity, width)


def _address_in(library_name: str, symbol: str) -> int:
    library = _library(library_name) or ctypes.CDLL(None)
    if not hasattr(library, symbol):
        raise native.missing_symbol(symbol)
    return ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value or 0


def _from_scipy(name: str) -> int:
    from scipy.special import cython_special

    capsule = cython_special.__pyx_capi__.get(name)
    if capsule is None:
        raise native.missing_symbol(name)
    api = ctypes.pythonapi
    signature = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", api))
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", api)
    )
    return int(pointer(capsule, signature(capsule)) or 0)
