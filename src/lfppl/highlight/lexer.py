"""The Pygments lexer for `.lfppl` files; `pygmentize`, Sphinx and rich find it by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from pygments.lexer import RegexLexer
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Punctuation,
    String,
    Text,
    Whitespace,
    _TokenType,
)

from lfppl.highlight.words import words

TOKENS: dict[str, _TokenType] = {
    "random": Name.Function.Magic,
    "definition": Keyword.Declaration,
    "control": Keyword,
    "distribution": Name.Class,
    "operation": Name.Builtin,
    "literal": Keyword.Constant,
}
"""The token of every class of words."""


def _atom(lexer: Any, match: re.Match[str], context: Any = None) -> Iterator[Any]:
    """A word of the language by its class; all other atoms are names of the program."""
    kind = words().get(match[0])
    yield match.start(), TOKENS[kind] if kind else Name.Variable, match[0]


class LfpplLexer(RegexLexer):  # type: ignore[misc]
    """Programs in the Lisp of lfppl.

    >>> lexer = LfpplLexer()
    >>> [text for token, text in lexer.get_tokens("(sample d)") if token in Name.Function.Magic]
    ['sample']
    """

    name = "lfppl"
    url = ""
    aliases: ClassVar = ["lfppl"]
    filenames: ClassVar = ["*.lfppl"]
    mimetypes: ClassVar = ["text/x-lfppl"]

    tokens: ClassVar = {
        "root": [
            (r";[^\n]*|#![^\n]*", Comment.Single),
            (r"\s+", Whitespace),
            (r",", Text),
            (r"#_", Comment.Preproc),
            (r'"[^"\\]*(?:\\.[^"\\]*)*"', String),
            (r"[()\[\]]", Punctuation),
            (r"[-+]?\.?[0-9][^\s,;()\[\]{}\"`~@^\\]*", Number),
            (r"[^\s,;()\[\]{}\"`~@^\\']+", _atom),
            (r".", Error),
        ]
    }
