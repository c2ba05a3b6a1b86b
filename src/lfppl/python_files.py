"""Models in Python files that a person names at the command line: `model.py`, `model.py:name`.

Such a file is imported, and so run, as `python model.py` would do; no other kind of file is.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from lfppl.errors import LfpplError
from lfppl.errors import python as errors
from lfppl.files import read_text

if TYPE_CHECKING:
    from lfppl.python_model import PythonModel

MODULE = "lfppl_model_file"
"""What the module of such a file is called."""


def is_python(path: Path) -> bool:
    """Whether a path names a Python file, or a function in one.

    >>> is_python(Path("model.py")), is_python(Path("a.py:mixture")), is_python(Path("m.lfppl"))
    (True, True, False)
    """
    return _parts(path)[0].suffix == ".py"


def arguments_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Data as the parameters of a function: `first-catch` is `first_catch`.

    >>> arguments_of({"first-catch": 3.0, "rate": 0.5})
    {'first_catch': 3, 'rate': 0.5}
    """
    return {name.replace("-", "_"): _whole(value) for name, value in data.items()}


def _whole(value: Any) -> Any:
    """A number without a fraction as an integer, so that `range` takes it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def load(path: Path) -> PythonModel[...]:
    """The function under `@lfppl.model` in a file; one of several by its name."""
    from lfppl.python_model import PythonModel

    file, name = _parts(path)
    found = {
        key: value
        for key, value in vars(_imported(file)).items()
        if isinstance(value, PythonModel) and key == value.__name__
    }
    if name:
        if name not in found:
            raise errors.no_such_model(file, name, list(found))
        return found[name]
    if len(found) != 1:
        raise errors.which_model(file, list(found))
    return next(iter(found.values()))


def _parts(path: Path) -> tuple[Path, str]:
    """The file, and the name of the function if one is given."""
    file, separator, name = str(path).rpartition(":")
    if separator and file.endswith(".py"):
        return Path(file), name
    return path, ""


def _imported(file: Path) -> ModuleType:
    read_text(file)  # refuses what is no file of text
    spec = importlib.util.spec_from_file_location(MODULE, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    sys.path.insert(0, str(file.resolve().parent))  # as Python does for a script
    try:
        spec.loader.exec_module(module)
    except (LfpplError, KeyboardInterrupt):
        raise
    except BaseException as error:  # whatever the file does, also sys.exit
        raise errors.import_failed(file, error) from None
    finally:
        sys.path.pop(0)
    return module
