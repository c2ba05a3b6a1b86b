"""Fixed trajectories of one chain as array functions (paper, Algorithms 1 and 2, errata mended).

They are mapped over the chains. The order of the colours is drawn from a key that all chains share:
each chain by itself then has a uniform order, and the choice of the colour's code is no choice per
chain.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from lfppl.backends.batch import Array, BatchDensity
from lfppl.engines.lengths import ASPECTS, LONGEST_PROBE
from lfppl.engines.loop import JITTER
from lfppl.engines.trajectories import DIVERGENCE


class Pace(NamedTuple):
    """What all chains share in an iteration; `steers` is 1 for colours with wide coordinates."""

    scale: Array
    step: Array
    steps: Array
    steers: Array


class Ear(NamedTuple):
    """What probes listen to: standardised coordinates, those with weight 1."""

    centre: Array
    deviation: Array
    weight: Array

    def hear(self, begin: Array, now: Array, energy: Array) -> Array:
        """The squared ways of z and |z|, over all coordinates listened to, and of U."""
        first, last = (begin - self.centre) / self.deviation, (now - self.centre) / self.deviation
        ways = jnp.stack([(last - first) ** 2, (jnp.abs(last) - jnp.abs(first)) ** 2])
        return jnp.append(jnp.where(self.weight > 0.0, ways, 0.0).sum(axis=1), energy**2)


class Outcome(NamedTuple):
    """Where a chain came to, and how: the parts of `chains.STATISTICS` that a trajectory knows.

    `moved` counts the accepted coordinate updates of the colours without and with wide coordinates.
    """

    position: Array
    potential: Array
    acceptance: Array
    energy: Array
    divergence: Array
    moved: Array


class _Moving(NamedTuple):
    numbers: Array
    momentum: Array
    gradient: Array
    potential: Array
    kind: Array
    moved: Array


class Trajectories:
    """The functions `iterate` and `probe` of a density, for one chain."""

    def __init__(self, density: BatchDensity) -> None:
        self.density = density
        self.is_smooth = np.zeros(density.dimension, bool)
        self.is_smooth[density.continuous] = True

    def iterate(self, position: Array, key: Array, shared: Array, pace: Pace) -> Outcome:
        """A trajectory with a fresh momentum, and its Metropolis test."""
        momentum_key, jitter_key, test_key = jax.random.split(key, 3)
        time = self._time(jitter_key, pace)
        start = self._start(position, momentum_key, pace)
        before = start.potential + self.kinetic(start.momentum, pace)

        def step(number: Array, now: _Moving) -> _Moving:
            return self._checked_step(now, jax.random.fold_in(shared, number), time, pace, before)

        end = jax.lax.fori_loop(0, pace.steps, step, start)
        acceptance, potential = self._acceptance(end, pace, before)
        accepted = jax.random.uniform(test_key, dtype=jnp.float64) < acceptance
        reached = end.numbers[: self.density.dimension]
        return Outcome(
            position=jnp.where(accepted, reached, position),
            potential=jnp.where(accepted, potential, start.potential),
            acceptance=acceptance,
            energy=before,
            divergence=end.kind,
            moved=end.moved,
        )

    def probe(self, position: Array, key: Array, shared: Array, pace: Pace, ear: Ear) -> Array:
        """What the ear hears at each step of a probing trajectory, times its acceptance."""
        momentum_key, jitter_key = jax.random.split(key)
        time = self._time(jitter_key, pace)
        start = self._start(position, momentum_key, pace)
        before = start.potential + self.kinetic(start.momentum, pace)

        def step(number: Array, now: tuple[_Moving, Array]) -> tuple[_Moving, Array]:
            moving, heard = now
            fresh = jax.random.fold_in(shared, number)
            moving = self._checked_step(moving, fresh, time, pace, before)
            acceptance, _ = self._acceptance(moving, pace, before)
            reached = moving.numbers[: self.density.dimension]
            energy = moving.potential - start.potential
            told = jnp.where(
                acceptance > 0.0, acceptance * ear.hear(position, reached, energy), 0.0
            )
            return moving, heard.at[number + 1].set(told)

        heard = jnp.zeros((LONGEST_PROBE + 1, ASPECTS))
        return jax.lax.fori_loop(0, pace.steps, step, (start, heard))[1]

    # --- pieces

    def kinetic(self, momentum: Array, pace: Pace) -> Array:
        """The kinetic energy: Gaussian on the continuous, Laplace on the other coordinates."""
        smooth = 0.5 * pace.scale * momentum**2
        return jnp.where(self.is_smooth, smooth, pace.scale * jnp.abs(momentum)).sum()

    def _time(self, key: Array, pace: Pace) -> Array:
        return pace.step * (1.0 - JITTER * jax.random.uniform(key, dtype=jnp.float64))

    def _start(self, position: Array, key: Array, pace: Pace) -> _Moving:
        smooth_key, jump_key = jax.random.split(key)
        shape = (self.density.dimension,)
        normal = jax.random.normal(smooth_key, shape, jnp.float64) / jnp.sqrt(pace.scale)
        laplace = jax.random.laplace(jump_key, shape, jnp.float64) / pace.scale
        potential, gradient, numbers = self._forces(position)
        return _Moving(
            numbers,
            jnp.where(self.is_smooth, normal, laplace),
            gradient,
            potential,
            jnp.int32(0),
            jnp.zeros(2, jnp.int64),
        )

    def _forces(self, position: Array) -> tuple[Array, Array, Array]:
        if self.is_smooth.any():
            return self.density.gradient(position)
        potential, numbers = self.density.evaluate(position)
        return potential, jnp.zeros_like(position), numbers

    def _checked_step(
        self, now: _Moving, shared: Array, time: Array, pace: Pace, before: Array
    ) -> _Moving:
        """A step, unless the trajectory has been given up."""
        after = self._step(now, shared, time, pace)
        change = after.potential + self.kinetic(after.momentum, pace) - before
        kind = jnp.maximum(after.kind, _kind(change))
        given_up = now.kind > 0
        after = after._replace(kind=kind)
        kept: _Moving = jax.tree.map(lambda old, new: jnp.where(given_up, old, new), now, after)
        return kept

    def _step(self, now: _Moving, shared: Array, time: Array, pace: Pace) -> _Moving:
        """One step of the mixed integrator, kick and drift around the coordinate updates."""
        if not self.is_smooth.any():
            return self._jump(now, shared, time, pace)
        now = self._kick(now, time)
        if self.is_smooth.all():
            position = self._drifted(now, time, pace)
        else:
            between, numbers = self.density.evaluate(self._drifted(now, 0.5 * time, pace))
            kind = jnp.where(jnp.isnan(between), 2, jnp.where(jnp.isfinite(between), 0, 1))
            now = now._replace(numbers=numbers, kind=jnp.maximum(now.kind, kind.astype(jnp.int32)))
            now = self._jump(now, shared, time, pace)
            position = self._drifted(now, 0.5 * time, pace)
        potential, gradient, numbers = self._forces(position)
        moved = now._replace(numbers=numbers, gradient=gradient, potential=potential)
        return self._kick(moved, time)

    def _kick(self, now: _Moving, time: Array) -> _Moving:
        return now._replace(momentum=now.momentum - 0.5 * time * now.gradient)

    def _drifted(self, now: _Moving, time: Array, pace: Pace) -> Array:
        position = now.numbers[: self.density.dimension]
        return position + jnp.where(self.is_smooth, time * pace.scale * now.momentum, 0.0)

    def _jump(self, now: _Moving, shared: Array, time: Array, pace: Pace) -> _Moving:
        """The coordinate updates, colour by colour in a random order."""
        count = len(self.density.colours)
        order = jax.random.permutation(shared, count)

        def update(place: Array, state: _Moving) -> _Moving:
            colour = order[place]
            found = self.density.sweep(colour, state.numbers, time, state.momentum, pace.scale)
            return state._replace(
                numbers=found.numbers,
                momentum=found.momentum,
                potential=state.potential + found.change,
                moved=state.moved.at[pace.steers[colour]].add(found.moved),
            )

        swept: _Moving = jax.lax.fori_loop(0, count, update, now)
        return swept

    def _acceptance(self, end: _Moving, pace: Pace, before: Array) -> tuple[Array, Array]:
        """The probability of acceptance and U, from scratch: sums along the way bias nothing."""
        potential = end.potential
        if not self.is_smooth.any():
            potential, _ = self.density.evaluate(end.numbers[: self.density.dimension])
        change = potential + self.kinetic(end.momentum, pace) - before
        good = (end.kind == 0) & (_kind(change) == 0)
        return jnp.where(good, jnp.exp(-jnp.maximum(change, 0.0)), 0.0), potential


def _kind(change: Array) -> Array:
    """0 for a bearable change of energy, 1 for a divergence, 2 for NaN."""
    return jnp.where(jnp.isnan(change), 2, jnp.where(change > DIVERGENCE, 1, 0)).astype(jnp.int32)
