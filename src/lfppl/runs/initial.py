"""Starting points of chains: random ones of positive density, with values given by the user."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lfppl.analysis import shape_of
from lfppl.backends.density import Density
from lfppl.backends.llvm import CompiledDensity
from lfppl.engines.initial import ATTEMPTS, is_possible
from lfppl.errors import ModelError, running
from lfppl.lir.tables import Model as Tables
from lfppl.lir.tables import Vertex
from lfppl.runs.ancestral import draw_points, placed_blocks
from lfppl.trace.records import SampleBlock, Trace

Floats = NDArray[np.float64]
Initial = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


def starting_points(
    trace: Trace,
    tables: Tables,
    density: Density,
    seeds: Sequence[np.random.SeedSequence],
    initial: Initial,
) -> list[Floats]:
    """A point of positive density for each chain."""
    return [rows[0] for rows in several_points(trace, tables, density, seeds, initial, 1)]


def several_points(
    trace: Trace,
    tables: Tables,
    density: Density,
    seeds: Sequence[np.random.SeedSequence],
    initial: Initial,
    count: int,
) -> list[Floats]:
    """For each chain `count` points of positive density or fewer, but one, in rows.

    The first are those that `starting_points` gives.
    """
    given = _given(trace, initial, len(seeds))
    search = _Search(trace, tables, density)
    return [search.points(seed, values, count) for seed, values in zip(seeds, given, strict=True)]


class _Search:
    """Tries points until one is possible, and remembers what was wrong with the others."""

    def __init__(self, trace: Trace, tables: Tables, density: Density) -> None:
        self.trace, self.tables, self.density = trace, tables, density
        self.blocks = placed_blocks(trace, tables)
        self.workspace = density.workspace()

    def points(
        self, seed: np.random.SeedSequence, given: Mapping[str, Floats], count: int
    ) -> Floats:
        """As many possible points with the values given as are found, up to `count`."""
        generator = np.random.default_rng(seed)
        tried: list[Floats] = []
        found: list[Floats] = []
        while len(tried) < ATTEMPTS and len(found) < count:
            missing = count - len(found) if found else self._portion()
            portion = min(missing, ATTEMPTS - len(tried)) if tried else 1
            points = draw_points(
                self.trace, self.blocks, self.tables.dimension, generator, portion, given
            )
            tried.extend(points.coordinates)
            found += [x for x in points.coordinates if self._is_possible(x)]
        if not found:
            raise no_starting_point(self.tables, self.density, tried)
        return np.array(found[:count])

    def _is_possible(self, x: Floats) -> bool:
        return bool(np.isfinite(x).all()) and is_possible(self.density, self.workspace, x)

    def _portion(self) -> int:
        return max(1, min(33, 1_000_000 // max(self.tables.dimension, 1)))


def no_starting_point(tables: Tables, density: Density, tried: Sequence[Floats]) -> ModelError:
    """The error that names the statement whose density was zero, infinite or NaN most often."""
    compiled = CompiledDensity(density)
    owners = [factor.vertices for factor in tables.factors]
    vertices = np.concatenate(owners) if owners else np.empty(0, np.int32)
    zeros: Counter[int] = Counter()
    infinite: Counter[int] = Counter()
    unknown: Counter[int] = Counter()
    for x in tried:
        if not np.isfinite(x).all():
            unknown.update(_undrawn(tables, x))
            continue
        compiled.evaluate(x)
        terms = compiled.terms()
        zeros.update(np.unique(vertices[terms == -np.inf]).tolist())
        infinite.update(np.unique(vertices[terms == np.inf]).tolist())
        unknown.update(np.unique(vertices[np.isnan(terms)]).tolist())
    problems = {"not a number": unknown, "infinite": infinite, "zero": zeros}
    problem = next((name for name, counts in problems.items() if counts), None)
    if problem is None:
        return running.no_finite_gradient(len(tried))
    blamed, times = problems[problem].most_common(1)[0]
    vertex = tables.vertices[blamed]
    return running.no_starting_point(len(tried), _called(vertex), vertex.span, times, problem)


def _undrawn(tables: Tables, x: Floats) -> list[int]:
    """The first statement whose distribution had parameters that allow no draw."""
    for block in tables.variables:
        if not np.isfinite(x[block.coordinates]).all():
            spans = [vertex.span for vertex in tables.vertices]
            return [spans.index(block.span)]
    return []


def _called(vertex: Vertex) -> str:
    if vertex.kind == "observe":
        return f"an observation of {vertex.family}"
    return f"`{vertex.name}` ({vertex.family})"


# --- what the user gives -------------------------------------------------------------------------


def _given(trace: Trace, initial: Initial, chains: int) -> list[dict[str, Floats]]:
    if initial is None:
        return [{}] * chains
    each = [initial] * chains if isinstance(initial, Mapping) else list(initial)
    if len(each) != chains:
        raise running.wrong_initial_count(len(each), chains)
    shapes = _shapes(trace)
    return [{n: _checked(n, v, shapes) for n, v in values.items()} for values in each]


def _shapes(trace: Trace) -> dict[str, tuple[int, ...]]:
    groups: dict[str, list[SampleBlock]] = {}
    for block in trace.samples:
        groups.setdefault(block.name, []).append(block)
    return {name: shape_of(blocks) for name, blocks in groups.items()}


def _checked(name: str, value: Any, shapes: Mapping[str, tuple[int, ...]]) -> Floats:
    if name not in shapes:
        raise running.unknown_initial(name, shapes)
    array = np.asarray(value, np.float64)
    if array.shape != shapes[name]:
        raise running.wrong_initial_shape(name, array.shape, shapes[name])
    return array
