"""The hot start: a few particles cool together, are weighed, and one goes on as the chain.

A sequential Monte Carlo sampler (Del Moral, Doucet and Jasra, 2006). A particle moves by the
engine's own trajectories for exp(-U / T). When the temperature falls from T to T' its weight gains
the factor exp(-(1 / T' - 1 / T) U), and when the weights have become uneven the particles are drawn
anew by weight. At T = 1 one of them is drawn: modes are taken by their mass, not by their height,
as far as the few particles have found them.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lfppl.engines.chains import Floats, State
from lfppl.engines.generator import draw_uniform
from lfppl.engines.integrators import potential
from lfppl.engines.momentum import Motion
from lfppl.engines.native import Target, bare, copy, inlined, kernel

PARTICLES = 8
"""How many particles a chain begins with.

(The example `thermostat` from random starts, 600 chains: about 165 in a trap after 75 hot
iterations of one particle; 13 after 75 of four, 2 after 25 and 1 after 40 of eight; 14 after 75 of
eight that began at one point.)
"""
HOTTEST = 6.0
"""The temperature at which a chain with discontinuous coordinates begins.

Hot chains step over valleys between modes that gradients do not feel; much hotter ones must cool
too fast to settle in the right mode. (Change point of benchmarks/peers, 160 chains of one particle:
37 stuck without heat, 12 from 30, 6 from 10, 2 from 6.)
"""
PLATEAU = 0.25
"""The part of the phase at the highest temperature: what is weighed must have arrived there."""
HOT_PART = 0.4
"""The part of the first fast phase that is hot."""


class Population(NamedTuple):
    """The particles of a hot chain, row after row, with their log weights; none when it is cold."""

    size: int
    places: Floats
    log_weights: Floats


def first_particles(position: Floats, count: int) -> Floats:
    """The particles of a chain that begins at a position, or at several in turn.

    >>> first_particles(np.array([1.0, 2.0]), 2).tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    >>> first_particles(np.array([[1.0, 2.0]]), 1).shape
    (0, 0)
    """
    if count == 1:
        return np.empty((0, 0))
    rows = np.atleast_2d(np.asarray(position, np.float64))
    return rows[np.arange(count) % len(rows)]


def population_of(state: State) -> Population:
    """The particles of a state."""
    return Population(len(state.log_weights), state.particles.reshape(-1), state.log_weights)


@kernel
def bare_population(population: Population) -> Any:
    """The same with bare pointers."""
    return Population(
        population.size,
        bare(population.places),
        bare(population.log_weights),
    )


def without_particles(state: State) -> State:
    """A state that is cold: its particles need no memory any more."""
    return state._replace(particles=np.empty((0, 0)), log_weights=np.empty(0))


@inlined
def temperature(hot: int, iteration: int) -> float:
    """How hot an iteration is: the first `hot` stay at HOTTEST for a while, then cool down to 1."""
    if iteration >= hot:
        return 1.0
    left = (1.0 - iteration / hot) / (1.0 - PLATEAU)
    return HOTTEST ** min(1.0, left)  # type: ignore[no-any-return]


@kernel
def take(target: Target, motion: Motion, population: Population, particle: int) -> float:
    """Go to a particle; returns U there."""
    place = particle * target.dimension
    copy(target.position, 0, population.places, place, target.dimension)
    return potential(target, motion)


@kernel
def put_back(
    target: Target, population: Population, particle: int, u: float, cooling: float
) -> None:
    """Keep a particle where it is now, and weigh it; `cooling` is the change of 1 / T."""
    place = particle * target.dimension
    copy(population.places, place, target.position, 0, target.dimension)
    if math.isfinite(u):
        population.log_weights[particle] -= cooling * u
    else:
        population.log_weights[particle] = -math.inf


@kernel
def effective_number(population: Population) -> float:
    """How many equal weights these are worth; the largest of them becomes 1."""
    weights = population.log_weights
    highest = weights[0]
    for k in range(1, population.size):
        highest = max(highest, weights[k])
    total, squares = 0.0, 0.0
    for k in range(population.size):
        weights[k] -= highest
        total += math.exp(weights[k])
        squares += math.exp(2.0 * weights[k])
    return total * total / squares


@kernel
def number_offspring(population: Population, shift: float) -> None:
    """Write how often each particle is drawn in place of its log weight (systematic resampling).

    Particle k gets the points j + shift that lie between the sums of `count` shares up to it.
    """
    weights, total = population.log_weights, 0.0
    for k in range(population.size):
        total += math.exp(weights[k])
    below, given = 0.0, 0.0
    for k in range(population.size):
        below += population.size * math.exp(weights[k]) / total
        until = population.size if k == population.size - 1 else math.ceil(below - shift)
        weights[k] = until - given
        given = until


@kernel
def multiply(target: Target, population: Population, generator: NDArray[np.uint64]) -> None:
    """Draw all particles by weight; then all weigh the same."""
    number_offspring(population, draw_uniform(generator))
    numbers, source = population.log_weights, 0
    for k in range(population.size):
        if numbers[k] == 0.0:
            while numbers[source] <= 1.0:
                source += 1
            begin, end = source * target.dimension, k * target.dimension
            copy(population.places, end, population.places, begin, target.dimension)
            numbers[source] -= 1.0
            numbers[k] = 1.0
    for k in range(population.size):
        numbers[k] = 0.0


@kernel
def draw_one(population: Population, generator: NDArray[np.uint64]) -> int:
    """A particle by weight."""
    chosen, total = 0, 0.0
    for k in range(population.size):
        weight = math.exp(population.log_weights[k])
        total += weight
        if draw_uniform(generator) * total < weight:
            chosen = k
    return chosen


@kernel
def draw_anew(
    target: Target, motion: Motion, population: Population, at_the_end: bool, u: float
) -> float:
    """Draw the particles by weight if the weights are uneven, and go to one of them at the end.

    `u` is U at the present position; returns U there, or at the particle gone to.
    """
    if effective_number(population) < 0.5 * population.size:
        multiply(target, population, motion.generator)
    if at_the_end:
        return take(target, motion, population, draw_one(population, motion.generator))
    return u
