"""The levels at which a model can be printed: each runs only the phases it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lfppl import compiler
from lfppl.syntax.surface import Program

Source = str | Path | Program
Data = Mapping[str, Any] | None


def show(level: str, source: Source, data: Data = None) -> str:
    """The text of a model at a level.

    >>> print(show("core", "(+ 1 2 y)", {"y": 3}))
    (+ 1 2 y)
    """
    return LEVELS[level](source, data)


def core(source: Source, data: Data) -> str:
    """The desugared program, which reads back to the same Core."""
    from lfppl.core.printer import print_core

    return print_core(compiler.lower(source, data)[0])


def json(source: Source, data: Data) -> str:
    """The surface program as JSON."""
    from lfppl.syntax.json_form import write_json

    return write_json(compiler.read(source), indent=2)


def quadruple(source: Source, data: Data) -> str:
    """The paper's (Δ, Γ, D, F) in its symbols."""
    from lfppl.reference.notation import text

    return text(compiler.compile(source, data).quadruple())


def latex(source: Source, data: Data) -> str:
    """The paper's (Δ, Γ, D, F) in LaTeX."""
    from lfppl.reference.notation import latex

    return latex(compiler.compile(source, data).quadruple())


def lir(source: Source, data: Data) -> str:
    """The tables of the LIR."""
    from lfppl.lir.printer import text

    return text(compiler.compile(source, data).lir)


def lir_json(source: Source, data: Data) -> str:
    """The tables of the LIR as JSON."""
    from json import dumps

    from lfppl.lir.tables_json import to_json

    return dumps(to_json(compiler.compile(source, data).lir))


def dot(source: Source, data: Data) -> str:
    """The dependence graph for Graphviz."""
    from lfppl.lir.dot import dot

    return dot(compiler.compile(source, data).lir)


def llvm(source: Source, data: Data) -> str:
    """The LLVM text that native code is made from."""
    from lfppl.backends.llvm import emit_llvm

    return emit_llvm(compiler.compile(source, data).lir)


LEVELS: dict[str, Callable[[Source, Data], str]] = {
    "core": core,
    "quadruple": quadruple,
    "latex": latex,
    "lir": lir,
    "lir-json": lir_json,
    "dot": dot,
    "llvm": llvm,
    "json": json,
}
