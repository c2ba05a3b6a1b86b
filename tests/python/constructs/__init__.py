"""Functions that mean the same in Python and as models."""
