"""The page of distributions, from the table that the compiler works from."""

from __future__ import annotations

from typing import Any

from _generate.formula import latex
from _generate.formulas import WRITTEN

from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.contract import DistributionFamily
from lfppl.core.distributions.density import log_density
from lfppl.core.primitives import NumpyMath

INTRODUCTION = """# Distributions

Written by `python docs/_generate`, from the table that the compiler works from; a test checks that
this page is up to date, and that the formulas are what is computed.

The density is 0 where a value lies outside the support or a parameter breaks its constraint. A
discrete distribution is embedded in unit cells: its density at a real x is the probability of
floor(x), and its variable is always discontinuous. Every entry tells where else the density may
jump: at an edge of the support, at the edge of what a parameter allows, or where parameters change
their order. What such an edge depends on becomes a discontinuous variable, unless a change of
variables or a proof removes the edge: a sampled variable with bounds that are known is smooth.

In Python the names have underscores (`student_t`), and they come from `lfppl.distributions`.
"""

TITLES = {
    "interval": "Continuous",
    "integers": "Discrete",
    "vector": "Vectors",
    "simplex": "Vectors",
    "weight": "Weights",
}


def page() -> str:
    """The whole page."""
    sections = [INTRODUCTION]
    for title in dict.fromkeys(TITLES.values()):
        families = [f for f in FAMILIES.values() if TITLES[_kind(f)] == title]
        sections.append(f"## {title}\n")
        sections.extend(entry(family) for family in families)
    return "\n".join(sections)


def entry(family: DistributionFamily) -> str:
    """A distribution: how it is called, its density, and a list of what is to be known of it."""
    call = " ".join([family.name, *(parameter.name for parameter in family.parameters)])
    names = ", ".join(_python(parameter.name) for parameter in family.parameters)
    support = "whatever is observed" if family.observed_only else family.support.text
    lines = [
        f"### {family.name}\n",
        f"`({call})`, in Python `{_python(family.name)}({names})`\n",
        f"{_sentence(family.summary)}\n",
        f"$${latex(WRITTEN[family.name].density)}$$\n",
        f"- Parameters: {_parameters(family)}.",
        f"- Support: {support}.",
        f"- Jumps: {_jumps(family)}.",
        f"- Example: {_example(family)}\n",
    ]
    return "\n".join(lines)


def _kind(family: DistributionFamily) -> str:
    return "weight" if family.observed_only else family.support.kind


def _python(name: str) -> str:
    return name.replace("-", "_")


def _parameters(family: DistributionFamily) -> str:
    return "; ".join(f"`{p.name}`, {p.constraint.value}" for p in family.parameters)


def _jumps(family: DistributionFamily) -> str:
    """Where the density may jump, in words."""
    conditions = [c for piece in family.pieces for c in piece.conditions]
    edge = "between integers" if family.is_discrete else "at the edges of the support"
    places = [edge] if any(c.jump for c in conditions) else []
    places += [
        f"where `{p.name}` is no longer {p.constraint.value}" for p in family.parameters if p.jump
    ]
    places += (
        ["where parameters change their order"]
        if any(relation.jump for relation in family.relations)
        else []
    )
    return ", ".join(places) or "nowhere"


def _example(family: DistributionFamily) -> str:
    """A statement with the log density that it adds."""
    _, x, parameters = WRITTEN[family.name]
    found = float(log_density(NumpyMath(), family, x, parameters))
    call = " ".join([family.name, *map(_lisp, parameters)])
    if family.observed_only:
        return f"`({call})` adds {found:.6g}."
    return f"`(observe ({call}) {_lisp(x)})` adds {found:.6g} to the log density."


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _lisp(value: Any) -> str:
    if isinstance(value, list):
        return f"[{' '.join(map(_lisp, value))}]"
    return f"{value:g}"
