"""The packages of the extra `plots`, imported where they are needed, with a word if they lack."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lfppl.errors.packages import missing_extra


def matplotlib(purpose: str) -> Any:
    """The module `matplotlib`.

    >>> matplotlib("a doctest").__name__
    'matplotlib'
    """
    return _module("matplotlib", purpose, "matplotlib")


def arviz_plots(purpose: str) -> Any:
    """The module `arviz_plots`."""
    return _module("arviz_plots", purpose, "arviz-plots")


def pygraphviz(purpose: str) -> Any:
    """The module `pygraphviz`, whose wheels bring Graphviz along."""
    return _module("pygraphviz", purpose, "pygraphviz")


def figure(purpose: str, width: float, height: float, layout: str | None = "constrained") -> Any:
    """A new matplotlib figure, which a notebook shows; no window opens by itself."""
    matplotlib(purpose)
    from matplotlib import pyplot

    made = pyplot.figure(figsize=(width, height), layout=layout)
    if not pyplot.isinteractive():
        pyplot.close(made)
    return made


def _module(name: str, purpose: str, package: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise missing_extra(purpose, package, "plots") from None
