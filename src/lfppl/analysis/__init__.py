"""What can be said of a program before it runs: Γ with reasons, dependence, guarantees, counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lfppl.analysis.dependence import Dependence, find_dependence
from lfppl.analysis.discontinuity import Discontinuity, Reason, find_discontinuous
from lfppl.analysis.guarantee import Guarantee, find_guarantee, find_zero_density
from lfppl.analysis.marks import kinds
from lfppl.analysis.ranges import Ranges
from lfppl.trace.records import SampleBlock, Trace, index_table

__all__ = ["Analysis", "Guarantee", "Reason", "SampledVariable", "analyse"]


@dataclass(frozen=True)
class SampledVariable:
    """A sampled variable as it is named in the source, with all its elements."""

    name: str
    shape: tuple[int, ...]
    family: str
    discontinuous: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class Analysis:
    """What the analyses found."""

    sampled: tuple[SampledVariable, ...]
    discontinuity: Discontinuity
    dependence: Dependence
    n_sample: int
    n_observe: int
    n_predicates: int
    guarantee: Guarantee
    zero_density: tuple[Reason, ...]


def analyse(trace: Trace) -> Analysis:
    """Analyse a trace."""
    ranges = Ranges(trace)
    found = find_discontinuous(trace, ranges)
    return Analysis(
        sampled=_variables(trace, found),
        discontinuity=found,
        dependence=find_dependence(trace),
        n_sample=sum(f.domain.rows for f in trace.factors if f.kind == "sample"),
        n_observe=sum(f.domain.rows for f in trace.factors if f.kind == "observe"),
        n_predicates=sum(record.truth.domain.rows for record in trace.predicates),
        guarantee=find_guarantee(trace, ranges),
        zero_density=tuple(find_zero_density(trace, ranges, found)),
    )


def _variables(trace: Trace, found: Discontinuity) -> tuple[SampledVariable, ...]:
    blocks: dict[str, list[SampleBlock]] = {}
    for block in trace.samples:
        blocks.setdefault(block.name, []).append(block)
    return tuple(_variable(name, group, found) for name, group in blocks.items())


def _variable(name: str, blocks: list[SampleBlock], found: Discontinuity) -> SampledVariable:
    marks = kinds(np.concatenate([found.by_block[block.number] for block in blocks]))
    reasons = tuple(found.reasons[mark] for mark in marks if mark >= 0)
    return SampledVariable(
        name, shape_of(blocks), blocks[0].family.name, bool(reasons), _distinct(reasons)
    )


def _distinct(reasons: tuple[Reason, ...]) -> tuple[Reason, ...]:
    return tuple({(r.kind, r.span.start, r.text): r for r in reasons}.values())


def shape_of(blocks: list[SampleBlock]) -> tuple[int, ...]:
    """The shape of the variable that the rows of some sample blocks make up."""
    highest: list[int] = []
    for block in blocks:
        for axis, top in enumerate(_extent(block)):
            if axis == len(highest):
                highest.append(0)
            highest[axis] = max(highest[axis], top)
    return tuple(highest)


def _extent(block: SampleBlock) -> list[int]:
    table = index_table(block.indices, block.domain)
    extent = [int(top) + 1 for top in table.max(axis=0, initial=0)]
    return [*extent, block.parts] if block.family.is_vector else extent
