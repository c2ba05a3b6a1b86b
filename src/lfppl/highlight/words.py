"""Every word of the language by what it is, read off the tables that the compiler works from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

RANDOM = ("sample", "observe", "factor")
"""What makes a program probabilistic."""

DEFINITIONS = ("def", "defn", "fn", "let")
"""What binds names."""

CONTROL = ("choices", "loops")
"""The groups of the manual whose forms decide what is computed, and how often."""

LITERALS = ("true", "false", "nil", ":else", "##Inf", "##-Inf", "##NaN")


@cache
def words() -> Mapping[str, str]:
    """The class of every word: random, definition, control, distribution, operation or literal.

    >>> [words()[word] for word in ("sample", "let", "cond", "normal", "exp", "nil")]
    ['random', 'definition', 'control', 'distribution', 'operation', 'literal']
    """
    from lfppl.core.desugar.distributions import NAMES
    from lfppl.core.desugar.manual import GROUPS
    from lfppl.core.desugar.tables import SUGARS
    from lfppl.syntax.parse import SPECIAL_FORMS

    return {
        **dict.fromkeys(SUGARS, "operation"),
        **dict.fromkeys(NAMES, "distribution"),
        **{name: "control" for group in CONTROL for name in GROUPS[group]},
        **dict.fromkeys(SPECIAL_FORMS, "control"),
        **dict.fromkeys(DEFINITIONS, "definition"),
        **dict.fromkeys(RANDOM, "random"),
        **dict.fromkeys(LITERALS, "literal"),
    }


def of_class(kind: str) -> list[str]:
    """The words of a class, in alphabetical order.

    >>> of_class("random")
    ['factor', 'observe', 'sample']
    """
    return sorted(word for word, found in words().items() if found == kind)
