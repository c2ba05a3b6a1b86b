"""The coordinate updates of a colour: small cones all at once, the others one after another.

A cone made of single rows of Maps is computed for all members of the colour together. Any other is
computed member by member in a copy of the numbers, which is O(size) and no more than the cone where
it is worth having: the row of a matrix, a reduction, the rest of a Markov chain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lfppl.backends.batch import Swept
from lfppl.backends.jax.colours import Part, kinds_of_colours
from lfppl.backends.jax.nodes import Array, addresses, chosen_rows, column, run_kernel, weighted
from lfppl.lir.access import gathered, output_count
from lfppl.lir.tables import ConeShape, ConeStep, Linear, Map, Model

FEW_COLUMNS = 8
"""A matrix is multiplied by so many changed columns at the most, else by all of them."""


def sweep_of(model: Model) -> Callable[[Array, Array, Array, Array, Array], Swept]:
    """The function `sweep` of the batch contract."""
    kinds = kinds_of_colours(model)
    updates = [[_part_update(model, part) for part in parts] for parts in kinds.parts]

    def branch(parts: list[Update]) -> Callable[..., Swept]:
        def run(line: Array, state: Swept, eps: Array, s: Array) -> Swept:
            for update in parts:
                state = update(line, state, eps, s)
            return state

        return run

    branches = [branch(parts) for parts in updates]

    def sweep(colour: Array, numbers: Array, eps: Array, p: Array, s: Array) -> Swept:
        kind, line = jnp.asarray(kinds.kind_of)[colour], jnp.asarray(kinds.line_of)[colour]
        start = Swept(numbers, p, jnp.int64(0), jnp.float64(0.0))
        return Swept(*jax.lax.switch(kind, branches, line, start, eps, s))

    return sweep


Update = Callable[[Array, Swept, Array, Array], Swept]
"""The update of a part of the colour at a line: `(line, state, eps, s) -> state`."""


def _part_update(model: Model, part: Part) -> Update:
    shape, places = model.cones.shapes[part.shape], jnp.asarray(part.places)
    if shape.single:
        together = _Together(model, shape)
        return lambda line, state, eps, s: together(places[line], state, eps, s)
    alone = _Alone(model, shape)

    def one_by_one(line: Array, state: Swept, eps: Array, s: Array) -> Swept:
        def update(k: Array, now: Swept) -> Swept:
            return alone(places[line, k], now, eps, s)

        return Swept(*jax.lax.fori_loop(0, part.places.shape[1], update, state))

    return one_by_one


class _Proposal:
    """Where coordinates go, and what that must cost less than (Algorithm 1, corrected)."""

    def __init__(self, coordinates: Array, state: Swept, eps: Array, s: Array) -> None:
        self.coordinates = coordinates
        self.old, self.p = state.numbers[coordinates], state.momentum[coordinates]
        self.speed = s[coordinates]
        self.sign = jnp.where(self.p < 0.0, -1.0, 1.0)
        self.new = self.old + self.sign * eps * self.speed
        self.kinetic = self.speed * jnp.abs(self.p)

    def decide(self, state: Swept, change: Array) -> tuple[Array, Swept]:
        """Who moves, and the state with the momenta afterwards; a change that is NaN is told."""
        accepted = (change < self.kinetic) & (self.kinetic > 0.0)
        kept = self.p - self.sign * change / self.speed
        turned = jnp.where(accepted, kept, -self.p)
        momentum = state.momentum.at[self.coordinates].set(turned)
        counted = jnp.where(jnp.isnan(change), change, jnp.where(accepted, change, 0.0))
        moved = state.moved + jnp.count_nonzero(accepted)
        return accepted, Swept(state.numbers, momentum, moved, state.change + counted.sum())


class _Change:
    """The change of U, term by term: +inf into the impossible, -inf out of it."""

    def __init__(self) -> None:
        self.total: Array = 0.0
        self.enters: Array = False
        self.leaves: Array = False

    def add(self, new: Array, old: Array, axis: int | None) -> None:
        """Terms of the log density that change; those along the axis belong to one coordinate."""
        gain = jnp.where(jnp.isfinite(new) & jnp.isfinite(old), old - new, 0.0)
        unknown = jnp.isnan(new) | jnp.isnan(old)
        gain = jnp.where(unknown, jnp.nan, gain)
        enters, leaves = new == -jnp.inf, old == -jnp.inf
        if axis is not None:
            gain, enters, leaves = gain.sum(axis), enters.any(axis), leaves.any(axis)
        self.total = self.total + gain
        self.enters, self.leaves = self.enters | enters, self.leaves | leaves

    def value(self) -> Array:
        """The change; impossible where an impossible term appears."""
        out = jnp.where(self.leaves, -jnp.inf, self.total)
        return jnp.where(self.enters, jnp.inf, out)


class _Cone:
    """A shape of cones in a model: its steps, and which outputs of them are terms."""

    def __init__(self, model: Model, shape: ConeShape) -> None:
        self.model, self.shape = model, shape
        self.members = jnp.asarray(shape.members)
        self.factors = {(f.node, f.output) for f in model.factors}


class _Together(_Cone):
    """Cones of single rows of Maps, for many members at once."""

    def __call__(self, places: Array, state: Swept, eps: Array, s: Array) -> Swept:
        """The updates of the members at some places."""
        proposal = _Proposal(self.members[places], state, eps, s)
        change = _Change()
        writes: list[tuple[Array, Array, Array]] = []
        written: list[list[Array]] = []
        for step in self.shape.steps:
            rows = jnp.asarray(step.rows)[places]
            outputs = self._rows(step, rows, proposal, state.numbers, written)
            written.append(outputs)
            for k, new in enumerate(outputs):
                where = addresses(self.model.nodes[step.node], k, rows)
                old = state.numbers[where]
                writes.append((where, old, new))
                if (step.node, k) in self.factors:
                    change.add(new, old, None)
        accepted, state = proposal.decide(state, jnp.broadcast_to(change.value(), places.shape))
        writes.append((proposal.coordinates, proposal.old, proposal.new))
        numbers = state.numbers
        for where, old, new in writes:
            numbers = numbers.at[where].set(jnp.where(accepted, new, old), unique_indices=True)
        return state._replace(numbers=numbers)

    def _rows(
        self,
        step: ConeStep,
        rows: Array,
        proposal: _Proposal,
        numbers: Array,
        written: list[list[Array]],
    ) -> list[Array]:
        node = self.model.nodes[step.node]
        assert isinstance(node, Map)
        columns = []
        for j, source in enumerate(node.columns):
            read = step.reads[j] if j < len(step.reads) else -1
            if read > 0:
                columns.append(written[read - 1][step.read_outputs[j]])
            else:
                columns.append(proposal.new if read == 0 else column(numbers, source, rows))
        return run_kernel(node, columns, rows.shape)


class _Alone(_Cone):
    """Any cone, for one member: its steps run on a copy of the numbers, kept or thrown away."""

    def __init__(self, model: Model, shape: ConeShape) -> None:
        super().__init__(model, shape)
        self.columns = changed_columns(model, shape)

    def __call__(self, place: Array, state: Swept, eps: Array, s: Array) -> Swept:
        """The update of the member at a place."""
        proposal = _Proposal(self.members[place], state, eps, s)
        numbers = state.numbers.at[proposal.coordinates].set(proposal.new)
        change = _Change()
        for number, step in enumerate(self.shape.steps):
            node = self.model.nodes[step.node]
            rows = self._rows(step, place)
            outputs = self._outputs(number, rows, place, state.numbers, numbers)
            for k, new in enumerate(outputs):
                where = addresses(node, k, rows)
                if (step.node, k) in self.factors:
                    change.add(new, numbers[where], 0)
                numbers = numbers.at[where].set(new, unique_indices=True)
        accepted, after = proposal.decide(state, jnp.asarray(change.value()))
        return after._replace(numbers=jnp.where(accepted, numbers, state.numbers))

    def _rows(self, step: ConeStep, place: Array) -> Array:
        if isinstance(step.rows, slice):
            return np.arange(step.rows.start, step.rows.stop)
        return jnp.atleast_1d(jnp.asarray(step.rows)[place])

    def _outputs(
        self, number: int, rows: Array, place: Array, before: Array, numbers: Array
    ) -> list[Array]:
        node = self.model.nodes[self.shape.steps[number].node]
        if not isinstance(node, Linear):
            return chosen_rows(node, rows, numbers)
        if number not in self.columns or not isinstance(node.weights, np.ndarray):
            return [weighted(node, np.arange(node.rows), numbers)[rows]]
        columns = jnp.asarray(self.columns[number])[place]
        inputs = jnp.asarray(gathered(node.inputs, np.arange(node.weights.shape[1])))[columns]
        weights = jnp.asarray(node.weights)[rows][:, columns]
        old = before[addresses(node, 0, rows)]
        return [old + weights @ (numbers[inputs] - before[inputs])]


def changed_columns(model: Model, shape: ConeShape) -> dict[int, Any]:
    """For each dense matrix among the steps: the columns that change, a line for each member.

    Only where all members change equally many, and few.
    """
    found = {}
    for number, step in enumerate(shape.steps):
        node = model.nodes[step.node]
        if isinstance(node, Linear) and isinstance(node.weights, np.ndarray):
            inputs = gathered(node.inputs, np.arange(node.weights.shape[1]))
            lines = [
                np.flatnonzero(np.isin(inputs, _changed(model, shape, number, place)))
                for place in range(len(shape.members))
            ]
            counts = {len(line) for line in lines}
            if len(counts) == 1 and max(counts) <= FEW_COLUMNS:
                found[number] = np.stack(lines)
    return found


def _changed(model: Model, shape: ConeShape, number: int, place: int) -> Any:
    """The addresses that a member changes before a step."""
    found = [shape.members[place : place + 1].astype(np.int64)]
    for step in shape.steps[:number]:
        node = model.nodes[step.node]
        if isinstance(step.rows, slice):
            rows = np.arange(step.rows.start, step.rows.stop)
        else:
            rows = np.atleast_1d(step.rows[place]).astype(np.int64)
        found += [addresses(node, k, rows) for k in range(output_count(node))]
    return np.concatenate(found)
