"""Posteriors are calibrated (a few simulations; `make calibrate` makes thousands).

Seven quantities each, p-values above 1e-6: a false alarm has probability 1e-5. (With few
simulations the chi-squared law is approximate.)
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from answers.calibrating import SIMULATORS, p_values

LEAST = 1.0e-6


@pytest.mark.parametrize("name", SIMULATORS)
def test_ranks_are_uniform(name):
    assert min(p_values(SIMULATORS[name](), 60, seed=1).values()) > LEAST


def test_a_wrong_posterior_is_caught():
    right = SIMULATORS["change point"]()
    wrong = replace(right, source=right.source.replace("(< t tau)", "(< (+ t 5) tau)"))
    assert wrong.source != right.source
    assert min(p_values(wrong, 80, seed=1).values()) < LEAST
