"""The whole pipeline: a model's text and its data become tables that a backend can run."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lfppl.analysis import Analysis, Reason, analyse
from lfppl.core.ast import Expression as Core
from lfppl.core.desugar import desugar
from lfppl.data import Data, bind
from lfppl.errors import binding
from lfppl.explain import explain
from lfppl.lir import tables
from lfppl.lir.build import build
from lfppl.source import Source
from lfppl.syntax import read_program, read_source
from lfppl.syntax.json_form import read_json
from lfppl.syntax.surface import Name, Program
from lfppl.trace import trace

if TYPE_CHECKING:
    from lfppl.reference.quadruple import Quadruple

MODEL_SUFFIXES = (".lfppl", ".json")


@contextmanager
def _collector_paused() -> Iterator[None]:
    """No search for cyclic garbage: walking large trees again and again doubles the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_collector_paused()
def compile(source: str | Path | Program, data: Mapping[str, Any] | None = None) -> Model:
    """Compile a model: the path of a `.lfppl` or `.json` file, a program's text, or its tree.

    >>> model = compile("(let [x (sample (normal 0 1))] (observe (normal x 1) y) x)", {"y": 2.0})
    >>> model.sampled, model.discontinuous
    ({'x': ()}, {})
    """
    lowered, bound = lower(source, data)
    graph = trace(lowered, bound)
    analysis = analyse(graph)
    return Model(lowered, bound, analysis, build(graph, analysis))


def lower(source: str | Path | Program, data: Mapping[str, Any] | None) -> tuple[Core, Data]:
    """The front half of the pipeline: Core and the data it reads."""
    program = read(source)
    bound = bind(data)
    _refuse_surplus(program, bound)
    return desugar(program, bound), bound


def read(source: str | Path | Program) -> Program:
    """The program that a path, a text or a tree stands for.

    A string is a path if it ends like one and has neither bracket nor line break in it.
    """
    if isinstance(source, Program):
        return source
    if isinstance(source, str) and not _is_path(source):
        return read_program(Source("<text>", source))
    if not isinstance(source, str | PathLike):
        raise TypeError("a model is a path, a program's text or its tree")
    text = read_source(source)
    return read_json(text) if text.name.endswith(".json") else read_program(text)


def quadruple(lowered: Core, data: Data) -> Quadruple:
    """The paper's (Δ, Γ, D, F) of a small program."""
    from lfppl.reference.expand import expand
    from lfppl.reference.quadruple import quadruple

    return quadruple(expand(lowered, data).program)


@dataclass(frozen=True, repr=False)
class Model:
    """A compiled model: its Core, its data, what the analyses found, and its LIR."""

    core: Core
    data: Data
    analysis: Analysis
    lir: tables.Model

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
        return quadruple(self.core, self.data)

    def __repr__(self) -> str:
        variables = ", ".join(self.sampled)
        return f"<lfppl.Model of {variables or 'no variables'}>"


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
