"""Which of the variables an engine takes as discontinuous."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from lfppl.analysis import Analysis
from lfppl.analysis.discontinuity import Reason, find_discontinuous, live_nodes
from lfppl.analysis.ranges import Ranges
from lfppl.source import NOWHERE
from lfppl.trace.records import Trace

Gamma = Literal["found", "jumping", "empty", "everything"]
"""Those `found`; of them those in which the density itself can jump, since an `if` that only the
returned value has makes no jump; none; or all variables."""


def has_idle_predicates(trace: Trace) -> bool:
    """Whether there are tests of an `if` that the density does not read."""
    live = live_nodes(trace)
    return any(record.truth.number not in live for record in trace.predicates)


def with_gamma(trace: Trace, analysis: Analysis, gamma: Gamma) -> Analysis:
    """The analysis as if these variables were discontinuous."""
    found = analysis.discontinuity
    match gamma:
        case "found":
            return analysis
        case "jumping":
            changed = find_discontinuous(trace, Ranges(trace), idle=False)
        case "empty":
            none = [np.full_like(rows, -1) for rows in found.by_block]
            changed = replace(found, by_block=none)
        case "everything":
            every = Reason("predicate", NOWHERE, "the engine moves every variable by itself")
            marked = [np.where(rows < 0, len(found.reasons), rows) for rows in found.by_block]
            changed = replace(found, reasons=[*found.reasons, every], by_block=marked)
    return replace(analysis, discontinuity=changed)
