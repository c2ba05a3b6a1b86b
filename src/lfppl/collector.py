"""No search for cyclic garbage while much is made that stays: trees, tables, modules."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Switch the collector off inside the `with`: walking all that is there again and again.

    It doubles the time to compile a large model, and a fresh process would walk its modules.

    >>> with collector_paused():
    ...     gc.isenabled()
    False
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
