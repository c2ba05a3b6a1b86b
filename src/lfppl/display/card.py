"""A model in a notebook: its marked source, and a table of its variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lfppl.analysis import Analysis, SampledVariable
from lfppl.display.markup import Column, Html, piece, prose, table, tag
from lfppl.display.source import block, source_of
from lfppl.source import Source

if TYPE_CHECKING:
    from lfppl.compiler import Model

MOST_VARIABLES = 60
COLUMNS = (
    Column("variable"),
    Column("shape"),
    Column("distribution"),
    Column("density"),
    Column("why"),
)


def of_model(model: Model) -> str:
    """The HTML of a compiled model.

    >>> import lfppl
    >>> model = lfppl.compile("(let [x (sample (normal 0 1))] (if (< x 0) 1 2))")
    >>> "jumps" in of_model(model)
    True
    """
    return piece(source_of(model), variables(model.analysis))


def of_function(call: str, text: str) -> str:
    """The HTML of a Python model without its data."""
    words = prose(f"Call it with its data: `{call}`")
    return piece(block(Source("", text), [], python=True), tag("p", words, class_="lf-note"))


def variables(analysis: Analysis) -> Html:
    """The table of the sampled variables, discontinuous ones first."""
    ordered = sorted(analysis.sampled, key=lambda each: not each.discontinuous)
    shown = table(COLUMNS, map(_row, ordered[:MOST_VARIABLES]))
    left = len(ordered) - MOST_VARIABLES
    return (
        shown if left <= 0 else tag("div", shown, tag("p", f"and {left:,} more", class_="lf-note"))
    )


def _row(variable: SampledVariable) -> list[object]:
    shape = " × ".join(f"{size:,}" for size in variable.shape) or "number"
    kind = tag("span", "jumps", class_="lf-rough") if variable.discontinuous else "continuous"
    return [variable.name, shape, variable.family, kind, prose("; ".join(_reasons(variable)))]


def _reasons(variable: SampledVariable) -> Iterator[str]:
    for reason in variable.reasons[:3]:
        place = f" (line {reason.span.line})" if reason.span.source.text else ""
        yield f"{reason.text}{place}"
