"""How fast the native density is: against hand-written Numba, JAX, and the arithmetic's floor.

    python benchmarks/density.py [names]

Every number is a median of short stretches, the competitors taking turns, so that a busy machine
disturbs all alike. Floors are counts of what must be done; a core here does about 2 vectors of 8
multiply-adds a cycle at 4 GHz, and reads 100 GB/s from the third cache.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np
from subjects import (
    EXAMPLES,
    GRADIENT_CASES,
    SMOOTH_HEAVY_TAIL,
    GradientCase,
    Subject,
    matrix_data,
    mixture_data,
    subject,
)

import lfppl
from lfppl.backends.llvm import compile_density
from lfppl.engines.native import call_gradient, call_move, call_sweep

jitted: Callable[..., Any] = numba.njit

STRETCH, TURNS, REPEATS = 3e-4, 5, 11

# --- timing --------------------------------------------------------------------------------------


@jitted
def many_gradients(function: int, workspace: int, slope: int, count: int) -> float:
    total = 0.0
    for _ in range(count):
        total += call_gradient(function, workspace, slope)
    return total


@jitted
def many_moves(function: int, workspace: int, coordinates: Any, values: Any, count: int) -> float:
    total = 0.0
    for i in range(count):
        k = i % coordinates.size
        total += call_move(function, workspace, coordinates[k], values[k])
    return total


@jitted
def many_sweeps(
    function: int, workspace: int, colours: int, p: int, s: int, moved: int, count: int
) -> float:
    total = 0.0
    for _ in range(count):
        for colour in range(colours):
            total += call_sweep(function, workspace, colour, 0.01, p, s, moved)
    return total


def repeated(function: Callable[..., Any]) -> Callable[..., Any]:
    @numba.njit
    def run(x: Any, slope: Any, data: Any, count: int) -> float:
        total = 0.0
        for _ in range(count):
            total += function(x, slope, *data)
        return total

    return run  # type: ignore[no-any-return]


Timer = Callable[[int], Any]


def stretch_length(run: Timer) -> int:
    count = 1
    run(1)
    while True:
        start = time.perf_counter()
        run(count)
        if time.perf_counter() - start > STRETCH or count >= 1 << 20:
            return count
        count *= 2


def seconds(run: Timer, count: int) -> float:
    found = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        run(count)
        found.append((time.perf_counter() - start) / count)
    return float(np.median(found))


def compare(runs: dict[str, Timer]) -> dict[str, float]:
    """Medians of stretches that the competitors take in turn."""
    counts = {name: stretch_length(run) for name, run in runs.items()}
    turns = [{name: seconds(run, counts[name]) for name, run in runs.items()} for _ in range(TURNS)]
    return {name: float(np.median([turn[name] for turn in turns])) for name in runs}


# --- gradients -----------------------------------------------------------------------------------


def native_gradient(found: Subject, slope: np.ndarray) -> Timer:
    address, workspace = found.density.pointers.gradient, found.caller.workspace.ctypes.data
    return lambda count: many_gradients(address, workspace, slope.ctypes.data, count)


def jax_gradient(case: GradientCase) -> Timer | None:
    try:
        import jax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    x = jax.numpy.asarray(case.subject.x)
    data = tuple(jax.numpy.asarray(d) if isinstance(d, np.ndarray) else d for d in case.data)
    function = jax.jit(jax.value_and_grad(lambda c: case.in_jax(jax.numpy, c, x, *data)))
    c = jax.numpy.asarray(case.subject.x[case.subject.density.continuous])

    def run(count: int) -> None:
        for _ in range(count):
            function(c)[1].block_until_ready()

    return run


def time_gradients(wanted: Callable[[str], bool]) -> list[str]:
    failures = []
    print(f"{'gradient':<24}{'native':>10}{'/ Numba':>9}{'/ JAX':>9}   floor")
    for case in (build() for name, build in GRADIENT_CASES.items() if wanted(name)):
        slope, other = (
            np.zeros(case.subject.density.dimension),
            np.zeros(case.subject.density.dimension),
        )
        run = repeated(case.by_hand)
        _check_agreement(case, run, slope, other)
        runs: dict[str, Timer] = {
            "native": native_gradient(case.subject, slope),
            "numba": partial(run, case.subject.x, other, case.data),
        }
        in_jax = jax_gradient(case)
        if in_jax is not None:
            runs["jax"] = in_jax
        times = compare(runs)
        ratio = times["native"] / times["numba"]
        against_jax = times["native"] / times["jax"] if in_jax else float("nan")
        print(
            f"{case.name:<24}{_unit(times['native']):>10}{ratio:>9.2f}"
            f"{f'{against_jax:.2f}' if in_jax else 'no jax':>9}   {case.floor}",
            flush=True,
        )
        if ratio > 1.3 or against_jax > 1.0:
            failures.append(case.name)
    return failures


def _check_agreement(case: GradientCase, run: Any, slope: np.ndarray, other: np.ndarray) -> None:
    u, found = case.subject.caller.gradient()
    v = run(case.subject.x, other, case.data, 1)
    continuous = case.subject.density.continuous
    np.testing.assert_allclose(u, v, rtol=1e-10)
    np.testing.assert_allclose(found[continuous], other[continuous], rtol=1e-8, atol=1e-9)


def _unit(duration: float) -> str:
    return f"{duration * 1e9:.1f} ns" if duration < 1e-6 else f"{duration * 1e6:.2f} us"


# --- moves and sweeps ----------------------------------------------------------------------------


def move_timer(found: Subject) -> Timer:
    chosen = np.random.default_rng(3).choice(found.density.discontinuous, size=64)
    values = found.caller.x[chosen].copy()
    address, workspace = found.density.pointers.move, found.caller.workspace.ctypes.data
    return lambda count: many_moves(address, workspace, chosen, values, count)


def sweep_timer(found: Subject) -> Timer:
    size = found.density.dimension
    p, s = np.random.default_rng(2).laplace(size=size), np.ones(size)
    moved = np.zeros(1, dtype=np.int64)
    address, workspace = found.density.pointers.sweep, found.caller.workspace.ctypes.data
    arguments = (len(found.density.colours), p.ctypes.data, s.ctypes.data, moved.ctypes.data)
    keep = (p, s, moved)
    return lambda count: (many_sweeps(address, workspace, *arguments, count), keep)[0]


def time_moves() -> list[str]:
    small, large = (subject(EXAMPLES / "mixture.lfppl", mixture_data(n)) for n in (100, 100_000))
    times = compare({"small": move_timer(small), "large": move_timer(large)})
    ratio = times["large"] / times["small"]
    print(
        f"\nmove of a label: {_unit(times['small'])} with 100 points, {_unit(times['large'])} with "
        f"100,000 (bar: 60 ns, ratio 2; floor: 15 instructions in a row, 4 ns)"
    )
    return ["move"] if ratio > 2 or times["large"] > 60e-9 else []


def time_sweeps() -> list[str]:
    failures = []
    for points in (1_000, 100_000):
        found = subject(EXAMPLES / "mixture.lfppl", mixture_data(points))
        each = compare({"it": sweep_timer(found)})["it"] / points
        print(
            f"sweep of {points} labels: {each * 1e9:.2f} ns each (bar: 2 ns; floor: 56 bytes, 30 "
            "vector operations for 8, 0.5 ns)"
        )
        failures += ["sweep of labels"] if each > 2e-9 else []
    found = subject(
        EXAMPLES / "hidden-markov.lfppl", {"readings": np.random.default_rng(0).normal(size=1_000)}
    )
    each = compare({"it": sweep_timer(found)})["it"] / 1_001
    print(f"sweep of 1001 Markov states: {each * 1e9:.2f} ns each (bar: 10 ns)")
    return failures + (["sweep of states"] if each > 10e-9 else [])


def time_heavy_tail() -> list[str]:
    jumping = {n: subject(EXAMPLES / "heavy-tail.lfppl", matrix_data(n)) for n in (100, 500)}
    smooth = {n: subject(SMOOTH_HEAVY_TAIL, matrix_data(n)) for n in (100, 500)}
    runs = {f"sweep {n}": sweep_timer(found) for n, found in jumping.items()}
    runs |= {f"gradient {n}": native_gradient(found, np.zeros(n)) for n, found in smooth.items()}
    times = compare(runs)
    growth = times["sweep 500"] / times["sweep 100"]
    print(
        f"heavy tail, sweep: {_unit(times['sweep 100'])} for 100, {_unit(times['sweep 500'])} "
        f"for 500 coordinates: {growth:.1f} times (bar: 30; arithmetic: 25)"
    )
    for n in (100, 500):
        print(f"  {times[f'sweep {n}'] / times[f'gradient {n}']:.1f} gradients of {n} (bar: 4)")
    return ["growth of the heavy tail"] if growth > 30 else []


# --- compile time --------------------------------------------------------------------------------


def time_compiling() -> list[str]:
    found, failures = {}, []
    subject(EXAMPLES / "mixture.lfppl", mixture_data(10))
    for points in (10, 100_000):
        data = mixture_data(points)
        turns = []
        for _ in range(5):
            start = time.process_time()
            compile_density(lfppl.compile(EXAMPLES / "mixture.lfppl", data).lir)
            turns.append(time.process_time() - start)
        found[points] = float(np.median(turns))
    print(
        f"\nsource to callable: {found[10]:.3f} s for 10 points (bar: 0.15), {found[100_000]:.2f} "
        "s for 100,000 (bar: 2)"
    )
    if found[10] > 0.15 or found[100_000] > 2:
        failures.append("compile time")
    return failures


def main(names: list[str]) -> int:
    def wanted(name: str) -> bool:
        return not names or any(n in name for n in names)

    failures = time_gradients(wanted)
    for name, run in (
        ("move", time_moves),
        ("sweep", time_sweeps),
        ("heavy", time_heavy_tail),
        ("compile", time_compiling),
    ):
        if wanted(name):
            failures += run()
    print(f"\nmissed: {', '.join(failures)}" if failures else "\nall bars held")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
