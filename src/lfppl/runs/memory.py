"""Whether the draws of a run fit into memory."""

from __future__ import annotations

from pathlib import Path

from lfppl.errors import running

MOST_POINTWISE = 20_000_000
"""How many pointwise log densities are kept without being asked for: 160 MB."""
SHARE = 0.5
"""The part of the free memory that draws may take: looking at them takes as much again."""


def keeps_log_likelihood(rows: int, observed: int) -> bool:
    """Whether the pointwise log densities are kept where nothing is said about them.

    >>> keeps_log_likelihood(4000, 100), keeps_log_likelihood(4000, 100_000)
    (True, False)
    """
    return rows * observed <= MOST_POINTWISE


def check_memory(rows: int, numbers: int, workspaces: int) -> None:
    """Refuse a run whose draws cannot be held.

    >>> check_memory(4000, 10, 100)
    """
    available = available_memory()
    needed = 8.0 * (rows * numbers + workspaces)
    if available is not None and needed > SHARE * available:
        raise running.too_much_memory(needed, available)


def available_memory() -> float | None:
    """Bytes that can be used, where the system says so."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith("MemAvailable")]
    return 1024.0 * int(found[0]) if found else None
