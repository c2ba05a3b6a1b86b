"""The JAX backend: a model's tables as array functions, for accelerators and many chains."""

from __future__ import annotations

from lfppl.backends.jax.density import batch_density_of

__all__ = ["batch_density_of"]
