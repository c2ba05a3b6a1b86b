"""A run of a crowd: many chains in lock-step in JAX, from a plan to a fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lfppl.engines import CROWD
from lfppl.engines.chains import STATISTICS
from lfppl.errors import running
from lfppl.errors.engine import ChainError
from lfppl.errors.packages import missing_extra
from lfppl.results.fit import Fit
from lfppl.results.record import ChainRecord, Stretch, empty_record
from lfppl.runs.description import about, branches
from lfppl.runs.failures import explained
from lfppl.runs.initial import Initial, starting_points
from lfppl.runs.predictor import Predictions
from lfppl.runs.progress import Callback, Event, reporter
from lfppl.runs.schedule import Interruption

if TYPE_CHECKING:
    from lfppl.engines.crowd.crowd import Crowd, Told
    from lfppl.runs.sampling import Plan, Running

LEAD = "dhmc"
"""The engine whose tuning and discontinuous variables the crowd has."""
REPORT_S = 0.5
"""How often progress is reported."""


def sample_crowd(plan: Plan, initial: Initial, options: Running) -> Fit:
    """Draw from the posterior with all chains at once; the plan is one for `LEAD`."""
    jax = _jax()
    with jax.enable_x64(True):
        crowd = _start(plan, initial)
        log = _Log(plan, crowd)
        with reporter(options.progress, options.callback, 1) as report:
            _go(crowd, log, report)
        return _fit(plan, log)


def _jax() -> Any:
    """JAX, which is an extra."""
    try:
        import jax
    except ImportError:
        raise missing_extra(f"the engine `{CROWD}`", "jax", "jax") from None
    return jax


def _start(plan: Plan, initial: Initial) -> Crowd:
    from lfppl.backends.jax import batch_density_of
    from lfppl.engines.crowd.crowd import Crowd

    model = plan.model
    tables, density = model.tables(plan.gamma), model.density(plan.gamma)
    chains, seeds = np.random.SeedSequence(plan.wanted.seed).spawn(2)
    each = chains.spawn(plan.wanted.chains)
    points = starting_points(model.trace, tables, density, each, initial)
    batch = batch_density_of(tables)
    return Crowd(batch, density, plan.settings, np.array(points), seeds)


def _go(crowd: Crowd, log: _Log, report: Callback) -> None:
    """Advance to the end, or until Ctrl-C."""
    wanted = log.plan.wanted
    total, interruption = wanted.warmup + wanted.draws, Interruption()
    last = perf_counter()
    try:
        crowd.check_start()
        with interruption.watched():
            while crowd.iteration < total and not interruption.count:
                log.add(crowd.advance())
                if perf_counter() - last > REPORT_S or crowd.iteration == total:
                    last = perf_counter()
                    report(log.event())
    except ChainError as error:
        plan, otherwise = log.plan, running.chain_failed(0, crowd.iteration, str(error))
        raise explained(plan.model, plan.gamma, error.position, otherwise) from None


@dataclass
class _Log:
    """What the chains have given so far, iteration by iteration; warm-up leaves only its time."""

    plan: Plan
    crowd: Crowd
    draws: list[NDArray[np.float64]] = field(default_factory=list)
    pointwise: list[NDArray[np.float64]] = field(default_factory=list)
    recorded: list[int] = field(default_factory=list)
    statistics: list[NDArray[np.float64]] = field(default_factory=list)
    bits: NDArray[np.bool_] | None = None
    flips: NDArray[np.int64] | int = 0
    started: float = field(default_factory=perf_counter)
    warmed: float = field(default_factory=perf_counter)
    seconds: float = 0.0

    def add(self, statistics: NDArray[np.float64]) -> None:
        """Take the iteration that the crowd has just made."""
        wanted = self.plan.wanted
        since = self.crowd.iteration - wanted.warmup
        if since < 0:
            return
        told = self.crowd.tell()
        if since == 0:
            self.warmed, self.bits = perf_counter(), told.bits
            return
        self.statistics.append(self._with_crossings(statistics, told))
        if since % wanted.thin == 0:
            self.recorded.append(since - 1)
            self.draws.append(told.values)
            sums = self.plan.observations.sums
            rows = wanted.log_likelihood
            self.pointwise.append(sums.of(told.terms) if rows else told.terms)

    def _with_crossings(self, statistics: NDArray[np.float64], told: Told) -> NDArray[np.float64]:
        flipped = told.bits ^ (told.bits if self.bits is None else self.bits)
        self.flips, self.bits = self.flips + flipped.astype(np.int64), told.bits
        complete = statistics.copy()
        complete[:, STATISTICS.index("crossings")] = flipped.sum(axis=1)
        return complete

    def event(self) -> Event:
        """How the run goes, as of one chain."""
        wanted, iteration = self.plan.wanted, self.crowd.iteration
        total = wanted.warmup + wanted.draws
        rate = iteration / max(perf_counter() - self.started, 1e-9)
        return Event(
            "segment",
            chain=0,
            iteration=iteration,
            total=total,
            is_warmup=iteration <= wanted.warmup,
            rate=rate,
            time_left=(total - iteration) / rate,
            step_size=self.crowd.step_size,
            divergences=int(sum((rows > 0).sum() for rows in self._column("divergence"))),
            crossings=int(sum(rows.sum() for rows in self._column("crossings"))),
        )

    def _column(self, name: str) -> Iterator[NDArray[np.float64]]:
        place = STATISTICS.index(name)
        return (rows[:, place] for rows in self.statistics)

    def records(self) -> tuple[ChainRecord, ...]:
        """The chains as the other engines leave them, without the statistics of the warm-up."""
        self.seconds = perf_counter() - self.warmed
        return tuple(self._record(chain) for chain in range(self.plan.wanted.chains))

    def _record(self, chain: int) -> ChainRecord:
        wanted = self.plan.wanted
        bits = np.zeros(0, np.uint8) if self.bits is None else self.bits[chain].astype(np.uint8)
        flips = np.asarray(self.flips)[chain] if len(self.statistics) else np.zeros(len(bits), int)
        draws = np.array([rows[chain] for rows in self.draws])
        pointwise = np.array([rows[chain] for rows in self.pointwise])
        statistics = np.array([rows[chain] for rows in self.statistics])
        record = empty_record(
            draws=wanted.draws // wanted.thin,
            kept=draws.shape[1] if draws.ndim > 1 else 0,
            observed=pointwise.shape[1] if pointwise.ndim > 1 else 0,
            iterations=wanted.draws,
            warmup=0,
            branches=len(flips),
        )
        places = np.empty((0, self.crowd.positions.shape[1])), np.empty(0, np.int64)
        recorded = np.array(self.recorded, np.int64)
        stretch = Stretch(0, self.seconds, draws, pointwise, recorded, statistics, flips, *places)
        if len(statistics):
            record.add(stretch)
        record.warmup_s, record.bits = self.warmed - self.started, bits
        return record


def _fit(plan: Plan, log: _Log) -> Fit:
    wanted = replace(plan.wanted, engine=CROWD)
    done = log.crowd.iteration
    interrupted = done < wanted.warmup + wanted.draws
    text = f"the run was interrupted after {done:,} iterations of every chain"
    return Fit(
        quantities=plan.quantities,
        observations=plan.observations.all,
        chains=log.records(),
        branches=branches(plan.model.tables(plan.gamma)),
        about=about(plan.model, wanted),
        notes=(text,) if interrupted else (),
        predictor=Predictions(plan.model, wanted.seed),
    )
