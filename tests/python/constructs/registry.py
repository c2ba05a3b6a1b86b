"""Functions that are run as Python and translated, with the data of both."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

CASES: dict[str, tuple[FunctionType, dict[str, Any]]] = {}


def case(**data: Any) -> Callable[[FunctionType], FunctionType]:
    """Enter a function under its name."""

    def enter(function: FunctionType) -> FunctionType:
        assert function.__name__ not in CASES
        CASES[function.__name__] = (function, data)
        return function

    return enter
