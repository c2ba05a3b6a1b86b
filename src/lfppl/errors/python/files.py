"""Mistakes with Python files that are named at the command line."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from lfppl.errors.base import ModelError


def no_such_model(file: Path, name: str, known: Sequence[str]) -> ModelError:
    """`model.py:mixtur`.

    >>> print(no_such_model(Path("m.py"), "mixtur", ["mixture"]))
    error[no-such-model]: there is no model `mixtur` in m.py
      help: did you mean `mixture`?
    """
    near = get_close_matches(name, known, 1)
    advice = f"did you mean `{near[0]}`?" if near else _known(known)
    return ModelError("no-such-model", f"there is no model `{name}` in {file}", help=advice)


def which_model(file: Path, known: Sequence[str]) -> ModelError:
    """A file of several models, or of none."""
    if not known:
        return ModelError("no-such-model", f"there is no model in {file}", help=_known(known))
    return ModelError(
        "which-model",
        f"there are several models in {file}: {', '.join(known)}",
        help=f"name one of them: {file}:{known[0]}",
    )


def _known(known: Sequence[str]) -> str:
    if known:
        return f"there are {', '.join(known)}"
    return "put `@lfppl.model` above a function at the top level of the file"


def import_failed(file: Path, error: BaseException) -> ModelError:
    """A file that cannot be imported."""
    frames, place = traceback.extract_tb(error.__traceback__), file.resolve()
    line = next((f.lineno for f in reversed(frames) if Path(f.filename).resolve() == place), None)
    line = getattr(error, "lineno", None) or line
    where = f"{file}:{line}" if line else str(file)
    return ModelError(
        "import-failed",
        f"{where} cannot be imported: {type(error).__name__}: {error}",
        help=f"see whether `python {file}` works",
    )


def python_file(path: str) -> ModelError:
    """`lfppl.compile("model.py")`.

    >>> print(python_file("m.py"))
    error[python-file]: m.py is a Python file, and `lfppl.compile` takes programs of the language
      help: import the function from it and call it with its data: model(y)
    """
    return ModelError(
        "python-file",
        f"{path} is a Python file, and `lfppl.compile` takes programs of the language",
        help="import the function from it and call it with its data: model(y)",
    )
