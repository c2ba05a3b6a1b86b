"""Kernels leave their target as it is, and the same tests catch kernels that do not.

Each comparison has the false-alarm rate `invariance.FALSE_ALARM`, 1e-5, exactly.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cases
import numpy as np
import pytest
from altered import altered
from invariance import FALSE_ALARM, last_positions, smallest_p_value
from numba import njit

from lfppl.engines import loop, trajectories
from lfppl.engines.dhmc import ENGINE as DHMC
from lfppl.engines.dnuts import ENGINE as DNUTS
from lfppl.engines.generator import draw_uniform
from lfppl.engines.hmc import ENGINE as HMC
from lfppl.engines.mwg import ENGINE as MWG
from lfppl.engines.nuts import ENGINE as NUTS

STEPS = {"gaussian": 0.012, "funnel": 0.3, "eight_schools": 0.4}
"""Steps large enough that trajectories are rejected now and then; 0.9 elsewhere."""


@cache
def built(make) -> cases.Case:
    return make()


def p_value(engine, case, **options) -> float:
    options = {"step": STEPS.get(case.name, 0.9), **options}
    return smallest_p_value(case, last_positions(engine, case, **options))


@pytest.mark.parametrize("make", cases.SMOOTH)
@pytest.mark.parametrize("engine", [HMC, NUTS, MWG], ids=lambda e: e.name)
def test_smooth_targets_are_left_as_they_are(engine, make):
    assert p_value(engine, built(make)) > FALSE_ALARM


@pytest.mark.parametrize("make", cases.JUMPING)
@pytest.mark.parametrize("engine", [DHMC, DNUTS, MWG], ids=lambda e: e.name)
def test_targets_with_jumps_are_left_as_they_are(engine, make):
    assert p_value(engine, built(make)) > FALSE_ALARM


@pytest.mark.parametrize(
    ("make", "scale"),
    [
        (cases.table_posterior, [0.6, 1.7]),
        (cases.heavy_tail, [0.5, 2.0, 2.5]),
        (cases.switched_normal, [1.3, 0.6, 1.8]),
        (cases.latch, [1.0, 1.2, 0.9]),
        (cases.stairs, [0.7, 2.2]),
    ],
)
@pytest.mark.parametrize("engine", [DHMC, DNUTS], ids=lambda e: e.name)
def test_speeds_and_masses_other_than_one_are_allowed(engine, make, scale):
    assert p_value(engine, built(make), scale=np.array(scale)) > FALSE_ALARM


# --- kernels that must be caught -----------------------------------------------------------------


@pytest.mark.parametrize("engine", [DHMC, DNUTS], ids=lambda e: e.name)
def test_the_papers_misprinted_momentum_update_is_caught(engine):
    case = cases.table_posterior(misprint=True)
    assert p_value(engine, case, scale=np.array([0.6, 1.7])) < FALSE_ALARM


@pytest.mark.parametrize("engine", [DHMC, DNUTS], ids=lambda e: e.name)
def test_an_order_that_is_always_the_same_is_caught(engine):
    # Sweeping both coordinates as if they were one colour fixes their order.
    case, right = cases.latch(colours=[[1, 2]]), cases.latch()
    options = {"scale": np.ones(3), "step": 1.0, "steps": 1, "replicates": 20_000}
    assert p_value(engine, case, **options) < FALSE_ALARM
    assert p_value(engine, right, **options) > FALSE_ALARM


def test_a_reversed_metropolis_test_is_caught():
    engine, case = replace(DHMC, loop=with_reversed_test()), built(cases.switched_normal)
    assert p_value(engine, case, step=1.4, replicates=10_000) < FALSE_ALARM
    assert p_value(DHMC, case, step=1.4, replicates=10_000) > FALSE_ALARM


def with_reversed_test():
    """The native loop with the paper's misprinted acceptance: accept when alpha is above."""

    @njit
    def accepts_above(generator, acceptance):
        return draw_uniform(generator) > acceptance

    fixed = altered(trajectories.fixed_trajectory, accepts=accepts_above)
    one = altered(loop.one_trajectory, fixed_trajectory=fixed)
    return altered(loop.run, turn=altered(loop.turn, one_trajectory=one))
