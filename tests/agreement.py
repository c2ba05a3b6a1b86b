"""Three meanings of one program at one point: interpreter, quadruple and LIR (DESIGN 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis import analyse
from lfppl.compiler import Model
from lfppl.errors import ModelError
from lfppl.lir.build import build
from lfppl.lir.evaluate import evaluate
from lfppl.lir.tables import Model as Tables
from lfppl.lir.verify import verify
from lfppl.reference.counting import least_size
from lfppl.reference.evaluate import branch_bits, density, returned_value
from lfppl.reference.expand import Expansion, expand
from lfppl.reference.interpreter import Interpretation, interpret
from lfppl.reference.quadruple import Quadruple, quadruple
from lfppl.trace import trace

Point: TypeAlias = Mapping[str, NDArray[np.float64]]
Bits: TypeAlias = dict[tuple[int, tuple[int, ...]], bool]

TOLERANCE = 1e-9
"""Relative; rounding in different orders of summation stays well below it."""

MOST_TERMS = 300
"""Where D or F has more terms, the quadruple is left out: it takes too long."""


def same_number(a: float, b: float) -> bool:
    """Whether two log densities or values agree; infinities and NaN only with themselves.

    >>> same_number(1.0, 1.0 + 1e-12), same_number(float("-inf"), -1e300)
    (True, False)
    """
    if not (np.isfinite(a) and np.isfinite(b)):
        return bool(a == b or (np.isnan(a) and np.isnan(b)))
    return abs(a - b) <= TOLERANCE * max(1.0, abs(a), abs(b))


def same_value(a: Any, b: Any) -> bool:
    """Whether two values of a program agree, nested lists and nil included."""
    left, right = _numbers(a), _numbers(b)
    return len(left) == len(right) and all(map(same_number, left, right))


def _numbers(value: Any) -> list[float]:
    if value is None:
        return []
    if isinstance(value, list | tuple):
        return [number for item in value for number in _numbers(item)]
    return [float(number) for number in np.ravel(value)]


@dataclass(frozen=True)
class Meanings:
    """A program, compiled in all ways; the quadruple is None where its sets grow large."""

    core: Any
    data: Mapping[str, Any]
    tables: Tables
    expansion: Expansion
    quadruple: Quadruple | None
    known: Bits = field(default_factory=dict)

    @classmethod
    def of(cls, core: Any, data: Mapping[str, Any]) -> Meanings:
        """Compile a program in all ways, the LIR in natural coordinates."""
        graph = trace(core, data)
        tables = build(graph, analyse(graph), natural=True)
        verify(tables)
        expansion = expand(core, data)
        return cls(core, data, tables, expansion, small_quadruple(expansion.program))

    def disagreements(self, point: Point) -> Iterator[str]:
        """What the interpreter and the others do not agree on at a point."""
        meaning = interpret(self.core, self.data, point)
        yield from self._against_tables(meaning, point)
        if self.quadruple is not None:
            yield from self._against_quadruple(meaning, point)

    def _against_tables(self, meaning: Interpretation, point: Point) -> Iterator[str]:
        found = evaluate(self.tables, coordinates(self.tables, point))
        if not same_number(meaning.log_density, found.log_density):
            yield f"log density {meaning.log_density}, by the LIR {found.log_density}"
        if not self._same_bits(meaning.bits, found.bits):
            yield f"bits {meaning.bits}, by the LIR {found.bits}"
        if np.isfinite(meaning.log_density) and not same_value(meaning.returned, found.returned):
            yield f"returned {meaning.returned}, by the LIR {found.returned}"

    def _same_bits(self, bits: Bits, found: Bits) -> bool:
        """Whether the LIR has all bits but those known when compiling, the same at all points.

        It holds one bit where a test is the same expression in several rounds of a loop.
        """
        if any(bits.get(name) != bit for name, bit in found.items()):
            return False
        held = {(site, bit) for (site, _), bit in found.items()}
        missing = bits.keys() - found.keys()
        return all(
            (name[0], bits[name]) in held or self.known.setdefault(name, bits[name]) == bits[name]
            for name in missing
        )

    def _against_quadruple(self, meaning: Interpretation, point: Point) -> Iterator[str]:
        assert self.quadruple is not None
        found = density(self.quadruple, point)
        if not same_number(meaning.log_density, found):
            yield f"log density {meaning.log_density}, by the quadruple {found}"
        bits = self._source_bits(branch_bits(self.quadruple, point))
        if any(meaning.bits[name] != bit for name, bit in bits.items()):
            yield f"bits {meaning.bits}, by the quadruple {bits}"
        returned = returned_value(self.quadruple, point)
        if np.isfinite(meaning.log_density) and not same_value(meaning.returned, returned):
            yield f"returned {meaning.returned}, by the quadruple {returned}"

    def _source_bits(self, bits: Mapping[int, bool]) -> Bits:
        """The bits of the written-out program under the names of the source's `if`s."""
        branching = self.expansion.branching
        return {**self.expansion.decided, **{branching[k]: bit for k, bit in bits.items()}}


def small_quadruple(program: Any) -> Quadruple | None:
    """The quadruple of a program written out, unless it is large."""
    if max(least_size(program)) > MOST_TERMS:
        return None
    try:
        return quadruple(program)
    except ModelError as error:  # the pieces of distributions come on top of the least size
        if error.code != "too-many-terms":
            raise
        return None


def coordinates(tables: Tables, point: Point) -> NDArray[np.float64]:
    """The point as the array x of tables in natural coordinates."""
    x = np.full(tables.dimension, np.nan)
    for block in tables.variables:
        values = np.asarray(point[block.name], dtype=np.float64)
        for slots, indices in zip(block.coordinates, block.indices, strict=True):
            x[slots] = values[tuple(indices)]
    return x


def sampler_disagreements(model: Model, point: Point, seed: int) -> Iterator[str]:
    """What the interpreter and the LIR in the sampler's coordinates do not agree on.

    The coordinates are random; variables that keep their natural value take it from the point.
    """
    tables = model.lir
    x = np.random.default_rng(seed).normal(size=tables.dimension)
    for block in tables.variables:
        if block.transform.name in ("identity", "floor"):
            values = np.asarray(point[block.name], dtype=np.float64)
            for slots, indices in zip(block.coordinates, block.indices, strict=True):
                x[slots] = values[tuple(indices)]
    found = evaluate(tables, x)
    meaning = interpret(model.core, model.data, found.variables)
    pairs = zip(tables.vertices, found.vertex_terms, strict=True)
    jacobian = sum(term for vertex, term in pairs if vertex.kind == "jacobian")
    if not same_number(meaning.log_density + jacobian, found.log_density):
        yield f"log density {meaning.log_density} + {jacobian}, by the LIR {found.log_density}"
