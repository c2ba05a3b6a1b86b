"""Files written atomically, and arrays read from files that anybody may have written."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from lfppl.errors import running

Arrays = Mapping[str, NDArray[Any]]
UNFINISHED = ".unfinished"
"""How the names of files end that are not complete; whoever finds one may delete it."""

DAMAGED = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error)


def write_atomically(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file as a whole or not at all, whatever happens in between.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder, "a"), lambda file: file.write(b"text"))
    ...     Path(folder, "a").read_text(), len(list(Path(folder).iterdir()))
    ('text', 1)
    """
    unfinished = path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        with unfinished.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have the folder's own entries reach the disk, where the system knows how."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write named arrays as a whole or not at all."""
    write_atomically(path, lambda file: np.savez(file, **arrays))  # type: ignore[arg-type]


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """All arrays of a file; one that is cut off or altered is refused."""
    try:
        # Opened here: NumPy leaves a file open that turns out to be damaged.
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except DAMAGED as error:
        raise running.damaged_checkpoint(path, _reason(error)) from None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error).splitlines()[0] or type(error).__name__
