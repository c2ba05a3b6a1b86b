"""Saved fits read back: the draws by name, and their summary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.errors import running
from lfppl.results.presentation import table, warning
from lfppl.results.summary import statistics


def read_draws(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The posterior draws of a saved fit as arrays of (chain, draw, *shape), and its attributes."""
    import xarray

    if not path.is_file():
        raise running.not_a_fit(path, "there is no such file")
    try:
        with xarray.open_datatree(path, engine="h5netcdf") as tree:
            posterior = tree["posterior"]
            draws = {str(n): np.asarray(v.values) for n, v in posterior.data_vars.items()}
            return draws, {str(name): value for name, value in tree.attrs.items()}
    except (OSError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else "it cannot be read"
        raise running.not_a_fit(path, reason) from None


def summary_of(path: Path, *, as_json: bool = False) -> str:
    """The summary of a saved fit as text or as JSON."""
    draws, attributes = read_draws(path)
    found = statistics(draws)
    if not as_json:
        warnings = _texts(attributes.get("warnings"))
        return "\n".join([table(found), *map(warning, warnings)])
    finite = {
        name: {key: value if np.isfinite(value) else None for key, value in row.items()}
        for name, row in found.items()
    }
    return json.dumps({"variables": finite, "engine": attributes.get("engine")}, indent=2)


def _texts(written: Any) -> list[str]:
    try:
        texts = json.loads(written)
    except (TypeError, ValueError):
        return []
    return [str(text) for text in texts] if isinstance(texts, list) else []
