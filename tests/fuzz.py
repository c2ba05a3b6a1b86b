"""Many more random programs than a test run has time for: `python tests/fuzz.py FIRST LAST`.

Program number n is the same on every machine. What fails is printed with its number; the smallest
program that still fails belongs into a test.
"""

from __future__ import annotations

import random
import sys
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "backends")]

import density_checks as checks  # noqa: E402

import lfppl  # noqa: E402
from agreement import Meanings, sampler_disagreements  # noqa: E402
from generate import LONG, SHORT, ProgramWriter, Written, points  # noqa: E402
from jumps import jumps  # noqa: E402

MOVES, JUMP_STEPS, MOST_FAILURES = 10, 8, 20

LONG_EVERY = 3
"""One program of so many has loops too long for the search for jumps."""


def program(number: int, branches: int = 6) -> Written:
    """The random program of a number.

    >>> program(3).text == program(3).text
    True
    """
    generator = random.Random(number)

    def draw(strategy: Any) -> int:
        bounds = strategy.wrapped_strategy
        return generator.randint(bounds.start, bounds.end)

    long = number % LONG_EVERY == 0
    return ProgramWriter(draw, 150 if long else branches, LONG if long else SHORT).program()


def failures(written: Written, seed: int) -> Iterator[Any]:
    """What is wrong with a program: disagreements, jumps outside of the discontinuous variables."""
    model = lfppl.compile(*written)
    meanings = Meanings.of(model.core, model.data)
    found = points(model.core, model.data, seed, count=3)
    for k, point in enumerate(found):
        yield from meanings.disagreements(point)
        yield from sampler_disagreements(model, point, k)
    check_native(model, seed)
    fixed = set(model.discontinuous)
    if seed % LONG_EVERY and not fixed >= set(model.sampled):
        yield from jumps(model.core, model.data, found[0], fixed, JUMP_STEPS)


def check_native(model: lfppl.Model, seed: int) -> None:
    """Value, gradient, moves, undo and sweeps of the native density."""
    caller, generator = checks.compiled(model.lir), np.random.default_rng(seed)
    for _ in range(2):
        checks.check_values(model.lir, caller, generator)
        checks.check_gradient(model.lir, caller, generator)
    checks.check_moves(model.lir, caller, generator, MOVES)
    checks.check_sweeps(model.lir, caller, generator)


def report(number: int) -> bool:
    """Check one program; print it and return False where something is wrong."""
    written = program(number)
    try:
        wrong = [str(failure) for failure in failures(written, number)]
    except Exception:  # whatever happens belongs to this program, and the others go on
        wrong = [traceback.format_exc(limit=-3)]
    if wrong:
        print(f"--- program {number}", written.text, written.data, *wrong, sep="\n", flush=True)
    return not wrong


def main(first: int, last: int) -> int:
    """Check the programs first .. last - 1; the exit status is 1 if one failed."""
    warnings.simplefilter("error")
    failed = 0
    for number in range(first, last):
        failed += not report(number)
        if failed == MOST_FAILURES:
            break
    print(f"{number + 1 - first} programs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
