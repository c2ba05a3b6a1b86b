"""The mixed integrator is reversible, preserves volume, and jumps at constant energy."""

from __future__ import annotations

import math

import cases
import numpy as np
import pytest
from walking import Walker

SCALES = {
    "gaussian": [1e-4, 1.0, 1e4],
    "stairs": [0.7, 2.2],
    "switched_normal": [0.5, 0.8, 1.7],
    "change_point": [0.1, 0.3, 4.0],
    "heavy_tail": [0.5, 2.0, 2.5],
    "table": [0.6, 1.7],
    "four_components": [0.3] * 4 + [0.7, 1.3, 2.1],
}
MAKERS = (
    cases.gaussian,
    cases.stairs,
    cases.switched_normal,
    cases.change_point,
    cases.heavy_tail,
    cases.table_posterior,
    cases.four_components,
)


def walker(make, seed: int = 1) -> Walker:
    case = make()
    position = case.sample(np.random.default_rng(seed), 1)[0]
    return Walker(case.density, position, SCALES[case.name], seed)


@pytest.mark.parametrize("make", MAKERS)
def test_a_path_walked_back_ends_where_it_began(make):
    walked, moves = walker(make), 0
    for seed in range(20):
        walked.refresh()
        position, momentum = walked.position.copy(), walked.momentum.copy()
        orders = walked.orders(5, seed)
        if not math.isfinite(walked.walk(0.31, orders)):
            walked.position[:] = position
            continue
        moved = walked.position.copy()
        walked.momentum[:] *= -1
        walked.walk(0.31, orders[::-1, ::-1])
        np.testing.assert_allclose(walked.position, position, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(-walked.momentum, momentum, rtol=1e-8, atol=1e-8)
        moves += not np.array_equal(moved, position)
        walked.position[:] = moved
    assert moves > 10


@pytest.mark.parametrize("make", MAKERS)
def test_a_negative_time_is_the_way_back(make):
    walked = walker(make)
    position, momentum = walked.position.copy(), walked.momentum.copy()
    orders = walked.orders(4)
    walked.walk(0.23, orders)
    walked.walk(-0.23, orders[::-1, ::-1])
    np.testing.assert_allclose(walked.position, position, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(walked.momentum, momentum, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("make", [cases.heavy_tail, cases.table_posterior])
def test_jumps_conserve_energy_for_any_speed(make):
    walked, moves = walker(make), 0
    for seed in range(50):
        walked.refresh()
        before, start = walked.energy(), walked.position.copy()
        walked.walk(0.4, walked.orders(3, seed))
        assert walked.energy() == pytest.approx(before, abs=1e-10)
        moves += not np.array_equal(start, walked.position)
    assert moves > 10


def test_the_misprinted_update_does_not_conserve_energy():
    case = cases.heavy_tail(misprint=True)
    walked = Walker(case.density, [0.5, 0.5, 0.5], SCALES["heavy_tail"], 1)
    errors = []
    for seed in range(20):
        walked.refresh()
        before = walked.energy()
        walked.walk(0.4, walked.orders(3, seed))
        errors.append(abs(walked.energy() - before))
    assert max(errors) > 0.1


@pytest.mark.parametrize("make", [cases.gaussian, cases.stairs, cases.change_point])
def test_a_step_preserves_volume(make):
    # Away from the jumps a step is differentiable; its Jacobian has determinant 1 or -1.
    walked = walker(make, seed=3)
    z = np.concatenate([walked.position, walked.momentum])
    d, orders = len(walked.position), walked.orders(3)
    step = 1e-6 * np.tile(np.sqrt(np.array(SCALES[make().name])), 2)

    def image(point):
        walked.position[:], walked.momentum[:] = point[:d], point[d:]
        walked.walk(0.3, orders)
        return np.concatenate([walked.position, walked.momentum])

    columns = [
        (image(z + h * unit) - image(z - h * unit)) / (2 * h)
        for h, unit in zip(step, np.eye(2 * d), strict=True)
    ]
    assert abs(np.linalg.det(np.array(columns))) == pytest.approx(1.0, abs=1e-4)


def test_a_sweep_permutes_the_cells_of_a_lattice():
    # Strides of one cell from the middles of cells, and energies on a lattice of momenta: every
    # state has one image, and no two states share it.
    case = cases.table_posterior((2, 3), coupled=0.0)
    walked = Walker(case.density, [0.5, 0.5], [1.0, 1.0])
    orders = walked.orders(1)
    images = set()
    states = [
        (i + 0.5, j + 0.5, p * sign, q * other)
        for i in range(2)
        for j in range(3)
        for p in (0.25, 0.5)
        for q in (0.25, 0.5)
        for sign in (1, -1)
        for other in (1, -1)
    ]
    for state in states:
        walked.position[:], walked.momentum[:] = state[:2], state[2:]
        walked.walk(1.0, orders)
        images.add((*walked.position, *walked.momentum))
    assert images == set(states)
