"""Simulation-based calibration of three programs: p-values of uniform ranks.

python benchmarks/calibration.py [REPLICATES [ENGINE...]]      1000 of each by default, with dnuts
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from answers.calibrating import SIMULATORS, p_values  # type: ignore[import-not-found]
from lfppl.engines import DEFAULT


def main(replicates: int, engines: list[str]) -> None:
    for name, make in SIMULATORS.items():
        for engine in engines:
            begin = time.perf_counter()
            found = p_values(make(), replicates, seed=20261119, engine=engine)
            took = time.perf_counter() - begin
            print(f"{name}, {engine}, {replicates} simulations, {took:.0f} s")
            for quantity, value in found.items():
                print(f"  {quantity:<16} p = {value:.3f}", flush=True)


if __name__ == "__main__":
    chosen = sys.argv[1:]
    main(int(chosen[0]) if chosen else 1000, chosen[1:] or list(dict.fromkeys([DEFAULT, "dnuts"])))
