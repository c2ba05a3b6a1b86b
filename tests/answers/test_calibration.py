"""Posteriors are calibrated (a few simulations; `make calibrate` makes thousands).

Seven quantities each, p-values above 1e-6: a false alarm has probability 1e-5. (With few
simulations the chi-squared law is approximate.)
"""

from __future__ import annotations

import pytest

from answers.calibrating import SIMULATORS, p_values

LEAST = 1.0e-6


@pytest.mark.parametrize("name", SIMULATORS)
def test_ranks_are_uniform(name):
    assert min(p_values(SIMULATORS[name](), 60, seed=1).values()) > LEAST


def test_a_sampler_that_ignores_jumps_is_caught():
    """NUTS with nothing taken for discontinuous never accounts for the change point's jumps."""
    assert min(p_values(SIMULATORS["change point"](), 60, seed=1, engine="nuts").values()) < LEAST
