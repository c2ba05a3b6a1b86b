"""Files that a person names: what is read must be a file, and text must be UTF-8."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from lfppl.errors import reading
from lfppl.source import Source, Span


def read_bytes(path: str | PathLike[str], most: int = -1) -> bytes:
    """The bytes of a file; no more than `most` of them are read, -1 standing for all."""
    name = fspath(path)
    try:
        if Path(name).is_dir():
            raise reading.is_a_directory(name)
        with Path(name).open("rb") as file:
            return file.read(most)
    except FileNotFoundError:
        raise reading.missing_file(name) from None
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise reading.unreadable_file(name, reason) from None


def decode(path: str | PathLike[str], contents: bytes) -> Source:
    """The text of a file under its name, without a byte order mark.

    >>> decode("m.lfppl", b"(+ 1 2)").text
    '(+ 1 2)'
    """
    name = fspath(path)
    try:
        return Source(name, contents.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        # The bytes the codec saw: without the byte order mark, if there is one.
        before = len(error.object[: error.start].decode("utf-8"))
        source = Source(name, error.object.decode("utf-8", "replace"))
        byte = error.object[error.start]
        raise reading.not_utf8(Span(source, before, before + 1), byte) from None


def read_text(path: str | PathLike[str]) -> Source:
    """The text of a file under its name."""
    return decode(path, read_bytes(path))
