"""What a person sees who makes a model of a wrong function."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import lfppl

BAD = Path(__file__).parent / "bad"


def message(name: str) -> str:
    """The message of the module `name.py` of the current folder."""
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        module.model(**module.DATA)
    except lfppl.LfpplError as error:
        return f"{error}\n"
    raise AssertionError(f"{name} was not refused")
