"""The native density of every program agrees with the NumPy evaluator of the LIR."""

from __future__ import annotations

import numpy as np
import pytest
from density_checks import check_gradient, check_moves, check_sweeps, check_values, compiled

from corpus import Case, examples, written
from corpus import compiled as program

CASES = examples() + written()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_value_gradient_moves_and_sweeps_agree(case: Case) -> None:
    model = program(case).lir
    caller, generator = compiled(model), np.random.default_rng(7)
    for _ in range(3):
        check_values(model, caller, generator)
        check_gradient(model, caller, generator)
    check_moves(model, caller, generator, 30)
    check_sweeps(model, caller, generator)


@pytest.mark.parametrize("width", [1, 2, 4])
@pytest.mark.parametrize("case", examples(), ids=lambda case: case.id)
def test_narrow_vectors_agree_too(case: Case, width: int) -> None:
    model = program(case).lir
    caller, generator = compiled(model, width), np.random.default_rng(8)
    check_values(model, caller, generator)
    check_gradient(model, caller, generator)
    check_moves(model, caller, generator, 10)
    check_sweeps(model, caller, generator)
