"""The source of a model as HTML: discontinuous variables and what makes them so are marked."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from lfppl.display.markup import Html, join, prose, tag, text
from lfppl.lir.tables import Model as Tables
from lfppl.lir.tables import VariableBlock
from lfppl.source import Source, Span

if TYPE_CHECKING:
    from lfppl.compiler import Model

Kind = Literal["name", "drawn", "cause"]
Lines = tuple[int, int]
Tokens = list[tuple[int, int, str | None]]

MOST_LINES = 300
"""Of a longer source only the lines around the marks are shown."""
AROUND = 4
"""Lines shown before and after a mark of a long source."""
CLASSES = (("Comment", "lf-c"), ("Name.Function.Magic", "lf-r"), ("Keyword", "lf-k"))
"""Kinds of Pygments' tokens that look different from the rest."""


@dataclass
class Mark:
    """A stretch of a source and what is said of it."""

    start: int
    end: int
    kind: Kind
    words: list[str] = field(default_factory=list)


def source_of(model: Model, *, bubbles: bool = False) -> Html:
    """Everything that a model was written as, with marks.

    What is said of a mark is its title, or with `bubbles` an element that a style sheet shows.

    >>> import lfppl
    >>> model = lfppl.compile("(let [x (sample (normal 0 1))] (if (< x 0) 1 2))")
    >>> source_of(model).count("<mark")
    3
    """
    if model.text.name.endswith(".json"):
        from lfppl.syntax.printer import print_program

        return block(Source("", print_program(model.program)), [], bubbles=bubbles)
    marks = marks_of(model.lir)
    python = model.text.name != model.source.name
    return join(
        block(each, marks.get(each, []), python=python, bubbles=bubbles) for each in sources(model)
    )


def sources(model: Model) -> list[Source]:
    """Its text, and those of functions in other files that hold statements of it."""
    spans = [vertex.span for vertex in model.lir.vertices]
    return list(dict.fromkeys([model.text, *(s.source for s in spans if s.source.text)]))


# --- what is marked ------------------------------------------------------------------------------


def marks_of(tables: Tables) -> dict[Source, list[Mark]]:
    """The samples of discontinuous variables, their names, and the places that make them so."""
    found: dict[tuple[Source, int, int], Mark] = {}

    def add(span: Span, kind: Kind, words: str) -> None:
        key = (span.source, span.start, span.end)
        mark = found.setdefault(key, Mark(span.start, span.end, kind))
        if span.source.text and words not in mark.words:
            mark.words.append(words)

    for variable in tables.variables:
        if variable.discontinuous:
            words = said_of(variable)
            add(variable.span, "drawn", words)
            for span in _name_before(variable):
                add(span, "name", words)
            for reason in (r for r in variable.reasons if r.span != variable.span):
                add(reason.span, "cause", f"{variable.name} jumps: {reason.text}")
    grouped: dict[Source, list[Mark]] = {}
    for (source, _, _), mark in found.items():
        grouped.setdefault(source, []).append(mark)
    return grouped


def said_of(variable: VariableBlock) -> str:
    """Why a variable is discontinuous, in a sentence."""
    reasons = [f"{reason.text}{_at(reason.span)}" for reason in variable.reasons]
    return f"{variable.name} is discontinuous: {'; '.join(dict.fromkeys(reasons))}"


def _at(span: Span) -> str:
    return f" (line {span.line})" if span.source.text else ""


def _name_before(variable: VariableBlock) -> Iterator[Span]:
    """The nearest word before a sample that is the variable's name: where it is bound."""
    source, end = variable.span.source, variable.span.start
    while end > 0:
        start = source.text.rfind(variable.name, 0, end)
        if start < 0:
            return
        span = Span(source, start, start + len(variable.name))
        if not (_is_word(source.text, start - 1) or _is_word(source.text, span.end)):
            yield span
            return
        end = start


def _is_word(characters: str, place: int) -> bool:
    inside = 0 <= place < len(characters)
    return inside and (characters[place].isalnum() or characters[place] in "_-?!*.<>=/+")


# --- which lines are shown -----------------------------------------------------------------------


def shown_lines(source: Source, marks: Iterable[Mark]) -> list[Lines]:
    """The first and last lines of the parts of a source that matter, in order.

    Of Python these are the functions that hold marks or statements; else it is everything.
    """
    last = len(source.line_starts) - source.text.endswith("\n")
    whole = [(1, max(last, 1))]
    if whole[0][1] <= MOST_LINES:
        return whole
    around = [
        (
            max(source.position(m.start)[0] - AROUND, 1),
            min(source.position(m.end)[0] + AROUND, last),
        )
        for m in marks
    ]
    return _merged(around) or [(1, MOST_LINES)]


def functions_with(source: Source, lines: Iterable[int]) -> list[Lines]:
    """The outermost functions of a Python text that some lines belong to."""
    wanted = set(lines)
    found = []
    for node in _outermost(ast.parse(source.text)):
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(each.lineno for each in decorators)])
        last = node.end_lineno or node.lineno
        if wanted & set(range(first, last + 1)):
            found.append((first, last))
    return _merged(found)


