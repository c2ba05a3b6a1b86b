"""lfppl: Bayesian models that are not differentiable everywhere.

>>> import lfppl
>>> model = lfppl.compile("(let [x (sample (normal 0 1))] (if (< x 0) -1 1))")
>>> list(model.sampled)
['x']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lfppl.compiler import Model, compile, resume
    from lfppl.data import load_data
    from lfppl.errors import LfpplError, ModelError
    from lfppl.python_model import model
    from lfppl.statements import factor, observe, sample

__version__ = "0.1.0.dev0"

__all__ = [
    "LfpplError",
    "Model",
    "ModelError",
    "compile",
    "factor",
    "load_data",
    "model",
    "observe",
    "resume",
    "sample",
]

# Imported at first use, so that `import lfppl` and `lfppl --help` stay fast.
_HOMES = {
    "LfpplError": "lfppl.errors",
    "Model": "lfppl.compiler",
    "ModelError": "lfppl.errors",
    "compile": "lfppl.compiler",
    "factor": "lfppl.statements",
    "load_data": "lfppl.data",
    "model": "lfppl.python_model",
    "observe": "lfppl.statements",
    "resume": "lfppl.compiler",
    "sample": "lfppl.statements",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'lfppl' has no attribute {name!r}")
    from lfppl.collector import collector_paused

    with collector_paused():
        value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
