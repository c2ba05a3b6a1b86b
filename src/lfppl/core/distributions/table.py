"""The table of distributions as Markdown: `python -m lfppl.core.distributions.table`."""

from __future__ import annotations

from lfppl.core.distributions import FAMILIES
from lfppl.core.distributions.contract import Constraint, DistributionFamily

_INTRODUCTION = """# Distributions

Written by `python -m lfppl.core.distributions.table > docs/distributions.md`; a test checks that
this page is up to date.

The density is 0 where a value lies outside the support or a parameter breaks its constraint. A
discrete distribution is embedded in unit cells: its density at a real x is the probability of
floor(x). The last column tells where the density may jump: at an edge of the support, at the edge
of what a parameter allows, or where parameters change their order. What such an edge depends on
becomes a discontinuous variable, unless a change of variables or a proof removes the edge.
"""

_TITLES = {
    "interval": "Continuous",
    "integers": "Discrete",
    "vector": "Vectors",
    "simplex": "Vectors",
}

_HEAD = """| distribution | meaning | parameters | support | jumps |
|---|---|---|---|---|
"""


def page() -> str:
    """The whole page.

    >>> page().splitlines()[0]
    '# Distributions'
    """
    sections = [_INTRODUCTION]
    for title in dict.fromkeys(_TITLES.values()):
        rows = [_row(f) for f in FAMILIES.values() if _TITLES[f.support.kind] == title]
        sections.append(f"## {title}\n\n{_HEAD}{''.join(rows)}")
    return "\n".join(sections)


def _row(family: DistributionFamily) -> str:
    call = " ".join([family.name, *(parameter.name for parameter in family.parameters)])
    support = "only observed" if family.observed_only else family.support.text
    cells = (f"`({call})`", family.summary, _parameters(family), support, _jumps(family))
    return f"| {' | '.join(cells)} |\n"


def _parameters(family: DistributionFamily) -> str:
    constrained = [p for p in family.parameters if p.constraint is not Constraint.REAL]
    return "; ".join(f"{p.name}: {p.constraint.value}" for p in constrained) or "any real numbers"


def _jumps(family: DistributionFamily) -> str:
    conditions = [c for piece in family.pieces for c in piece.conditions]
    places = ["support"] if any(c.jump for c in conditions) else []
    places += [parameter.name for parameter in family.parameters if parameter.jump]
    places += ["order of parameters"] if any(r.jump for r in family.relations) else []
    return ", ".join(places) or "nowhere"


if __name__ == "__main__":
    print(page(), end="")
