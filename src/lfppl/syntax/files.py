"""Model files: text of a sensible size that holds something."""

from __future__ import annotations

from os import PathLike, fspath

from lfppl.errors import reading
from lfppl.files import decode, read_bytes
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
    most = 4 * MAX_CHARACTERS  # a character takes at most four bytes
    contents = read_bytes(name, most + 1)
    if len(contents) > most:
        raise reading.text_too_long(name, len(contents), MAX_CHARACTERS)
    source = decode(name, contents)
    if not source.text.strip():
        raise reading.empty_program(Span(Source(name, ""), 0, 0))
    return source
