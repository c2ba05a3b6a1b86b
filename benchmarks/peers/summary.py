"""From runs to rows: medians, ranges, verdicts, and the ratios that the targets ask for."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import median

from peers.models import all_cases
from peers.record import Run
from peers.run import SYSTEMS

WRONG_SD, WRONG_Z, CONVERGED = 0.1, 5.0, 1.1
"""An answer is wrong if it is this many posterior sds off and that cannot be chance, or if chains
disagree."""


@dataclass(frozen=True)
class Row:
    """What all runs of a system on a model say; ESS/s and seconds as median, least, most."""

    model: str
    system: str
    precision: int
    by_hand: bool
    verdict: str
    runs: int
    ess_per_s: float | None
    ess_per_s_least: float | None
    ess_per_s_most: float | None
    ess_per_s_of_all: float | None
    compile_s: float | None
    warmup_s: float | None
    sample_s: float | None
    answer_s: float | None
    answers: int
    ess: float | None
    ess_of: str
    r_hat: float | None
    error: float | None
    draws: int | None
    reason: str


def middle(values: list[float | None]) -> float | None:
    """The median of what was measured.

    >>> middle([3.0, None, 1.0, 2.0])
    2.0
    """
    known = [value for value in values if value is not None]
    return float(median(known)) if known else None


def is_wrong(run: Run) -> bool:
    """Whether a finished run gives a wrong answer, or none."""
    if run.r_hat is None or run.error is None or run.error_z is None:
        return True
    off = run.error > WRONG_SD and run.error_z > WRONG_Z
    return not run.r_hat < CONVERGED or not math.isfinite(run.error) or off


def verdict(done: list[Run]) -> str:
    """`right`, `wrong`, `wrong in 2 of 5`, or `failed` if no run came to an end."""
    if not done:
        return "failed"
    wrong = sum(is_wrong(run) for run in done)
    if wrong in (0, len(done)):
        return "wrong" if wrong else "right"
    return f"wrong in {wrong} of {len(done)}"


def rate(run: Run, seconds: float | None) -> float | None:
    return run.ess / seconds if run.ess is not None and seconds else None


def row_of(runs: list[Run], by_hand: bool) -> Row:
    """One line of the table."""
    done = [run for run in runs if run.status == "done"]
    fresh = [run for run in done if run.fresh]
    rates = [rate(run, run.sample_s) for run in done]
    known = sorted(value for value in rates if value is not None)
    worst = [run.ess_of for run in done]
    return Row(
        model=runs[0].model,
        system=runs[0].system,
        precision=runs[0].precision,
        by_hand=by_hand,
        verdict=verdict(done),
        runs=len(done),
        ess_per_s=middle(rates),
        ess_per_s_least=known[0] if known else None,
        ess_per_s_most=known[-1] if known else None,
        ess_per_s_of_all=middle([rate(run, run.total_s) for run in fresh]),
        compile_s=middle([run.compile_s for run in fresh]),
        warmup_s=middle([run.warmup_s for run in done]),
        sample_s=middle([run.sample_s for run in done]),
        answer_s=answer(fresh),
        answers=sum(run.answer_s is not None for run in fresh),
        ess=middle([run.ess for run in done]),
        ess_of=max(worst, key=worst.count) if worst else "",
        r_hat=middle([run.r_hat for run in done]),
        error=middle([run.error for run in done]),
        draws=int(middle([run.draws for run in done]) or 0) if done else None,
        reason="" if done else " ".join(runs[0].reason.split())[-120:],
    )


def answer(fresh: list[Run]) -> float | None:
    """The median time to a usable answer, runs that gave none counted as endless."""
    if not fresh:
        return None
    found = median([run.answer_s if run.answer_s is not None else 1e9 for run in fresh])
    return found if found < 1e8 else None


def summarise(runs: list[Run]) -> list[Row]:
    """Rows in the order of models and systems."""
    groups: dict[tuple[str, str, int], list[Run]] = defaultdict(list)
    for run in runs:
        groups[run.model, run.system, run.precision].append(run)
    return [
        row_of(groups[model, system, precision], case.versions[system].by_hand)
        for model, case in all_cases().items()
        for system, precision in SYSTEMS
        if (model, system, precision) in groups
    ]


NAMES = {"pymc": "PyMC", "stan": "Stan", "jags": "JAGS"}


def title(row: Row) -> str:
    """A system's name as a reader knows it."""
    first, _, rest = row.system.partition(" ")
    name = " ".join([NAMES.get(first, first.replace("numpyro", "NumPyro")), rest]).strip()
    by_hand = " (by hand)" if row.by_hand else ""
    return name + by_hand + (" float32" if row.precision == 32 else "")


FACTORS = {"as written": 20.0, "JAGS": 3.0, "by hand": 1.0, "smooth": 1.0}
"""lfppl's ESS/s is to be this many times the best of each kind."""


def kind_of(row: Row, smooth: bool) -> str:
    """Which target a system's row belongs to."""
    if smooth:
        return "smooth" if row.system in ("stan", "nutpie") else ""
    if row.system == "jags":
        return "JAGS"
    if row.by_hand or row.system in ("stan", "nutpie"):
        return "by hand"
    return "as written"


def ratios(rows: list[Row], model: str, smooth: bool) -> dict[str, tuple[float, str]]:
    """lfppl's ESS/s over the best right one of each kind, with its name."""
    own = [row for row in rows if row.model == model and row.system == "lfppl"]
    found: dict[str, tuple[float, str]] = {}
    for row in rows:
        kind = kind_of(row, smooth)
        if row.model != model or row.system == "lfppl" or not kind or row.verdict != "right":
            continue
        if own and own[0].ess_per_s and row.ess_per_s:
            ratio = own[0].ess_per_s / row.ess_per_s
            if kind not in found or ratio < found[kind][0]:
                found[kind] = (ratio, title(row))
    return found
