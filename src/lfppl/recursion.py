"""Room for walks of deep trees: a higher recursion limit while one of them runs."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

DEEP = 50_000
"""Nested Python calls a walk may need; the limits on nesting in a program lie far below."""

_lock = threading.Lock()
_usual: list[int] = []
"""The limit is one for all threads: what it was before each walk that is under way."""


@contextmanager
def deep_recursion(frames: int = DEEP) -> Iterator[None]:
    """Allow deep recursion inside the `with`; the last of several threads takes it back.

    >>> with deep_recursion():
    ...     sys.getrecursionlimit() >= DEEP
    True
    """
    with _lock:
        _usual.append(min([sys.getrecursionlimit(), *_usual]))
        sys.setrecursionlimit(max(frames, sys.getrecursionlimit()))
    try:
        yield
    finally:
        with _lock:
            usual = _usual.pop()
            if not _usual:
                sys.setrecursionlimit(usual)
