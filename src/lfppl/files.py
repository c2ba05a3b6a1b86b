"""Files that a person names, read with a clear error where that fails."""

from __future__ import annotations

from pathlib import Path

from lfppl.errors import reading
from lfppl.source import Source, Span


def read_bytes(path: Path) -> bytes:
    """The bytes of a file."""
    try:
        if path.is_dir():
            raise reading.is_a_directory(str(path))
        return path.read_bytes()
    except FileNotFoundError:
        raise reading.missing_file(str(path)) from None
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise reading.unreadable_file(str(path), reason) from None


def read_text(path: Path) -> Source:
    """The text of a file under its name, without a byte order mark.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "d.csv").write_text("y")
    ...     read_text(Path(folder, "d.csv")).text
    'y'
    """
    content = read_bytes(path)
    try:
        return Source(str(path), content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        before = len(error.object[: error.start].decode("utf-8"))
        source = Source(str(path), error.object.decode("utf-8", "replace"))
        byte = error.object[error.start]
        raise reading.not_utf8(Span(source, before, before + 1), byte) from None
