"""Model files: what is read from disk must be a file, UTF-8, and of a sensible size."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from lfppl.errors import reading
from lfppl.source import Source, Span
from lfppl.syntax.reader import MAX_CHARACTERS


def read_source(path: str | PathLike[str]) -> Source:
    """The text of a model file, under the file's name.

    >>> read_source("no-such-model.lfppl")
    Traceback (most recent call last):
        ...
    lfppl.errors.base.ModelError: error[missing-file]: there is no file no-such-model.lfppl
      help: check the path
    """
    name = fspath(path)
    text = _decoded(name, _contents(name))
    if not text.strip():
        raise reading.empty_program(Span(Source(name, ""), 0, 0))
    return Source(name, text)


def _contents(name: str) -> bytes:
    try:
        if Path(name).is_dir():
            raise reading.is_a_directory(name)
        with Path(name).open("rb") as file:
            # A character takes at most four bytes.
            contents = file.read(4 * MAX_CHARACTERS + 1)
    except FileNotFoundError:
        raise reading.missing_file(name) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise reading.unreadable_file(name, why) from None
    if len(contents) > 4 * MAX_CHARACTERS:
        raise reading.text_too_long(name, len(contents), MAX_CHARACTERS)
    return contents


def _decoded(name: str, contents: bytes) -> str:
    try:
        return contents.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The bytes the codec saw: without the byte order mark, if there is one.
        before = len(error.object[: error.start].decode("utf-8"))
        source = Source(name, error.object.decode("utf-8", "replace"))
        byte = error.object[error.start]
        raise reading.not_utf8(Span(source, before, before + 1), byte) from None
