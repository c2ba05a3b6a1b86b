"""Text to forms, iteratively: brackets, comments, discards, and a span for every form."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lfppl.errors import reading
from lfppl.source import Source, Span
from lfppl.syntax.atoms import atom, refuse_macro, string
from lfppl.syntax.forms import Form, ListForm, VectorForm

MAX_NESTING = 2000
"""Brackets within brackets; deeper programs come from mistakes or attacks."""

MAX_CHARACTERS = 16_000_000
"""Length of a program's text: it takes some hundred bytes of memory per character."""

_TOKEN = re.compile(
    r"""(?P<blank>[\s,]+|;[^\n]*|\#![^\n]*)
      | (?P<discard>\#_)
      | (?P<open>[(\[])
      | (?P<close>[)\]}])
      | (?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+")
      | (?P<quote>")
      | (?P<macro>[`'~@^\\{]|\#[({'"])
      | (?P<atom>[^\s,;()\[\]{}"`~@^\\]+)""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(slots=True)
class _Open:
    """A bracket that is not closed yet, its items so far, and how many forms to discard next."""

    bracket: str
    span: Span
    items: list[Form] = field(default_factory=list)
    discards: list[Span] = field(default_factory=list)

    def add(self, form: Form) -> None:
        """Take the next form, unless a `#_` discards it."""
        if self.discards:
            self.discards.pop()
        else:
            self.items.append(form)


def read_forms(source: Source) -> tuple[Form, ...]:
    """All forms of a text.

    >>> read_forms(Source("m", "(+ x 1/2) ; half"))
    (ListForm(items=(Name(id='+'), Name(id='x'), Number(value=0.5))),)
    """
    _check_text(source)
    stack = [_Open("", Span(source, 0, 0))]
    position, end = 0, len(source.text)
    while position < end:
        match = _TOKEN.match(source.text, position)
        if match is None:  # no token leaves a character over: the classes above are complete
            raise reading.unexpected_character(
                Span(source, position, position + 1), source.text[position]
            )
        position = match.end()
        if match.lastgroup != "blank":
            _take(match, Span(source, match.start(), position), stack)
    return _finished(stack, Span(source, end, end))


def _check_text(source: Source) -> None:
    if len(source.text) > MAX_CHARACTERS:
        raise reading.text_too_long(source.name, len(source.text), MAX_CHARACTERS)
    try:
        source.text.encode("utf-8")
    except UnicodeEncodeError as error:
        span = Span(source, error.start, error.start + 1)
        raise reading.unexpected_character(span, source.text[error.start]) from None


def _take(match: re.Match[str], span: Span, stack: list[_Open]) -> None:
    text = match[0]
    match match.lastgroup:
        case "atom":
            stack[-1].add(atom(text, span))
        case "open":
            stack.append(_Open(text, span))
            if len(stack) > MAX_NESTING + 1:
                raise reading.nested_too_deeply(span, MAX_NESTING)
        case "close":
            _close(text, span, stack)
        case "string":
            stack[-1].add(string(text, span))
        case "discard":
            stack[-1].discards.append(span)
        case "macro":
            refuse_macro(text, span)
        case _:
            raise reading.unclosed_string(span)


def _close(bracket: str, span: Span, stack: list[_Open]) -> None:
    opened = stack[-1]
    if len(stack) == 1:
        raise reading.unopened_bracket(span, bracket)
    if reading.CLOSING[opened.bracket] != bracket:
        raise reading.mismatched_bracket(span, bracket, opened.bracket, opened.span)
    _check_discards(opened)
    stack.pop()
    whole = opened.span.to(span)
    form = ListForm if bracket == ")" else VectorForm
    stack[-1].add(form(tuple(opened.items), whole))


def _check_discards(opened: _Open) -> None:
    if opened.discards:
        raise reading.nothing_to_discard(opened.discards[-1])


def _finished(stack: list[_Open], end: Span) -> tuple[Form, ...]:
    if len(stack) > 1:
        raise reading.unclosed_bracket(stack[-1].span, stack[-1].bracket, end)
    _check_discards(stack[0])
    return tuple(stack[0].items)
