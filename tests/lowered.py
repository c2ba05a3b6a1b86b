"""From a program's text to its LIR, verified; shared by the tests of building."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis import analyse
from lfppl.core.ast import Expression
from lfppl.core.desugar import desugar
from lfppl.data import Data, bind
from lfppl.lir.build import build
from lfppl.lir.evaluate import evaluate
from lfppl.lir.tables import Model
from lfppl.lir.verify import verify
from lfppl.reference.interpreter import draw_prior, interpret
from lfppl.source import Source
from lfppl.syntax import read_program
from lfppl.trace import Trace, trace


def core(text: str, data: Mapping[str, Any] | None = None) -> tuple[Expression, Data]:
    bound = bind(data or {})
    return desugar(read_program(Source("<test>", text)), bound), bound


def traced(text: str, data: Mapping[str, Any] | None = None) -> Trace:
    return trace(*core(text, data))


def built(text: str, data: Mapping[str, Any] | None = None, *, natural: bool = False) -> Model:
    graph = traced(text, data)
    model = build(graph, analyse(graph), natural=natural)
    verify(model)
    return model


def natural_point(model: Model, point: Mapping[str, Any]) -> NDArray[np.float64]:
    """x of a model in natural coordinates, from values by name."""
    x = np.zeros(model.dimension)
    for block in model.variables:
        values = np.asarray(point[block.name], dtype=np.float64)
        for row, indices in enumerate(block.indices):
            x[block.coordinates[row]] = values[tuple(indices)]
    return x


def agrees(text: str, data: Mapping[str, Any] | None = None, *, points: int = 3) -> bool:
    """Whether LIR and interpreter give the same density and bits at points of the prior."""
    program, bound = core(text, data)
    model = built(text, data, natural=True)
    generator = np.random.default_rng(20180612)
    for _ in range(points):
        point = draw_prior(program, bound, generator)
        told = interpret(program, bound, point)
        found = evaluate(model, natural_point(model, point))
        if not np.isclose(found.log_density, told.log_density, rtol=1e-10, atol=1e-10):
            return False
        if any(told.bits.get(name) != bit for name, bit in found.bits.items()):
            return False
    return True
