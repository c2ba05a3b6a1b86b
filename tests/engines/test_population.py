"""The hot start: particles are weighed by mass, and the chain begins in a mode by its mass.

The densities have a light mode and a heavy one with a valley between them that hot particles cross
and cold ones do not. In `WIDE` the heavy mode is wide and low, so that the highest density is in
the other; in `NARROW` it is narrow and high.
"""

from __future__ import annotations

import math

import cases
import numpy as np
import pytest
from densities import plain
from numba import njit
from test_protocol import chain

from lfppl.engines import engine, population
from lfppl.engines.chains import Settings
from lfppl.engines.generator import new_generator
from lfppl.engines.hamiltonian import hot_iterations
from lfppl.engines.population import Population, draw_one, effective_number, number_offspring

SETTINGS = Settings(warmup=1000)


def two_levels(edge: float, mass: float, valley: float = 14.0):
    """A density on (0, 10): one mode below `edge` with this mass, another above `edge` + 1."""
    left, right = math.log(edge / mass), math.log((9.0 - edge) / (1.0 - mass))

    @njit
    def energy(x):
        if not 0.0 <= x[0] < 10.0:
            return math.inf
        if x[0] < edge:
            return left
        return right if x[0] >= edge + 1.0 else valley

    return plain(energy, dimension=1, discontinuous=[0], lower=0.0, upper=10.0)


NARROW = (1.0, 0.8)
"""The edge, and the mass below it: the narrow mode is the heavy one."""
WIDE = (0.3, 0.2)
"""The narrow mode is seven times as high as the other, and has a fifth of the mass."""
MANY = 128
"""With so many particles the law of the one chosen is the target's but for about 0.01."""
CHAINS = 600


def hot_states(modes: tuple[float, float], particles: int, iterations: int, chains: int = CHAINS):
    """The states of chains after some hot iterations; particles begin anywhere."""
    density, made = two_levels(*modes), engine("dhmc")
    workspace, generator = density.workspace(), np.random.default_rng(3)
    for k in range(chains):
        starts = generator.uniform(0.0, 10.0, (particles, 1))
        state = made.initial_state(density, starts[0], SETTINGS, np.random.SeedSequence([3, k]))
        state = state._replace(particles=starts, log_weights=np.zeros(particles))
        yield made.advance(density, workspace, state, SETTINGS, iterations).state


def share_below_edge(modes: tuple[float, float], particles: int, chains: int = CHAINS) -> float:
    """The share of chains that are in the lower mode when they have cooled."""
    hot = hot_iterations(two_levels(*modes), SETTINGS)
    states = hot_states(modes, particles, hot, chains)
    return float(np.mean([state.position[0] < modes[0] for state in states]))


def bound(mass: float, chains: int = CHAINS) -> float:
    """Five standard errors: false alarms are rarer than 1e-4 with the bias of 0.01."""
    return 5.0 * math.sqrt(mass * (1.0 - mass) / chains)


@pytest.mark.parametrize("modes", [NARROW, WIDE], ids=["narrow", "wide"])
def test_modes_are_taken_by_mass(modes):
    assert abs(share_below_edge(modes, MANY) - modes[1]) < bound(modes[1])


def test_one_particle_would_be_caught():
    assert abs(share_below_edge(NARROW, 1) - NARROW[1]) > bound(NARROW[1])


def test_taking_the_highest_density_would_be_caught():
    hot = hot_iterations(two_levels(*WIDE), SETTINGS)
    states = hot_states(WIDE, MANY, hot - 1, chains=100)
    highest = np.mean([(state.particles < WIDE[0]).any() for state in states])
    assert abs(highest - WIDE[1]) > bound(WIDE[1], chains=100)


def test_the_few_particles_of_a_chain_halve_the_error_of_one():
    error = abs(share_below_edge(NARROW, population.PARTICLES) - NARROW[1])
    assert error < 0.5 * abs(share_below_edge(NARROW, 1) - NARROW[1])


