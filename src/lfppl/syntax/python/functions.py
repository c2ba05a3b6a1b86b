"""Functions and methods with rules of their own, entered in the table that calls look into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lfppl.syntax.python import (
    rearranging,
    reductions,
    sampling,
    searching,
    sequences,
    shapes,
    static,
)
from lfppl.syntax.python.calls import Rule, Site
from lfppl.syntax.python.context import Context
from lfppl.syntax.python.library import SPECIAL, Special
from lfppl.syntax.python.values import Value

_NUMPY: dict[str, Special] = {
    **reductions.NUMPY,
    **shapes.NUMPY,
    **rearranging.NUMPY,
    **searching.NUMPY,
}

_ARRAY_METHODS = (
    *("sum", "mean", "max", "min", "prod", "var", "std", "dot", "cumsum", "any", "all"),
    *("clip", "transpose", "round", "ravel", "cumprod", "argmax", "argmin", "ptp", "trace"),
    *("repeat", "reshape", "squeeze", "swapaxes", "diagonal", "take"),
)
"""Methods that do what NumPy's functions of the same names do."""


def _if_static(function: Callable[..., Any], rule: Rule) -> Rule:
    """A rule that is only asked where an argument is not known now."""

    def either(ctx: Context, site: Site) -> Value:
        values = (*site.arguments, *site.keywords.values())
        if static.are_static(values):
            return static.evaluate(function, site.arguments, site.span, site.keywords)
        return rule(ctx, site)

    return either


def _rule(special: Special) -> Rule:
    function, rule = special
    return rule if function is None else _if_static(function, rule)


_ALL: dict[str, Special] = {
    **{f"numpy.{name}": special for name, special in _NUMPY.items()},
    **{f"method.{name}": _NUMPY[name] for name in _ARRAY_METHODS},
    **reductions.OTHER,
    **shapes.OTHER,
    **searching.OTHER,
    **sequences.OTHER,
}

SPECIAL.update({name: _rule(special) for name, special in _ALL.items()})
SPECIAL.update(
    {f"distribution.{name}": sampling.distribution(name) for name in sampling.PARAMETERS}
)
SPECIAL.update(
    {f"lfppl.{f.__name__}": f for f in (sampling.sample, sampling.observe, sampling.factor)}
)
