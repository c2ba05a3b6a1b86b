"""The experiments of the paper's section 6, made anew: `make reproduce` (docs/reproduction.md)."""
