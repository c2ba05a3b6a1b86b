"""How fast the native density is: against hand-written Numba, JAX, and the arithmetic's floor.

    python benchmarks/density.py [names]

Every number is a median of short stretches, the competitors taking turns, so that a busy machine
disturbs all alike. Floors are counts of what must be done; a core here does about 2 vectors of 8
multiply-adds a cycle at 4 GHz, and reads 250 GB/s from the second cache and 140 from the third.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numba
import numpy as np
from subjects import (
    EXAMPLES,
    GRADIENT_CASES,
    PLATES,
    SMOOTH_HEAVY_TAIL,
    GradientCase,
    Subject,
    matrix_data,
    mixture_data,
    subject,
)

import lfppl
from lfppl.backends.llvm import compile_density
from lfppl.backends.llvm.compile import generate
from lfppl.engines.native import call_gradient, call_move, call_sweep

jitted: Callable[..., Any] = numba.njit

STRETCH, TURNS, REPEATS = 3e-4, 5, 11

# --- bars ----------------------------------------------------------------------------------------


class Bar(NamedTuple):
    """A bound the project sets itself and what was measured; None where a competitor is absent."""

    claim: str
    measured: str
    value: float | None
    limit: float

    @property
    def verdict(self) -> str:
        """In a word."""
        if self.value is None:
            return "skipped: jax is not installed"
        return "ok" if self.value <= self.limit else "MISSED"


def show(bars: list[Bar]) -> list[Bar]:
    for claim, measured, value, limit in bars:
        shown = "" if value is None else f"{value:.2f}"
        verdict = Bar(claim, measured, value, limit).verdict
        print(f"{claim:<62}{measured:>16}{shown:>9}{limit:>7g}  {verdict}", flush=True)
    return bars


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


def time_gradients(wanted: Callable[[str], bool]) -> list[Bar]:
    bars: list[Bar] = []
    for case in (build() for name, build in GRADIENT_CASES.items() if wanted(name)):
        bars += show(_gradient_bars(case))
        print(f"  floor: {case.floor}", flush=True)
    return bars


def _gradient_bars(case: GradientCase) -> list[Bar]:
    slope, other = np.zeros((2, case.subject.density.dimension))
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
    measured, name = _unit(times["native"]), f"gradient, {case.name}"
    against_jax = times["native"] / times["jax"] if in_jax else None
    return [
        Bar(f"{name}: / hand-written Numba", measured, times["native"] / times["numba"], 1.3),
        Bar(f"{name}: / jax.jit(value_and_grad)", measured, against_jax, 1.0),
    ]


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


def time_moves() -> list[Bar]:
    small, large = (subject(EXAMPLES / "mixture.lfppl", mixture_data(n)) for n in (100, 100_000))
    times = compare({"small": move_timer(small), "large": move_timer(large)})
    measured = f"{_unit(times['small'])}, {_unit(times['large'])}"
    print("  floor of a move: 12 instructions in a row, 3 ns")
    return [
        Bar("move of a label: ns", measured, 1e9 * max(times.values()), 60),
        Bar("move of a label: 100,000 / 100 points", measured, times["large"] / times["small"], 2),
    ]


def time_sweeps() -> list[Bar]:
    bars = []
    for points in (1_000, 100_000):
        found = subject(EXAMPLES / "mixture.lfppl", mixture_data(points))
        each = 1e9 * compare({"it": sweep_timer(found)})["it"] / points
        bars.append(Bar(f"sweep of {points} labels: ns each", f"{each:.2f} ns", each, 2))
    print("  floor of a label in a sweep: 48 bytes, 40 vector operations for 8, 0.3 ns")
    readings = np.random.default_rng(0).normal(size=1_000)
    found = subject(EXAMPLES / "hidden-markov.lfppl", {"readings": readings})
    each = 1e9 * compare({"it": sweep_timer(found)})["it"] / 1_001
    return [*bars, Bar("sweep of 1,001 Markov states: ns each", f"{each:.2f} ns", each, 10)]


def time_heavy_tail() -> list[Bar]:
    jumping = {n: subject(EXAMPLES / "heavy-tail.lfppl", matrix_data(n)) for n in (100, 500)}
    smooth = {n: subject(SMOOTH_HEAVY_TAIL, matrix_data(n)) for n in (100, 500)}
    runs = {f"sweep {n}": sweep_timer(found) for n, found in jumping.items()}
    runs |= {f"gradient {n}": native_gradient(found, np.zeros(n)) for n, found in smooth.items()}
    times = compare(runs)
    growth = times["sweep 500"] / times["sweep 100"]
    measured = {n: _unit(times[f"sweep {n}"]) for n in (100, 500)}
    print("  floor of a sweep of the heavy tail: D = 100 1.2 us (200 instructions a coordinate,")
    print("  four a cycle), D = 500 20 us (the matrix and Ax by column)")
    return [
        Bar("heavy tail, sweep: D = 500 / D = 100 (arithmetic: 25)", measured[500], growth, 30),
        *(
            Bar(
                f"heavy tail, sweep of D = {n}: / gradients",
                measured[n],
                times[f"sweep {n}"] / times[f"gradient {n}"],
                4,
            )
            for n in (100, 500)
        ),
    ]


# --- compile time and memory ---------------------------------------------------------------------


def time_compiling() -> list[Bar]:
    bars = []
    subject(EXAMPLES / "mixture.lfppl", mixture_data(10))
    for points, limit in ((10, 0.15), (100_000, 2.0)):
        data, turns = mixture_data(points), []
        for _ in range(5):
            start = time.process_time()
            compile_density(lfppl.compile(EXAMPLES / "mixture.lfppl", data).lir)
            turns.append(time.process_time() - start)
        taken = float(np.median(turns))
        name = f"source to callable, mixture of {points} points: s"
        bars.append(Bar(name, f"{taken:.3f} s", taken, limit))
    return bars


def weigh() -> list[Bar]:
    return [_memory_bar(name, *model) for name, model in PLATES.items()]


def _memory_bar(name: str, source: Any, data: dict[str, Any]) -> Bar:
    tables = lfppl.compile(source, data).lir
    made = generate(tables)
    arrays = {id(a): a.nbytes for a in made.module.keep_alive if isinstance(a, np.ndarray)}
    given = sum(8 * np.size(value) for value in data.values()) + 8 * tables.dimension
    needed = sum(arrays.values()) + 8 * made.layout.size
    return Bar(f"memory, {name}: / data and variables", f"{needed / 1e6:.2f} MB", needed / given, 4)


# --- the whole -----------------------------------------------------------------------------------


def main(names: list[str]) -> int:
    def wanted(name: str) -> bool:
        return not names or any(n in name for n in names)

    print(f"{'bar':<62}{'measured':>16}{'value':>9}{'limit':>7}")
    bars = time_gradients(wanted)
    for name, run in (
        ("move", time_moves),
        ("sweep", time_sweeps),
        ("heavy", time_heavy_tail),
        ("compile", time_compiling),
        ("memory", weigh),
    ):
        if wanted(name):
            bars += show(run())
    missed = [bar.claim for bar in bars if bar.verdict == "MISSED"]
    print("\n" + "\n".join(f"missed: {claim}" for claim in missed) if missed else "\nall bars held")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
