"""Every construct means in a model what it means in Python (tests/python/oracle.py)."""

from __future__ import annotations

from functools import cache

import pytest
from constructs import arrays, callings, control, realistic, statistics
from constructs.registry import CASES
from oracle import disagreements

import lfppl

MODULES = (arrays, callings, control, realistic, statistics)


@cache
def translated(name: str) -> lfppl.Model:
    function, data = CASES[name]
    return lfppl.model(function)(**data)


@pytest.mark.parametrize("name", CASES)
def test_a_model_means_what_its_function_means_in_python(name: str) -> None:
    function, data = CASES[name]
    for seed in range(4):
        assert disagreements(translated(name), function, data, seed) == []


def test_the_constructs_are_many() -> None:
    assert len(CASES) >= 50
    assert all(module.__doc__ for module in MODULES)
