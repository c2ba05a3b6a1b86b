"""Where machine code of the engines is kept between processes: files that are checked when read.

A file belongs to one text of the engines, one Numba and LLVM, and one processor; whatever does not
fit or is damaged is as good as absent.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm

from lfppl.engines.native import source_stamp

SUFFIX = ".machine"
FORMAT = "1"
READABLE = 0o644
"""Permissions: others may use the code that an administrator's process has compiled."""
FILES_KEPT = 8
"""How many files of one loop stay in a folder, so that several environments can share it."""


def find(name: str, signature: str) -> tuple[tuple[str, ...], bytes] | None:
    """The C functions needed and the machine code of a loop; None where there is none."""
    for folder in folders():
        try:
            content = (folder / _file(name, signature)).read_bytes()
        except OSError:
            continue
        checksum, _, rest = content.partition(b"\n")
        if checksum == _checksum(signature, rest):
            symbols, _, code = rest.partition(b"\n")
            return tuple(symbols.decode("ascii").split()), code
    return None


def has_any(name: str) -> bool:
    """Whether there is machine code of a loop for this machine, whatever its arguments."""
    pattern = f"{name}-{_key()[:16]}-*{SUFFIX}"
    return any(any(folder.glob(pattern)) for folder in folders())


def keep(name: str, signature: str, symbols: tuple[str, ...], code: bytes) -> None:
    """Write machine code to the first folder that takes it, all of it or nothing."""
    rest = " ".join(symbols).encode("ascii") + b"\n" + code
    content = _checksum(signature, rest) + b"\n" + rest
    for folder in folders():
        with suppress(OSError):
            _write(folder, _file(name, signature), content)
            _forget_oldest(folder, name)
            return


def folders() -> tuple[Path, ...]:
    """Where files may lie: NUMBA_CACHE_DIR, or beside the package, or the user's cache."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return (Path(chosen) / "lfppl",)
    beside = Path(__file__).parent / "__pycache__"
    return (beside, *(base / "lfppl" for base in _user_caches()))


# --- pieces --------------------------------------------------------------------------------------


def _user_caches() -> tuple[Path, ...]:
    chosen = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    if chosen:
        return (Path(chosen),)
    try:
        home = Path.home()
    except RuntimeError:
        return ()
    return (home / ("Library/Caches" if sys.platform == "darwin" else ".cache"),)


def _file(name: str, signature: str) -> str:
    return f"{name}-{_key()[:16]}-{sha256(signature.encode()).hexdigest()[:16]}{SUFFIX}"


def _checksum(signature: str, rest: bytes) -> bytes:
    return sha256(f"{_key()}\n{signature}\n".encode() + rest).hexdigest().encode("ascii")


@cache
def _key() -> str:
    """A digest of all that machine code depends on."""
    settings = sorted(
        f"{name}={value}"
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"
    )
    parts = (
        *(FORMAT, source_stamp(), _numba_stamp(), llvmlite.__version__),
        *(llvm.get_process_triple(), llvm.get_host_cpu_name()),
        *(llvm.get_host_cpu_features().flatten(), *settings),
    )
    return sha256("\n".join(parts).encode()).hexdigest()


def _numba_stamp() -> str:
    """What tells versions of Numba apart, without importing it."""
    found = find_spec("numba")
    if found is None or found.origin is None:
        return "unknown"
    return sha256((Path(found.origin).parent / "_version.py").read_bytes()).hexdigest()


def _write(folder: Path, name: str, content: bytes) -> None:
    from tempfile import mkstemp

    folder.mkdir(parents=True, exist_ok=True)
    handle, path = mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(path).chmod(READABLE)
        Path(path).replace(folder / name)
    except OSError:
        Path(path).unlink(missing_ok=True)
        raise


def _forget_oldest(folder: Path, name: str) -> None:
    files = sorted(folder.glob(f"{name}-*{SUFFIX}"), key=lambda file: file.stat().st_mtime)
    for file in files[:-FILES_KEPT]:
        file.unlink()
