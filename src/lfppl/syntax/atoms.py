"""Single tokens: numbers in all Clojure spellings, strings with escapes, names and literals."""

from __future__ import annotations

import math
import re

from lfppl.errors import reading
from lfppl.source import Span
from lfppl.syntax.forms import Atom
from lfppl.syntax.surface import Name, Nil, Number, Text, Truth

MAX_NUMBER_LENGTH = 1000
"""Python bounds the digits it converts; nobody writes numbers of this length."""

_INTEGER = re.compile(
    r"""([-+]?)(?:
        (?P<decimal>0|[1-9][0-9]*)N?
      | 0[xX](?P<hexadecimal>[0-9A-Fa-f]+)N?
      | 0(?P<octal>[0-7]+)N?
      | (?P<radix>[1-9][0-9]?)[rR](?P<digits>[0-9A-Za-z]+)
    )""",
    re.VERBOSE,
)
_FLOATING = re.compile(r"(?![-+]?0[0-9]+\Z)([-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)M?")
_RATIO = re.compile(r"([-+]?[0-9]+)/([0-9]+)")
_NUMERIC = re.compile(r"[-+]?\.?[0-9]")

NAMED_NUMBERS = {"##Inf": math.inf, "##-Inf": -math.inf, "##NaN": math.nan}
"""Numbers that Clojure writes by name; one NaN object, so that equal texts give equal nodes."""

_LITERALS = {"true": True, "false": False, ":else": True}
"""`:else` is the last test of a `cond` in Clojure, where a keyword counts as true."""

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\\": "\\", '"': '"'}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)

_QUOTES = "“”‘’„"
_DELIMITERS = '()[]{}";@^~`\\,'


def atom(text: str, span: Span) -> Atom:
    """The number, literal or name that a token stands for.

    >>> from lfppl.source import NOWHERE
    >>> atom("0x1F", NOWHERE), atom("true", NOWHERE), atom("x", NOWHERE)
    (Number(value=31.0), Truth(value=True), Name(id='x'))
    """
    if _NUMERIC.match(text) or text in NAMED_NUMBERS:
        return Number(number(text, span), span)
    if text in _LITERALS:
        return Truth(_LITERALS[text], span)
    if text == "nil":
        return Nil(span)
    if text.startswith(":"):
        raise reading.keyword(span, text)
    _check_name(text, span)
    return Name(text, span)


def is_name(text: str) -> bool:
    """Whether a text reads as a name.

    >>> is_name("mu"), is_name("1st"), is_name("a b"), is_name("nil")
    (True, False, False, False)
    """
    literal = text in _LITERALS or text in NAMED_NUMBERS or text == "nil"
    return (
        bool(text)
        and not literal
        and not _NUMERIC.match(text)
        and text[0] not in ":'"
        and _odd_character(text) is None
        and not any(c.isspace() or c in _DELIMITERS for c in text)
    )


def number(text: str, span: Span) -> float:
    """The value of a number in any Clojure spelling.

    >>> from lfppl.source import NOWHERE
    >>> [number(text, NOWHERE) for text in ("+1", "1/4", "017", "2r101", "1e-3M")]
    [1.0, 0.25, 15.0, 5.0, 0.001]
    """
    if text in NAMED_NUMBERS:
        return NAMED_NUMBERS[text]
    if len(text) > MAX_NUMBER_LENGTH:
        raise reading.malformed_number(span, text)
    try:
        value = _ratio(text, span) if _RATIO.fullmatch(text) else _integer_or_decimal(text)
    except OverflowError:
        value = math.inf
    if value is None:
        raise reading.malformed_number(span, text)
    if math.isinf(value):
        raise reading.number_too_large(span, text)
    return value


def _ratio(text: str, span: Span) -> float:
    numerator, denominator = (int(part) for part in text.split("/"))
    if denominator == 0:
        raise reading.ratio_by_zero(span, text)
    return numerator / denominator


def _integer_or_decimal(text: str) -> float | None:
    if match := _INTEGER.fullmatch(text):
        return _integer(match)
    if match := _FLOATING.fullmatch(text):
        return float(match[1])
    return None


def _integer(match: re.Match[str]) -> float | None:
    sign = -1.0 if match[1] == "-" else 1.0
    parts = match.groupdict()
    if parts["radix"]:
        return _in_radix(parts["digits"], int(parts["radix"]), sign)
    for name, radix in (("decimal", 10), ("hexadecimal", 16), ("octal", 8)):
        if parts[name] is not None:
            return sign * float(int(parts[name], radix))
    return None


def _in_radix(digits: str, radix: int, sign: float) -> float | None:
    try:
        return sign * float(int(digits, radix)) if 2 <= radix <= 36 else None
    except ValueError:
        return None


def string(text: str, span: Span) -> Text:
    r"""The string that a token in quotes stands for.

    >>> from lfppl.source import NOWHERE
    >>> string(r'"a\tb"', NOWHERE).value
    'a\tb'
    """

    def unescape(match: re.Match[str]) -> str:
        if match[1] and not 0xD800 <= int(match[1], 16) < 0xE000:
            return chr(int(match[1], 16))
        if match[2] in _ESCAPES:
            return _ESCAPES[match[2]]
        start = span.start + 1 + match.start()
        place = Span(span.source, start, start + len(match[0]))
        raise reading.unknown_escape(place, match[0])

    return Text(_ESCAPE.sub(unescape, text[1:-1]), span)


_READER_MACROS = {
    "'": ("quote", "write vectors as [a b c]"),
    "`": ("quote", "write vectors as [a b c]"),
    "~": ("unquote", "remove it"),
    "@": ("reference", "remove the @"),
    "^": ("metadata", "remove it"),
    "\\": ("character", 'write a string, such as "a"'),
    "#(": ("short function", "write (fn [x] ...)"),
    "#'": ("reference", "remove the #'"),
    '#"': ("regular expression", "remove it"),
}


def refuse_macro(text: str, span: Span) -> None:
    """Raise an error where a text begins with a reader macro of Clojure."""
    if text.startswith("{"):
        raise reading.map_or_set(span, "map")
    if text.startswith("#{"):
        raise reading.map_or_set(span, "set")
    for macro, (what, instead) in _READER_MACROS.items():
        if text.startswith(macro):
            raise reading.unsupported_syntax(span, what, instead)


def _odd_character(text: str) -> int | None:
    if text.startswith("#"):
        return 0
    odd = (i for i, c in enumerate(text) if not c.isprintable() or c in _QUOTES)
    return next(odd, None)


def _check_name(text: str, span: Span) -> None:
    position = _odd_character(text)
    if position is not None:
        start = span.start + position
        raise reading.unexpected_character(Span(span.source, start, start + 1), text[position])
