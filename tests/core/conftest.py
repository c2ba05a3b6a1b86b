"""The algebras for checking formulas, as fixtures."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest

from algebras import DIGITS, DualMath, PreciseMath, SizeMath


@pytest.fixture(scope="session")
def sizes() -> SizeMath:
    return SizeMath()


@pytest.fixture(scope="session")
def precise() -> PreciseMath:
    return PreciseMath()


@pytest.fixture(scope="session")
def dual() -> DualMath:
    return DualMath()


@pytest.fixture(scope="session")
def slope() -> Any:
    """`slope(formula, arguments, position)`: the derivative in fifty digits, as a float."""

    def derivative(formula: Any, arguments: Any, position: int) -> float:
        def along(value: Any) -> Any:
            moved = [*arguments[:position], value, *arguments[position + 1 :]]
            return PreciseMath().run(formula, *moved)

        with mpmath.workdps(4 * DIGITS):
            point = mpmath.mpf(arguments[position])
            step = (abs(point) or 1) * mpmath.mpf(10) ** (-DIGITS)
            return float((along(point + step) - along(point - step)) / (2 * step))

    return derivative
