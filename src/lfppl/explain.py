"""What the compiler found out about a model, told to a person (text) or to a program (JSON)."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from lfppl.analysis import Analysis, Reason, SampledVariable
from lfppl.source import Span, excerpt

Paint: TypeAlias = Callable[[str, str], str]
"""`(text, role) -> text`: colours by role: heading, continuous, discontinuous, warning, place."""

MOST_REASONS = 3
"""How many reasons are shown of one variable."""


def plain(text: str, role: str) -> str:
    """No colour."""
    return text


def explain(analysis: Analysis, width: int = 80, paint: Paint = plain) -> str:
    """Δ, Γ with reasons under the source lines, counts, the guarantee and zero-density paths."""
    sections = (
        _sampled(analysis, paint),
        _discontinuous(analysis, width, paint),
        [_counts(analysis)],
        _guarantee(analysis, width, paint),
        _zero_density(analysis, width, paint),
    )
    return "\n\n".join("\n".join(section) for section in map(list, sections))


def report(analysis: Analysis) -> dict[str, Any]:
    """The same as a JSON object, one entry per variable as the source names it."""
    rough = [variable for variable in analysis.sampled if variable.discontinuous]
    return {
        "sampled": [{"name": v.name, "shape": list(v.shape)} for v in analysis.sampled],
        "discontinuous": [_reported(variable) for variable in rough],
        "continuous": [v.name for v in analysis.sampled if not v.discontinuous],
        "n_sample": analysis.n_sample,
        "n_observe": analysis.n_observe,
        "n_predicates": analysis.n_predicates,
        "guarantee": analysis.guarantee.holds,
        "guarantee_text": analysis.guarantee.text,
        "zero_density": [_placed(reason) for reason in analysis.zero_density],
    }


def _reported(variable: SampledVariable) -> dict[str, Any]:
    return {"name": variable.name, **_placed(variable.reasons[0])}


def _placed(reason: Reason) -> dict[str, Any]:
    span = reason.span
    return {"reason": f"{reason.kind}: {reason.text}", "line": span.line, "column": span.column}


# --- the sections --------------------------------------------------------------------------------


def _sampled(analysis: Analysis, paint: Paint) -> Iterator[str]:
    variables = analysis.sampled
    yield paint(f"Δ: {_count(len(variables), 'sampled variable')}", "heading")
    names = _column(variable.name for variable in variables)
    shapes = _column(_shape(variable.shape) for variable in variables)
    families = _column(variable.family for variable in variables)
    for variable, name, shape, family in zip(variables, names, shapes, families, strict=True):
        kind = "discontinuous" if variable.discontinuous else "continuous"
        yield f"  {name}  {shape}  {family}  {paint(kind, kind)}"


def _discontinuous(analysis: Analysis, width: int, paint: Paint) -> Iterator[str]:
    rough = [variable for variable in analysis.sampled if variable.discontinuous]
    yield paint(f"Γ: {_count(len(rough), 'discontinuous variable')}", "heading")
    if not rough:
        yield "  The density jumps in no variable."
    for variable in rough:
        yield from _why(variable, width, paint)


def _why(variable: SampledVariable, width: int, paint: Paint) -> Iterator[str]:
    for reason in variable.reasons[:MOST_REASONS]:
        text = f"{variable.name} ({reason.kind}): {reason.text}"
        yield from _wrapped(text, width)
        yield from _place(reason.span, width, paint)
    rest = len(variable.reasons) - MOST_REASONS
    if rest > 0:
        yield f"  {variable.name}: {_count(rest, 'more reason')}"


def _place(span: Span, width: int, paint: Paint) -> Iterator[str]:
    yield paint(f"    {span}", "place")
    if span.source.text:
        yield textwrap.indent(excerpt(span, width=width - 4), "    ")


def _counts(analysis: Analysis) -> str:
    return (
        f"{_count(analysis.n_sample, 'sample')}, {_count(analysis.n_observe, 'observe')}, "
        f"{_count(analysis.n_predicates, 'predicate')}"
    )


def _guarantee(analysis: Analysis, width: int, paint: Paint) -> Iterator[str]:
    guarantee = analysis.guarantee
    if guarantee.holds:
        yield paint("The jumps have measure zero (Theorem 2 of the paper)", "continuous")
    else:
        yield paint("The jumps may not have measure zero (Theorem 2 of the paper)", "warning")
    yield from _wrapped(guarantee.text, width)
    if guarantee.span is not None:
        yield from _place(guarantee.span, width, paint)


def _zero_density(analysis: Analysis, width: int, paint: Paint) -> Iterator[str]:
    if not analysis.zero_density:
        yield "No path has zero density."
        return
    yield paint("Some paths have zero density", "warning")
    for reason in analysis.zero_density[:MOST_REASONS]:
        yield from _wrapped(reason.text, width)
        yield from _place(reason.span, width, paint)
    rest = len(analysis.zero_density) - MOST_REASONS
    if rest > 0:
        yield f"  and {rest} more"


# --- words ---------------------------------------------------------------------------------------


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _shape(shape: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]" if shape else "number"


def _column(cells: Iterable[str]) -> list[str]:
    """Cells padded to the width of the widest."""
    texts = list(cells)
    width = max(map(len, texts), default=0)
    return [text.ljust(width) for text in texts]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="    ")
