"""What a person may have meant by a name that nothing is called by."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

SYNONYMS = {
    "append": "concat",
    "expon": "exponential",
    "gauss": "normal",
    "gaussian": "normal",
    "length": "count",
    "ln": "log",
    "multinomial": "categorical",
    "multivariate-normal": "mvn",
    "norm": "normal",
    "power": "pow",
    "size": "count",
    "squareroot": "sqrt",
    "unif": "uniform",
}
"""What other systems call something, and its name here."""


def suggestion(name: str, known: Iterable[str]) -> str:
    """A question that names something similar; empty if nothing is.

    >>> suggestion("gausian", ["sin", "normal"])
    'did you mean `normal`?'
    """
    names = set(known)
    similar = {own: own for own in names} | {s: own for s, own in SYNONYMS.items() if own in names}
    close = get_close_matches(name, sorted(similar), n=1, cutoff=0.7)
    return f"did you mean `{similar[close[0]]}`?" if close else ""
