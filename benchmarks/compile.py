"""What compiling costs: how it grows with the data and the program, and how fast a cold start is.

Each row is a ratio or a time with the limit the project sets itself; `make bench` prints the table.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import lfppl
from lfppl.data import bind, load_data

EXAMPLES = Path(__file__).parents[1] / "examples"
REPEATS = 5


class Row(NamedTuple):
    """A line of the table."""

    claim: str
    measured: str
    value: float
    limit: float


# --- programs ------------------------------------------------------------------------------------

MIXTURE = """
(let [mu (for [k (range 2)] (sample (normal 0 2)))
      z (for [n (range (count y))] (sample (categorical [0.5 0.5])))]
  (doseq [n (range (count y))]
    (observe (normal (get mu (get z n)) 1) (get y n)))
  mu)
"""

CHAIN = """
(loop (count y) 0
  (fn [t x]
    (let [state (sample (normal x 1))]
      (observe (normal (if (< state 0) 0 state) 1) (get y t))
      state)))
"""


def shared_ifs(count: int) -> str:
    """A chain of lets, each of which reads the one before it three times."""
    lets = "\n".join(f"x{i} (if (< x{i - 1} 0) (+ x{i - 1} 1) x{i - 1})" for i in range(1, count))
    return f"(let [x0 (sample (normal 0 1))\n{lets}]\n (observe (normal x{count - 1} 1) 0))"


def observations(count: int) -> NDArray[np.float64]:
    return np.random.default_rng(20180828).normal(size=count)


# --- measuring -----------------------------------------------------------------------------------


Clock = Callable[[], float]


def seconds(action: Callable[[], object], clock: Clock, repeats: int = REPEATS) -> float:
    """The median time of an action, after one that is not counted."""
    action()
    times = []
    for _ in range(repeats):
        gc.collect()
        start = clock()
        action()
        times.append(clock() - start)
    return statistics.median(times)


def compiling(text: str, count: int | None = None) -> Callable[[], object]:
    data = None if count is None else {"y": observations(count)}
    return lambda: lfppl.compile(text, data)


def command(*arguments: str) -> Callable[[], object]:
    line = [sys.executable, "-m", "lfppl", *arguments]
    return lambda: subprocess.run(line, check=True, capture_output=True)


def growth(
    claim: str, small: Callable[[], object], large: Callable[[], object], limit: float
) -> Row:
    # Time of this process, so that a busy machine does not decide a ratio.
    before, after = seconds(small, time.process_time), seconds(large, time.process_time)
    return Row(claim, f"{before:.3f} s -> {after:.3f} s", after / before, limit)


def duration(claim: str, action: Callable[[], object], limit: float, repeats: int = REPEATS) -> Row:
    time_taken = seconds(action, time.perf_counter, repeats)
    return Row(claim, f"{time_taken:.3f} s", time_taken, limit)


# --- the claims ----------------------------------------------------------------------------------


def mixture() -> Row:
    """100,000 points from a file against 5 times 100 points and the reading of the file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "data.json"
        path.write_text(json.dumps({"y": observations(100_000).tolist()}))
        reading = seconds(lambda: bind(load_data(path)), time.process_time)
        large = seconds(lambda: lfppl.compile(MIXTURE, load_data(path)), time.process_time)
    small = seconds(compiling(MIXTURE, 100), time.process_time)
    measured = f"{small:.4f} s -> {large:.4f} s, {reading:.4f} s of it reading"
    claim = "mixture of 100,000 points, without reading / 100 points"
    return Row(claim, measured, (large - reading) / small, 5.0)


def chain() -> Row:
    claim = "Markov chain: 4,000 / 2,000 steps"
    return growth(claim, compiling(CHAIN, 2_000), compiling(CHAIN, 4_000), 2.5)


def long_chain() -> Row:
    return duration("Markov chain of 4,000 steps, s", compiling(CHAIN, 4_000), 10.0, repeats=1)


def lets() -> Row:
    claim = "2,000 / 1,000 lets sharing in an `if`"
    return growth(claim, compiling(shared_ifs(1_000)), compiling(shared_ifs(2_000)), 2.5)


def help_page() -> Row:
    return duration("lfppl --help, cold, s", command("--help"), 0.3)


def check() -> Row:
    model, data = EXAMPLES / "mixture.lfppl", EXAMPLES / "mixture.json"
    action = command("check", str(model), "--data", str(data))
    return duration("lfppl check on the mixture, cold, s", action, 1.0)


CLAIMS = (mixture, chain, long_chain, lets, help_page, check)


def main() -> int:
    """Print the table; the exit status is 1 if a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = [claim.__name__ for claim in CLAIMS]
    parser.add_argument("claims", nargs="*", metavar="CLAIM", help=f"some of {', '.join(names)}")
    chosen = parser.parse_args().claims or names
    print(f"{'claim':56} {'measured':44} {'value':>7} {'limit':>6}")
    passed = True
    for claim in CLAIMS:
        if claim.__name__ in chosen:
            row = claim()
            passed &= row.value <= row.limit
            verdict = "  ok" if row.value <= row.limit else "  MISSED"
            print(f"{row.claim:56} {row.measured:44} {row.value:7.2f} {row.limit:6.1f}{verdict}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
