"""What the tables of sugar hold: argument counts, usage, and the function that builds the Core."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from lfppl.core.ast import Expression
from lfppl.syntax import surface

if TYPE_CHECKING:
    from lfppl.core.desugar.context import Context

Build: TypeAlias = "Callable[[Context, surface.Call], Expression]"
"""Makes Core of a call. Every argument is desugared exactly once, since it may hold a sample."""


class Sugar(NamedTuple):
    """A form that looks like a call: least and most arguments (None: any number), and usage."""

    usage: str
    least: int
    most: int | None
    build: Build


def sugar(usage: str, build: Build) -> Sugar:
    """A sugar whose argument counts are read off its usage: `x?` may be left out, `...` repeats.

    >>> sugar("(range start? stop step?)", lambda context, call: context.nil)[1:3]
    (1, 3)
    >>> sugar("(+ x ...)", lambda context, call: context.nil)[1:3]
    (1, None)
    """
    words = usage.strip("()").split()[1:]
    required = [word for word in words if word != "..." and not word.endswith("?")]
    most = None if "..." in words else len(words)
    return Sugar(usage, len(required), most, build)
