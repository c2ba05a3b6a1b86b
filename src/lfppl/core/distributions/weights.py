"""The weight `factor`: a term of the log density that belongs to no distribution."""

from __future__ import annotations

from typing import Any

from lfppl.core.distributions.contract import DistributionFamily, Parameter, Piece
from lfppl.core.distributions.formulas import REAL_LINE
from lfppl.errors import CompilerBug


def _no_draw(generator: Any, log_weight: Any) -> Any:
    raise CompilerBug("`factor` has no draws: it is observed only")


FAMILIES = (
    DistributionFamily(
        "factor",
        (Parameter("log-weight"),),
        REAL_LINE,
        (Piece(lambda m, x, log_weight: log_weight),),
        _no_draw,
        "adds its argument to the log density, whatever is observed",
        observed_only=True,
    ),
)
