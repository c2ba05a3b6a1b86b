"""A run on disk: a folder with the model, the settings, and every segment with the state after it.

    run.json                    what was asked for, in JSON
    data.npz                    the data
    start-CHAIN.npz             the state each chain began with
    chain-CHAIN-ITERATION.npz   a segment from this iteration on, and the state after it

Every file appears as a whole, so that the run can be killed at any moment.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.engines.chains import State, restored_state, state_arrays
from lfppl.errors import ModelError, running
from lfppl.results.record import Stretch
from lfppl.runs.storage import UNFINISHED, read_arrays, sync_folder, write_arrays, write_atomically

FORMAT = "lfppl-checkpoint"
VERSION = 1
STATE = "state."
"""What the names of a state's arrays begin with."""

Data = Mapping[str, float | NDArray[np.float64]]


class Saved(NamedTuple):
    """A segment as it was written, and the state after it."""

    stretch: Stretch
    state: State


class Checkpoint:
    """A checkpoint that this process writes to; no other may meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = _locked(path)

    def close(self) -> None:
        """Let others write to it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def write(self, chain: int, stretch: Stretch, state: State) -> None:
        """Add a segment and the state after it."""
        arrays = {name: np.asarray(value) for name, value in stretch._asdict().items()}
        arrays |= {STATE + name: array for name, array in state_arrays(state).items()}
        write_arrays(self.path / f"chain-{chain}-{stretch.first:012d}.npz", arrays)

    def start(self, chain: int) -> State:
        """The state a chain began with."""
        return _state(self.path / f"start-{chain}.npz")

    def segments(self, chain: int) -> Iterator[Saved]:
        """The segments of a chain in order; there must be no gap."""
        expected = 0
        for path in sorted(self.path.glob(f"chain-{chain}-*.npz")):
            saved = _saved(path)
            if saved.stretch.first != expected:
                reason = f"the iterations from {expected} on are missing before it"
                raise running.damaged_checkpoint(path, reason)
            expected = saved.state.iteration
            yield saved


def create(
    path: Path, header: Mapping[str, Any], data: Data, starts: Sequence[State]
) -> Checkpoint:
    """Begin a checkpoint: the folder appears with everything a run needs, or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED}")
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise running.checkpoint_exists(path)
    try:
        unfinished.mkdir(parents=True)
        _fill(unfinished, header, data, starts)
        unfinished.rename(path)
        sync_folder(path.parent)
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise running.cannot_write(path, error.strerror or str(error)) from None
    return Checkpoint(path)


def open_checkpoint(path: Path) -> tuple[Checkpoint, dict[str, Any], dict[str, Any]]:
    """An existing checkpoint, what it was begun with, and its data."""
    header = read_header(path)
    data = read_arrays(path / "data.npz")
    try:
        named = {name: data[str(i)] for i, name in enumerate(header["data"])}
    except KeyError:
        raise running.damaged_checkpoint(path / "data.npz", "an array is missing") from None
    checkpoint = Checkpoint(path)
    for leftover in path.glob(f"*{UNFINISHED}"):
        leftover.unlink(missing_ok=True)
    return checkpoint, header, {n: float(a) if a.ndim == 0 else a for n, a in named.items()}


def read_header(path: Path) -> dict[str, Any]:
    """What a checkpoint was begun with."""
    if not path.exists():
        raise running.checkpoint_missing(path)
    try:
        header = json.loads((path / "run.json").read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or "run.json is not JSON"
        raise running.not_a_checkpoint(path, f"run.json: {reason}") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise running.not_a_checkpoint(path, "run.json says nothing of lfppl")
    if header.get("version") != VERSION:
        raise running.not_a_checkpoint(path, "it was written by another version of lfppl")
    missing = [key for key, kind in KEYS.items() if not isinstance(header.get(key), kind)]
    if missing:
        raise running.not_a_checkpoint(path, f"`{missing[0]}` is missing in run.json")
    return header


KEYS: dict[str, Any] = {
    "source": dict,
    "data": list,
    "identity": str,
    "engine": str,
    "settings": dict,
    "draws": int,
    "warmup": int,
    "thin": int,
    "chains": int,
    "seed": int,
    "log_likelihood": bool,
    "versions": dict,
}
"""What must stand in run.json, and of which kind."""


# --- pieces --------------------------------------------------------------------------------------


def _fill(folder: Path, header: Mapping[str, Any], data: Data, starts: Sequence[State]) -> None:
    whole = {"format": FORMAT, "version": VERSION, **header, "data": list(data)}
    text = json.dumps(whole, indent=2).encode()
    write_arrays(folder / "data.npz", {str(i): np.asarray(v) for i, v in enumerate(data.values())})
    for chain, state in enumerate(starts):
        write_arrays(folder / f"start-{chain}.npz", state_arrays(state))
    write_atomically(folder / "run.json", lambda file: file.write(text))


def _state(path: Path) -> State:
    try:
        return restored_state(read_arrays(path))
    except KeyError as error:
        raise _without(path, error) from None


def _saved(path: Path) -> Saved:
    arrays = read_arrays(path)
    state = {n.removeprefix(STATE): a for n, a in arrays.items() if n.startswith(STATE)}
    try:
        fields: dict[str, Any] = {name: arrays[name] for name in Stretch._fields}
        fields |= {"first": int(arrays["first"]), "seconds": float(arrays["seconds"])}
        saved = Saved(Stretch(**fields), restored_state(state))
    except (KeyError, TypeError) as error:
        raise _without(path, error) from None
    if saved.state.iteration - saved.stretch.first != len(saved.stretch.statistics):
        raise running.damaged_checkpoint(path, "its arrays do not fit together")
    return saved


def _without(path: Path, error: Exception) -> ModelError:
    return running.damaged_checkpoint(path, f"an array is missing or of the wrong kind: {error}")


def _locked(path: Path) -> int | None:
    """A lock on the folder until it is closed or the process ends; None where there are none."""
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise running.checkpoint_in_use(path) from None
    except OSError:  # a file system without locks
        os.close(handle)
        return None
    return handle
