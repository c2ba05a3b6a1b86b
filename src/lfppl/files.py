"""Files that a person names, read as text with a clear error where that fails."""

from __future__ import annotations

from pathlib import Path

from lfppl.errors import binding
from lfppl.source import Source


def read_bytes(path: Path) -> bytes:
    """The bytes of a file."""
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise binding.unreadable_file(path, reason.lower()) from None


def read_source(path: Path) -> Source:
    """The text of a file and its name, without a byte order mark.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "m.lfppl").write_text("(+ 1 2)")
    ...     read_source(Path(folder, "m.lfppl")).text
    '(+ 1 2)'
    """
    content = read_bytes(path)
    try:
        return Source(str(path), content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise binding.not_text(path, error.start) from None
