"""Mistakes in asking for worked examples: one constructor each."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fspath

from lfppl.errors.base import ModelError
from lfppl.errors.suggestions import suggestion


def unknown_example(name: str, known: Iterable[str]) -> ModelError:
    """A name that no example has.

    >>> print(unknown_example("mixtur", ["mixture", "ising"]))
    error[unknown-example]: there is no example `mixtur`
      help: did you mean `mixture`?
    """
    return ModelError(
        "unknown-example",
        f"there is no example `{name}`",
        help=suggestion(name, known) or "`lfppl examples` lists them",
    )


def already_there(path: str | PathLike[str]) -> ModelError:
    """A file that a copy would overwrite.

    >>> print(already_there("mixture.py"))
    error[already-there]: mixture.py exists already, and nothing was copied
      help: name another folder with --to, or move the file away
    """
    return ModelError(
        "already-there",
        f"{fspath(path)} exists already, and nothing was copied",
        help="name another folder with --to, or move the file away",
    )


def not_a_folder(path: str | PathLike[str]) -> ModelError:
    """A place for copies that is a file.

    >>> not_a_folder("notes.txt").message
    'notes.txt is not a folder'
    """
    return ModelError(
        "not-a-folder", f"{fspath(path)} is not a folder", help="name a folder with --to"
    )


def no_examples() -> ModelError:
    """An installation that lost its examples.

    >>> no_examples().code
    'no-examples'
    """
    return ModelError(
        "no-examples",
        "this installation of lfppl has no examples",
        help="install lfppl again: they come with the package",
    )
