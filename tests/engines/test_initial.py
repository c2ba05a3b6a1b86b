"""Chains start where the density is positive, or say that they cannot."""

from __future__ import annotations

import cases
import numpy as np
import pytest

from lfppl.engines.initial import initial_position, is_possible
from lfppl.errors.engine import ChainError


def seeds():
    return np.random.SeedSequence(1)


def test_continuous_coordinates_start_near_zero_and_discontinuous_ones_where_the_prior_says():
    density = cases.four_components().density
    prior = np.arange(7.0)[None] / 2
    position = initial_position(density, prior, seeds())
    assert np.abs(position[:4]).max() < 2.0
    np.testing.assert_array_equal(position[4:], prior[0, 4:])


def test_impossible_prior_draws_are_passed_over():
    density = cases.islands().density
    prior = np.array([[0.0, 1.2], [0.0, 1.3], [0.0, 1.7]])
    assert initial_position(density, prior, seeds())[1] == 1.7


def test_a_density_that_is_zero_everywhere_is_reported_after_a_hundred_attempts():
    density = cases.islands().density
    with pytest.raises(ChainError, match="100 attempts") as caught:
        initial_position(density, np.array([[0.0, 1.2]]), seeds())
    assert caught.value.position[1] == 1.2


def test_the_same_seed_gives_the_same_point():
    density, prior = cases.gaussian().density, np.zeros((1, 3))
    first, second = (initial_position(density, prior, seeds()) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_a_point_outside_the_support_is_not_possible():
    density = cases.truncated().density
    assert not is_possible(density, density.workspace(), np.array([-1.0, 0.0]))
    assert is_possible(density, density.workspace(), np.array([1.0, 0.0]))
