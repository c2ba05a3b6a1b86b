"""A whole run: from a model and what is wanted to a fit; new, or from where it was stopped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass, fields, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lfppl.analysis.gamma import Gamma
from lfppl.backends.llvm import CompiledDensity
from lfppl.engines import CROWD, DEFAULT, engine
from lfppl.engines.chains import Settings, State
from lfppl.errors import running
from lfppl.results.fit import Fit
from lfppl.results.names import Label, Quantity
from lfppl.results.record import empty_record
from lfppl.runs.description import about, branches
from lfppl.runs.failures import explained
from lfppl.runs.initial import Initial, several_points
from lfppl.runs.layout import quantities
from lfppl.runs.memory import check_memory, keeps_log_likelihood
from lfppl.runs.observations import Observations, find_observations
from lfppl.runs.predictor import Predictions
from lfppl.runs.preparing import prepare
from lfppl.runs.progress import Callback, Event, reporter
from lfppl.runs.schedule import Chain, Run, executor_for
from lfppl.runs.segments import Job
from lfppl.runs.subject import Subject
from lfppl.source import Source

if TYPE_CHECKING:
    from lfppl.runs.checkpoint import Checkpoint

FIXED_OPTIONS = ("warmup", "thin", "keep", "keep_positions", "keep_terms")
"""Settings that `sample` has arguments of its own for."""


@dataclass(frozen=True)
class Wanted:
    """What is asked of a run; everything that its draws depend on, beside the model."""

    draws: int
    warmup: int
    thin: int
    chains: int
    engine: str
    seed: int
    keep: tuple[str, ...] | None
    log_likelihood: bool
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Running:
    """How a run is carried out, which changes none of its draws."""

    workers: int | None = None
    executor: Executor | None = None
    progress: bool = True
    callback: Callback | None = None


@dataclass(frozen=True)
class Plan:
    """A run worked out: what is recorded, and what every segment needs."""

    model: Subject
    wanted: Wanted
    gamma: Gamma
    quantities: tuple[Quantity, ...]
    observations: Observations
    settings: Settings

    @property
    def job(self) -> Job:
        """What all segments have in common."""
        return Job(self.model, self.wanted.engine, self.settings)


def sample(
    model: Subject,
    *,
    draws: int = 1000,
    warmup: int = 1000,
    chains: int = 4,
    engine_name: str = DEFAULT,
    seed: int | None = None,
    keep: Iterable[str] | None = None,
    thin: int = 1,
    checkpoint: str | PathLike[str] | None = None,
    initial: Initial = None,
    log_likelihood: bool | None = None,
    running_options: Running | None = None,
    **settings: Any,
) -> Fit:
    """Draw from the posterior; `Model.sample` says what the arguments mean."""
    for name, value, least in (
        ("draws", draws, 1),
        ("warmup", warmup, 0),
        ("chains", chains, 1),
        ("thin", thin, 1),
    ):
        _check_count(name, value, least)
    if draws < thin:
        raise running.wrong_count("draws", draws, thin)
    if seed is None:
        seed = int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    kept = None if keep is None else tuple([keep] if isinstance(keep, str) else keep)
    if initial is not None:
        settings = {"hot_start": False, **settings}
    wanted = Wanted(
        draws, warmup, thin, chains, engine_name, seed, kept, log_likelihood is not False, settings
    )
    options = running_options or Running()
    if engine_name == CROWD:
        _refuse_of_crowds(checkpoint=checkpoint, executor=options.executor, workers=options.workers)
        from lfppl.runs import crowd

        plan = make_plan(model, replace(wanted, engine=crowd.LEAD), log_likelihood)
        return crowd.sample_crowd(plan, initial, options)
    plan = make_plan(model, wanted, log_likelihood)
    starts = _starts(plan, initial)
    saved = None
    if checkpoint is not None:
        from lfppl.runs import checkpoint as checkpoints

        saved = checkpoints.create(Path(checkpoint), header(plan), model.data, starts)
    return _carry_out(plan, starts, saved, options)


def resume(model: Subject, path: str | PathLike[str], options: Running | None = None) -> Fit:
    """Continue the run of a checkpoint, whose model this must be."""
    from lfppl.runs import checkpoint as checkpoints

    saved, written, _ = checkpoints.open_checkpoint(Path(path))
    try:
        if written["identity"] != model.identity:
            raise running.model_changed(path)
        plan = make_plan(model, wanted_of(Path(path), written))
        starts = [saved.start(chain) for chain in range(plan.wanted.chains)]
    except BaseException:
        saved.close()
        raise
    return _carry_out(plan, starts, saved, options or Running())


class Stored(NamedTuple):
    """The model of a checkpoint: what it is compiled from, and what its dimensions are called."""

    source: Source
    data: dict[str, Any]
    dims: dict[str, tuple[str, ...]]
    coords: dict[str, list[Label]]


def stored_model(path: str | PathLike[str]) -> Stored:
    """The model that a checkpoint holds."""
    from lfppl.runs import checkpoint as checkpoints

    saved, written, data = checkpoints.open_checkpoint(Path(path))
    saved.close()
    source = written["source"]
    if not isinstance(source.get("name"), str) or not isinstance(source.get("text"), str):
        raise running.not_a_checkpoint(path, "run.json lacks the source")
    return Stored(Source(source["name"], source["text"]), data, *_labels(path, written))


def _are_rows(found: object, kinds: tuple[type, ...]) -> bool:
    """Whether something is a dictionary of lists of such things."""
    rows = list(found.values()) if isinstance(found, dict) else [found]
    return all(isinstance(row, list) and all(isinstance(x, kinds) for x in row) for row in rows)


def _labels(
    path: str | PathLike[str], written: Mapping[str, Any]
) -> tuple[dict[str, tuple[str, ...]], dict[str, list[Label]]]:
    dims, coords = written.get("dims", {}), written.get("coords", {})
    if not (_are_rows(dims, (str,)) and _are_rows(coords, (str, int, float))):
        raise running.not_a_checkpoint(path, "its names of dimensions are damaged")
    return {name: tuple(row) for name, row in dims.items()}, coords


# --- plans ---------------------------------------------------------------------------------------


def make_plan(model: Subject, wanted: Wanted, log_likelihood: bool | None = True) -> Plan:
    """Work a run out. `log_likelihood` None keeps it where it does not take much memory."""
    gamma = engine(wanted.engine).gamma
    tables = model.tables(gamma)
    density = model.density(gamma)
    everything = quantities(tables)
    chosen, places = _kept(everything, wanted.keep)
    observations = find_observations(model.core, model.data, model.trace, tables)
    rows = wanted.chains * (wanted.draws // wanted.thin)
    if log_likelihood is None:
        observed = observations.sums.shape[0]
        wanted = replace(wanted, log_likelihood=keeps_log_likelihood(rows, observed))
    settings = _settings(wanted, places)
    observed = observations.sums.shape[0] if wanted.log_likelihood else 0
    count = density.value_count if places is None else len(places)
    check_memory(rows, count + observed, density.workspace_size * wanted.chains)
    return Plan(model, wanted, gamma, chosen, observations, settings)


def header(plan: Plan) -> dict[str, Any]:
    """What a checkpoint must know of a run."""
    source = plan.model.source
    return {
        "source": {"name": source.name, "text": source.text},
        "identity": plan.model.identity,
        **asdict(plan.wanted),
        "dims": {name: list(dims) for name, dims in plan.model.dims.items()},
        "coords": dict(plan.model.coords),
        "versions": dict(about(plan.model, plan.wanted).versions),
    }


def wanted_of(path: Path, written: Mapping[str, Any]) -> Wanted:
    """What was asked of the run of a checkpoint."""
    keep = written.get("keep")
    try:
        values = {f.name: written[f.name] for f in fields(Wanted) if f.name != "keep"}
        return Wanted(**values, keep=None if keep is None else tuple(keep))
    except (KeyError, TypeError):
        raise running.not_a_checkpoint(path, "run.json lacks an option") from None


def written_settings(texts: Iterable[str]) -> dict[str, Any]:
    """Settings of an engine as they are written on a command line.

    >>> written_settings(["target_acceptance=0.95", "steps=8"])
    {'target_acceptance': 0.95, 'steps': 8}
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known_settings():
            raise running.unknown_setting(name, known_settings())
        try:
            found[name] = json.loads(value)
        except ValueError:
            raise running.wrong_setting(text) from None
        if not isinstance(found[name], int | float):
            raise running.wrong_setting(text)
    return found


