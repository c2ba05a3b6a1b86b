"""The whole pipeline: a model's text and its data become tables that a backend can run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from os import PathLike
from pathlib import Path
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from lfppl.analysis import Analysis, Reason, analyse
from lfppl.analysis.gamma import Gamma, has_idle_predicates, with_gamma
from lfppl.collector import collector_paused
from lfppl.core.ast import Expression as Core
from lfppl.core.desugar import desugar
from lfppl.data import Data, bind
from lfppl.display.drawn import Drawn
from lfppl.engines import DEFAULT
from lfppl.errors import binding
from lfppl.errors.python.files import python_file
from lfppl.explain import explain
from lfppl.lir import tables
from lfppl.lir.build import build
from lfppl.recursion import deep_recursion
from lfppl.source import Source
from lfppl.syntax import read_program, read_source
from lfppl.syntax.json_form import read_json, write_json
from lfppl.syntax.surface import Name, Program
from lfppl.trace import Trace, trace

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from lfppl.backends.density import Density, Pointers
    from lfppl.reference.quadruple import Quadruple
    from lfppl.results.fit import Fit
    from lfppl.results.names import Label
    from lfppl.runs.evaluation import Bit, Evaluation, Point
    from lfppl.runs.initial import Initial
    from lfppl.runs.progress import Callback

MODEL_SUFFIXES = (".lfppl", ".json")


@collector_paused()
def compile(source: str | Path | Program, data: Mapping[str, Any] | None = None) -> Model:
    """Compile a model: the path of a `.lfppl` or `.json` file, a program's text, or its tree.

    >>> model = compile("(let [x (sample (normal 0 1))] (observe (normal x 1) y) x)", {"y": 2.0})
    >>> model.sampled, model.discontinuous
    ({'x': ()}, {})
    """
    started = perf_counter()
    program, origin = _opened(source)
    lowered, bound = _lowered(program, data)
    with deep_recursion():
        traced = trace(lowered, bound)
        analysis = analyse(traced)
        lir = build(traced, analysis)
    seconds = perf_counter() - started
    return Model(lowered, bound, analysis, lir, traced, program, origin, seconds)


def lower(source: str | Path | Program, data: Mapping[str, Any] | None) -> tuple[Core, Data]:
    """The front half of the pipeline: Core and the data it reads."""
    return _lowered(read(source), data)


def _lowered(program: Program, data: Mapping[str, Any] | None) -> tuple[Core, Data]:
    bound = bind(data)
    _refuse_surplus(program, bound)
    return desugar(program, bound), bound


def read(source: str | Path | Program) -> Program:
    """The program that a path, a text or a tree stands for.

    A string is a path if it ends like one and has neither bracket nor line break in it.
    """
    return _opened(source)[0]


def _opened(source: str | Path | Program) -> tuple[Program, Source | None]:
    """A program and the text it was written as, if there is one."""
    if isinstance(source, Program):
        return source, None
    if isinstance(source, str | PathLike) and str(source).endswith(".py"):
        raise python_file(str(source))
    if isinstance(source, str) and not _is_path(source):
        text = Source("<text>", source)
    elif isinstance(source, str | PathLike):
        text = read_source(source)
    else:
        raise TypeError("a model is a path, a program's text or its tree")
    return _parsed(text), text


def _parsed(text: Source) -> Program:
    return read_json(text) if text.name.endswith(".json") else read_program(text)


@dataclass(frozen=True, repr=False, eq=False)
class Model(Drawn):
    """A compiled model: its Core, its data, what the analyses found, and its LIR.

    It is sent to other processes as source and data, and compiled anew there.
    """

    core: Core
    data: Data
    analysis: Analysis
    lir: tables.Model
    trace: Trace
    program: Program
    origin: Source | None = None
    front_s: float = 0.0
    dims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    coords: Mapping[str, list[Label]] = field(default_factory=dict)
    _made: dict[Any, Any] = field(default_factory=dict)
    _seconds: list[float] = field(default_factory=list)
    _lock: RLock = field(default_factory=RLock)

    @property
    def sampled(self) -> dict[str, tuple[int, ...]]:
        """Δ: the shape of every sampled variable by name; () is a number."""
        return {variable.name: variable.shape for variable in self.analysis.sampled}

    @property
    def discontinuous(self) -> dict[str, tuple[Reason, ...]]:
        """Γ: why the density jumps, for every variable it jumps in."""
        return {v.name: v.reasons for v in self.analysis.sampled if v.discontinuous}

    def explain(self, width: int = 80) -> str:
        """What `lfppl check` prints."""
        return explain(self.analysis, width)

    def quadruple(self) -> Quadruple:
        """The paper's (Δ, Γ, D, F) by its translation rules; for small programs."""
        from lfppl.reference.expand import expand
        from lfppl.reference.quadruple import quadruple

        return quadruple(expand(self.core, self.data).program)

    def __repr__(self) -> str:
        variables = ", ".join(self.sampled)
        return f"<lfppl.Model of {variables or 'no variables'}>"

    # --- its density -----------------------------------------------------------------------------

    def log_density(self, point: Point) -> float:
        """The log density at the natural values of all variables, by name.

        >>> model = compile("(let [x (sample (uniform 0 2))] (observe (normal x 1) 1))")
        >>> round(model.log_density({"x": 1.0}), 4), model.log_density({"x": -1.0})
        (-1.6121, -inf)
        """
        return self.evaluation.log_density(point)

    def gradient(self, point: Point) -> dict[str, np.typing.NDArray[np.float64]]:
        """The derivatives of the log density by name; 0 for discontinuous variables."""
        return self.evaluation.gradient(point)

    def branches(self, point: Point) -> dict[Bit, bool]:
        """Which `if`s are taken, by their number and the indices of the loops around them."""
        return self.evaluation.branches(point)

    @cached_property
    def evaluation(self) -> Evaluation:
        """The density in natural coordinates."""
        from lfppl.runs.evaluation import Evaluation

        return Evaluation(build(self.trace, self.analysis, natural=True))

    def tables(self, gamma: Gamma = "found") -> tables.Model:
        """The LIR with those discontinuous variables that `gamma` says (`runs.subject`)."""
        gamma = self._effective(gamma)
        if gamma == "found":
            return self.lir
        with self._lock:
            if gamma not in self._made:
                self._made[gamma] = build(self.trace, with_gamma(self.trace, self.analysis, gamma))
            found: tables.Model = self._made[gamma]
            return found

    @collector_paused()
    def density(self, gamma: Gamma = "found") -> Density:
        """The native density, compiled at first use."""
        from lfppl.backends.llvm import compile_density

        gamma = self._effective(gamma)
        with self._lock:
            if ("density", gamma) not in self._made:
                started = perf_counter()
                self._made["density", gamma] = compile_density(self.tables(gamma))
                self._seconds.append(perf_counter() - started)
            found: Density = self._made["density", gamma]
            return found

    def _effective(self, gamma: Gamma) -> Gamma:
        return "found" if gamma == "jumping" and not self._has_idle_predicates else gamma

    @cached_property
    def _has_idle_predicates(self) -> bool:
        return has_idle_predicates(self.trace)

    @property
    def function_pointers(self) -> Pointers:
        """The addresses of the native functions, for other samplers (docs/density.md)."""
        return self.density().pointers

    @property
    def compile_s(self) -> float:
        """Seconds spent on compiling so far."""
        return self.front_s + sum(self._seconds)

    # --- its identity ----------------------------------------------------------------------------

    @cached_property
    def source(self) -> Source:
        """What it can be compiled from anew: its text, or a program's tree as JSON."""
        return self.origin or Source("<tree>.json", write_json(self.program))

    @cached_property
    def text(self) -> Source:
        """What a person wrote: the text of a program, or the file of a Python function."""
        if self.origin is not None and not self.origin.name.endswith(".json"):
            return self.origin
        written = self.program.span.source
        return written if written.text else self.source

    @cached_property
    def identity(self) -> str:
        """A digest of program and data: two models with the same one are the same.

        Of a tree, the places in files do not matter: a comment in a Python file is no other model.
        """
        is_text = self.origin is not None and not self.origin.name.endswith(".json")
        program = self.source.text if is_text else write_json(self.program, places=False)
        digest = sha256(program.encode())
        for name in sorted(self.data):
            value = np.asarray(self.data[name])
            digest.update(f"\0{name}\0{value.shape}\0".encode())
            digest.update(value.tobytes())
        return digest.hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        recipe = _Recipe(self.identity, self.source, self.data)
        return _restored, (recipe, self.dims, self.coords)

    # --- its posterior ---------------------------------------------------------------------------

    def sample(
        self,
        draws: int = 1000,
        warmup: int = 1000,
        chains: int = 4,
        engine: str = DEFAULT,
        seed: int | None = None,
        workers: int | None = None,
        executor: Executor | None = None,
        keep: Iterable[str] | None = None,
        thin: int = 1,
        progress: bool = True,
        checkpoint: str | PathLike[str] | None = None,
        initial: Initial = None,
        callback: Callback | None = None,
        log_likelihood: bool | None = None,
        **settings: Any,
    ) -> Fit:
        """Draw from the posterior (docs/runs.md).

        `draws` are the iterations after the warm-up, of which every `thin`-th is kept; `keep` names
        the variables to keep. Chains run in `workers` threads, or in an `executor`. `initial` gives
        starting values by name. Further `settings` are those of the engine: `target_acceptance`,
        `max_depth`, `steps`, `step_size`.
        """
        with collector_paused():
            from lfppl.runs.sampling import Running, sample

        return sample(
            self,
            draws=draws,
            warmup=warmup,
            chains=chains,
            engine_name=engine,
            seed=seed,
            keep=keep,
            thin=thin,
            checkpoint=checkpoint,
            initial=initial,
            log_likelihood=log_likelihood,
            running_options=Running(workers, executor, progress, callback),
            **settings,
        )

    def resume(
        self,
        checkpoint: str | PathLike[str],
        workers: int | None = None,
        executor: Executor | None = None,
        progress: bool = True,
        callback: Callback | None = None,
    ) -> Fit:
        """Continue a run of this model from its checkpoint, to the draws it would have given."""
        from lfppl.runs.sampling import Running, resume

        return resume(self, checkpoint, Running(workers, executor, progress, callback))


