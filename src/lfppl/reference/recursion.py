"""Room for the oracles' tree walks: a higher recursion limit while one of them runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

DEEP = 50_000
"""Nested Python calls the oracles may need; the limits on nesting in a program lie far below."""


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow deep recursion inside the `with`.

    >>> with deep_recursion():
    ...     sys.getrecursionlimit() >= DEEP
    True
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