def known_settings() -> tuple[str, ...]:
    """The settings of engines that a person may choose."""
    names = (field.name for field in fields(Settings))
    return tuple(name for name in names if name not in FIXED_OPTIONS)


def _settings(wanted: Wanted, places: Any) -> Settings:
    known = known_settings()
    for name in wanted.settings:
        if name not in known:
            raise TypeError(f"there is no option `{name}`; there are {', '.join(sorted(known))}")
    return Settings(
        warmup=wanted.warmup,
        thin=wanted.thin,
        keep=places,
        keep_terms=wanted.log_likelihood,
        **wanted.settings,
    )


def _kept(
    everything: tuple[Quantity, ...], keep: tuple[str, ...] | None
) -> tuple[tuple[Quantity, ...], Any]:
    """The quantities to keep with their places among what is kept, and those in a whole draw."""
    if keep is None:
        return everything, None
    known = {quantity.name: quantity for quantity in everything}
    for name in keep:
        if name not in known:
            raise running.unknown_keep(name, list(known))
    chosen, places, start = [], [np.empty(0, np.int64)], 0
    for name in dict.fromkeys(keep):
        whole = known[name]
        present = whole.places >= 0
        renamed = np.full(whole.places.shape, -1, np.int64)
        renamed[present] = start + np.arange(int(present.sum()))
        places.append(whole.places[present])
        start += int(present.sum())
        chosen.append(whole._replace(places=renamed))
    return tuple(chosen), np.concatenate(places)


