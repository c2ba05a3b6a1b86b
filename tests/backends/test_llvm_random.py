"""The native density of random programs agrees with the NumPy evaluator of the LIR."""

from __future__ import annotations

import numpy as np
from density_checks import check_gradient, check_moves, check_sweeps, check_values, compiled
from hypothesis import given, settings

import lfppl
from generate import REPEATABLE, Written, programs


@settings(REPEATABLE, max_examples=80)
@given(programs())
def test_random_programs_agree_in_value_gradient_moves_and_sweeps(program: Written) -> None:
    model = lfppl.compile(*program).lir
    caller, generator = compiled(model), np.random.default_rng(0)
    for _ in range(2):
        check_values(model, caller, generator)
        check_gradient(model, caller, generator)
    check_moves(model, caller, generator, 15)
    check_sweeps(model, caller, generator)
