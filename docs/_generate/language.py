"""The reference of the language, from the manual of its forms; the examples are run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import lfppl
from lfppl.core.desugar.manual import GROUPS, SPECIAL, Entry
from lfppl.core.desugar.tables import SUGARS

INTRODUCTION = """# The language

Written by `python docs/_generate`, from the tables that the compiler works from; a test checks that
this page is up to date. The values of the examples are what they compute.

A program is one or more expressions; its value is that of the last. A comment runs from `;` to the
end of the line, and `#_` leaves out the expression that follows. Numbers are written as in most
languages, infinity as `##Inf`. Names that the program does not bind are its data. `true` and
`false` may be tested and counted (1 and 0). Commas are space.

Variables are called after the name they are bound to: `(let [mu (sample (normal 0 1))] ...)`
samples `mu`; in a `for`, `mu` becomes a vector. The lengths of vectors and the counts of loops must
be known when compiling. In the forms below `?` marks what may be left out, and `...` what may be
repeated. A mistake is told with its place in the source and what to do.
[Distributions](distributions.md) have a page of their own.
"""

TITLES = {
    "choices": ("Choices", "The density may jump where a test changes its value."),
    "comparisons": (
        "Comparisons",
        "As tests they decide which branch is taken; as values they are 1 or 0. Either way the "
        "density may jump where they change.",
    ),
    "arithmetic": ("Arithmetic", "All work on vectors too, element by element."),
    "functions": ("Functions", "Analytic ones, of numbers or element by element of vectors."),
    "vectors": ("Vectors and matrices", "A matrix is a vector of rows."),
    "loops": ("Loops and functions of functions", "Their lengths are known when compiling."),
    "random": ("Weights", "Beside `sample` and `observe`."),
}


def page() -> str:
    """The whole page."""
    sections = [INTRODUCTION, "## Words of the language\n"]
    sections += [special(name, *described) for name, described in SPECIAL.items()]
    for group, entries in GROUPS.items():
        title, text = TITLES[group]
        sections.append(f"## {title}\n\n{text}\n\n{table(entries)}")
    return "\n".join(sections)


def special(name: str, usage: str, entry: Entry) -> str:
    """A word of the language: usage, meaning, example."""
    found = shown(entry.example)
    verb = "" if not found else f" {found}" if found.startswith("adds") else f" is {found}"
    example = f"`{entry.example}`{verb}."
    return f"### {name}\n\n    {usage}\n\n{_sentence(entry.meaning)}\n\nExample: {example}\n"


def table(entries: Mapping[str, Entry]) -> str:
    """The forms of a group, one in each row."""
    rows = "".join(row(SUGARS[name].usage, entry) for name, entry in entries.items())
    return f"| form | meaning | example | value |\n|---|---|---|---|\n{rows}"


def row(usage: str, entry: Entry) -> str:
    """A form with its meaning, an example and the example's value."""
    return f"| `{usage}` | {entry.meaning} | `{entry.example}` | {shown(entry.example)} |\n"


def shown(example: str) -> str:
    """What an example adds to the log density, or its value; nothing where it is random."""
    model = lfppl.compile(example)
    if model.sampled:
        return ""
    if model.analysis.n_observe:
        return f"adds {model.log_density({}):.6g} to the log density"
    constants = model.lir.returned.constants
    return _text(constants) if constants.size else "`[]`"


def _text(value: np.typing.NDArray[np.float64]) -> str:
    return f"`{_lisp(value)}`"


def _lisp(value: np.typing.NDArray[np.float64]) -> str:
    if value.ndim:
        return f"[{' '.join(_lisp(row) for row in value)}]"
    return f"{float(value):.6g}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
