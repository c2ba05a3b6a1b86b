"""What a plate runs over: the number of rows, and the element that belongs to an index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lfppl.core.ast import Constant, Expression, Operation, Variable
from lfppl.core.desugar.context import Block, Context
from lfppl.core.desugar.vectors import count_of, plate_count
from lfppl.syntax import surface


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a plate; `direct` where the element is the index itself."""

    count: Expression
    element: Callable[[Variable], Expression]
    direct: bool


def rows_of(context: Context, block: Block, source: surface.Expression) -> Rows:
    """The rows of a vector; those of a range need no vector."""
    if isinstance(source, surface.Call) and context.builtin_head(source.function) == "range":
        context.checked("range", source)
        if len(source.arguments) < 3:
            return _range(context, block, source)
    return rows_of_vector(context, block, context.expression(source), source)


def rows_of_vector(
    context: Context, block: Block, value: Expression, source: surface.Expression
) -> Rows:
    """The rows of a vector that is desugared already."""
    vector = context.share(block, "vector", value, source.span)
    return Rows(
        count_of(vector, source.span),
        lambda index: Operation("get", (vector, index), source.span),
        direct=False,
    )


def _range(context: Context, block: Block, source: surface.Call) -> Rows:
    bounds = [context.operand(each) for each in source.arguments]
    if len(bounds) == 1 or bounds[0] == Constant(0.0):
        return Rows(bounds[-1], lambda index: index, direct=True)
    start = context.share(block, "start", bounds[0], source.span)
    count = plate_count(start, bounds[1], source.span)
    return Rows(count, lambda index: Operation("+", (start, index), source.span), direct=False)
