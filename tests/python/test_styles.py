"""Array style and loop style of a model are the same model."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from comparing import differences
from points import points
from styles import PAIRS

import lfppl


@cache
def both(name: str) -> tuple[lfppl.Model, lfppl.Model]:
    array, loop, data = PAIRS[name]
    return array(**data), loop(**data)


@pytest.mark.parametrize("name", PAIRS)
def test_both_styles_compile_to_equal_tables(name: str) -> None:
    array, loop = both(name)
    assert differences(array, loop) == []


@pytest.mark.parametrize("name", PAIRS)
def test_both_styles_give_variables_the_same_names_and_shapes(name: str) -> None:
    array, loop = both(name)
    assert array.sampled == loop.sampled
    assert list(array.discontinuous) == list(loop.discontinuous)


@pytest.mark.parametrize("name", PAIRS)
def test_both_styles_have_the_same_density(name: str) -> None:
    array, loop = both(name)
    for point in points(array, 3):
        assert np.isfinite(array.log_density(point))
        assert array.log_density(point) == loop.log_density(point)
