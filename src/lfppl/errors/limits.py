"""Mistakes of size: programs too large for the reference compiler, which writes everything out."""

from __future__ import annotations

import math

from lfppl.errors.base import ModelError
from lfppl.source import Span

_HELP = "use `--emit lir`: the tables keep loops and branches as they are, at any size"


def expansion_too_large(limit: int, span: Span) -> ModelError:
    """The program, written out without loops, has too many steps.

    >>> from lfppl.source import NOWHERE
    >>> expansion_too_large(1000, NOWHERE).code
    'expansion-too-large'
    """
    return ModelError(
        "expansion-too-large",
        f"the program has more than {limit:,} steps when its loops are written out",
        span,
        label="the limit is reached here",
        help=_HELP,
    )


def too_many_terms(count: int, limit: int, span: Span) -> ModelError:
    """The product sets D or F of the paper's quadruple grow too large.

    >>> from lfppl.source import NOWHERE
    >>> too_many_terms(65536, 20000, NOWHERE).message
    'the quadruple needs at least 65,536 terms, more than its limit of 20,000'
    """
    return ModelError(
        "too-many-terms",
        f"the quadruple needs at least {_number(count)} terms, more than its limit of {limit:,}",
        span,
        label="every `if` doubles the number of terms",
        help=_HELP,
    )


def _number(count: int) -> str:
    """A count in digits, or its size where nobody would read them all."""
    return f"{count:,}" if count < 10**12 else f"10^{int(math.log10(count))}"