def test_a_chain_resumes_amid_the_hot_iterations_bit_for_bit():
    settings = Settings(warmup=150)
    whole = list(chain("dhmc", [50], settings))
    parts = list(chain("dhmc", [1, 4, 13, 11, 1, 20], settings))
    sizes = [len(part.state.particles) for part in parts]
    assert sizes == [population.PARTICLES] * 4 + [0, 0]
    statistics = np.concatenate([part.statistics for part in parts])
    np.testing.assert_array_equal(whole[0].statistics, statistics)
    last = parts[-1].state
    for name, array in whole[0].state._asdict().items():
        np.testing.assert_array_equal(array, getattr(last, name))


def test_particles_begin_at_the_points_given_in_turn():
    case, made = cases.switched_normal(), engine("dhmc")
    rows = case.sample(np.random.default_rng(1), 3)
    state = made.initial_state(case.density, rows, SETTINGS, np.random.SeedSequence(1))
    np.testing.assert_array_equal(state.position, rows[0])
    places = [k % 3 for k in range(population.PARTICLES)]
    np.testing.assert_array_equal(state.particles, rows[places])


@pytest.mark.parametrize(
    ("name", "make", "options"),
    [
        ("nuts", cases.gaussian, {}),
        ("mwg", cases.switched_normal, {}),
        ("dhmc", cases.switched_normal, {"hot_start": False}),
        ("dhmc", cases.switched_normal, {"warmup": 0}),
    ],
)
def test_chains_that_are_never_hot_have_no_particles(name, make, options):
    case, made, settings = make(), engine(name), Settings(**options)
    start = case.sample(np.random.default_rng(1), 1)
    state = made.initial_state(case.density, start, settings, np.random.SeedSequence(1))
    assert made.start_count(case.density, settings) == 1
    assert state.particles.size == state.log_weights.size == 0


# --- weights -------------------------------------------------------------------------------------

WEIGHTS = np.array([0.05, 0.5, 0.0, 0.3, 0.15])


def weighed() -> Population:
    """Particles without positions; the scale of their weights means nothing."""
    with np.errstate(divide="ignore"):
        return Population(len(WEIGHTS), np.empty(0), np.log(WEIGHTS) - 700.0)


def test_the_temperature_stays_highest_for_a_while_and_falls_to_one():
    heats = [population.temperature(40, k) for k in range(50)]
    assert heats[:11] == [population.HOTTEST] * 11
    assert np.all(np.diff(heats[10:41]) < 0.0)
    np.testing.assert_array_equal(heats[40:], 1.0)


def test_uneven_weights_are_worth_fewer():
    assert effective_number(weighed()) == pytest.approx(1.0 / (WEIGHTS**2).sum())


def test_offspring_are_as_many_as_the_weights_say():
    shifts = (np.arange(1000) + 0.5) / 1000
    total = np.zeros(len(WEIGHTS))
    for shift in shifts:
        particles = weighed()
        effective_number(particles)
        number_offspring(particles, shift)
        assert particles.log_weights.sum() == len(WEIGHTS)
        assert np.all(np.abs(particles.log_weights - len(WEIGHTS) * WEIGHTS) < 1.0)
        total += particles.log_weights
    np.testing.assert_allclose(total / 1000, len(WEIGHTS) * WEIGHTS, atol=2e-3)


def test_one_is_drawn_by_weight():
    """Five standard errors for each particle: false alarms are rarer than 1e-5."""
    particles, count = weighed(), 20_000
    effective_number(particles)
    generator = new_generator(np.random.SeedSequence(4))
    drawn = np.bincount([draw_one(particles, generator) for _ in range(count)], minlength=5)
    errors = np.sqrt(WEIGHTS * (1.0 - WEIGHTS) / count)
    assert np.all(np.abs(drawn / count - WEIGHTS) <= 5.0 * errors)