def resume(checkpoint: str | PathLike[str], **options: Any) -> Fit:
    """Continue the run of a checkpoint with the model stored in it; options as `Model.resume`."""
    from lfppl.runs.sampling import stored_model

    stored = stored_model(checkpoint)
    model = _from_source(stored.source, stored.data)
    labelled = replace(model, dims=stored.dims, coords=stored.coords)
    return labelled.resume(checkpoint, **options)


@dataclass(frozen=True)
class _Recipe:
    """What a model is compiled from; equal where the identity is."""

    identity: str
    source: Source = field(compare=False)
    data: Data = field(compare=False)


def _restored(
    recipe: _Recipe, dims: Mapping[str, tuple[str, ...]], coords: Mapping[str, list[Label]]
) -> Model:
    """A model that was sent here."""
    return replace(_compiled_once(recipe), dims=dims, coords=coords)


@lru_cache(maxsize=8)
def _compiled_once(recipe: _Recipe) -> Model:
    """The model of a recipe, compiled once in every process."""
    return _from_source(recipe.source, recipe.data)


def _from_source(source: Source, data: Mapping[str, Any]) -> Model:
    return replace(compile(_parsed(source), data), origin=source)


def _is_path(text: str) -> bool:
    if not text.endswith(MODEL_SUFFIXES):
        return False
    return not any(character in "()[]\n" for character in text)


def _refuse_surplus(program: Program, data: Data) -> None:
    if data:
        mentioned = _mentioned(program)
        for name in sorted(data.keys() - mentioned):
            raise binding.surplus_datum(name, mentioned)


def _mentioned(program: Program) -> set[str]:
    """Every name that occurs in a program."""
    names = set()
    waiting: list[Any] = [program]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Name):
            names.add(node.id)
        elif isinstance(node, tuple):
            waiting.extend(node)
        elif is_dataclass(node):
            waiting.extend(getattr(node, f.name) for f in fields(node) if f.name != "span")
    return names