def _outermost(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.If | ast.Try | ast.With):
            yield from _outermost(node)
        elif isinstance(node, ast.stmt):
            yield node


def _merged(parts: Iterable[Lines]) -> list[Lines]:
    """Parts in order, those that touch made one, up to `MOST_LINES` lines in all."""
    found: list[Lines] = []
    for first, last in sorted(parts):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return _bounded(found)


def _bounded(parts: list[Lines]) -> list[Lines]:
    left, found = MOST_LINES, []
    for first, last in parts:
        if left > 0:
            found.append((first, min(last, first + left - 1)))
            left -= last - first + 1
    return found


# --- markup --------------------------------------------------------------------------------------


def block(
    source: Source, marks: list[Mark], *, python: bool = False, bubbles: bool = False
) -> Html:
    """A source with line numbers."""
    parts = _parts(source, marks, python)
    tokens = _tokens(source, python)
    numbers, code = [], []
    for i, (first, last) in enumerate(parts):
        if i:
            numbers.append("⋮\n")
            code.append(Html("\n"))
        numbers.extend(f"{number}\n" for number in range(first, last + 1))
        code.append(_code(source, tokens, first, last, marks, bubbles))
    gutter = tag("pre", *numbers, class_="lf-lines", aria_hidden="true")
    lines = tag("pre", tag("code", *code))
    return tag("div", gutter, lines, class_="lf-source", tabindex="0")


def _parts(source: Source, marks: list[Mark], python: bool) -> list[Lines]:
    if not python:
        return shown_lines(source, marks)
    lines = {source.position(mark.start)[0] for mark in marks}
    try:
        return functions_with(source, lines) or shown_lines(source, marks)
    except SyntaxError:
        return shown_lines(source, marks)


def _code(
    source: Source, tokens: Tokens, first: int, last: int, marks: list[Mark], bubbles: bool
) -> Html:
    """Lines as markup: tokens inside marks inside marks."""
    start = source.line_starts[first - 1]
    end = source.line_starts[last] if last < len(source.line_starts) else len(source.text)
    nested = _nested(mark for mark in marks if start <= mark.start and mark.end <= end)
    pieces: list[Html] = []
    _emit(source, tokens, start, end, nested, pieces, bubbles)
    return join(pieces)


def _nested(marks: Iterable[Mark]) -> list[Mark]:
    """Marks in the order they open; one that overlaps another without lying in it is left out."""
    kept: list[Mark] = []
    open_: list[Mark] = []
    for mark in sorted(marks, key=lambda each: (each.start, -each.end)):
        while open_ and open_[-1].end <= mark.start:
            open_.pop()
        if mark.end > mark.start and (not open_ or mark.end <= open_[-1].end):
            kept.append(mark)
            open_.append(mark)
    return kept


def _tokens(source: Source, python: bool) -> Tokens:
    """Where every token begins and ends, and its class."""
    if python:
        from pygments.lexers.python import PythonLexer as Lexer
    else:
        from lfppl.highlight.lexer import LfpplLexer as Lexer
    found: Tokens = []
    for start, kind, value in Lexer().get_tokens_unprocessed(source.text):
        named = str(kind).removeprefix("Token.")
        found.append((start, start + len(value), _class_of(named, value)))
    return found


def _class_of(kind: str, value: str) -> str | None:
    if value in ("sample", "observe", "factor"):
        return "lf-r"
    return next((name for prefix, name in CLASSES if kind.startswith(prefix)), None)


def _emit(
    source: Source,
    tokens: Tokens,
    start: int,
    end: int,
    marks: list[Mark],
    pieces: list[Html],
    bubbles: bool,
) -> None:
    """Write the characters from start to end, and the marks between them."""
    open_: list[Mark] = []
    waiting = list(reversed(marks))
    stops = sorted({start, end, *(m.start for m in marks), *(m.end for m in marks)})
    for here, there in pairwise(stops):
        while open_ and open_[-1].end <= here:
            pieces.append(_closing(open_.pop(), bubbles))
        while waiting and waiting[-1].start <= here:
            open_.append(waiting.pop())
            pieces.append(_opening(open_[-1], bubbles))
        pieces.extend(_coloured(source, tokens, here, there))
    pieces.extend(_closing(mark, bubbles) for mark in reversed(open_))


def _opening(mark: Mark, bubbles: bool) -> Html:
    words = text("\n".join(mark.words))
    title = "" if bubbles else f' title="{words}"'
    return Html(f'<mark class="lf-{mark.kind}" tabindex="0"{title}>')


def _closing(mark: Mark, bubbles: bool) -> Html:
    if not bubbles:
        return Html("</mark>")
    lines = [tag("span", prose(words)) for words in mark.words]
    return Html(tag("span", *lines, class_="lf-bubble", role="tooltip") + "</mark>")


def _coloured(source: Source, tokens: Tokens, start: int, end: int) -> Iterator[Html]:
    first = max(bisect_right(tokens, start, key=lambda token: token[0]) - 1, 0)
    for begin, stop, name in tokens[first:]:
        if begin >= end:
            return
        part = source.text[max(begin, start) : min(stop, end)]
        if part:
            yield tag("span", part, class_=name) if name else text(part)
