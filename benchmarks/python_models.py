"""What compiling Python functions costs: long functions, a million observations, both styles.

Times are of one run; the ratios and the limits are what the project promises.
"""

from __future__ import annotations

import gc
import linecache
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import lfppl
from lfppl import observe, sample
from lfppl.distributions import categorical, half_normal, normal

OBSERVATIONS = 1_000_000
LINES = 1_000
REPEATS = 3


class Row(NamedTuple):
    """A line of the table."""

    claim: str
    value: float
    unit: str
    limit: float


@lfppl.model
def in_arrays(x, y):  # type: ignore[no-untyped-def]
    level, slope, cut = sample(normal(0, 1)), sample(normal(0, 1)), sample(normal(0, 1))
    sd = sample(half_normal(1))
    observe(normal(level + np.where(x < cut, 0, slope * (x - cut)), sd), y)


@lfppl.model
def in_a_loop(x, y):  # type: ignore[no-untyped-def]
    level, slope, cut = sample(normal(0, 1)), sample(normal(0, 1)), sample(normal(0, 1))
    sd = sample(half_normal(1))
    for u, v in zip(x, y, strict=True):
        mean = level if u < cut else level + slope * (u - cut)
        observe(normal(mean, sd), v)


@lfppl.model
def mixture(y):  # type: ignore[no-untyped-def]
    mu = sample(normal(0, 5), shape=3)
    z = sample(categorical([0.2, 0.3, 0.5]), shape=len(y))
    observe(normal(mu[z], 1), y)


def long_model(lines: int) -> Any:
    """A function of so many lines: samples, branches, arithmetic, observations, in turns."""
    body = ["x0 = sample(normal(0, 1))"]
    for i in range(1, lines // 4):
        body += [
            f"x{i} = sample(normal(0.5 * x{i - 1}, 1))",
            f"s{i} = x{i} if x{i} > 0 else -x{i - 1}",
            f"m{i} = np.exp(-s{i}) + y[{i % 7}] * x{i - 1}",
            f"observe(normal(m{i}, 1), y[{i % 5}])",
        ]
    text = "@lfppl.model\ndef long(y):\n    " + "\n    ".join(body) + f"\n    return x{i}\n"
    name = f"<long-{lines}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names = {"np": np, "lfppl": lfppl, "sample": sample, "observe": observe, "normal": normal}
    exec(compile(text, name, "exec"), names)  # noqa: S102
    return names["long"]


def seconds(run: Callable[[], object], repeats: int = REPEATS) -> float:
    """The median time of a call."""
    times = []
    for _ in range(repeats):
        gc.collect()
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def rows() -> list[Row]:
    """All measurements."""
    generator = np.random.default_rng(1)
    x, y = generator.normal(size=(2, OBSERVATIONS))
    in_arrays(x[:100], y[:100])
    arrays, loop = seconds(lambda: in_arrays(x, y)), seconds(lambda: in_a_loop(x, y))
    labels = seconds(lambda: mixture(y))
    short, long = (long_model(n) for n in (LINES // 4, LINES))
    few, many = seconds(lambda: short(y[:7])), seconds(lambda: long(y[:7]))
    return [
        Row(f"a regression of {OBSERVATIONS:,} observations in arrays", arrays, "s", 10),
        Row("the same in a loop, times the time in arrays", loop / arrays, "", 1.5),
        Row(f"a mixture of {OBSERVATIONS:,} observations", labels, "s", 10),
        Row(f"a function of {LINES:,} lines", many, "s", 10),
        Row("four times as many lines, times the time", many / few, "", 6),
    ]


def main() -> None:
    """Print the table; the exit status says whether the limits are kept."""
    found = rows()
    for row in found:
        verdict = "" if row.value <= row.limit else "  TOO MUCH"
        print(f"{row.claim:58} {row.value:8.3f} {row.unit:2} (limit {row.limit:g}){verdict}")
    if any(row.value > row.limit for row in found):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
