"""The tables that dispatch: surface nodes by their type, calls by the name of their head."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lfppl.core.ast import Expression
from lfppl.core.desugar import (
    arithmetic,
    arrows,
    atoms,
    binding,
    carried,
    comparisons,
    conditionals,
    distributions,
    functions,
    loops,
    mapping,
    vectors,
)
from lfppl.core.desugar.context import Context
from lfppl.core.desugar.sugar import Sugar
from lfppl.syntax import surface

FORMS: Mapping[type, Callable[[Context, Any], Expression]] = {
    surface.Number: atoms.literal,
    surface.Truth: atoms.literal,
    surface.Nil: atoms.nil,
    surface.Text: atoms.text,
    surface.Name: binding.name,
    surface.VectorLiteral: vectors.vector_literal,
    surface.Let: binding.let,
    surface.If: conditionals.conditional,
    surface.Function: functions.function,
    surface.Define: binding.define,
    surface.For: loops.for_each,
    surface.Loop: carried.loop,
    surface.Sample: distributions.sample,
    surface.Observe: distributions.observe,
    surface.Call: functions.call,
}
"""How each node of the surface program is desugared."""

SUGARS: Mapping[str, Sugar] = {
    **distributions.SUGARS,
    **arithmetic.SUGARS,
    **comparisons.SUGARS,
    **conditionals.SUGARS,
    **arrows.SUGARS,
    **vectors.SUGARS,
    **mapping.SUGARS,
    **loops.SUGARS,
    **binding.SUGARS,
}
"""Every name of the language that can head a call."""
