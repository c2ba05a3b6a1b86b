"""Fits written to files: the place is checked before the run, and another taken if it fails."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lfppl.errors import ModelError, running
from lfppl.results.fit import Fit


def check_place(path: Path) -> None:
    """Refuse a place that cannot be written to, before anything is drawn.

    >>> check_place(Path("/no/such/folder/fit.nc"))
    Traceback (most recent call last):
        ...
    lfppl.errors.base.ModelError: error[cannot-write]: /no/such/folder/fit.nc cannot be written: \
there is no folder /no/such/folder
    """
    if not path.parent.is_dir():
        raise running.cannot_write(path, f"there is no folder {path.parent}")
    if path.is_dir():
        raise running.cannot_write(path, "it is a folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise running.cannot_write(path, "Permission denied")


def save(fit: Fit, path: Path) -> None:
    """Write a fit; where that fails, into the folder for temporary files, and say so."""
    try:
        fit.save(path)
    except ModelError as error:
        rescue = Path(tempfile.mkdtemp(prefix="lfppl-")) / path.name
        try:
            fit.save(rescue)
        except ModelError:
            raise error from None
        raise running.saved_elsewhere(error, rescue) from None
