"""The surface program becomes Core: sugar by sugar, functions expanded, samples named."""

from __future__ import annotations

from collections.abc import Collection

from lfppl.core.ast import Expression
from lfppl.core.desugar.binding import sequence
from lfppl.core.desugar.context import Block, Context
from lfppl.core.desugar.finish import finish
from lfppl.core.desugar.naming import name_samples
from lfppl.core.desugar.tables import FORMS, SUGARS
from lfppl.errors import language
from lfppl.recursion import deep_recursion
from lfppl.syntax import surface

__all__ = ["desugar"]


def desugar(program: surface.Program, data: Collection[str] = ()) -> Expression:
    """The Core of a program whose free symbols are the names of data.

    >>> from lfppl.source import Source
    >>> from lfppl.syntax import read_program
    >>> desugar(read_program(Source("m", "(+ y 1 2)")), {"y"}).arguments[1]
    Constant(value=2.0)
    """
    if not program.expressions:
        raise language.empty_program(program.span)
    with deep_recursion():
        try:
            return finish(name_samples(_translate(program, data)), data)
        except RecursionError:
            raise language.nested_too_deep(program.span) from None


def _translate(program: surface.Program, data: Collection[str]) -> Expression:
    context, block = Context(data, FORMS, SUGARS), Block()
    return block.close(sequence(context, block, program.expressions, program.span))
