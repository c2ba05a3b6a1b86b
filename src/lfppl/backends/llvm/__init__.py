"""Native code for the CPU through LLVM: the default backend."""

from __future__ import annotations

from lfppl.backends.density import Density
from lfppl.backends.llvm.call import CompiledDensity, diagnose
from lfppl.lir.tables import Model

__all__ = ["CompiledDensity", "compile_density", "diagnose", "emit_llvm"]


def compile_density(model: Model) -> Density:
    """The native density of a model."""
    from lfppl.backends.llvm.compile import density_of

    return density_of(model)


def emit_llvm(model: Model) -> str:
    """The LLVM text that `compile_density` makes code from, for reading."""
    from lfppl.backends.llvm.compile import generate

    return generate(model).text
