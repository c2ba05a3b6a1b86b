"""DHMC for a crowd: many chains in lock-step on an accelerator, tuned together, in JAX."""
