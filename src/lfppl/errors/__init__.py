"""What can go wrong: one constructor per user mistake, grouped by the phase that finds it."""

from lfppl.errors.base import CompilerBug, LfpplError, ModelError

__all__ = ["CompilerBug", "LfpplError", "ModelError"]
