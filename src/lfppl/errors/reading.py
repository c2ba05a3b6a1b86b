"""Mistakes found while reading a model file: its text, its brackets, its special forms."""

from __future__ import annotations

from lfppl.errors.base import ModelError
from lfppl.source import Span

CLOSING = {"(": ")", "[": "]"}
"""The bracket that closes each opening one."""

# --- files ---------------------------------------------------------------------------------------


def missing_file(path: str) -> ModelError:
    """No file of that name."""
    return ModelError("missing-file", f"there is no file {path}", help="check the path")


def is_a_directory(path: str) -> ModelError:
    """A directory where a model file is expected."""
    return ModelError("is-a-directory", f"{path} is a directory", help="name a file inside it")


def unreadable_file(path: str, why: str) -> ModelError:
    """A file that the operating system does not let us read."""
    return ModelError("unreadable-file", f"{path} cannot be read: {why}")


def not_utf8(span: Span, byte: int) -> ModelError:
    """Bytes that are not UTF-8."""
    return ModelError(
        "not-utf-8",
        f"byte 0x{byte:02X} is not UTF-8 text",
        span,
        "here",
        "save the file in the encoding UTF-8",
    )


def text_too_long(name: str, length: int, limit: int) -> ModelError:
    """A text larger than the reader accepts."""
    return ModelError(
        "too-long",
        f"{name} has {length:,} characters; the limit is {limit:,}",
        help="keep long vectors out of the program: name them in it, and pass them as data",
    )


def empty_program(span: Span) -> ModelError:
    """A text without any expression."""
    name = span.source.name
    return ModelError(
        "empty-program",
        f"{name} is empty" if not span.source.text.strip() else f"{name} holds no expression",
        help="write an expression, such as (let [x (sample (normal 0 1))] x)",
    )


# --- text and brackets ---------------------------------------------------------------------------


def nested_too_deeply(span: Span, limit: int) -> ModelError:
    """More brackets within brackets than the reader accepts."""
    return ModelError(
        "nested-too-deeply",
        f"the brackets are nested more than {limit:,} deep",
        span,
        f"this bracket is number {limit + 1:,}",
        "give parts of the program names with let or defn, or use a loop",
    )


def unclosed_bracket(span: Span, bracket: str, end: Span) -> ModelError:
    """A bracket still open at the end of the text."""
    return ModelError(
        "unclosed-bracket",
        f"`{bracket}` is never closed; the text ends at {end.line}:{end.column}",
        span,
        "opened here",
        f"add the missing `{CLOSING[bracket]}`",
    )


def unopened_bracket(span: Span, bracket: str) -> ModelError:
    """A closing bracket with no opening one."""
    return ModelError(
        "unopened-bracket",
        f"`{bracket}` closes nothing",
        span,
        "no bracket is open here",
        "remove it, or look for a bracket closed too early before it",
    )


def mismatched_bracket(span: Span, closing: str, opening: str, opened: Span) -> ModelError:
    """A round bracket closed by a square one, or the other way round."""
    return ModelError(
        "mismatched-bracket",
        f"`{closing}` at {span.line}:{span.column} does not match "
        f"`{opening}` at {opened.line}:{opened.column}",
        span,
        f"`{opening}` is still open here, since {opened.line}:{opened.column}",
        f"close it with `{CLOSING[opening]}` first",
    )


def unclosed_string(span: Span) -> ModelError:
    """A string without its closing quote."""
    return ModelError(
        "unclosed-string", "this string is never closed", span, "opened here", 'add the missing `"`'
    )


def unknown_escape(span: Span, escape: str) -> ModelError:
    """A backslash in a string followed by something unknown."""
    return ModelError(
        "unknown-escape",
        f"`{escape}` means nothing in a string",
        span,
        "unknown escape",
        r"the escapes are \n \t \r \b \f \\ \" and \uXXXX",
    )


def unexpected_character(span: Span, character: str) -> ModelError:
    """A character that no form contains, such as a control character."""
    code = f"U+{ord(character):04X}"
    shown = f"`{character}` ({code})" if character.isprintable() else code
    return ModelError(
        "unexpected-character",
        f"the character {shown} cannot stand here",
        span,
        "this character",
        "remove it, or type it anew: it may come from a word processor or a web page",
    )


def nothing_to_discard(span: Span) -> ModelError:
    """`#_` before a closing bracket or the end."""
    return ModelError(
        "nothing-to-discard",
        "`#_` has no form behind it",
        span,
        "discards the next form, but there is none",
        "remove it",
    )


# --- numbers and other atoms ---------------------------------------------------------------------


def malformed_number(span: Span, text: str) -> ModelError:
    """A token that begins like a number but is none."""
    return ModelError(
        "malformed-number",
        f"`{shortened(text)}` is not a number",
        span,
        "begins like a number",
        "write numbers like 3, -0.5, 1e-3, 1/3 or 0x1F; names begin with a letter",
    )


def number_too_large(span: Span, text: str) -> ModelError:
    """A number beyond the range of floating-point numbers."""
    return ModelError(
        "number-too-large",
        f"`{shortened(text)}` is beyond the largest number, about 1.8e308",
        span,
        "too large",
        "write ##Inf for infinity",
    )


def ratio_by_zero(span: Span, text: str) -> ModelError:
    """A ratio such as `1/0`."""
    return ModelError(
        "ratio-by-zero", f"`{shortened(text)}` divides by zero", span, "the denominator is 0"
    )


_KEYWORD_HELP = {
    ":when": "put an if into the body",
    ":while": "put an if into the body",
    ":let": "put a let into the body",
}


def keyword(span: Span, text: str) -> ModelError:
    """A Clojure keyword."""
    return ModelError(
        "keyword",
        f"the language has no keywords, such as `{shortened(text)}`",
        span,
        "a keyword",
        _KEYWORD_HELP.get(text, "use a number, a vector, or a name without the colon"),
    )


def map_or_set(span: Span, kind: str) -> ModelError:
    """`{...}` or `#{...}`."""
    return ModelError(
        "map-or-set",
        f"the language has no {kind}s",
        span,
        f"a {kind} begins here",
        "use a vector [a b c], or give every part its own name with let",
    )


def unsupported_syntax(span: Span, what: str, instead: str) -> ModelError:
    """A reader macro of Clojure that has no meaning here."""
    return ModelError(
        "unsupported-syntax",
        f"the language has no {what}",
        span,
        "not part of the language",
        instead,
    )


def shortened(text: str, limit: int = 40) -> str:
    """A text cut to be quoted in a message.

    >>> shortened("abcdef", 5)
    'ab...'
    """
    return text if len(text) <= limit else text[: limit - 3] + "..."
