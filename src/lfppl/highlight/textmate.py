"""The TextMate grammar for editors.

Written by `python -m lfppl.highlight.textmate > editors/vscode/syntaxes/lfppl.tmLanguage.json`; a
test checks that the file is up to date.
"""

from __future__ import annotations

import json
import re
from typing import Any

from lfppl.highlight.words import of_class

END = r"(?=[\s,;()\[\]{}\"`~@^\\]|$)"
"""What may follow a word."""
START = r"(?<![^\s,;()\[\]{}\"`~@^\\])"
"""What may stand before it."""

SCOPES = {
    "random": "keyword.other.random.lfppl",
    "definition": "storage.type.lfppl",
    "control": "keyword.control.lfppl",
    "distribution": "support.class.distribution.lfppl",
    "operation": "support.function.lfppl",
    "literal": "constant.language.lfppl",
}
"""The scope of every class of words; themes colour by its first parts."""


def pattern(kind: str) -> str:
    """The expression that finds the words of a class.

    >>> "(?:observe|factor|sample)" in pattern("random")
    True
    """
    longest_first = sorted(of_class(kind), key=lambda word: (-len(word), word))
    return f"{START}(?:{'|'.join(map(_escaped, longest_first))}){END}"


def _escaped(word: str) -> str:
    """A word as an expression that means the same to Python and to editors."""
    return re.sub(r"([.?*+|/])", r"\\\1", word)


def grammar() -> dict[str, Any]:
    """The whole grammar.

    >>> grammar()["scopeName"]
    'source.lfppl'
    """
    words = [{"name": scope, "match": pattern(kind)} for kind, scope in SCOPES.items()]
    return {
        "name": "lfppl",
        "scopeName": "source.lfppl",
        "fileTypes": ["lfppl"],
        "patterns": [
            {"name": "comment.line.semicolon.lfppl", "match": r";.*$"},
            {"name": "comment.block.discard.lfppl", "match": "#_"},
            {
                "name": "string.quoted.double.lfppl",
                "begin": '"',
                "end": '"',
                "patterns": [{"name": "constant.character.escape.lfppl", "match": r"\\."}],
            },
            *words,
            {
                "name": "constant.numeric.lfppl",
                "match": START + r"[-+]?\.?[0-9][^\s,;()\[\]{}\"`~@^\\]*",
            },
        ],
    }


if __name__ == "__main__":
    print(json.dumps(grammar(), indent=2))
