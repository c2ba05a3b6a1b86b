"""The examples that are Python functions, and their data."""

from __future__ import annotations

import importlib.util
import inspect
import json
from functools import cache
from pathlib import Path
from typing import Any

import lfppl

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.lfppl"))


def module(name: str) -> Any:
    """The module of an example."""
    spec = importlib.util.spec_from_file_location(
        f"example_{name.replace('-', '_')}", EXAMPLES / f"{name}.py"
    )
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def data(name: str) -> dict[str, Any]:
    """The data of an example; none if there is no file."""
    path = EXAMPLES / f"{name}.json"
    return dict(json.loads(path.read_text())) if path.exists() else {}


@cache
def in_python(name: str) -> lfppl.Model:
    """The model of an example's Python function; a parameter `first_catch` is `first-catch`."""
    function = module(name).model
    given = {key.replace("-", "_"): value for key, value in data(name).items()}
    return function(**{key: given[key] for key in inspect.signature(function).parameters})


@cache
def in_lisp(name: str) -> lfppl.Model:
    """The model of an example's Lisp program."""
    return lfppl.compile(EXAMPLES / f"{name}.lfppl", data(name))
