"""What every native density must satisfy, given its LIR: on all programs and random ones."""

from __future__ import annotations

import numpy as np

from lfppl.backends.llvm import CompiledDensity
from lfppl.backends.llvm.compile import density_of
from lfppl.lir.evaluate import evaluate
from lfppl.lir.tables import Model

Floats = np.ndarray

STENCIL = ((-3, -1.0), (-2, 9.0), (-1, -45.0), (1, 45.0), (2, -9.0), (3, 1.0))
"""Sixth-order central differences: sum of c f(x + k h) / (60 h)."""


def compiled(model: Model, width: int | None = None) -> CompiledDensity:
    return CompiledDensity(density_of(model, width))


def random_point(model: Model, generator: np.random.Generator) -> Floats:
    """A point whose discontinuous coordinates are mostly within their bounds."""
    x = generator.normal(size=model.dimension)
    for block in model.variables:
        if block.discontinuous:
            low = block.lower if np.isfinite(block.lower) else -3.0
            high = block.upper if np.isfinite(block.upper) else low + 6.0
            margin = 0.02 * (high - low)
            x[block.coordinates] = generator.uniform(
                low - margin, high + margin, size=block.coordinates.shape
            )
    return x


def supported_point(model: Model, generator: np.random.Generator) -> Floats | None:
    for _ in range(100):
        x = random_point(model, generator)
        if np.isfinite(evaluate(model, x).log_density):
            return x
    return None


def check_values(model: Model, caller: CompiledDensity, generator: np.random.Generator) -> None:
    """U, bits, terms, and the returned value are those of the NumPy evaluator."""
    x = random_point(model, generator)
    expected = evaluate(model, x)
    np.testing.assert_allclose(caller.evaluate(x), -expected.log_density, rtol=1e-10, atol=1e-12)
    assert list(map(bool, caller.branches())) == list(expected.bits.values())
    np.testing.assert_allclose(caller.terms(), expected.terms, rtol=1e-9, atol=1e-10)
    returned = np.ravel(expected.returned)
    values = caller.values()
    np.testing.assert_allclose(
        values[len(values) - len(returned) :], returned, rtol=1e-9, atol=1e-12
    )


def check_gradient(model: Model, caller: CompiledDensity, generator: np.random.Generator) -> None:
    """dU/dx is the limit of differences; 0 for discontinuous coordinates."""
    x = supported_point(model, generator)
    if x is None:
        return
    u, slope = caller.gradient(x)
    np.testing.assert_allclose(u, caller.evaluate(x), rtol=1e-13, atol=1e-13)
    assert np.all(slope[caller.density.discontinuous] == 0)
    continuous = caller.density.continuous
    chosen = generator.choice(continuous, size=min(12, len(continuous)), replace=False)
    for i in map(int, chosen):
        expected, error = difference_quotient(caller, x, i)
        assert abs(slope[i] - expected) <= 1e-7 * max(1.0, abs(expected)) + error, (
            i,
            slope[i],
            expected,
        )


def difference_quotient(caller: CompiledDensity, x: Floats, i: int) -> tuple[float, float]:
    """The derivative along coordinate i, and how far it can be trusted."""
    found = []
    for h in (2e-3, 1e-3):
        total = 0.0
        for steps, weight in STENCIL:
            y = x.copy()
            y[i] += steps * h
            total += weight * caller.evaluate(y)
        found.append(total / (60 * h))
    rounding = 1e-12 * max(1.0, abs(caller.evaluate(x)))
    return found[1], 2 * abs(found[1] - found[0]) + rounding


def check_moves(
    model: Model, caller: CompiledDensity, generator: np.random.Generator, count: int
) -> None:
    """`move` is a difference of `evaluate`; `undo` restores every bit."""
    x = supported_point(model, generator)
    if x is None or len(caller.density.discontinuous) == 0:
        return
    caller.evaluate(x)
    for _ in range(count):
        b = int(generator.choice(caller.density.discontinuous))
        before = caller.workspace[: model.size].tobytes()
        old = -evaluate(model, caller.x.copy()).log_density
        change = caller.move(b, random_point(model, generator)[b])
        new = -evaluate(model, caller.x.copy()).log_density
        if np.isinf(new):
            assert change == np.inf
        else:
            assert abs(change - (new - old)) <= 1e-9 * max(1.0, abs(old), abs(new))
        if np.isinf(new) or generator.uniform() < 0.5:
            caller.undo()
            assert caller.workspace[: model.size].tobytes() == before


def check_sweeps(model: Model, caller: CompiledDensity, generator: np.random.Generator) -> None:
    """A sweep is its single moves, in any order, and its change that of U."""
    x = supported_point(model, generator)
    if x is None:
        return
    for colour, members in enumerate(caller.density.colours):
        before = caller.evaluate(x)
        p, s = (
            generator.laplace(size=model.dimension),
            generator.uniform(0.5, 2, size=model.dimension),
        )
        momenta = p.copy()
        swept = caller.sweep(colour, 0.4, p, s)
        end, numbers = caller.x.copy(), caller.workspace[: model.size].copy()
        np.testing.assert_allclose(caller.evaluate() - before, swept.change, rtol=1e-8, atol=1e-8)
        caller.evaluate(x)
        order = generator.permutation(members)
        moved = sum(single_update(caller, int(b), 0.4, momenta, s) for b in order)
        assert moved == swept.moved
        np.testing.assert_allclose(caller.x, end, rtol=1e-12)
        np.testing.assert_allclose(momenta, p, rtol=1e-8, atol=1e-9)
        computed = np.isfinite(numbers)
        np.testing.assert_allclose(
            caller.workspace[: model.size][computed], numbers[computed], rtol=1e-8, atol=1e-9
        )
        x = end


def single_update(caller: CompiledDensity, b: int, eps: float, p: Floats, s: Floats) -> int:
    """The paper's Algorithm 1, corrected, for one coordinate."""
    change = caller.move(b, float(caller.x[b] + eps * s[b] * np.sign(p[b])))
    if s[b] * abs(p[b]) > change:
        p[b] -= np.sign(p[b]) * change / s[b]
        return 1
    caller.undo()
    p[b] = -p[b]
    return 0