def _check_count(name: str, value: object, least: int) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise running.wrong_count(name, value, least)


def _refuse_of_crowds(**options: object) -> None:
    for name, value in options.items():
        if value is not None:
            raise running.not_for_crowds(name)


# --- carrying out --------------------------------------------------------------------------------


def _starts(plan: Plan, initial: Initial) -> list[State]:
    """The states of the chains before their first iteration; every chain has its own seeds."""
    model, chosen = plan.model, engine(plan.wanted.engine)
    density = model.density(plan.gamma)
    seeds = np.random.SeedSequence(plan.wanted.seed).spawn(plan.wanted.chains)
    pairs = [each.spawn(2) for each in seeds]
    tables, count = model.tables(plan.gamma), chosen.start_count(density, plan.settings)
    points = several_points(model.trace, tables, density, [p for p, _ in pairs], initial, count)
    return [
        chosen.initial_state(density, point, plan.settings, pair[1])
        for point, pair in zip(points, pairs, strict=True)
    ]


def _carry_out(plan: Plan, starts: list[State], saved: Checkpoint | None, options: Running) -> Fit:
    wanted = plan.wanted
    with closing(saved) if saved else nullcontext():
        chains = [_chain(plan, i, state, saved) for i, state in enumerate(starts)]
        with reporter(options.progress, options.callback, wanted.chains) as report:
            if options.executor is None and not all(chain.is_done for chain in chains):
                prepare(plan.job, starts[0], lambda text: report(Event("message", text=text)))
            run = Run(plan.job, chains, plan.observations.sums, saved, report)
            with executor_for(wanted.chains, options.workers, options.executor) as executor:
                run.go(executor)
    _raise_failure(plan, chains)
    return _fit(plan, run)


def _chain(plan: Plan, index: int, state: State, saved: Checkpoint | None) -> Chain:
    """A chain with what the checkpoint holds of it."""
    wanted, density = plan.wanted, plan.model.density(plan.gamma)
    record = empty_record(
        draws=wanted.draws // wanted.thin,
        kept=density.value_count if plan.settings.keep is None else len(plan.settings.keep),
        observed=plan.observations.sums.shape[0] if wanted.log_likelihood else 0,
        iterations=wanted.warmup + wanted.draws,
        warmup=wanted.warmup,
        branches=density.branch_count,
    )
    chain = Chain(index, state, record, wanted.warmup + wanted.draws)
    for segment in saved.segments(index) if saved else ():
        try:
            record.add(segment.stretch)
        except ValueError as error:
            assert saved is not None
            raise running.damaged_checkpoint(saved.path, str(error)) from None
        chain.state = segment.state
    return chain


def _raise_failure(plan: Plan, chains: list[Chain]) -> None:
    """The error of a chain that could not go on; it names the statement that is NaN."""
    for chain in chains:
        if chain.failure is not None and chain.failure.position is not None:
            reason, done = chain.failure.failure, chain.state.iteration
            otherwise = running.chain_failed(chain.index, done, reason)
            raise explained(plan.model, plan.gamma, chain.failure.position, otherwise)


def _fit(plan: Plan, run: Run) -> Fit:
    tables, density = plan.model.tables(plan.gamma), plan.model.density(plan.gamma)
    compiled = CompiledDensity(density)
    for chain in run.chains:
        compiled.evaluate(chain.state.position)
        chain.record.bits = compiled.branches()
    return Fit(
        quantities=plan.quantities,
        observations=plan.observations.all,
        chains=tuple(chain.record for chain in run.chains),
        branches=branches(tables),
        about=about(plan.model, plan.wanted),
        notes=tuple(_notes(run)),
        portrait=plan.model.portrait,
        predictor=Predictions(plan.model, plan.wanted.seed),
    )


def _notes(run: Run) -> list[str]:
    """What happened to the run itself."""
    notes = []
    done = [chain.state.iteration for chain in run.chains]
    if any(not chain.is_done for chain in run.chains):
        notes.append(f"the run was interrupted after {min(done):,} iterations of every chain")
    if run.store.waiting:
        lost = len(run.store.waiting)
        notes.append(
            f"the checkpoint lacks the last {lost} segments: {run.store.problem};"
            " all draws are in this fit"
        )
    return notes
