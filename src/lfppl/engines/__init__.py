"""Engines: samplers that know a model only through its Density, one resumable chain at a time.

    >>> sorted(ENGINES)
    ['dhmc', 'dnuts', 'hmc', 'mwg', 'nuts']

Nothing heavy is imported before an engine is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from lfppl.errors.engine import unknown_engine

if TYPE_CHECKING:
    from lfppl.engines.chains import Engine

ENGINES = ("dhmc", "dnuts", "hmc", "mwg", "nuts")
"""The names of all engines; each is a module of this package."""
CROWD = "crowd"
"""DHMC for many chains in lock-step in JAX: no engine of single chains, but `sample` takes it."""
DEFAULT = "dhmc"
"""It wins over the whole suite (docs/decisions/0010-default-engine.md)."""


def engine(name: str = DEFAULT) -> Engine:
    """The engine of this name.

    >>> engine("dhmc").gamma
    'jumping'
    """
    if name not in ENGINES:
        raise unknown_engine(name, (*ENGINES, CROWD))
    chosen: Engine = import_module(f"lfppl.engines.{name}").ENGINE
    return chosen
